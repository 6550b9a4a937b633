//! Endpoints for operators: liveness, readiness, metrics.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::time::Instant;
use utoipa::IntoParams;

use crate::app::App;
use crate::http::extract::{bearer, text};
use crate::store::FailureLog;

/// The process runs.
#[utoipa::path(get, path = "/healthz", operation_id = "alive", tag = "Operation", security(()),
    responses((status = 200, description = "Yes.", content_type = "text/plain")))]
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Acts can be done, and the process does not drain.
#[utoipa::path(get, path = "/readyz", operation_id = "ready", tag = "Operation", security(()),
    params(ReadyFor),
    responses((status = 200, description = "Yes.", content_type = "text/plain"), (status = 422, description = "`for` is neither.", content_type = "text/plain"), (status = 503, description = "Not now, and why.", content_type = "text/plain")))]
pub(super) async fn ready(State(app): State<App>, uri: Uri) -> Response {
    let Some(purpose) = purpose(&uri) else {
        return (StatusCode::UNPROCESSABLE_ENTITY, "for: acts or reads\n").into_response();
    };
    if app.is_draining() {
        return (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response();
    }
    match purpose {
        Purpose::Acts => match app.store().check_acts() {
            Ok(()) => answers(&app).await,
            Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("acts are refused: {why}\n")).into_response(),
        },
        // Without the database, what is in memory is served: a balancer that took every node out would leave nobody to do so.
        Purpose::Reads => match app.store().check_reads().await {
            Err(why) if !app.hub().has_groups_in_memory() => {
                (StatusCode::SERVICE_UNAVAILABLE, format!("lists cannot be read: {why}\n")).into_response()
            }
            Ok(()) | Err(_) => READY.into_response(),
        },
    }
}

/// What a node is wanted for, as the OpenAPI document describes it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: the handler reads it")]
struct ReadyFor {
    /// `reads`: whether lists can be served, although acts may be refused.
    #[param(rename = "for", pattern = "^(acts|reads)$")]
    purpose: Option<String>,
}

/// The kind of traffic whose readiness is asked for.
enum Purpose {
    /// Acts, lists and streams.
    Acts,
    /// Lists and streams only.
    Reads,
}

fn purpose(uri: &Uri) -> Option<Purpose> {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    match pairs.find(|(name, _)| name == "for").as_ref().map(|(_, value)| &**value) {
        None | Some("acts") => Some(Purpose::Acts),
        Some("reads") => Some(Purpose::Reads),
        Some(_) => None,
    }
}

const READY: &str = "ready\n";

/// Whether the database answers.
async fn answers(app: &App) -> Response {
    // Balancers ask often.
    static FAILURES: FailureLog = FailureLog::new();
    match app.store().ping().await {
        Ok(()) => {
            if FAILURES.succeeded(Instant::now()) {
                tracing::info!("ready again");
            }
            READY.into_response()
        }
        Err(error) => {
            if !error.already_logged() && FAILURES.failed(&error.to_string(), Instant::now()) {
                tracing::warn!(%error, "not ready");
            }
            // An outage that is known has its cause where acts are refused for it.
            let known = if error.already_logged() { app.store().check_acts().err() } else { None };
            let why = known.map_or_else(|| error.to_string(), |why| format!("the database cannot be used now: {why}"));
            (StatusCode::SERVICE_UNAVAILABLE, why + "\n").into_response()
        }
    }
}

/// Prometheus' text format. It tells how many people use the service: over the public address it needs the key of the host's
/// back end, and the listener of its own (`--metrics-listen`) needs none.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "Operation", security(("apikey" = [])), summary = "Measurements for Prometheus.",
    responses((status = 200, description = "In the text format.", content_type = "text/plain"),
        (status = 401, description = "This needs the API key, in the header apikey or as a bearer.", content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<App>, headers: HeaderMap) -> Response {
    let mut given = text(&headers, "apikey").into_iter().chain(bearer(&headers));
    if !given.any(|key| app.credentials().api_key_number(key).is_some()) {
        let why =
            "This needs an API key (--api-key) in the header apikey or as a bearer; --metrics-listen needs none.\n";
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], why).into_response();
    }
    open_metrics(State(app)).await
}

/// The measurements alone, for a listener that only the operator reaches.
pub(super) fn alone(app: &App) -> Router {
    Router::new().route("/metrics", get(open_metrics)).with_state(app.clone())
}

/// Like [`metrics`], without a key.
async fn open_metrics(State(app): State<App>) -> Response {
    let text = app.metrics_text();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
