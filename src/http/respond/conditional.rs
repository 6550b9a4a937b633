//! Conditional requests (RFC 9110, 13): the tag of an answer, and whether the client has that answer.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::app::App;
use crate::http::extract::{RequestInfo, Viewer};

/// A tag of everything that the response depends on, known before the response is made.
pub(in crate::http) fn etag(app: &App, viewer: &Viewer, info: &RequestInfo, name: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (app.boot_id(), name, viewer.uid(), info.htmx).hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// A tag of these bytes.
pub(in crate::http) fn etag_of(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether the client has the answer of this tag already: `If-None-Match` is `*` or a list that has it,
/// by weak comparison (RFC 9110, 13.1.2 and 8.8.3.2).
pub(in crate::http) fn is_known(request: &HeaderMap, etag: &str) -> bool {
    let values = request.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
    known.any(|known| known == "*" || opaque(known) == opaque(etag))
}

fn opaque(tag: &str) -> &str {
    tag.trim_start_matches("W/")
}

/// The answer with its tag.
pub(in crate::http) fn tagged(mut response: Response, etag: &str) -> Response {
    if let Ok(etag) = HeaderValue::from_str(etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_alone_in_a_list_and_by_a_star() {
        let known = |sent: &[&'static str]| {
            let headers = sent.iter().map(|value| (header::IF_NONE_MATCH, HeaderValue::from_static(value))).collect();
            is_known(&headers, "W/\"b\"")
        };
        for sent in [&["W/\"b\""][..], &["\"b\""], &["*"], &["W/\"a\", W/\"b\""], &["\"a\"", "\"b\""]] {
            assert!(known(sent), "{sent:?}");
        }
        for sent in [&[][..], &["W/\"a\""], &["b"], &["W/\"bb\""], &["\"*\""]] {
            assert!(!known(sent), "{sent:?}");
        }
    }
}
