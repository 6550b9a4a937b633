//! Conditional requests (RFC 9110, 13): the tag of an answer, and whether the client has that answer.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::app::App;
use crate::http::extract::{Ask, Viewer, text};

/// Stands for everything the answer depends on, without making the answer.
pub fn etag(app: &App, viewer: &Viewer, ask: &Ask, name: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (app.run(), name, viewer.uid(), ask.htmx).hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether the client has the answer of this tag already.
pub fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    text(headers, header::IF_NONE_MATCH.as_str()).is_some_and(|known| known.contains(etag))
}

/// The answer with its tag.
pub fn tagged(mut response: Response, etag: &str) -> Response {
    if let Ok(etag) = HeaderValue::from_str(etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}
