//! `GET /docs`: the OpenAPI document as a page, made by us and without anything from elsewhere.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use super::openapi::LazyDocument;
use super::problem::Problem;
use super::respond::reply::rendered;
use crate::app::App;
use crate::views::ReferencePage;

/// The surface, to be read.
#[utoipa::path(get, path = "/docs", operation_id = "docs", tag = "Operation", security(()),
    responses((status = 200, description = "A page.", content_type = "text/html")))]
pub(super) async fn show(
    State(app): State<App>,
    Extension(document): Extension<LazyDocument>,
) -> Result<Response, Problem> {
    rendered(&ReferencePage::new(app.layout(), &document.value))
}
