//! `GET /openapi.json`: all of the surface, described (OpenAPI 3.1).

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// The document. Tests hold it against the tables of routes.
pub(super) async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}
