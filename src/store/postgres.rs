//! PostgreSQL: schema, epoch, and its time, which is the time of all nodes.

use std::sync::{Arc, OnceLock};

use sqlx::{ConnectOptions, Connection, PgConnection};

use super::db::Pool;
use super::hosts::Hosts;
use super::lanes::Lanes;
use super::open::{epoch, steps};
use super::primary::Primary;
use super::probe::{self, Time};
use super::writer::Writer;
use super::{Committed, StoreError, address, db};
use crate::clock::Clock;

const STEPS: [(i64, &str, &str); 1] = [(1, "groups", include_str!("../../migrations/postgres/0001_groups.sql"))];

pub(super) async fn open(
    url: &str,
    clock: &Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<(Writer, Pool, String), StoreError> {
    let mut hosts = hosts(url)?;
    let found = hosts.primary().await.map_err(StoreError::Unavailable)?;
    let mut connection = found.options.connect().await?;
    steps(&STEPS).run(&mut connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let epoch = agreed_epoch(&mut connection).await?;
    connection.close().await?;
    let mut time = Time::new(clock.clone());
    time.follow(&found);
    let primary = Primary::new(found);
    probe::start(&primary, hosts, time);
    let lanes = Lanes::new(primary.clone(), clock.clone(), committed);
    Ok((Writer::Lanes(lanes), Pool::Postgres(primary), epoch))
}

/// A connection to the primary, for one piece of work.
pub(super) async fn connect(url: &str) -> Result<PgConnection, StoreError> {
    let found = hosts(url)?.primary().await.map_err(StoreError::Unavailable)?;
    Ok(found.options.connect().await?)
}

fn hosts(url: &str) -> Result<Hosts, StoreError> {
    let hosts = address::hosts(url).map_err(StoreError::Unavailable)?.into_iter();
    Ok(Hosts::new(hosts.map(|host| host.application_name("chat-group-members").disable_statement_logging()).collect()))
}

async fn agreed_epoch(connection: &mut PgConnection) -> Result<String, StoreError> {
    let mut tx = connection.begin().await?;
    // Nodes that start together agree on the first one's.
    sqlx::query("LOCK TABLE facts IN SHARE ROW EXCLUSIVE MODE").execute(&mut *tx).await?;
    // A dump that is restored becomes another database; so does a copy of one. A standby is the same.
    let here: String =
        sqlx::query_scalar("SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()")
            .fetch_one(&mut *tx)
            .await?;
    let epoch = epoch(db::Connection::Postgres(db::Limited::patiently(&mut tx)), &here).await?;
    tx.commit().await?;
    Ok(epoch)
}
