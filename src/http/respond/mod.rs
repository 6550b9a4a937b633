//! What answers are made of, whichever handler gives them: bodies, headers, redirects, problems. Nothing
//! here knows a route.

pub(super) mod conditional;
pub(super) mod flash;
pub(super) mod json;
mod list_window;
pub(super) mod render_problems;
pub(super) mod reply;
pub(super) mod return_to;

pub(super) use list_window::{group_totals, list_window};
