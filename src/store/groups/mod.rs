//! Groups: their rows, what is looked up about one, the directory of all, and their end. Of members and events only what describes a
//! group is read here: its owner, how many members it has, and when an event of it happened.
//!
//! Not here: members (`people/`) and the log (`log/`).

pub(super) mod directory;
mod ended_group;
pub(super) mod group;
pub(super) mod lock;
pub(super) mod lookup;
