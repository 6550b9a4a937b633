//! Calls of the original that are not offered: they say so, instead of looking like a wrong address.

use axum::http::Method;

const DEACTIVATION: &str =
    "Users are not activated or deactivated here: ban them, log them out everywhere, or delete them.";
const TOKENS: &str =
    "Single tokens are not kept here: they end by themselves, and DELETE /v3/users/{uid}/auth_tokens ends all.";

/// The message for such a call; `path` is relative to `/v3`.
pub(super) fn words(method: &Method, path: &str) -> Option<&'static str> {
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    match (method, &segments[..]) {
        (&Method::PUT | &Method::DELETE, ["users"]) => Some(DEACTIVATION),
        (&Method::GET, ["users", _, "auth_tokens"]) | (_, ["users", _, "auth_tokens", _]) => Some(TOKENS),
        _ => None,
    }
}
