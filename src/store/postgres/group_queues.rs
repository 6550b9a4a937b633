//! A queue of acts for every group that is acted on. Acts on one group wait here rather than for the lock of
//! the group's row, share commits, and are announced in the order of commits. Queues run concurrently; a
//! transaction of one of them locks one group, so that queues and nodes cannot deadlock.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::health::Health;
use super::primary::Primary;
use super::transaction::PgTx;
use crate::clock::Clock;
use crate::domain::Guid;
use crate::store::error::StoreError;
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::{Connection, TimedConnection, with_timeout};
use crate::store::transaction::commit::CommitListeners;
use crate::store::transaction::job::{Batch, Completion, Job, QUEUE_CAPACITY, QUEUE_TIMEOUT};
use crate::store::transaction::tx::LogAccess;

/// Most acts that share a commit: bounds how long a group is locked.
const MAX_BATCH: usize = 64;
/// Longest wait for a commit, which may itself wait for a standby.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest wait for a savepoint.
const SAVEPOINT_TIMEOUT: Duration = Duration::from_secs(2);
/// A batch that fails after this long met an obstacle that the acts behind it would meet as well: they fail
/// with it instead of waiting one after the other.
const STALLED_AFTER: Duration = Duration::from_secs(2);

/// Runs acts, those on one group one after the other.
#[derive(Clone)]
pub(in crate::store) struct GroupQueues {
    primary: Primary,
    clock: Clock,
    pseudonyms: Pseudonyms,
    completion: Completion,
    /// One permit for each act that waits or runs.
    permits: Arc<Semaphore>,
    /// A queue is in here as long as its task runs.
    queues: Arc<Mutex<HashMap<Guid, VecDeque<QueuedJob>>>>,
}

/// The acts behind a batch would fail like it.
struct QueueStalled;

/// A job with its permit, which it holds until it is answered.
type QueuedJob = (Job, OwnedSemaphorePermit);

impl GroupQueues {
    pub(super) fn new(
        primary: Primary,
        clock: Clock,
        pseudonyms: Pseudonyms,
        listeners: Arc<CommitListeners>,
    ) -> GroupQueues {
        let permits = Arc::new(Semaphore::new(QUEUE_CAPACITY));
        let completion = Completion::new(listeners);
        GroupQueues { primary, clock, pseudonyms, completion, permits, queues: Arc::default() }
    }

    /// Whether acts can be written, as far as is known.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] when they cannot.
    pub(in crate::store) fn check(&self) -> Result<(), StoreError> {
        self.primary.health().check(Health::Writable)
    }

    /// Queues a job, or runs it in a task of its own when it is about no single group; `None` when too many
    /// acts wait already.
    pub(in crate::store) async fn enqueue(&self, group: Option<&Guid>, job: Job) -> Option<()> {
        let permit = timeout(QUEUE_TIMEOUT, self.permits.clone().acquire_owned()).await.ok()?.ok()?;
        let Some(guid) = group else {
            let queues = self.clone();
            tokio::spawn(async move { queues.run_batch(vec![(job, permit)]).await });
            return Some(());
        };
        let mut queues = self.queues();
        match queues.get_mut(guid) {
            Some(queue) => queue.push_back((job, permit)),
            None => {
                queues.insert(guid.clone(), VecDeque::from([(job, permit)]));
                tokio::spawn(self.clone().run_queue(guid.clone()));
            }
        }
        Some(())
    }

    async fn run_queue(self, guid: Guid) {
        while let Some(jobs) = self.next_batch(&guid) {
            if self.run_batch(jobs).await.is_err() {
                self.drop_waiting(&guid);
            }
        }
    }

    /// The jobs at the front of a queue; removes the queue when there are none.
    fn next_batch(&self, guid: &Guid) -> Option<Vec<QueuedJob>> {
        let mut queues = self.queues();
        let queue = queues.get_mut(guid)?;
        let jobs: Vec<QueuedJob> = queue.drain(..queue.len().min(MAX_BATCH)).collect();
        if jobs.is_empty() {
            queues.remove(guid);
            return None;
        }
        Some(jobs)
    }

    /// Drops the jobs of a queue, which answers their callers that nothing was done.
    fn drop_waiting(&self, guid: &Guid) {
        let waiting = self.queues().get_mut(guid).map(std::mem::take);
        // Outside the lock: replies run when jobs are dropped.
        drop(waiting);
    }

    /// Runs these jobs and answers them.
    async fn run_batch(&self, jobs: Vec<QueuedJob>) -> Result<(), QueueStalled> {
        let (mut batch, begun) = (Batch::default(), Instant::now());
        let ended = tokio::select! {
            ended = self.execute(jobs, &mut batch) => ended,
            () = self.primary.health().lost() => Err(StoreError::KnownOutage),
        };
        match ended {
            Ok(progress) => {
                self.completion.committed(batch);
                progress
            }
            Err(error) => {
                self.primary.probe_now();
                self.completion.failed(batch, &error);
                if begun.elapsed() < STALLED_AFTER { Ok(()) } else { Err(QueueStalled) }
            }
        }
    }

    /// One transaction; a job that is rolled back is rolled back to its savepoint. After a job that took too long and was
    /// rolled back, the rest is not begun.
    async fn execute(&self, jobs: Vec<QueuedJob>, batch: &mut Batch) -> Result<Result<(), QueueStalled>, StoreError> {
        let mut transaction = self.primary.write().await?;
        let (shared, mut progress) = (jobs.len() > 1, Ok(()));
        for (job, _permit) in jobs {
            if job.log == LogAccess::ReadWrite {
                batch.insert_log(Connection::Postgres(TimedConnection::for_writes(transaction.parts()))).await?;
            }
            if shared {
                let savepoint = sqlx::raw_sql("SAVEPOINT act");
                with_timeout(SAVEPOINT_TIMEOUT, savepoint.execute(transaction.connection())).await?;
            }
            let connection = Connection::Postgres(TimedConnection::for_writes(transaction.parts()));
            let begun = Instant::now();
            let commit = batch.run(job, connection, (&self.clock, &self.pseudonyms)).await;
            if shared && !commit {
                let rollback = sqlx::raw_sql("ROLLBACK TO SAVEPOINT act");
                with_timeout(SAVEPOINT_TIMEOUT, rollback.execute(transaction.connection())).await?;
            }
            if !commit && begun.elapsed() >= STALLED_AFTER {
                progress = Err(QueueStalled);
                break;
            }
        }
        // Refusals alone need no commit, so that they are answered even when the connection has ended.
        if batch.has_writes() {
            batch.insert_log(Connection::Postgres(TimedConnection::for_writes(transaction.parts()))).await?;
            self.commit(transaction, batch).await?;
        }
        Ok(progress)
    }

    async fn commit(&self, transaction: PgTx, batch: &mut Batch) -> Result<(), StoreError> {
        batch.committing = true;
        match timeout(COMMIT_TIMEOUT, transaction.commit()).await {
            Ok(committed) => Ok(committed.inspect_err(|error| batch.committing = may_have_committed(error))?),
            Err(_) => {
                self.primary.suspect_commits();
                Err(StoreError::Unavailable("a commit was not answered".into()))
            }
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<Guid, VecDeque<QueuedJob>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the transaction may be committed although its COMMIT failed with this. Only a server that goes on
/// running and reports an error is certain that it is not.
fn may_have_committed(error: &sqlx::Error) -> bool {
    let reported = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    reported.is_none_or(|error| error.severity() != PgSeverity::Error)
}
