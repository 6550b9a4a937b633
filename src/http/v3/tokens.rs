//! `/v3/users/{uid}/auth_tokens`: tokens for viewers, of hosts that have no library to make them.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::Data;
use super::auth::{Caller, known};
use super::body::Sent;
use super::error::Failure;
use super::paging::data;
use crate::app::App;
use crate::config::Secret;
use crate::http::openapi::UserPath;
use crate::identity::{self, NewToken, avatar_url};
use crate::store::User;

/// How long a token lives unless said otherwise, in seconds.
pub(super) const TTL: i64 = 3600;
/// How long one may live, in seconds.
const MOST: i64 = 86_400;

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"ttl": 3600}))]
pub(super) struct TokenRequest {
    /// How long it lives, in seconds.
    #[schema(minimum = 1, maximum = 86_400, default = 3600)]
    ttl: Option<i64>,
    /// Accepted: a new one is made in any case.
    #[serde(rename = "force")]
    _force: Option<bool>,
}

/// A token for a viewer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"uid": "dee", "authToken": "eyJhbGciOiJIUzI1NiJ9.…", "createdAt": 1700000000}))]
pub(super) struct Token {
    uid: String,
    auth_token: String,
    /// Seconds since the epoch.
    created_at: i64,
}

/// Make a viewer token, signed with the first viewer secret. Without one: 409.
#[utoipa::path(post, path = "/users/{uid}/auth_tokens", operation_id = "createAuthToken", tag = "Users", params(UserPath),
    request_body = Option<TokenRequest>,
    responses((status = 200, description = "The token.", body = Data<Token>)))]
pub(super) async fn create(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<TokenRequest>,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let user = app.store().read().await?.user(&known(&uid)?).await?.ok_or_else(Failure::no_user)?;
    let ttl = sent.read()?.ttl.unwrap_or(TTL);
    if !(1..=MOST).contains(&ttl) {
        return Err(Failure::invalid("ttl", format!("a number from 1 to {MOST}, in seconds")));
    }
    let auth_token = mint(&app, &user, ttl)?;
    data(Token { uid: user.uid.to_string(), auth_token, created_at: app.clock().now() / 1000 })
}

/// What tokens are signed with, if the host has given it.
pub(super) fn secret(app: &App) -> Result<&Secret, Failure> {
    app.config().viewer_secrets.first().ok_or_else(Failure::no_secret)
}

/// A viewer token that lives for `ttl` seconds.
pub(super) fn mint(app: &App, user: &User, ttl: i64) -> Result<String, Failure> {
    let now = app.clock().now() / 1000;
    // Tokens of the second of a logout are refused; this one is made after it.
    let first_accepted = app.hub().logouts().first_accepted(&user.uid);
    let token = NewToken {
        uid: user.uid.as_str(),
        audience: &app.config().viewer_audience,
        issued_at: first_accepted.map_or(now, |first| first.max(now)),
        expires_at: now + ttl,
        name: Some(&user.name),
        avatar: user.avatar.as_deref().filter(|url| avatar_url(url).is_some()),
    };
    Ok(identity::mint(secret(app)?, &token))
}
