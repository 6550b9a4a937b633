//! A list of members that replaces a group's, or is added to it: staged and compared in small transactions, applied in one.
//!
//! `staging.rs` takes the uploaded rows, `prepare.rs` compares them, `apply.rs` applies changes and removals, `adopt.rs` shows who is new;
//! `restrictions.rs` and `renames.rs` what follows, `outcome.rs` the numbers.
//!
//! Not here: the order of these steps (`membership`).

mod adopt;
pub(super) mod apply;
mod outcome;
pub(super) mod prepare;
mod renames;
mod restrictions;
pub(super) mod staging;
