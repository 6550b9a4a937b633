//! The authenticated viewer of a request.

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use super::headers::text;
use crate::app::App;
use crate::domain::Uid;
use crate::http::problem::Problem;
use crate::identity::{Claims, TokenError, cookie, origin};

/// A viewer whose token was checked.
#[derive(Debug, Clone)]
pub(crate) struct Viewer(pub Claims);

impl Viewer {
    /// Their uid.
    pub(crate) fn uid(&self) -> &Uid {
        &self.0.uid
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let token = token(parts, app).ok_or_else(Problem::no_token)?;
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
fn token<'p>(parts: &'p Parts, app: &App) -> Option<&'p str> {
    if let Some(value) = text(&parts.headers, header::AUTHORIZATION.as_str()) {
        let (scheme, token) = value.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| token.trim());
    }
    let config = app.config();
    let ours = origin::same_origin(&parts.method, &parts.headers, config.public_url.as_deref());
    cookie::find(&parts.headers, &config.viewer_cookie).filter(|_| ours)
}
