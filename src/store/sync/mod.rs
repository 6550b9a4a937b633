//! A list of members that replaces a group's, or is added to it: staged and compared in small transactions, applied in one.
//!
//! Not here: the order of these steps (`membership`).

mod adopt;
pub(super) mod bulk;
mod outcome;
pub(super) mod prepare;
mod renames;
mod restrictions;
pub(super) mod row_state;
pub(super) mod staging;
