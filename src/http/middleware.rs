//! Middleware of every request: no tokens in URLs, strict headers, CORS by an exact list, traces without names or
//! tokens.

use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::problem::Problem;
use crate::app::App;
use crate::http::extract::{RequestInfo, Viewer, text};
use crate::http::respond::conditional::{etag_of, is_known, tagged};
use crate::http::respond::reply::LAST_EVENT_ID;

/// Refuses tokens in URLs, and puts the headers on answers that every answer has.
pub(super) async fn protect(State(app): State<App>, request: Request, next: Next) -> Response {
    // The host's requests are refused where they are counted (`v3/request/auth.rs`).
    let mut response = if !is_of_host(request.uri().path()) && has_token_in_url(&request) {
        token_in_url().render(&app, &RequestInfo::of(request.headers(), ""), None)
    } else {
        next.run(request).await
    };
    let ok = matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED);
    let headers = response.headers_mut();
    let caching = HeaderValue::from_static(if ok { "private, no-cache" } else { "no-store" });
    headers.entry(header::CACHE_CONTROL).or_insert(caching);
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(app.content_security_policy().clone());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    isolate(&app, headers);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    // Scripts and styles are the same for everybody, which caches that many people share rely on.
    let is_public = text(headers, header::CACHE_CONTROL.as_str()).is_some_and(|caching| caching.starts_with("public"));
    if !is_public {
        headers.append(
            header::VARY,
            HeaderValue::from_static(
                "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie, HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, Sec-Fetch-Site",
            ),
        );
    }
    response
}

/// Whether a path is one of the host's back end, or was meant to be: also `/v3/`, and `//v3/users`, which a client makes whose base URL ends
/// in a slash.
pub(crate) fn is_of_host(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|rest| rest.trim_start_matches('/').split('/').next() == Some("v3"))
}

/// Refuses a `format`, a `part` or a place that there is not, before a page that is the same for everybody.
///
/// # Errors
/// 400 or 422, which name what is allowed.
pub(super) async fn check_shape(info: RequestInfo, request: Request, next: Next) -> Result<Response, Problem> {
    info.check_shape()?;
    Ok(next.run(request).await)
}

/// Sets the headers by which browsers isolate a page. Pages use no powerful features and share no process with pages
/// that opened them, nor with other origins that load them uninvited, except origins that may frame them. CORS
/// requests, such as those of the element and of fragments, are exempt, and so are scripts and styles, which are
/// public.
fn isolate(app: &App, headers: &mut HeaderMap) {
    let is_page = text(headers, header::CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("text/html"));
    let is_framed = is_page && !app.config().frame_ancestors.is_empty();
    let shared = HeaderValue::from_static(if is_framed { "cross-origin" } else { "same-origin" });
    headers.entry(HeaderName::from_static("cross-origin-resource-policy")).or_insert(shared);
    if is_page {
        headers.insert("permissions-policy", HeaderValue::from_static(NO_POWERS));
        headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    }
}

/// Browser features that a page of members never uses.
const NO_POWERS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), \
    geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), \
    xr-spatial-tracking=()";

/// Whether the URL of a request has a token in it.
pub(super) fn has_token_in_url(request: &Request) -> bool {
    let query = request.uri().query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| matches!(&*name, "token" | "access_token" | "jwt"))
}

/// The refusal of a request with a token in its URL.
pub(super) fn token_in_url() -> Problem {
    Problem::bad_request(
        "A token in a URL ends up in logs and histories. Send it as a bearer in the Authorization header.",
    )
}

/// Adds an ETag by content to responses without one, and answers 304 to clients that have it already.
pub(super) async fn tag(request: Request, next: Next) -> Response {
    let wanted = request.method() == Method::GET;
    let asked = request.headers().get_all(header::IF_NONE_MATCH).into_iter();
    let asked: HeaderMap = asked.map(|value| (header::IF_NONE_MATCH, value.clone())).collect();
    let response = next.run(request).await;
    let whole = response.body().size_hint().exact().is_some();
    if !wanted || !whole || response.status() != StatusCode::OK || response.headers().contains_key(header::ETAG) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return Problem::internal(&"a body ended before it was complete").into_response();
    };
    let tag = etag_of(&bytes);
    if is_known(&asked, &tag) {
        let mut response = (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
        // An unchanged body may reflect a later event than the client knows of, so the new event id is sent.
        response.headers_mut().extend(parts.headers.remove(LAST_EVENT_ID).map(|id| (LAST_EVENT_ID, id)));
        return response;
    }
    tagged(Response::from_parts(parts, Body::from(bytes)), &tag)
}

/// CORS for exactly the origins that are configured; none by default.
pub(super) fn cors(app: &App) -> Option<CorsLayer> {
    if app.config().allow_origins.is_empty() {
        return None;
    }
    let origins = app.config().allow_origins.iter().filter_map(|origin| origin.parse::<HeaderValue>().ok());
    let names = |names: &[&'static str]| names.iter().map(|name| HeaderName::from_static(name)).collect::<Vec<_>>();
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(names(&[
            "authorization",
            "content-type",
            "idempotency-key",
            "last-event-id",
            "hx-request",
            "hx-request-type",
            "hx-source",
            "hx-target",
            "hx-current-url",
            "hx-boosted",
            "hx-trigger",
            "hx-trigger-name",
            "hx-history-restore-request",
        ]))
        .expose_headers(names(&[
            "hx-trigger",
            "hx-retarget",
            "hx-reswap",
            "hx-push-url",
            "hx-replace-url",
            "hx-redirect",
            "hx-location",
            "hx-refresh",
            "hx-reselect",
            "etag",
            "last-event-id",
            "retry-after",
            "x-request-id",
        ]))
        .max_age(Duration::from_secs(7200));
    Some(layer)
}

/// One line and one measurement for every request: method, route, status, time. No path with ids,
/// no query, no names.
pub(super) async fn trace(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("none", |path| path.as_str()).to_owned();
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    tracing::debug!(%method, route, status, took_us = took.as_micros() as u64, "request");
    metrics::counter!("chat_group_members_http_requests_total", "method" => method_label(&method), "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    metrics::histogram!("chat_group_members_http_request_seconds", "method" => method_label(&method), "route" => route)
        .record(took.as_secs_f64());
    response
}

/// The line and the measurement of a request that is refused before any route sees it. The method of a head that cannot be read is
/// not known.
pub(crate) fn trace_early_rejection(id: &str, method: Option<&Method>, status: StatusCode) {
    let (method, status) = (method.map_or("other", method_label), status.as_u16());
    tracing::info_span!("request", id).in_scope(|| tracing::debug!(method, route = "none", status, "request"));
    metrics::counter!("chat_group_members_http_requests_total", "method" => method, "route" => "none", "status" => status.to_string())
        .increment(1);
}

/// The method in measurements. Callers make up others, and each label would be a series.
pub(super) fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// No such path: to people with a token as to people without.
pub(super) fn nothing_here(viewer: Result<Viewer, Problem>) -> Response {
    match viewer {
        Ok(_) => Problem::not_there().into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// The path is there, and not for this method.
pub(super) async fn wrong_method() -> Response {
    let problem = Problem::bad_request("This path does not take this method.");
    Problem { status: StatusCode::METHOD_NOT_ALLOWED, ..problem }.into_response()
}
