//! Groups: their rows, what is looked up about one, the directory of all, and their end.
//!
//! Not here: members (`people/`) and events (`log/`).

pub(super) mod directory;
mod ended_group;
pub(super) mod group;
pub(super) mod lock;
pub(super) mod lookup;
