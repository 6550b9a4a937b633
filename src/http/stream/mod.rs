//! `GET /groups/{guid}/events`: the messages of an open stream, as HTML swaps or as JSON.
//!
//! Not here: the decision what is sent to whom, and when (`live`).

pub(super) mod events;
pub(super) mod html;
mod json;
mod sse;
pub(super) mod swaps;
