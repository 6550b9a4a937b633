//! The form of a body's bytes, before they are read as JSON.

use axum::http::{HeaderMap, header};

use crate::http::problem::Problem;

/// The byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses a body that is encoded, as by compression: none is decoded here.
///
/// # Errors
/// [`Problem::encoded`] when it is.
pub(in crate::http) fn refuse_encoded(headers: &HeaderMap) -> Result<(), Problem> {
    let encodings = headers.get_all(header::CONTENT_ENCODING).into_iter();
    let is_plain = |value: &[u8]| value.is_empty() || value.eq_ignore_ascii_case(b"identity");
    if encodings.map(|value| value.as_bytes()).all(is_plain) { Ok(()) } else { Err(Problem::encoded()) }
}

/// A text without the mark before it.
pub(in crate::http) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(MARK).unwrap_or(body)
}
