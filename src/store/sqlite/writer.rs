//! The one task that writes to a SQLite file. Acts that wait share a commit and are answered after it.
//!
//! A file that is closed has everything in itself: the write-ahead log is written into it and removed. Whoever ends without
//! [`FileWriter::close`] leaves the last acts in the log, where the next start finds them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection as _, SqliteConnection, SqlitePool};
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::file::FileWatch;
use super::scrub::set_busy_timeout;
use crate::clock::Clock;
use crate::store::error::{StoreError, spoiled_connections, sqlite_code};
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::transaction::commit::CommitListeners;
use crate::store::transaction::job::{Batch, Completion, Job, QUEUE_CAPACITY, QUEUE_TIMEOUT};
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
/// Longest wait for connections that read when the file is closed.
const READERS_END: Duration = Duration::from_millis(200);
/// Longest wait, at the end, for another process that reads an old state of the file. Acts of a service wait as long for an import that ends.
const LAST_PATIENCE: Duration = Duration::from_millis(200);

/// The queue of the task that writes to a file. Cheap to clone.
#[derive(Clone)]
pub(in crate::store) struct FileWriter {
    jobs: mpsc::Sender<Job>,
    tasks: Arc<Mutex<Option<Tasks>>>,
}

/// The tasks of a file, with what ends each.
struct Tasks {
    no_more_jobs: CancellationToken,
    jobs: JoinHandle<()>,
    no_more_checkpoints: CancellationToken,
    checkpoints: JoinHandle<()>,
}

impl FileWriter {
    /// Hands a job to the task.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is no room in the queue for long, or the file was closed: the job was not done.
    pub(in crate::store) async fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send_timeout(job, QUEUE_TIMEOUT).await.map_err(|error| {
            let cause = match error {
                SendTimeoutError::Timeout(_) => "too many acts are waiting",
                SendTimeoutError::Closed(_) => "the database was closed",
            };
            StoreError::Unavailable(cause.into())
        })
    }

    /// Whether the task has ended.
    pub(in crate::store) fn is_closed(&self) -> bool {
        self.jobs.is_closed()
    }

    /// Ends the tasks after the jobs that wait, and closes every connection to the file, those of `readers` too. SQLite removes the
    /// write-ahead log with the last one, unless another process uses the file.
    pub(in crate::store) async fn close(&self, readers: &SqlitePool) {
        let Some(tasks) = self.tasks.lock().await.take() else { return };
        tasks.no_more_jobs.cancel();
        // A task that panicked has ended too.
        let _ = tasks.jobs.await;
        // A reader that hangs keeps the log from being emptied, and not from being copied.
        let _ = timeout(READERS_END, readers.close()).await;
        tasks.no_more_checkpoints.cancel();
        let _ = tasks.checkpoints.await;
    }
}

/// Starts the tasks; they end with [`FileWriter::close`], or when the last clone of the answer is dropped.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be opened.
pub(super) async fn start(
    (options, watch): (SqliteConnectOptions, Arc<FileWatch>),
    clock: Clock,
    pseudonyms: Pseudonyms,
    turn: Arc<Mutex<()>>,
    listeners: Arc<CommitListeners>,
) -> Result<FileWriter, StoreError> {
    // One sync may change millions of rows: its changes stay on the disk, outside this process. Pages are kept in a
    // bounded cache, and rollback data goes to a file when it exceeds 64 kB.
    let options = options.pragma("temp_store", "FILE");
    let checkpoint_connection = options.clone().connect().await?;
    let options = options.pragma("wal_autocheckpoint", "0");
    let connection = options.connect().await?;
    let (jobs, queue) = mpsc::channel(QUEUE_CAPACITY);
    let (no_more_jobs, no_more_checkpoints) = (CancellationToken::new(), CancellationToken::new());
    let ends = (jobs.downgrade(), no_more_checkpoints.clone());
    let checkpoints = tokio::spawn(run_checkpoints(ends, checkpoint_connection, turn.clone(), watch.clone()));
    let (queue, completion) = ((queue, no_more_jobs.clone()), Completion::new(listeners));
    let written = tokio::spawn(run_jobs(queue, (options, watch), connection, (clock, pseudonyms), turn, completion));
    let tasks = Tasks { no_more_jobs, jobs: written, no_more_checkpoints, checkpoints };
    Ok(FileWriter { jobs, tasks: Arc::new(Mutex::new(Some(tasks))) })
}

async fn run_jobs(
    (mut queue, no_more): (mpsc::Receiver<Job>, CancellationToken),
    file: (SqliteConnectOptions, Arc<FileWatch>),
    connection: SqliteConnection,
    (clock, pseudonyms): (Clock, Pseudonyms),
    turn: Arc<Mutex<()>>,
    completion: Completion,
) {
    let (mut connection, mut jobs) = (Some(connection), Vec::with_capacity(MAX_BATCH));
    while receive(&mut queue, &mut jobs, &no_more).await > 0 {
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

/// Waits for jobs: how many have come. After `no_more` those that wait in the queue are the last.
async fn receive(queue: &mut mpsc::Receiver<Job>, jobs: &mut Vec<Job>, no_more: &CancellationToken) -> usize {
    tokio::select! {
        biased;
        () = no_more.cancelled() => {}
        received = queue.recv_many(jobs, MAX_BATCH) => return received,
    }
    queue.close();
    queue.recv_many(jobs, MAX_BATCH).await
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

/// Checkpoints the write-ahead log on a connection of its own, so that no commit waits for it. Ends when there are no jobs any more, or
/// with `no_more`.
async fn run_checkpoints(
    (jobs, no_more): (mpsc::WeakSender<Job>, CancellationToken),
    mut connection: SqliteConnection,
    turn: Arc<Mutex<()>>,
    watch: Arc<FileWatch>,
) {
    let mut interval = tokio::time::interval(CHECKPOINT_INTERVAL);
    let (mut failing, mut unsynced) = (false, 0);
    loop {
        if no_more.run_until_cancelled(interval.tick()).await.is_none() || jobs.upgrade().is_none() {
            break;
        }
        // Part of the log in a file that was emptied would be no database, and what an operator puts there is not to be written over.
        if watch.has_lost_content() {
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
    close_last(connection, &watch).await;
}

/// Writes what is left in the log into the file and closes the connection, the last one unless another process has the file open.
async fn close_last(mut connection: SqliteConnection, watch: &FileWatch) {
    if watch.has_lost_content() {
        // SQLite would write the log into a file that is no database any more, or another's. As long as this connection is open, no other
        // one does so when it is closed; the end of the process takes it away.
        std::mem::forget(connection);
        return;
    }
    if let Err(error) = empty_log(&mut connection, watch).await {
        tracing::warn!(%error, "the last acts stay in the write-ahead log, where the next start finds them");
    }
    let _ = connection.close().await;
}

/// Copies the rest of the log into the file, and makes the log empty, unless somebody still reads an old state. A log beside another file
/// that was put there would be taken for that one's.
async fn empty_log(connection: &mut SqliteConnection, watch: &FileWatch) -> Result<(), StoreError> {
    sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut *connection).await?;
    // Somebody may have copied the file to another disk: its log is then what has the last acts.
    if !watch.is_missing() {
        set_busy_timeout(connection, LAST_PATIENCE).await?;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(connection).await?;
    }
    Ok(())
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
        if !watch.has_lost_content() {
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
