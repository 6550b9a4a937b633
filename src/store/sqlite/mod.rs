//! The parts for SQLite alone: opening a file and watching it, its schema, the one task that writes, removing deleted
//! content, and files made read-only for a move to PostgreSQL.
//!
//! Not here: queries that both databases understand, which are in the folder above, and [`super::Store`], which this
//! folder does not know.

mod backup;
mod create;
mod file;
mod foreign;
mod header;
mod open;
mod open_read_only;
mod place;
pub(super) mod read_only;
mod schema;
mod scrub;
mod writer;

pub(super) use backup::backup;
pub(super) use file::OpenFile;
pub(super) use foreign::{Content, check_ours, connect_to_write, content};
pub(super) use open::{open, options, prepare};
pub(super) use open_read_only::ReadOnlyFile;
pub(super) use place::{check_exists, connect, parse, unopened};
pub use read_only::MoveState;
pub(super) use scrub::Scrubber;
pub(super) use writer::FileWriter;
