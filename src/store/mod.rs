//! Loads, applies, appends, and decides nothing. The only place that says `sqlx`.
//!
//! Acts are handed over whole ([`Store::write`]); reads take a snapshot ([`Store::read`]). Two
//! databases speak the same queries: SQLite is embedded, one file, write-ahead log,
//! `synchronous=FULL` (`NORMAL` loses answered acts when the power goes); PostgreSQL is shared by
//! many nodes.

mod address;
mod apart;
mod attendance;
mod batch;
mod bulk;
mod db;
mod directory;
mod groups;
mod history;
mod hosts;
mod lanes;
mod later;
mod log;
mod moving;
mod notify;
mod open;
mod person;
mod postgres;
mod primary;
mod probe;
mod reader;
mod session;
mod snapshot;
mod sqlite;
mod tx;
mod users;
mod writer;

use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

pub use attendance::{Attending, Beat, Board, HOST};
pub use bulk::{BulkReport, BulkRow};
pub use directory::{Listed, Slice};
pub use groups::{Claimed, NewGroup};
pub use history::Mark;
pub use log::Catchup;
pub use moving::{MoveError, Moved, Moving, Progress, cancel_move, move_to};
pub use notify::Notify;
pub(crate) use open::random_name;
pub use person::Person;
pub use reader::Reader;
pub use snapshot::Snapshot;
pub use tx::Tx;
pub use users::User;
pub use writer::Done;

use crate::clock::Clock;
use crate::domain::Logged;
use db::Pool;
use primary::Health;
use writer::Writer;

/// Something is wrong with the database or with what it holds.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be used now: busy, gone, out of space. Nothing was done; trying again later may work.
    #[error("the database cannot be used now: {0}")]
    Unavailable(String),
    /// It is a file that moves, or was moved, to PostgreSQL: it can be read, and not written.
    #[error("the database is read-only, since it moves or was moved (`move --cancel` makes it writable again)")]
    Moving,
    /// The same, where the log has said why already, once for all who are told so meanwhile.
    #[error("the database cannot be used now, as was logged before")]
    Away,
    /// It did not answer whether an act was done. Asked again under the same Idempotency-Key, the act
    /// is done once.
    #[error("the database did not say whether it was done")]
    Unsure,
    /// A stored row breaks the law; `doctor` tells more.
    #[error("the database holds something impossible: {0}")]
    Inconsistent(String),
}

impl StoreError {
    /// Whether the log has it already, said once for all who meet with it.
    pub fn was_said(&self) -> bool {
        matches!(self, StoreError::Away)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::Inconsistent(error.to_string()),
            other if moving::refused(&other) => StoreError::Moving,
            other => StoreError::Unavailable(other.to_string()),
        }
    }
}

/// Told of what was committed, in the order of commits, before the acts are answered.
type Committed = Box<dyn Fn(&[Logged]) + Send + Sync>;

/// The database: who writes, a few readers. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    writer: Writer,
    readers: Pool,
    committed: Arc<OnceLock<Committed>>,
    epoch: watch::Sender<Arc<str>>,
    clock: Clock,
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
