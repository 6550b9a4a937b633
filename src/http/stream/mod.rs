//! `GET /groups/{guid}/events`: what an open stream carries, as HTML swaps or as JSON. What is sent to
//! whom, and when, is decided in `live`.

pub mod events;
pub mod html;
mod json;
mod sse;
pub mod swaps;
