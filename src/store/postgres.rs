//! PostgreSQL: settings, schema, epoch, and its time, which is the time of all nodes.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use super::db::Pool;
use super::lanes::Lanes;
use super::open::{BUSY, epoch, steps};
use super::writer::{PATIENCE, Writer};
use super::{Committed, StoreError, db};
use crate::clock::Clock;

const STEPS: [(i64, &str, &str); 2] = [
    (1, "groups", include_str!("../../migrations/postgres/0001_groups.sql")),
    (2, "attendance", include_str!("../../migrations/postgres/0002_attendance.sql")),
];

/// What connections of a node are called, so that it can be seen that one is there.
pub(super) const NODE: &str = "chat-group-members";
/// Connections that read, and connections that write.
const READERS: u32 = 8;
const WRITERS: u32 = 8;
/// How often the database is asked what time it is.
const TIME: Duration = Duration::from_secs(10);

pub(super) async fn open(
    url: &str,
    clock: &Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<(Writer, Pool, String), StoreError> {
    let options = PgConnectOptions::from_str(url)?.application_name(NODE).disable_statement_logging();
    let mut connection = options.clone().connect().await?;
    bring_to_newest(&mut connection).await?;
    let epoch = agreed_epoch(&mut connection).await?;
    keep_time(&mut connection, clock).await?;
    connection.close().await?;
    // A lock that somebody holds for long, or a query that runs away, is a 503 and not a hanging act.
    let options = options.options([("statement_timeout", "10s"), ("lock_timeout", "5s")]);
    let readers =
        PgPoolOptions::new().max_connections(READERS).acquire_timeout(BUSY).connect_lazy_with(options.clone());
    let writers = PgPoolOptions::new().max_connections(WRITERS).acquire_timeout(PATIENCE).connect_lazy_with(options);
    tokio::spawn(keep_time_forever(readers.clone(), clock.clone()));
    let lanes = Lanes::new(writers, clock.clone(), committed);
    Ok((Writer::Lanes(lanes), Pool::Postgres(readers), epoch))
}

/// A connection to the primary, for one piece of work.
pub(super) async fn connect(url: &str) -> Result<PgConnection, StoreError> {
    Ok(PgConnectOptions::from_str(url)?.application_name(NODE).disable_statement_logging().connect().await?)
}

/// The newest step of the schema that we know.
pub(super) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].0
}

pub(super) async fn bring_to_newest(connection: &mut PgConnection) -> Result<(), StoreError> {
    steps(&STEPS).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}

async fn agreed_epoch(connection: &mut PgConnection) -> Result<String, StoreError> {
    let mut tx = connection.begin().await?;
    // Nodes that start together agree on the first one's.
    sqlx::query("LOCK TABLE facts IN SHARE ROW EXCLUSIVE MODE").execute(&mut *tx).await?;
    let here = identity(&mut tx).await?;
    let epoch = epoch(db::Connection::Postgres(&mut tx), &here).await?;
    tx.commit().await?;
    Ok(epoch)
}

/// What tells this database from others: a dump that is restored becomes another one, and so does a copy.
pub(super) async fn identity(connection: &mut PgConnection) -> Result<String, StoreError> {
    Ok(sqlx::query_scalar("SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()")
        .fetch_one(connection)
        .await?)
}

/// Nodes whose own clocks disagree agree on the database's.
async fn keep_time(connection: &mut PgConnection, clock: &Clock) -> Result<(), StoreError> {
    let asked = clock.own();
    let time: i64 = sqlx::query_scalar("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
        .fetch_one(connection)
        .await?;
    let answered = clock.own();
    clock.follow(time - (asked + answered) / 2);
    Ok(())
}

async fn keep_time_forever(pool: PgPool, clock: Clock) {
    while !pool.is_closed() {
        tokio::time::sleep(TIME).await;
        if let Ok(mut connection) = pool.acquire().await
            && let Err(error) = keep_time(&mut connection, &clock).await
        {
            tracing::warn!(%error, "the database does not say what time it is");
        }
    }
}
