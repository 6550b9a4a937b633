//! PostgreSQL: every group that is acted on has a lane, in which acts wait for each other here rather
//! than at the group's row, share commits, and are told in the order of commits. Lanes run beside each
//! other; a transaction of one lane holds the lock of one group, so that lanes and nodes cannot wait
//! for each other in a circle.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sqlx::PgPool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::db::Connection;
use super::writer::{Answer, Job, PATIENCE, QUEUE, settle};
use super::{Committed, StoreError, Tx};
use crate::clock::Clock;
use crate::domain::{Guid, Logged};

/// How many acts share a commit at most: bounds how long a group is locked.
const BATCH: usize = 64;

/// Runs acts, those on one group one after the other.
#[derive(Clone)]
pub(super) struct Lanes {
    pool: PgPool,
    clock: Clock,
    committed: Arc<OnceLock<Committed>>,
    places: Arc<Semaphore>,
    /// A lane is here as long as its task runs.
    waiting: Arc<Mutex<HashMap<Guid, VecDeque<Waiting>>>>,
}

/// A job in its lane, with the place it takes.
type Waiting = (Job, OwnedSemaphorePermit);

impl Lanes {
    pub(super) fn new(pool: PgPool, clock: Clock, committed: Arc<OnceLock<Committed>>) -> Lanes {
        Lanes { pool, clock, committed, places: Arc::new(Semaphore::new(QUEUE)), waiting: Arc::default() }
    }

    /// Puts a job into its lane, in a task of its own; `None` when too many wait already.
    pub(super) async fn begin(&self, group: Option<&Guid>, job: Job) -> Option<()> {
        let place = timeout(PATIENCE, self.places.clone().acquire_owned()).await.ok()?.ok()?;
        let Some(guid) = group else {
            let lanes = self.clone();
            tokio::spawn(async move { lanes.run(vec![(job, place)]).await });
            return Some(());
        };
        let mut waiting = self.waiting();
        match waiting.get_mut(guid) {
            Some(lane) => lane.push_back((job, place)),
            None => {
                waiting.insert(guid.clone(), VecDeque::from([(job, place)]));
                tokio::spawn(self.clone().run_lane(guid.clone()));
            }
        }
        Some(())
    }

    async fn run_lane(self, guid: Guid) {
        while let Some(batch) = self.next(&guid) {
            self.run(batch).await;
        }
    }

    /// The jobs that wait in a lane; closes it when there are none.
    fn next(&self, guid: &Guid) -> Option<Vec<Waiting>> {
        let mut waiting = self.waiting();
        let lane = waiting.get_mut(guid)?;
        let batch: Vec<Waiting> = lane.drain(..lane.len().min(BATCH)).collect();
        if batch.is_empty() {
            waiting.remove(guid);
            return None;
        }
        Some(batch)
    }

    async fn run(&self, batch: Vec<Waiting>) {
        settle(self.commit(batch).await, &self.committed);
    }

    /// One transaction. What a job wrote and takes back is rolled back to its savepoint.
    async fn commit(&self, batch: Vec<Waiting>) -> Result<(Vec<Answer>, Vec<Logged>), StoreError> {
        let mut transaction = self.pool.begin().await?;
        let (mut answers, mut logged, mut wrote) = (Vec::with_capacity(batch.len()), Vec::new(), false);
        let shared = batch.len() > 1;
        for (job, _place) in batch {
            if shared {
                sqlx::query("SAVEPOINT act").execute(&mut *transaction).await?;
            }
            let mut tx = Tx::new(Connection::Postgres(&mut transaction), self.clock.now());
            let ran = (job.0)(&mut tx).await;
            let mut appended = tx.into_logged();
            answers.push(ran.answer);
            if ran.keep {
                logged.append(&mut appended);
                wrote = true;
            } else if shared {
                sqlx::query("ROLLBACK TO SAVEPOINT act").execute(&mut *transaction).await?;
            }
        }
        if wrote {
            transaction.commit().await?;
        } else {
            // A refusal is right whether or not the connection lives.
            let _ = transaction.rollback().await;
        }
        Ok((answers, logged))
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Guid, VecDeque<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
