//! What a handler asks of a request: who asks, for what, in which format, from which group. An
//! extractor answers with a value or with a [`Problem`](super::problem::Problem); nothing is rendered here.

pub mod form;
pub mod group_access;
pub mod input;
pub mod negotiate;
pub mod page_range;
mod path;
mod viewer;

pub use form::Fields;
pub use group_access::Seat;
pub use negotiate::{Ask, Face, text};
pub use path::Path;
pub use viewer::Viewer;
