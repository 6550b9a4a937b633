//! An act as it is handed to whoever writes, and how it is answered.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::error::StoreError;
use super::tx::Tx;
use crate::domain::Logged;

/// How many acts wait at most before further ones are told to come back.
pub(super) const QUEUE: usize = 1024;
/// How long an act waits for its turn to begin.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Told of what was committed, in the order of commits, before the acts are answered.
pub(super) type Committed = Box<dyn Fn(&[Logged]) + Send + Sync>;

/// What a piece of work wants to become of its writes.
pub enum Done<T> {
    /// Commit them, and answer afterwards.
    Keep(T),
    /// It is already so: take them back (the number too) and answer.
    Undo(T),
}

pub(super) type Boxed<'t, T> = Pin<Box<dyn Future<Output = T> + Send + 't>>;

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
