//! The database: loading, writing, and the event log. The only place that uses `sqlx`.
//!
//! A write is a whole act ([`Store::write`]); a read uses one snapshot ([`Store::read`]). Two databases share the queries:
//! SQLite is embedded, with one file, a write-ahead log and `synchronous=FULL` (`NORMAL` loses answered acts in a power
//! failure); PostgreSQL is shared by many nodes.
//!
//! Not here: decisions. The rules are in `domain`, and the verbs that call them in `membership`.

mod address;
mod apart;
mod attendance;
mod batch;
mod bulk;
mod copy;
mod database;
mod db;
mod directory;
mod error;
mod facts;
mod groups;
mod history;
mod hosts;
mod job;
mod lanes;
mod later;
mod log;
mod migrations;
mod notify;
mod open;
mod person;
mod postgres;
mod primary;
mod probe;
mod read_only;
mod reader;
mod session;
mod snapshot;
mod sqlite;
mod tables;
mod tx;
mod users;
mod writer;

pub use self::copy::{MoveError, Moved, Progress, cancel_move, move_to};
pub use attendance::{Attending, Beat, Board, HOST};
pub use bulk::{BulkReport, BulkRow};
pub use database::Store;
pub use directory::{Listed, Slice};
pub use error::StoreError;
pub(crate) use facts::random_name;
pub use groups::{Claimed, NewGroup};
pub use history::Mark;
pub use job::Done;
pub use log::Catchup;
pub use notify::Notify;
pub use person::Person;
pub use read_only::Moving;
pub use reader::Reader;
pub use snapshot::Snapshot;
pub use tx::Tx;
pub use users::User;
