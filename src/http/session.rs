//! `POST /session`: puts the bearer into an HttpOnly cookie, for pages that cannot send headers.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use crate::app::App;
use crate::http::extract::{RequestInfo, Viewer, bearer};
use crate::identity::cookie::{self, NewCookie};

/// The bearer as it was sent: a cookie does not renew a cookie.
pub(super) struct Bearer(String);

impl FromRequestParts<App> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        bearer(&parts.headers).map(|token| Bearer(token.to_owned())).ok_or_else(Problem::no_token)
    }
}

/// Sets the cookie for as long as the token lives.
#[utoipa::path(post, path = "/session", operation_id = "beginSession", tag = "Session",
    summary = "Put the bearer's token into a cookie.", responses((status = 204, description = "Done.")))]
pub(super) async fn begin(
    State(app): State<App>,
    Bearer(token): Bearer,
    viewer: Viewer,
    info: RequestInfo,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    info.check_shape()?;
    cookie_answer(&app, &headers, &token, (viewer.0.expires_at - app.clock().now() / 1000).max(0))
}

/// Takes the cookie away.
#[utoipa::path(delete, path = "/session", operation_id = "endSession", tag = "Session", security(()),
    summary = "Take the cookie away.", responses((status = 204, description = "Done."),
        (status = 422, description = "A value is not allowed; the detail names it.", content_type = "application/problem+json")))]
pub(super) async fn end(State(app): State<App>, info: RequestInfo, headers: HeaderMap) -> Result<Response, Problem> {
    info.check_shape()?;
    cookie_answer(&app, &headers, "", 0)
}

fn cookie_answer(app: &App, headers: &HeaderMap, value: &str, max_age: i64) -> Result<Response, Problem> {
    let config = app.config();
    let new = NewCookie {
        name: &config.viewer_cookie,
        value,
        base_path: &config.base_path,
        cross_site: cookie::is_cross_site(headers),
        secure: cookie::is_secure(config.public_url.as_deref(), headers),
        max_age,
    };
    let header = new.header().ok_or_else(|| Problem::bad_request("This token cannot be put into a cookie."))?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, header)]).into_response())
}
