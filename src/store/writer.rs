//! The one task that writes: waiting acts share a commit and are answered after it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::{Committed, Store, StoreError, Tx};
use crate::clock::Clock;
use crate::domain::Logged;

/// How many acts share a commit at most: bounds how long the first of them waits.
const BATCH: usize = 128;
/// How many acts wait at most before further ones are told to come back.
const QUEUE: usize = 1024;
/// How long an act waits for a place in the queue.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a piece of work wants to become of its writes.
pub enum Done<T> {
    /// Commit them, and answer afterwards.
    Keep(T),
    /// It is already so: take them back (the number too) and answer.
    Undo(T),
}

type Boxed<'t, T> = Pin<Box<dyn Future<Output = T> + Send + 't>>;

/// One act on its way: runs inside a savepoint, answers when its fate is known.
pub(super) struct Job(Work);

type Work = Box<dyn for<'t> FnOnce(&'t mut Tx<'_>) -> Boxed<'t, Ran> + Send>;

struct Ran {
    keep: bool,
    answer: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

impl Store {
    /// Runs `work` in its own savepoint of a write transaction and answers after the commit.
    ///
    /// The writing task owns the work: it runs to its end even when the caller has gone away. An
    /// error or [`Done::Undo`] takes back everything the work wrote.
    ///
    /// # Errors
    /// What the work answers, or [`StoreError::Unavailable`] when it could not be committed.
    pub async fn write<T, E, W>(&self, work: W) -> Result<T, E>
    where
        W: for<'t> FnOnce(&'t mut Tx<'_>) -> Boxed<'t, Result<Done<T>, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answered) = oneshot::channel();
        let job = Job(Box::new(move |tx| {
            Box::pin(async move {
                let (keep, outcome) = match work(tx).await {
                    Ok(Done::Keep(value)) => (true, Ok(value)),
                    Ok(Done::Undo(value)) => (false, Ok(value)),
                    Err(error) => (false, Err(error)),
                };
                let answer = move |fate: Result<(), StoreError>| {
                    let _ = reply.send(fate.map_err(E::from).and(outcome));
                };
                Ran { keep, answer: Box::new(answer) }
            })
        }));
        let busy = || E::from(StoreError::Unavailable("too many acts are waiting".into()));
        self.jobs.send_timeout(job, PATIENCE).await.map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| Err(E::from(StoreError::Unavailable("the writing task stopped".into()))))
    }
}

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
        let (answers, logged) = match run(&mut connection, &mut batch, &mut queue, clock.now()).await {
            Ok(ran) => ran,
            Err(error) => {
                // The jobs of this batch are dropped, which answers them with "unavailable".
                tracing::error!(%error, "a write transaction failed");
                metrics::counter!("store_failed_commits_total").increment(1);
                batch.clear();
                continue;
            }
        };
        metrics::counter!("store_commits_total").increment(1);
        metrics::counter!("store_acts_total").increment(answers.len() as u64);
        if let Some(told) = committed.get() {
            told(&logged);
        }
        for answer in answers {
            answer(Ok(()));
        }
    }
    let _ = connection.close().await;
}

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

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
        let mut tx = Tx::begin(&mut transaction, now).await?;
        let ran = (job.0)(&mut tx).await;
        logged.append(&mut tx.end(ran.keep).await?);
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
