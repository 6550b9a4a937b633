//! Headers as text, the media type of a body, and the Idempotency-Key.

use axum::http::{HeaderMap, header};

use crate::http::problem::Problem;

/// JSON.
pub(in crate::http) const JSON: &str = "application/json";
/// The fields of a form.
pub(in crate::http) const FORM: &str = "application/x-www-form-urlencoded";
/// Longest Idempotency-Key, in bytes.
const MAX_IDEMPOTENCY_KEY: usize = 255;

/// A header as text.
pub(in crate::http) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The token of `Authorization: Bearer` (RFC 6750, 2.1), with the scheme in any case; `None` with another scheme, and where the header
/// stands twice: a proxy before the service may have read the other one.
pub(in crate::http) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let only = given.next().filter(|_| given.next().is_none())?;
    let (scheme, token) = only.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The media type of `Content-Type`, in lower case and without parameters; "" when there is none (RFC 9110, 8.3.1).
pub(in crate::http) fn media_type(headers: &HeaderMap) -> String {
    let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The caller's Idempotency-Key.
///
/// # Errors
/// 422 when it is empty or too long, or not printable ASCII, of which a blank is one and a tab is not.
pub(in crate::http) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    if !headers.contains_key("idempotency-key") {
        return Ok(None);
    }
    let is_printable = |key: &str| key.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let key = text(headers, "idempotency-key");
    let key = key.filter(|key| (1..=MAX_IDEMPOTENCY_KEY).contains(&key.len()) && is_printable(key));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        Problem::invalid(format!("Idempotency-Key: 1 to {MAX_IDEMPOTENCY_KEY} printable ASCII characters, no tabs"))
    })
}
