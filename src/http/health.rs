//! For operators: alive, ready, measured.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;

/// The process runs.
#[utoipa::path(get, path = "/healthz", operation_id = "alive", tag = "Operation", security(()),
    responses((status = 200, description = "Yes.", content_type = "text/plain")))]
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// The database answers, and the process does not drain.
#[utoipa::path(get, path = "/readyz", operation_id = "ready", tag = "Operation", security(()),
    responses((status = 200, description = "Yes.", content_type = "text/plain"), (status = 503, description = "Not now.", content_type = "text/plain")))]
pub(super) async fn ready(State(app): State<App>) -> Response {
    if app.is_draining() {
        return (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response();
    }
    match app.store().ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            // Balancers ask often.
            if !error.already_logged() {
                tracing::warn!(%error, "not ready");
            }
            (StatusCode::SERVICE_UNAVAILABLE, "the database cannot be used\n").into_response()
        }
    }
}

/// Prometheus' text format.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "Operation", security(()), summary = "Measurements for Prometheus.",
    responses((status = 200, description = "In the text format.", content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<App>) -> Response {
    let text = app.metrics_text();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
