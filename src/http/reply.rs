//! Small pieces of answers.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::problem::Problem;

/// HTML.
pub fn html(text: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text.into()).into_response()
}

/// A template as HTML.
pub fn rendered(template: &impl Template) -> Result<Response, Problem> {
    Ok(html(template.render()?))
}

/// JSON.
pub fn json(value: &impl serde::Serialize) -> Result<Response, Problem> {
    let text = serde_json::to_string(value).map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response())
}

/// See other (303): where a form's answer is.
pub fn see(url: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(value) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    response
}
