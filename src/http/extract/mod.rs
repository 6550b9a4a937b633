//! What a handler asks of a request: who asks, for what, in which format, from which group. An
//! extractor answers with a value or with a [`Problem`](super::problem::Problem); nothing is rendered here.

pub(super) mod form;
pub(super) mod group_access;
pub(super) mod input;
pub(super) mod negotiate;
pub(super) mod page_range;
mod path;
mod viewer;

pub(super) use form::FormBody;
pub(super) use group_access::GroupAccess;
pub(super) use negotiate::{Format, RequestInfo, text};
pub(super) use path::Path;
pub(super) use viewer::Viewer;
