//! `GET /groups/{guid}/events`: what an open stream carries, as HTML swaps or as JSON. What is sent to
//! whom, and when, is decided in `live`.

pub(super) mod events;
pub(super) mod html;
mod json;
mod sse;
pub(super) mod swaps;
