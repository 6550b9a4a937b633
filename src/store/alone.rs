//! PostgreSQL: every act is a transaction on a connection of its own. Acts on one group wait for each
//! other at the group's row; the database gathers the commits of different groups by itself.

use std::sync::{Arc, OnceLock};

use sqlx::PgPool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::db::Connection;
use super::writer::{Answer, Job, QUEUE};
use super::{Committed, StoreError, Tx};
use crate::clock::Clock;
use crate::domain::Logged;

/// Runs acts, each alone.
#[derive(Clone)]
pub(super) struct Alone {
    pool: PgPool,
    clock: Clock,
    committed: Arc<OnceLock<Committed>>,
    places: Arc<Semaphore>,
}

impl Alone {
    pub(super) fn new(pool: PgPool, clock: Clock, committed: Arc<OnceLock<Committed>>) -> Alone {
        Alone { pool, clock, committed, places: Arc::new(Semaphore::new(QUEUE)) }
    }

    /// Begins an act in a task of its own; `None` when too many wait already.
    pub(super) fn begin(&self, job: Job) -> Option<()> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        tokio::spawn(self.clone().run(job, place));
        Some(())
    }

    async fn run(self, job: Job, _place: OwnedSemaphorePermit) {
        match self.commit(job).await {
            Ok((answer, logged)) => {
                metrics::counter!("store_commits_total").increment(1);
                metrics::counter!("store_acts_total").increment(1);
                if let Some(told) = self.committed.get() {
                    told(&logged);
                }
                answer(Ok(()));
            }
            Err((answer, error)) => {
                tracing::error!(%error, "a write transaction failed");
                metrics::counter!("store_failed_commits_total").increment(1);
                // A job that never ran is dropped, which answers it with "unavailable".
                if let Some(answer) = answer {
                    answer(Err(error));
                }
            }
        }
    }

    async fn commit(&self, job: Job) -> Result<(Answer, Vec<Logged>), (Option<Answer>, StoreError)> {
        let mut transaction = self.pool.begin().await.map_err(|error| (None, error.into()))?;
        let mut tx = Tx::new(Connection::Postgres(&mut transaction), self.clock.now());
        let ran = (job.0)(&mut tx).await;
        let logged = tx.into_logged();
        if !ran.keep {
            // Not waited for by anybody: a refusal is right whether or not the connection lives.
            let _ = transaction.rollback().await;
            return Ok((ran.answer, Vec::new()));
        }
        match transaction.commit().await {
            Ok(()) => Ok((ran.answer, logged)),
            Err(error) => Err((Some(ran.answer), error.into())),
        }
    }
}
