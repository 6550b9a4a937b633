//! Headers as text, and the media type of a body.

use axum::http::{HeaderMap, header};

/// JSON.
pub(crate) const JSON: &str = "application/json";
/// The fields of a form.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// A header as text.
pub(crate) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// What `Content-Type` names, in lower case and without parameters; "" when it names nothing (RFC 9110, 8.3.1).
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
