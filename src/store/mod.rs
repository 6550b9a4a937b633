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
