//! Writing: an act is handed over whole, runs to its end whatever becomes of the caller, and is
//! answered after its commit. How acts share the database differs: see [`super::batch`] and
//! [`super::lanes`].

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::lanes::Lanes;
use super::{Committed, Store, StoreError, Tx};
use crate::domain::{Guid, Logged};

/// How many acts wait at most before further ones are told to come back.
pub(super) const QUEUE: usize = 1024;
/// How long an act waits for its turn to begin.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Who runs the acts.
#[derive(Clone)]
pub(super) enum Writer {
    /// One task for all of them (SQLite).
    Batch(mpsc::Sender<Job>),
    /// A lane for every group that is acted on (PostgreSQL).
    Lanes(Lanes),
}

/// What a piece of work wants to become of its writes.
pub enum Done<T> {
    /// Commit them, and answer afterwards.
    Keep(T),
    /// It is already so: take them back (the number too) and answer.
    Undo(T),
}

type Boxed<'t, T> = Pin<Box<dyn Future<Output = T> + Send + 't>>;

/// One act on its way: runs inside a savepoint, answers when its fate is known.
pub(super) struct Job(pub(super) Work);

pub(super) type Work = Box<dyn for<'t> FnOnce(&'t mut Tx<'_>) -> Boxed<'t, Ran> + Send>;

/// What became of a job: whether to keep what it wrote, and whom to tell once that is done.
pub(super) struct Ran {
    pub(super) keep: bool,
    pub(super) answer: Answer,
}

pub(super) type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// What a transaction has come to so far. Dropped without an answer, its jobs were not done.
#[derive(Default)]
pub(super) struct Batch {
    /// Each with whether anything of it is to be kept.
    pub(super) answers: Vec<(bool, Answer)>,
    pub(super) logged: Vec<Logged>,
    /// Whether the database was asked to commit: from then on it may have.
    pub(super) committing: bool,
}

impl Batch {
    /// Notes what became of a job.
    pub(super) fn note(&mut self, ran: Ran, mut appended: Vec<Logged>) {
        if ran.keep {
            self.logged.append(&mut appended);
        }
        self.answers.push((ran.keep, ran.answer));
    }

    /// Whether there is anything to commit.
    pub(super) fn wrote(&self) -> bool {
        self.answers.iter().any(|(keep, _)| *keep)
    }
}

/// Where batches end. Says once that they fail, and once that they do not any more.
#[derive(Clone)]
pub(super) struct Settle {
    committed: Arc<OnceLock<Committed>>,
    failing: Arc<AtomicBool>,
}

impl Settle {
    pub(super) fn new(committed: Arc<OnceLock<Committed>>) -> Settle {
        Settle { committed, failing: Arc::default() }
    }

    /// Tells what a transaction committed, then answers its jobs.
    pub(super) fn done(&self, batch: Batch) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("write transactions succeed again");
        }
        metrics::counter!("store_commits_total").increment(1);
        metrics::counter!("store_acts_total").increment(batch.answers.len() as u64);
        if let Some(told) = self.committed.get() {
            told(&batch.logged);
        }
        for (_, answer) in batch.answers {
            answer(Ok(()));
        }
    }

    /// Answers the jobs of a transaction that failed, as far as they have run.
    pub(super) fn failed(&self, batch: Batch, error: &StoreError) {
        metrics::counter!("store_failed_commits_total").increment(1);
        if !error.was_said() && !self.failing.swap(true, Ordering::Relaxed) {
            tracing::error!(%error, "a write transaction failed, others may; saying so once");
        }
        for (keep, answer) in batch.answers {
            answer(Err(if batch.committing && keep { StoreError::Unsure } else { StoreError::Away }));
        }
    }
}

impl Store {
    /// Runs `work`, which is about this group (`None`: about none or several), and answers after
    /// the commit.
    ///
    /// The store owns the work: it runs to its end even when the caller has gone away. An
    /// error or [`Done::Undo`] takes back everything the work wrote.
    ///
    /// # Errors
    /// What the work answers; [`StoreError::Unavailable`] or [`StoreError::Away`] when it could not be
    /// committed, [`StoreError::Unsure`] when it may have been.
    pub async fn write<T, E, W>(&self, group: Option<&Guid>, work: W) -> Result<T, E>
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
        match &self.writer {
            Writer::Batch(jobs) => jobs.send_timeout(job, PATIENCE).await.map_err(|_| busy())?,
            Writer::Lanes(lanes) => {
                lanes.check()?;
                lanes.begin(group, job).await.ok_or_else(busy)?;
            }
        }
        // A job that was dropped was not done.
        answered.await.unwrap_or_else(|_| Err(E::from(StoreError::Away)))
    }
}
