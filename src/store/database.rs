//! The database as the rest of the program holds it.

use std::sync::{Arc, OnceLock};

use tokio::sync::{oneshot, watch};

use super::db::Pool;
use super::error::StoreError;
use super::job::{Boxed, Committed, Done, Job, PATIENCE, Ran};
use super::primary::Health;
use super::reader::Reader;
use super::tx::Tx;
use super::writer::Writer;
use crate::clock::Clock;
use crate::domain::{Guid, Logged};

/// The database: who writes, a few readers. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(super) writer: Writer,
    pub(super) readers: Pool,
    pub(super) committed: Arc<OnceLock<Committed>>,
    pub(super) epoch: watch::Sender<Arc<str>>,
    pub(super) clock: Clock,
}

impl Store {
    /// The name of this history of events. Kept in the database, shared by all nodes.
    pub fn epoch(&self) -> Arc<str> {
        self.epoch.borrow().clone()
    }

    /// The clock that acts are stamped with.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Names who is told of commits; once, before the first write.
    pub fn on_commit(&self, told: impl Fn(&[Logged]) + Send + Sync + 'static) {
        let _ = self.committed.set(Box::new(told));
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match &self.readers {
            Pool::Sqlite(pool) => sqlx::query("SELECT 1").execute(pool).await.map(|_| ())?,
            // It is asked all the time.
            Pool::Postgres(primary) => primary.check(Health::ReadOnly)?,
        }
        match &self.writer {
            Writer::Batch(jobs) if jobs.is_closed() => Err(StoreError::Unavailable("the writing task stopped".into())),
            _ => Ok(()),
        }
    }

    /// A consistent view of the database as of now, for a few reads.
    pub async fn read(&self) -> Result<Reader, StoreError> {
        Reader::begin(&self.readers, self.clock.now()).await
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
