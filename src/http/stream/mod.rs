//! `GET /groups/{guid}/events`: the messages of an open stream, as HTML swaps or as JSON.
//!
//! `live` decides when a stream is sent something; what viewers of each scope may see of it is decided in `swaps.rs`.

pub(super) mod events;
pub(super) mod html;
mod json;
mod sse;
pub(super) mod swaps;
