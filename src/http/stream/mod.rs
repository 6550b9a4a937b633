//! `GET /groups/{guid}/events`: the messages of an open stream, as HTML swaps or as JSON. `swaps.rs` decides what
//! viewers of each scope may see of a change.
//!
//! Not here: how a stream resumes (`live/resume.rs`), when it is sent something, and its queue (`live`).

pub(super) mod events;
pub(super) mod html;
mod json;
mod sse;
pub(super) mod swaps;
