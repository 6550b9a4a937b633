//! Calls of the original that are not offered: they say so, instead of looking like a wrong address.

use axum::Router;
use axum::routing::{any, put};

use super::error::not_offered;
use crate::app::App;

const DEACTIVATION: &str =
    "Users are not activated or deactivated here: ban them, log them out everywhere, or delete them.";
const TOKENS: &str =
    "Single tokens are not kept here: they end by themselves, and DELETE /v3/users/{uid}/auth_tokens ends all.";

/// Answers for them.
pub(super) fn add_to(routes: Router<App>) -> Router<App> {
    routes
        .route("/users", put(async || not_offered(DEACTIVATION)).delete(async || not_offered(DEACTIVATION)))
        .route("/users/{uid}/auth_tokens", axum::routing::get(async || not_offered(TOKENS)))
        .route("/users/{uid}/auth_tokens/{token}", any(async || not_offered(TOKENS)))
}
