//! SQLite: the one task that writes. Waiting acts share a commit and are answered after it.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::mpsc;

use super::writer::{Answer, Job, QUEUE, settle};
use super::{Committed, StoreError, Tx};
use crate::clock::Clock;
use crate::domain::Logged;

/// How many acts share a commit at most: bounds how long the first of them waits.
const BATCH: usize = 128;

/// Starts the writing task; it ends when the last [`Store`] is gone.
pub(super) async fn start(
    options: SqliteConnectOptions,
    clock: Clock,
    committed: Arc<OnceLock<Committed>>,
) -> Result<mpsc::Sender<Job>, StoreError> {
    let connection = options.clone().pragma("wal_autocheckpoint", "0").connect().await?;
    let checkpointer = options.connect().await?;
    let (jobs, queue) = mpsc::channel(QUEUE);
    tokio::spawn(write_all(queue, connection, clock, committed));
    tokio::spawn(checkpoint_all(jobs.downgrade(), checkpointer));
    Ok(jobs)
}

async fn write_all(
    mut queue: mpsc::Receiver<Job>,
    mut connection: SqliteConnection,
    clock: Clock,
    committed: Arc<OnceLock<Committed>>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let ended = run(&mut connection, &mut batch, &mut queue, clock.now()).await;
        // A transaction that did not begin has left its jobs here.
        batch.clear();
        settle(ended, &committed);
    }
    let _ = connection.close().await;
}

/// One transaction: the batch, then whatever came while it ran, up to the batch's limit.
async fn run(
    connection: &mut SqliteConnection,
    batch: &mut Vec<Job>,
    queue: &mut mpsc::Receiver<Job>,
    now: i64,
) -> Result<(Vec<Answer>, Vec<Logged>), StoreError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let (mut answers, mut logged, mut wrote) = (Vec::new(), Vec::new(), false);
    let mut jobs: VecDeque<Job> = batch.drain(..).collect();
    while let Some(job) = jobs.pop_front() {
        sqlx::query("SAVEPOINT act").execute(&mut *transaction).await?;
        let mut tx = Tx::new(super::db::Connection::Sqlite(&mut transaction), now);
        let ran = (job.0)(&mut tx).await;
        let mut appended = tx.into_logged();
        if ran.keep {
            logged.append(&mut appended);
        } else {
            sqlx::query("ROLLBACK TO act").execute(&mut *transaction).await?;
        }
        sqlx::query("RELEASE act").execute(&mut *transaction).await?;
        wrote |= ran.keep;
        answers.push(ran.answer);
        while answers.len() + jobs.len() < BATCH
            && let Ok(job) = queue.try_recv()
        {
            jobs.push_back(job);
        }
    }
    if wrote {
        transaction.commit().await?
    } else {
        transaction.rollback().await?
    }
    Ok((answers, logged))
}

/// Moves the write-ahead log into the file beside the writer, never inside somebody's commit.
async fn checkpoint_all(jobs: mpsc::WeakSender<Job>, mut connection: SqliteConnection) {
    let mut tick = tokio::time::interval(Duration::from_millis(500));
    loop {
        tick.tick().await;
        if jobs.upgrade().is_none() {
            break;
        }
        if let Err(error) = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut connection).await {
            tracing::warn!(%error, "a checkpoint failed");
        }
    }
    let _ = connection.close().await;
}
