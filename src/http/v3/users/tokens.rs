//! `/v3/users/{uid}/auth_tokens`: viewer tokens, for hosts that have no library to make them, and their revocation.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::config::Secret;
use crate::http::openapi::{IdempotencyHeader, UserPath};
use crate::http::v3::answer::{Data, Success, data, success};
use crate::http::v3::error::V3Error;
use crate::http::v3::request::auth::{Caller, parse_uid_or_404};
use crate::http::v3::request::body::{NoFields, Sent};
use crate::http::v3::request::path::Path;
use crate::identity::{self, NewToken, avatar_url};
use crate::membership;
use crate::store::{StoreError, User};

/// How long a token lives unless said otherwise, in seconds.
pub(in crate::http::v3) const DEFAULT_TTL: i64 = 3600;
/// How long one may live, in seconds.
const MAX_TTL: i64 = 86_400;

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"ttl": 3600}))]
pub(in crate::http::v3) struct TokenRequest {
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
pub(in crate::http::v3) struct Token {
    uid: String,
    auth_token: String,
    /// Unix time, in seconds.
    created_at: i64,
}

/// Make a viewer token, signed with the first viewer secret. Without one: 409.
///
/// Repeated under its key it answers the token again, with the issue time and the end of the first: a logout since then ends it too.
#[utoipa::path(post, path = "/users/{uid}/auth_tokens", operation_id = "createAuthToken", tag = "Users",
    params(UserPath, IdempotencyHeader),
    request_body = TokenRequest,
    responses((status = 200, description = "The token.", body = Data<Token>)))]
pub(in crate::http::v3) async fn create(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<TokenRequest>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let user = app.store().read().await?.user(&parse_uid_or_404(&uid)?).await?.ok_or_else(V3Error::no_user)?;
    let (body, content) = sent.read_with_content()?;
    let ttl = body.ttl.unwrap_or(DEFAULT_TTL);
    if !(1..=MAX_TTL).contains(&ttl) {
        return Err(V3Error::invalid("ttl", format!("a number from 1 to {MAX_TTL}, in seconds")));
    }
    secret(&app)?;
    let issued = membership::issue_token(app.store(), caller.global_request(&app, &content), user.uid.clone()).await?;
    let Minted { text, made_at } = mint(&app, &user, ttl, issued.done_at).await?;
    data(Token { uid: user.uid.to_string(), auth_token: text, created_at: made_at })
}

/// Log somebody out everywhere. Viewer tokens that were issued until now (`iat`, in whole seconds; without one: all) are
/// refused from now on, and their streams end. Also for somebody who is not known: a token may be out there.
#[utoipa::path(delete, path = "/users/{uid}/auth_tokens", operation_id = "logOut", tag = "Users", params(UserPath, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn flush(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = parse_uid_or_404(&uid)?;
    sent.must_be_empty()?;
    let clock_ahead = app.hub().logouts().clock_ahead(app.clock().now() / 1000);
    membership::log_out(app.store(), caller.global_request(&app, ""), uid.clone(), clock_ahead).await?;
    app.hub().logged_out().await.map_err(StoreError::after_commit)?;
    success(format!("User {uid} is logged out everywhere."))
}

/// A token that was made.
pub(in crate::http::v3) struct Minted {
    /// The token.
    pub text: String,
    /// When, Unix seconds.
    made_at: i64,
}

/// The secret that signs tokens.
///
/// # Errors
/// 409 when the host has configured none.
pub(in crate::http::v3) fn secret(app: &App) -> Result<Secret, V3Error> {
    app.credentials().viewer_secret.clone().ok_or_else(V3Error::no_secret)
}

/// A viewer token that lives for `ttl` seconds. `made_at`: when it was made first, Unix milliseconds; `None`
/// for now.
///
/// # Errors
/// As [`secret`]; when the database cannot be read.
pub(in crate::http::v3) async fn mint(
    app: &App,
    user: &User,
    ttl: i64,
    made_at: Option<i64>,
) -> Result<Minted, V3Error> {
    let made = made_at.unwrap_or_else(|| app.clock().now());
    let logged_out_at = app.store().read().await?.logged_out_at(&user.uid).await?;
    // Tokens of the second of a logout are refused; this one is made after it. One that was made before stays refused.
    let logged_out_at = logged_out_at.filter(|at| made_at.is_none() || *at <= made);
    // This node may refuse longer than is stored.
    let here = app.hub().logouts().first_accepted(&user.uid);
    let first_accepted = logged_out_at.map(|at| here.unwrap_or(i64::MIN).max(at.div_euclid(1000) + 1));
    let seconds = made / 1000;
    let token = NewToken {
        uid: user.uid.as_str(),
        audience: &app.credentials().viewer_audience,
        issued_at: first_accepted.map_or(seconds, |first| first.max(seconds)),
        expires_at: seconds + ttl,
        name: Some(&user.name),
        avatar: user.avatar.as_deref().filter(|url| avatar_url(url).is_some()),
    };
    Ok(Minted { text: identity::mint(&secret(app)?, &token), made_at: seconds })
}
