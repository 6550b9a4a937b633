//! The one task that writes to a SQLite file. Acts that wait share a commit and are answered after it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::{Mutex, mpsc};

use super::file::FileWatch;
use crate::clock::Clock;
use crate::store::error::{StoreError, spoiled_connections, sqlite_code};
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::transaction::commit::CommitListeners;
use crate::store::transaction::job::{Batch, Completion, Job, QUEUE_CAPACITY};
use crate::store::transaction::tx::LogAccess;

/// Most acts that share a commit: bounds how long the first of them waits.
const MAX_BATCH: usize = 128;
/// Time between two checkpoints of the write-ahead log.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(500);
/// Most pages of the log that are copied while acts wait: about two milliseconds.
const MOST_WAITED_FOR: i64 = 500;
/// Most pages that were copied while acts went on and are synced while they wait. After a large list they may be gigabytes: then
/// the log begins anew at a moment without acts.
const MOST_UNSYNCED: i64 = 20_000;

/// Starts the task; it ends when the last sender of the queue it answers with is dropped.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be opened.
pub(super) async fn start(
    (options, watch): (SqliteConnectOptions, Arc<FileWatch>),
    clock: Clock,
    pseudonyms: Pseudonyms,
    turn: Arc<Mutex<()>>,
    listeners: Arc<CommitListeners>,
) -> Result<mpsc::Sender<Job>, StoreError> {
    // One sync may change millions of rows: its changes stay on the disk, outside this process. Pages are kept in a
    // bounded cache, and rollback data goes to a file when it exceeds 64 kB.
    let options = options.pragma("temp_store", "FILE");
    let checkpoint_connection = options.clone().connect().await?;
    let options = options.pragma("wal_autocheckpoint", "0");
    let connection = options.connect().await?;
    let (jobs, queue) = mpsc::channel(QUEUE_CAPACITY);
    tokio::spawn(run_checkpoints(jobs.downgrade(), checkpoint_connection, turn.clone(), watch.clone()));
    tokio::spawn(run_jobs(queue, (options, watch), connection, (clock, pseudonyms), turn, Completion::new(listeners)));
    Ok(jobs)
}

async fn run_jobs(
    mut queue: mpsc::Receiver<Job>,
    file: (SqliteConnectOptions, Arc<FileWatch>),
    connection: SqliteConnection,
    (clock, pseudonyms): (Clock, Pseudonyms),
    turn: Arc<Mutex<()>>,
    completion: Completion,
) {
    let (mut connection, mut jobs) = (Some(connection), Vec::with_capacity(MAX_BATCH));
    while queue.recv_many(&mut jobs, MAX_BATCH).await > 0 {
        let mut batch = Batch::default();
        let turn = turn.lock().await;
        let spoiled = spoiled_connections();
        match run_batch(&mut connection, &file, &mut jobs, &mut queue, (&clock, &pseudonyms), &mut batch).await {
            Ok(()) => {
                // An act has found the file damaged or read-only, which the connection remembers. The file may be sound again.
                if spoiled_connections() != spoiled {
                    connection = None;
                }
                completion.committed(batch);
            }
            Err(error) => {
                // The state of the connection is unknown: SQLite ends a transaction by itself when the disk is
                // full, for example.
                connection = None;
                completion.failed(batch, &error);
            }
        }
        drop(turn);
        // A transaction that did not begin has left its jobs here.
        jobs.clear();
    }
    if let Some(connection) = connection {
        let _ = connection.close().await;
    }
}

