//! What a request of the host's back end holds: its credentials, path, query string and body, each read at the edge.
//!
//! Not here: the shapes of answers (`answer.rs`, `error.rs`), and the bodies themselves, which stand beside their handlers.

pub(super) mod auth;
pub(super) mod body;
mod exact_numbers;
pub(super) mod fields;
mod near_miss;
pub(super) mod paging;
pub(super) mod path;
