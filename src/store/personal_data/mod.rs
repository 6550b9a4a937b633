//! All that is stored about one person: its export and its erasure.
//!
//! Not here: the order of an erasure's steps (`membership`).

pub(super) mod erasure;
pub(super) mod erasures;
pub(super) mod export;
pub(super) mod known;
mod rewriting;
