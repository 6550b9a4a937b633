//! The authenticated viewer of a request.

use std::sync::Once;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use super::headers::bearer;
use crate::app::App;
use crate::domain::Uid;
use crate::http::problem::Problem;
use crate::identity::{Claims, TokenError, cookie, origin};

/// A viewer whose token was checked.
#[derive(Debug, Clone)]
pub(in crate::http) struct Viewer(pub Claims);

impl Viewer {
    /// Their uid.
    pub(in crate::http) fn uid(&self) -> &Uid {
        &self.0.uid
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let token = token(parts, app)?;
        let now = app.clock().now() / 1000;
        let claims = app.keys().verify(token, now).await?;
        if app.hub().logouts().refuses(&claims.uid, claims.issued_at, now) {
            return Err(TokenError::LoggedOut.into());
        }
        app.check_rate_limit(claims.uid.as_str()).map_err(Problem::too_fast)?;
        Ok(Viewer(claims))
    }
}

/// The token of a request: a bearer, or the cookie when the request is from our own origin.
///
/// # Errors
/// 401 when there is none, or a cookie that does not count.
fn token<'p>(parts: &'p Parts, app: &App) -> Result<&'p str, Problem> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        return bearer(&parts.headers).ok_or_else(Problem::no_token);
    }
    let config = app.config();
    let token = cookie::find(&parts.headers, &config.viewer_cookie).ok_or_else(Problem::no_token)?;
    if !origin::same_origin(&parts.method, &parts.headers, config.public_url.as_deref()) {
        // Logged once: anybody could fill the log with such requests.
        static LOGGED: Once = Once::new();
        LOGGED.call_once(|| tracing::warn!("a cookie did not count: Origin was neither the Host nor --public-url"));
        return Err(Problem::other_origin());
    }
    Ok(token)
}
