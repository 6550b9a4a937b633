//! Extractors: they parse what a handler needs from a request (viewer, group, format, language, body). Each returns a
//! value or a [`Problem`](super::problem::Problem).
//!
//! Not here: responses (`respond`).

mod act_body;
pub(super) mod act_fields;
pub(super) mod encoding;
mod form;
pub(super) mod group_access;
mod group_request;
mod headers;
pub(super) mod json;
pub(super) mod negotiate;
pub(super) mod page_range;
mod path;
mod viewer;

pub(super) use act_body::{ActField, ActFields};
#[cfg(feature = "testing")]
pub use form::read_body;
pub(super) use form::{FormBody, MultiValueBody};
pub(super) use group_access::GroupAccess;
pub(super) use group_request::GroupRequest;
pub(super) use headers::{FORM, JSON, bearer, idempotency_key, media_type, text};
pub(super) use negotiate::{Format, RequestInfo};
pub(super) use path::Path;
pub(super) use viewer::Viewer;

/// Largest body of a request, in bytes, unless its handler names another (`v3/lists/mod.rs` and `pages/selection.rs` do).
pub(super) const LARGEST_BODY: usize = 64 * 1024;
