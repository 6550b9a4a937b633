//! A list of members that replaces a group's, or is added to it: staged and compared in small transactions, applied in one.
//!
//! `staging.rs` takes the uploaded rows, `prepare.rs` compares them, `apply.rs` applies changes, `leaving.rs` removals, `adopt.rs` shows
//! the new members that `prepare.rs` inserted hidden, which it does on SQLite alone;
//! `restrictions.rs` writes into the event how restrictions were before and after, `renames.rs` records the new names of people for
//! other groups, `scopes.rs` says what scope a row stands for, `outcome.rs` counts.
//!
//! A row of `sync_rows` whose scope is -1 is about somebody who leaves, or keeps the place of somebody who was erased. A row of `members`
//! whose scope is below 0 is hidden: its scope will be `-1 - scope`, and its `seq` is the negative number of the sync. The scope of
//! somebody listed without one (`keeps_scope`) is the one that they have. `scope_until` was written by earlier versions alone.
//!
//! Not here: the order of these steps (`membership`).

mod adopt;
pub(super) mod apply;
mod leaving;
mod outcome;
pub(super) mod prepare;
mod renames;
mod restrictions;
mod scopes;
pub(super) mod staging;
