//! SQLite: the one task that writes. Waiting acts share a commit and are answered after it.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::mpsc;

use super::error::StoreError;
use super::job::{Batch, Committed, Job, QUEUE, Settle};
use super::tx::Tx;
use crate::clock::Clock;

/// How many acts share a commit at most: bounds how long the first of them waits.
const BATCH: usize = 128;

/// Starts the writing task; it ends when the last [`Store`] is gone.
pub(super) async fn start(
    options: SqliteConnectOptions,
    clock: Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<mpsc::Sender<Job>, StoreError> {
    let checkpointer = options.clone().connect().await?;
    let options = options.pragma("wal_autocheckpoint", "0");
    let connection = options.connect().await?;
    let (jobs, queue) = mpsc::channel(QUEUE);
    tokio::spawn(write_all(queue, options, connection, clock, Settle::new(committed)));
    tokio::spawn(checkpoint_all(jobs.downgrade(), checkpointer));
    Ok(jobs)
}

async fn write_all(
    mut queue: mpsc::Receiver<Job>,
    options: SqliteConnectOptions,
    connection: SqliteConnection,
    clock: Clock,
    settle: Settle,
) {
    let (mut connection, mut jobs) = (Some(connection), Vec::with_capacity(BATCH));
    while queue.recv_many(&mut jobs, BATCH).await > 0 {
        let mut batch = Batch::default();
        match run(&mut connection, &options, &mut jobs, &mut queue, clock.now(), &mut batch).await {
            Ok(()) => settle.done(batch),
            Err(error) => {
                // What is left of it on the connection is not to be known: a full disk, for one, ends
                // a transaction behind our back.
                connection = None;
                settle.failed(batch, &error);
            }
        }
        // A transaction that did not begin has left its jobs here.
        jobs.clear();
    }
    if let Some(connection) = connection {
        let _ = connection.close().await;
    }
}

/// One transaction: the waiting jobs, then whatever came while it ran, up to a batch's limit.
async fn run(
    connection: &mut Option<SqliteConnection>,
    options: &SqliteConnectOptions,
    waiting: &mut Vec<Job>,
    queue: &mut mpsc::Receiver<Job>,
    now: i64,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(options.connect().await?),
    };
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let mut jobs: VecDeque<Job> = waiting.drain(..).collect();
    while let Some(job) = jobs.pop_front() {
        sqlx::query("SAVEPOINT act").execute(&mut *transaction).await?;
        let mut tx = Tx::new(super::db::Connection::Sqlite(&mut transaction), now);
        let ran = (job.0)(&mut tx).await;
        let (keep, appended) = (ran.keep, tx.into_logged());
        batch.note(ran, appended);
        if !keep {
            sqlx::query("ROLLBACK TO act").execute(&mut *transaction).await?;
        }
        sqlx::query("RELEASE act").execute(&mut *transaction).await?;
        while batch.answers.len() + jobs.len() < BATCH
            && let Ok(job) = queue.try_recv()
        {
            jobs.push_back(job);
        }
    }
    if !batch.wrote() {
        return Ok(transaction.rollback().await?);
    }
    batch.committing = true;
    Ok(transaction.commit().await.inspect_err(|error| batch.committing = may_be_committed(error))?)
}

/// Whether a transaction whose commit ended with this may be committed nevertheless. One that found no
/// room or no turn is not; one whose sync failed may be there after a power cut.
fn may_be_committed(error: &sqlx::Error) -> bool {
    const BUSY: i32 = 5;
    const FULL: i32 = 13;
    let code = error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<i32>().ok());
    !code.is_some_and(|code| matches!(code & 0xff, BUSY | FULL))
}

/// Moves the write-ahead log into the file beside the writer, never inside somebody's commit.
async fn checkpoint_all(jobs: mpsc::WeakSender<Job>, mut connection: SqliteConnection) {
    let mut tick = tokio::time::interval(Duration::from_millis(500));
    let mut failing = false;
    loop {
        tick.tick().await;
        if jobs.upgrade().is_none() {
            break;
        }
        let moved = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut connection).await;
        if let Err(error) = &moved
            && !failing
        {
            tracing::warn!(%error, "a checkpoint failed; trying again");
        }
        failing = moved.is_err();
    }
    let _ = connection.close().await;
}
