//! PostgreSQL: schema, epoch, and its time, which is the time of all nodes.

use std::sync::{Arc, OnceLock};

use sqlx::{ConnectOptions, Connection, PgConnection};

use super::address;
use super::db::{self, Pool};
use super::error::StoreError;
use super::facts::epoch;
use super::hosts::Hosts;
use super::job::Committed;
use super::lanes::Lanes;
use super::migrations::steps;
use super::primary::Primary;
use super::probe::{self, Time};
use super::writer::Writer;
use crate::clock::Clock;

const STEPS: [(i64, &str, &str); 2] = [
    (1, "groups", include_str!("../../migrations/postgres/0001_groups.sql")),
    (2, "attendance", include_str!("../../migrations/postgres/0002_attendance.sql")),
];

/// What connections of a node are called, so that it can be seen that one is there.
pub(super) const NODE: &str = "chat-group-members";

pub(super) async fn open(
    url: &str,
    clock: &Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<(Writer, Pool, String), StoreError> {
    let mut hosts = hosts(url)?;
    let found = hosts.primary().await.map_err(StoreError::Unavailable)?;
    let mut connection = found.options.connect().await?;
    bring_to_newest(&mut connection).await?;
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
    Ok(Hosts::new(hosts.map(|host| host.application_name(NODE).disable_statement_logging()).collect()))
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
    let epoch = epoch(db::Connection::Postgres(db::Limited::patiently(&mut tx)), &here).await?;
    tx.commit().await?;
    Ok(epoch)
}

/// What tells this database from others: a dump that is restored becomes another one, and so does a copy. A standby is the same.
pub(super) async fn identity(connection: &mut PgConnection) -> Result<String, StoreError> {
    Ok(sqlx::query_scalar("SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()")
        .fetch_one(connection)
        .await?)
}
