//! Parts of responses that handlers share: bodies, headers, redirects, problems.
//!
//! Not here: anything that depends on a route.

pub(super) mod conditional;
pub(super) mod flash;
pub(super) mod json;
mod list_window;
pub(super) mod operation;
mod placeholder;
pub(super) mod render_problems;
pub(super) mod reply;
pub(super) mod return_to;

pub(super) use list_window::{group_totals, list_window, panel};
