//! Opening a SQLite file: settings, schema, epoch.

use std::path::Path;
use std::sync::Arc;

use rustix::fs::{Access, access};
use rustix::io::Errno;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::file::{FileWatch, OpenFile, stored_identity};
use super::foreign::connect_to_write;
use super::place::{BUSY_TIMEOUT, beside, not_writable, parameters, parse, unopened, unusable};
use super::scrub::Scrubber;
use super::writer::{self, FileWriter};
use super::{create, read_only, schema};
use crate::clock::Clock;
use crate::store::error::StoreError;
use crate::store::metadata::{load_epoch, load_pseudonyms};
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::transaction::commit::CommitListeners;

/// Connections that read.
const READERS: u32 = 4;

/// Opens the file: its writer, connections that read and the file itself, its epoch, its
/// pseudonyms, and what removes deleted content.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be opened or brought to the newest schema.
pub(in crate::store) async fn open(
    url: &str,
    clock: &Clock,
    listeners: Arc<CommitListeners>,
) -> Result<(FileWriter, OpenFile, String, Pseudonyms, Scrubber), StoreError> {
    let options = options(url)?;
    if is_created(url) {
        create::create(options.get_filename())?;
    }
    let is_read_only = cannot_be_written(options.get_filename());
    let (mut connection, epoch) = prepare(&options).await?;
    let state = read_only::state(Connection::Sqlite(&mut connection)).await?;
    if let Some(state) = &state {
        tracing::warn!("this file is read-only: {state}; `move --cancel` makes it writable again");
    }
    let pseudonyms = load_pseudonyms(Connection::Sqlite(&mut connection), state.is_none()).await?;
    // From now on a missing file is an error: a new empty one in its place would be mistaken for it.
    let options = options.create_if_missing(false);
    let watch = Arc::new(FileWatch::new(&options, is_read_only));
    connection.close().await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .min_connections(1)
        .acquire_timeout(BUSY_TIMEOUT)
        .connect_with(options.clone().pragma("query_only", "ON"))
        .await
        .map_err(|error| unopened(options.get_filename(), &error))?;
    let scrubber = Scrubber::new(options.clone(), watch.clone());
    let writer =
        writer::start((options, watch.clone()), clock.clone(), pseudonyms.clone(), scrubber.turn(), listeners).await?;
    watch.watch_beside();
    metrics::gauge!("chat_group_members_store_up").set(1.0);
    Ok((writer, OpenFile::new(readers, watch), epoch, pseudonyms, scrubber))
}

/// Whether the file, or its index of the write-ahead log, may not be written. Neither is opened for that: closing it would release the locks
/// that other connections of this process hold.
fn cannot_be_written(path: &Path) -> bool {
    let is_refused = |path: &Path| access(path, Access::WRITE_OK).is_err_and(|error| error != Errno::NOENT);
    is_refused(path) || is_refused(&beside(path, "-shm"))
}

/// The options to open the file at `url` for writing.
///
/// # Errors
/// [`StoreError::Unavailable`] when `url` is not the address of a file that may be written.
pub(in crate::store) fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    let options = parse(url)?;
    for (name, value) in [("mode", "ro"), ("immutable", "true"), ("immutable", "1")] {
        if parameters(url).any(|parameter| parameter == (name, value)) {
            let cause = format!("{name}={value} keeps it from being written: take that out");
            return Err(unusable(options.get_filename(), &cause));
        }
    }
    Ok(options
        .create_if_missing(is_created(url))
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(200)
        .pragma("cache_size", "-16384")
        .pragma("journal_size_limit", "67108864")
        // Reading a mapped file that somebody truncates ends the process (SIGBUS), and saved a tenth to a fifth of the time
        // of loading a group at most.
        .pragma("mmap_size", "0")
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging())
}

/// Whether a file that is missing is made.
fn is_created(url: &str) -> bool {
    parameters(url).all(|parameter| parameter != ("mode", "rw"))
}

/// Brings the file to the newest schema: a connection to it, and its epoch.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be opened, is another program's, or a step of the schema fails.
pub(in crate::store) async fn prepare(
    options: &SqliteConnectOptions,
) -> Result<(SqliteConnection, String), StoreError> {
    let mut connection = connect_to_write(options).await?;
    schema::bring_to_newest(&mut connection).await.map_err(|error| match error {
        StoreError::Unavailable(cause) => {
            let path = options.get_filename();
            let cause = match not_writable(path) {
                Some(why) => format!("{cause}: {why}"),
                None => cause,
            };
            unusable(path, &cause)
        }
        other => other,
    })?;
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let epoch =
        load_epoch(Connection::Sqlite(&mut tx), &stored_identity(options.get_filename()), Clock::default().now())
            .await?;
    tx.commit().await?;
    Ok((connection, epoch))
}
