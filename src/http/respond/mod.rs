//! What answers are made of, whichever handler gives them: bodies, headers, redirects, problems. Nothing
//! here knows a route.

pub mod conditional;
pub mod flash;
pub mod json;
mod list_window;
pub mod render_problems;
pub mod reply;
pub mod return_to;

pub use list_window::{group_totals, list_window};
