//! Opening a SQLite file: settings, schema, epoch.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::mpsc;

use super::file::{FileWatch, OpenFile, stored_identity};
use super::scrub::Scrubber;
use super::{create, read_only, schema, writer};
use crate::clock::Clock;
use crate::store::commit::CommitListeners;
use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::job::Job;
use crate::store::metadata::{load_epoch, load_pseudonyms};
use crate::store::pseudonym::Pseudonyms;

/// How long a read waits for a connection, and a statement for another process that writes (an import).
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections that read.
const READERS: u32 = 4;

/// Opens the file: the queue of its writer, connections that read and the file itself, its epoch, its
/// pseudonyms, and what removes deleted content.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be opened or brought to the newest schema.
pub(in crate::store) async fn open(
    url: &str,
    clock: &Clock,
    listeners: Arc<CommitListeners>,
) -> Result<(mpsc::Sender<Job>, OpenFile, String, Pseudonyms, Scrubber), StoreError> {
    let options = options(url)?;
    create::create(&options)?;
    let (mut connection, epoch) = prepare(&options).await.map_err(|error| match error {
        StoreError::Unavailable(cause) => create::unusable(options.get_filename(), &cause),
        other => other,
    })?;
    let state = read_only::state(Connection::Sqlite(&mut connection)).await?;
    if let Some(state) = &state {
        tracing::warn!("this file is read-only: {state}; `move --cancel` makes it writable again");
    }
    let pseudonyms = load_pseudonyms(Connection::Sqlite(&mut connection), state.is_none()).await?;
    // From here on, an empty file in the place of one that was moved away would be mistaken for it.
    let options = options.create_if_missing(false);
    let watch = Arc::new(FileWatch::new(&options));
    connection.close().await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .min_connections(1)
        .acquire_timeout(BUSY_TIMEOUT)
        .connect_with(options.clone().pragma("query_only", "ON"))
        .await?;
    let scrubber = Scrubber::new(options.clone(), watch.clone());
    let jobs =
        writer::start((options, watch.clone()), clock.clone(), pseudonyms.clone(), scrubber.turn(), listeners).await?;
    for name in ["store_up", "store_writable"] {
        metrics::gauge!(name).set(1.0);
    }
    Ok((jobs, OpenFile::new(readers, watch), epoch, pseudonyms, scrubber))
}

/// How the file at `url` is connected to.
///
/// # Errors
/// [`StoreError::Unavailable`] when `url` is not the address of a file.
pub(in crate::store) fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    Ok(SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(200)
        .pragma("cache_size", "-16384")
        .pragma("journal_size_limit", "67108864")
        .pragma("mmap_size", "1073741824")
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging())
}

/// Brings the file to the newest schema: a connection to it, and its epoch.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be opened or a step of the schema fails.
pub(in crate::store) async fn prepare(
    options: &SqliteConnectOptions,
) -> Result<(SqliteConnection, String), StoreError> {
    let mut connection = options.clone().connect().await?;
    schema::bring_to_newest(&mut connection).await?;
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let epoch =
        load_epoch(Connection::Sqlite(&mut tx), &stored_identity(options.get_filename()), Clock::default().now())
            .await?;
    tx.commit().await?;
    Ok((connection, epoch))
}
