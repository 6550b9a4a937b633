//! An act on its way to the database: the job that is queued, the batch it shares a commit with, and what
//! follows the commit.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use super::append::insert_log;
use super::commit::{Appended, CommitListeners};
use super::tx::{LogAccess, Tx};
use crate::clock::Clock;
use crate::store::error::StoreError;
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;

/// Most acts that wait; further ones are refused.
pub(in crate::store) const QUEUE_CAPACITY: usize = 1024;
/// Longest wait of an act for room in the queue.
pub(in crate::store) const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether an act's writes are committed.
pub enum Decision<T> {
    /// Commit them, then answer.
    Commit(T),
    /// Roll them back, the event number included, and answer: there is nothing to change.
    Rollback(T),
}

impl<T> Decision<T> {
    /// The same decision with another answer.
    pub fn map<U>(self, with: impl FnOnce(T) -> U) -> Decision<U> {
        match self {
            Decision::Commit(value) => Decision::Commit(with(value)),
            Decision::Rollback(value) => Decision::Rollback(with(value)),
        }
    }
}

pub(in crate::store) type BoxFuture<'t, T> = Pin<Box<dyn Future<Output = T> + Send + 't>>;

/// The work of an act in the transaction.
pub(in crate::store) type Work = Box<dyn for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, JobResult> + Send>;

/// One act: runs inside a savepoint of a transaction that others may share.
pub(in crate::store) struct Job {
    pub(in crate::store) work: Work,
    pub(in crate::store) log: LogAccess,
}

/// A job's decision about its writes, and how its caller is answered afterwards.
pub(in crate::store) struct JobResult {
    pub(in crate::store) commit: bool,
    /// Whether it ended with an error of the database, which the transaction survived.
    pub(in crate::store) failed: bool,
    pub(in crate::store) reply: Reply,
}

/// Answers the caller of a job with what became of the transaction.
pub(in crate::store) type Reply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// The jobs that have run in a transaction, and the events they appended. A job whose reply is dropped was
/// not done.
#[derive(Default)]
pub(in crate::store) struct Batch {
    pub(in crate::store) results: Vec<JobResult>,
    appended: Appended,
    /// The number of appended events that are inserted.
    inserted: usize,
    /// Whether COMMIT was sent: from then on the transaction may be committed.
    pub(in crate::store) committing: bool,
}

impl Batch {
    /// Inserts the events that are not inserted yet. Call it before the commit, and before a job that may read the log, outside its savepoint.
    ///
    /// # Errors
    /// As [`insert_log`].
    pub(in crate::store) async fn insert_log(&mut self, on: Connection<'_>) -> Result<(), StoreError> {
        insert_log(on, &self.appended.logged[self.inserted..]).await?;
        self.inserted = self.appended.logged.len();
        Ok(())
    }

    /// Runs a job, and answers whether its writes stay. Those of one that panics do not: it must not end the task that runs the others.
    pub(in crate::store) async fn run(&mut self, job: Job, on: Connection<'_>, with: (&Clock, &Pseudonyms)) -> bool {
        let mut tx = Tx::new(on, with, job.log, &self.appended.logged[self.inserted..]);
        // Nothing of it is used any more: its transaction is rolled back, and its caller answered as of a job that was dropped.
        let Ok(result) = AssertUnwindSafe((job.work)(&mut tx)).catch_unwind().await else { return false };
        let (commit, appended) = (result.commit, tx.into_appended());
        if commit {
            self.appended.add(appended);
            if job.log == LogAccess::ReadWrite {
                self.inserted = self.appended.logged.len();
            }
        }
        self.results.push(result);
        commit
    }

    /// Whether there is anything to commit.
    pub(in crate::store) fn has_writes(&self) -> bool {
        self.results.iter().any(|result| result.commit)
    }

    fn count(&self, of: impl Fn(&JobResult) -> bool) -> u64 {
        self.results.iter().map(|result| u64::from(of(result))).sum()
    }
}

/// The work after the end of a transaction: metrics, commit listeners, replies. Logs the first failure of a series,
/// and its end.
#[derive(Clone)]
pub(in crate::store) struct Completion {
    listeners: Arc<CommitListeners>,
}

impl Completion {
    pub(in crate::store) fn new(listeners: Arc<CommitListeners>) -> Completion {
        Completion { listeners }
    }

    /// Announces what a transaction committed, if anything, then answers its jobs.
    pub(in crate::store) fn committed(&self, batch: Batch) {
        let (acts, failures) = (batch.count(|result| result.commit), batch.count(|result| result.failed));
        self.count_failures(failures);
        // A transaction in which acts failed and none succeeded does not show that writes work.
        if (acts > 0 || failures == 0) && self.listeners.outcomes.succeeded(acts > 0) {
            tracing::info!("write transactions succeed again");
        }
        metrics::counter!("chat_group_members_store_commits_total").increment(u64::from(acts > 0));
        metrics::counter!("chat_group_members_store_acts_total").increment(acts);
        self.listeners.call(&batch.appended);
        for result in batch.results {
            (result.reply)(Ok(()));
        }
    }

    /// Answers the jobs that have run in a transaction that failed.
    pub(in crate::store) fn failed(&self, batch: Batch, error: &StoreError) {
        self.count_failures(1);
        if !error.already_logged() && self.listeners.outcomes.failed(error.cause()) {
            tracing::error!(%error, "a write transaction failed; further failures are not logged until one succeeds");
        }
        for JobResult { commit, reply, .. } in batch.results {
            reply(Err(match error {
                _ if batch.committing && commit => StoreError::CommitUnknown,
                StoreError::KnownOutage => StoreError::KnownOutage,
                error => StoreError::LoggedOutage(error.cause()),
            }));
        }
    }

    /// Counts failed transactions, and acts that failed in one that went on.
    fn count_failures(&self, number: u64) {
        metrics::counter!("chat_group_members_store_failed_commits_total").increment(number);
        self.listeners.outcomes.count_failures(number);
    }
}
