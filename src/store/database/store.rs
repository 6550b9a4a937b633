//! The database as the rest of the program holds it.

use std::sync::Arc;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::backend::{Pool, Writer};
use super::reader::Reader;
use crate::clock::Clock;
use crate::domain::Guid;
use crate::store::error::{AsStoreError, StoreError};
use crate::store::postgres::{Health, PgNotifications, PresenceTable};
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::query_count;
use crate::store::sqlite::Scrubber;
use crate::store::transaction::commit::{Appended, CommitListeners, Readiness};
use crate::store::transaction::job::{BoxFuture, Decision, Job, JobResult, Work};
use crate::store::transaction::tx::{LogAccess, Tx};

/// The database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(in crate::store) writer: Writer,
    pub(in crate::store) pool: Pool,
    pub(in crate::store) listeners: Arc<CommitListeners>,
    pub(in crate::store) epoch: watch::Sender<Arc<str>>,
    pub(in crate::store) readiness: watch::Sender<Readiness>,
    /// Whether lists can be read from PostgreSQL, as was last tried.
    pub(in crate::store) reads: watch::Sender<Readiness>,
    pub(in crate::store) clock: Clock,
    pub(in crate::store) pseudonyms: Pseudonyms,
    /// The scrubber of a SQLite file.
    pub(in crate::store) scrubber: Option<Arc<Scrubber>>,
}

impl Store {
    /// The clock that acts are stamped with.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The pseudonyms of people who are erased.
    pub fn pseudonyms(&self) -> &Pseudonyms {
        &self.pseudonyms
    }

    /// Adds a listener that is called with what each commit appended, before the acts are answered. Call this before the
    /// first write.
    pub fn on_commit(&self, listener: impl Fn(&Appended) + Send + Sync + 'static) {
        self.listeners.add(Box::new(listener));
    }

    /// Checks that the database answers reads.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match &self.pool {
            Pool::Sqlite(file) => sqlx::query("SELECT 1").execute(&file.readers).await.map(|_| ())?,
            // The probe asks it every second.
            Pool::Postgres(primary) => primary.health().check(Health::ReadOnly)?,
        }
        match &self.writer {
            Writer::Sqlite(writer) if writer.is_closed() => {
                Err(StoreError::Unavailable("the writing task stopped".into()))
            }
            _ => Ok(()),
        }
    }

    /// A consistent snapshot of the database as of now, for a few reads.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be read now.
    pub async fn read(&self) -> Result<Reader, StoreError> {
        let begun = Instant::now();
        let reader = Reader::begin(&self.pool, self.clock.now(), self.pseudonyms.clone()).await;
        metrics::histogram!("chat_group_members_store_read_wait_seconds").record(begun.elapsed().as_secs_f64());
        reader
    }

    /// Removes content that erasures deleted from the file and its write-ahead log, if any has ended since this was
    /// done last; `false` when none has. Acts wait meanwhile. PostgreSQL does so by itself (autovacuum).
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be done now: it is still to be done.
    pub async fn scrub(&self) -> Result<bool, StoreError> {
        let Some(scrubber) = &self.scrubber else { return Ok(false) };
        let Some(due) = self.read().await?.scrub_due().await? else { return Ok(false) };
        scrubber.run(&due).await?;
        self.write(None, move |tx| Box::pin(async move { tx.record_scrubbed(&due).await.map(Decision::Commit) }))
            .await?;
        Ok(true)
    }

    /// Closes a SQLite file: acts that wait are written and answered, further ones refused, and the write-ahead log goes into the file. Without
    /// this the next start finds the last acts in the log. A PostgreSQL has everything by then.
    pub async fn close(&self) {
        if let (Writer::Sqlite(writer), Pool::Sqlite(file)) = (&self.writer, &self.pool) {
            writer.close(&file.readers).await;
        }
    }

    /// Messages between nodes through the database; `None` for SQLite, which has one node.
    pub fn notify(&self) -> Option<PgNotifications> {
        match &self.pool {
            Pool::Sqlite(_) => None,
            Pool::Postgres(primary) => Some(PgNotifications::new(primary)),
        }
    }

    /// The presence that nodes share; `None` for SQLite, which has one node.
    pub fn presence_table(&self) -> Option<PresenceTable> {
        match &self.pool {
            Pool::Sqlite(_) => None,
            Pool::Postgres(primary) => Some(PresenceTable::new(primary)),
        }
    }
}

impl Store {
    /// Runs `work` in a write transaction and answers after the commit. `group` is the group that the work is
    /// about; `None` when it is about none or several.
    ///
    /// The store owns the work: it runs to its end even when the caller is cancelled. An error or
    /// [`Decision::Rollback`] rolls back everything that the work wrote.
    ///
    /// # Errors
    /// The error of the work. [`StoreError::Unavailable`], [`StoreError::ReadOnly`], [`StoreError::KnownOutage`]
    /// or [`StoreError::LoggedOutage`] when it was not committed, [`StoreError::CommitUnknown`] when it may have been.
    pub async fn write<T, E, W>(&self, group: Option<&Guid>, work: W) -> Result<T, E>
    where
        W: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<Decision<T>, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + AsStoreError + Send + 'static,
    {
        self.run(group, LogAccess::ReadWrite, work).await
    }

    /// Like [`Self::write`], for an act that may do without reading the log, as most do: then its event is inserted together
    /// with those of others.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn write_act<T, E, W>(&self, group: &Guid, log: LogAccess, work: W) -> Result<T, E>
    where
        W: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<Decision<T>, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + AsStoreError + Send + 'static,
    {
        self.run(Some(group), log, work).await
    }

    async fn run<T, E, W>(&self, group: Option<&Guid>, log: LogAccess, work: W) -> Result<T, E>
    where
        W: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<Decision<T>, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + AsStoreError + Send + 'static,
    {
        // The statements of the work are not counted: it runs in a task of the writer.
        query_count::count();
        let (sender, answered) = oneshot::channel();
        let work: Work = Box::new(move |tx| {
            Box::pin(async move {
                let (commit, failed, outcome) = match work(tx).await {
                    Ok(Decision::Commit(value)) => (true, false, Ok(value)),
                    Ok(Decision::Rollback(value)) => (false, false, Ok(value)),
                    Err(error) => (false, error.as_store_error().is_some_and(StoreError::is_failure), Err(error)),
                };
                let reply = move |transaction: Result<(), StoreError>| {
                    let _ = sender.send(match transaction {
                        Ok(()) => outcome,
                        Err(error) => {
                            let cause = outcome.as_ref().err().and_then(E::as_store_error);
                            Err(E::from(error.caused_by(cause)))
                        }
                    });
                };
                JobResult { commit, failed, reply: Box::new(reply) }
            })
        });
        let job = Job { work, log };
        match &self.writer {
            Writer::Sqlite(writer) => writer.send(job).await?,
            Writer::Postgres(queues) => {
                queues.check()?;
                let busy = || StoreError::Unavailable("too many acts are waiting".into());
                queues.enqueue(group, job).await.ok_or_else(busy)?;
            }
        }
        // A job that was dropped was not done.
        answered.await.unwrap_or_else(|_| {
            let cause = self.listeners.outcomes.failure();
            Err(E::from(cause.map_or(StoreError::KnownOutage, StoreError::LoggedOutage)))
        })
    }
}
