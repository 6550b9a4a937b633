//! SQLite: settings, schema, epoch.

use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::db::{self, Pool};
use super::error::StoreError;
use super::facts::epoch;
use super::job::Committed;
use super::migrations::steps;
use super::writer::Writer;
use super::{batch, read_only};
use crate::clock::Clock;

const STEPS: [(i64, &str, &str); 2] = [
    (1, "groups", include_str!("../../migrations/sqlite/0001_groups.sql")),
    (2, "attendance", include_str!("../../migrations/sqlite/0002_attendance.sql")),
];

/// How long a read of SQLite waits for a connection, and a statement for another process (an import)
/// that is writing.
const BUSY: Duration = Duration::from_secs(5);
/// Connections that read.
const READERS: u32 = 4;

pub(super) async fn open(
    url: &str,
    clock: &Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<(Writer, Pool, String), StoreError> {
    let options = options(url)?;
    let (mut connection, epoch) = prepared(&options).await?;
    if let Some(moving) = read_only::state(&mut connection).await? {
        tracing::warn!("this file is read-only: {moving}; `move --cancel` makes it writable again");
    }
    connection.close().await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .min_connections(1)
        .acquire_timeout(BUSY)
        .connect_with(options.clone().pragma("query_only", "ON"))
        .await?;
    let jobs = batch::start(options, clock.clone(), committed).await?;
    Ok((Writer::Batch(jobs), Pool::Sqlite(readers), epoch))
}

/// The newest step of the schema that we know.
pub(super) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].0
}

/// The file with the newest schema, and the name of its history.
pub(super) async fn prepared(options: &SqliteConnectOptions) -> Result<(SqliteConnection, String), StoreError> {
    let mut connection = options.clone().connect().await?;
    steps(&STEPS).run(&mut connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let epoch = epoch(db::Connection::Sqlite(&mut tx), &identity(options.get_filename())).await?;
    tx.commit().await?;
    Ok((connection, epoch))
}

pub(super) fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    Ok(SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .statement_cache_capacity(200)
        .pragma("cache_size", "-65536")
        .pragma("mmap_size", "1073741824")
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging())
}

/// Device and inode of the database file.
fn identity(file: &Path) -> String {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).map_or_else(|_| "memory".into(), |meta| format!("{}:{}", meta.dev(), meta.ino()))
}