/// One transaction: the waiting jobs, then those that arrive while it runs, up to the limit of a batch.
async fn run_batch(
    connection: &mut Option<SqliteConnection>,
    (options, watch): &(SqliteConnectOptions, Arc<FileWatch>),
    waiting: &mut Vec<Job>,
    queue: &mut mpsc::Receiver<Job>,
    (clock, pseudonyms): (&Clock, &Pseudonyms),
    batch: &mut Batch,
) -> Result<(), StoreError> {
    watch.check_writable()?;
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(options.connect().await?),
    };
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE; SAVEPOINT act").await?;
    let mut jobs: VecDeque<Job> = waiting.drain(..).collect();
    while let Some(job) = jobs.pop_front() {
        if !batch.results.is_empty() {
            if job.log == LogAccess::ReadWrite {
                batch.insert_log(Connection::Sqlite(&mut transaction)).await?;
            }
            // Prepared once, which `raw_sql` never is.
            sqlx::query("RELEASE act; SAVEPOINT act").execute(&mut *transaction).await?;
        }
        let stays = batch.run(job, Connection::Sqlite(&mut transaction), (clock, pseudonyms)).await;
        if !stays {
            sqlx::query("ROLLBACK TO act").execute(&mut *transaction).await?;
        }
        while batch.results.len() + jobs.len() < MAX_BATCH
            && let Ok(job) = queue.try_recv()
        {
            jobs.push_back(job);
        }
    }
    if !batch.has_writes() {
        return Ok(transaction.rollback().await?);
    }
    batch.insert_log(Connection::Sqlite(&mut transaction)).await?;
    watch.check_writable()?;
    batch.committing = true;
    Ok(transaction.commit().await.inspect_err(|error| batch.committing = may_have_committed(error))?)
}

/// Whether the transaction may be committed although its COMMIT failed with this. One that found the disk full
/// or the file locked is not; one whose sync failed may be there after a power cut.
fn may_have_committed(error: &sqlx::Error) -> bool {
    const BUSY: i32 = 5;
    const FULL: i32 = 13;
    !matches!(sqlite_code(error), Some(BUSY | FULL))
}

/// Checkpoints the write-ahead log on a connection of its own, so that no commit waits for it.
async fn run_checkpoints(
    jobs: mpsc::WeakSender<Job>,
    mut connection: SqliteConnection,
    turn: Arc<Mutex<()>>,
    watch: Arc<FileWatch>,
) {
    let mut interval = tokio::time::interval(CHECKPOINT_INTERVAL);
    let (mut failing, mut unsynced) = (false, 0);
    loop {
        interval.tick().await;
        if jobs.upgrade().is_none() {
            break;
        }
        // Part of the log in a file that was emptied would be no database, and what an operator puts there is not to be written over.
        if watch.is_emptied() {
            continue;
        }
        let checkpointed = checkpoint(&mut connection, &turn, &watch, &mut unsynced).await;
        if let Err(error) = &checkpointed
            && !failing
        {
            tracing::warn!(%error, "a checkpoint failed; trying again");
        }
        failing = checkpointed.is_err();
    }
    let _ = connection.close().await;
}

/// Copies the log into the file while acts go on, and what they add meanwhile while they wait for it. The log begins anew only
/// when all of it is copied; each commit of one that grows changes the size of a file, which takes longer to sync.
async fn checkpoint(
    connection: &mut SqliteConnection,
    turn: &Mutex<()>,
    watch: &FileWatch,
    unsynced: &mut i64,
) -> sqlx::Result<()> {
    let mut left = copy_log(connection, unsynced).await?;
    if left > MOST_WAITED_FOR {
        left = copy_log(connection, unsynced).await?;
    }
    // More is left where somebody reads an old state.
    if (1..=MOST_WAITED_FOR).contains(&left) && *unsynced <= MOST_UNSYNCED {
        let _turn = turn.lock().await;
        // The acts before may have taken long.
        if !watch.is_emptied() {
            copy_log(connection, unsynced).await?;
        }
    }
    Ok(())
}

/// Copies what is in the log into the file. Returns the number of pages that are left: that were added meanwhile, or that somebody
/// still reads another state of. SQLite syncs the file only when none is: `unsynced` counts those that were copied since.
async fn copy_log(connection: &mut SqliteConnection, unsynced: &mut i64) -> sqlx::Result<i64> {
    let (in_log, before) = log_progress(connection).await?;
    if in_log == before {
        *unsynced = 0;
        return Ok(0);
    }
    sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut *connection).await?;
    let (in_log, copied) = log_progress(connection).await?;
    *unsynced = if copied == in_log {
        0
    } else if copied < before {
        // The log has begun anew, before which all of it was synced.
        copied
    } else {
        *unsynced + copied - before
    };
    Ok(in_log - copied)
}

/// The number of pages in the log, and how many of them are copied. A checkpoint that copies would answer with the number in the log
/// when it began.
async fn log_progress(connection: &mut SqliteConnection) -> sqlx::Result<(i64, i64)> {
    let (_busy, in_log, copied): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(NOOP)").fetch_one(connection).await?;
    Ok((in_log, copied))
}
