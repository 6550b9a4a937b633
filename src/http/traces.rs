//! A span for each request, for the collector of `--otlp-endpoint`. Attributes are those of OpenTelemetry's semantic
//! conventions for HTTP, without any that could hold somebody's id, name or words: no path, query, address or header.

use axum::extract::{MatchedPath, Request};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState,
    Tracer as _,
};
use opentelemetry::{Context, KeyValue, global};

use super::middleware::method_label;
use super::trace_context::TraceContext;

/// The instrumentation scope of our spans.
const SCOPE: &str = "chat-group-members";

/// Records a span for each request, which ends when the head of the response is ready, or when the client has gone. A stream
/// goes on without one.
pub(super) async fn record(request: Request, next: Next) -> Response {
    let tracer = global::tracer(SCOPE);
    let method = match method_label(request.method()) {
        // The name that the conventions give an unknown method.
        "other" => "_OTHER",
        method => method,
    };
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let name = route.as_ref().map_or_else(|| method.to_owned(), |route| format!("{method} {route}"));
    let mut attributes = vec![KeyValue::new("http.request.method", method), KeyValue::new("url.scheme", "http")];
    attributes.extend(route.map(|route| KeyValue::new("http.route", route)));
    let builder = tracer.span_builder(name).with_kind(SpanKind::Server).with_attributes(attributes);
    let caller = TraceContext::of(request.headers());
    let parent = caller.map_or_else(Context::new, |caller| remote(caller, request.headers()));
    let mut span = builder.start_with_context(&tracer, &parent);
    if caller.is_none() {
        // The caller's is in the log already.
        tracing::Span::current().record("trace", span.span_context().trace_id().to_string());
    }
    let response = next.run(request).await;
    let status = response.status();
    span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if status.is_server_error() {
        span.set_attribute(KeyValue::new("error.type", status.as_str().to_owned()));
        span.set_status(Status::error(""));
    }
    span.end();
    response
}

/// The caller's span.
fn remote(TraceContext { trace, parent, flags }: TraceContext, headers: &HeaderMap) -> Context {
    let state = headers.get("tracestate").and_then(|state| state.to_str().ok()?.parse::<TraceState>().ok());
    Context::new().with_remote_span_context(SpanContext::new(
        TraceId::from(trace),
        SpanId::from(parent),
        TraceFlags::new(flags) & TraceFlags::SAMPLED,
        true,
        state.unwrap_or_default(),
    ))
}
