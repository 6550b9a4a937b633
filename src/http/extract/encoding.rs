//! The form of a body's bytes, before they are read as JSON.

use axum::http::{HeaderMap, HeaderName, header};

use crate::http::problem::Problem;

/// The byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses a body that is encoded, as by compression. None is decoded here; of the codings of a transfer hyper decodes the
/// chunks alone, and accepts others before them (RFC 9112, 6.1).
///
/// # Errors
/// [`Problem::encoded`] or [`Problem::encoded_for_transfer`] when it is.
pub(in crate::http) fn refuse_encoded(headers: &HeaderMap) -> Result<(), Problem> {
    let is_unencoded = |value: &[u8]| value.is_empty() || value.eq_ignore_ascii_case(b"identity");
    if !every_value(headers, header::CONTENT_ENCODING, is_unencoded) {
        return Err(Problem::encoded());
    }
    if !every_value(headers, header::TRANSFER_ENCODING, |value| value.eq_ignore_ascii_case(b"chunked")) {
        return Err(Problem::encoded_for_transfer());
    }
    Ok(())
}

fn every_value(headers: &HeaderMap, name: HeaderName, is_fit: impl Fn(&[u8]) -> bool) -> bool {
    headers.get_all(name).into_iter().all(|value| is_fit(value.as_bytes()))
}

/// A text without the mark before it.
pub(in crate::http) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(MARK).unwrap_or(body)
}
