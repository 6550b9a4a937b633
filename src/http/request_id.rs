//! The id of a request: the one in `X-Request-Id`, or a new one. It stands in every log line of the request, in the answer's
//! header and in problem documents, so that whoever reports a failure and whoever reads the log mean the same. Log lines name
//! the trace as well, if the request is part of one.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, field};

use super::trace_context::TraceContext;
use crate::random;

/// The header.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id of a caller that is accepted, in bytes.
const MAX: usize = 64;

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request that this task answers.
pub(super) fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Gives each request its id.
pub(super) async fn identify(request: Request, next: Next) -> Response {
    let id = of(request.headers());
    let span = tracing::info_span!("request", id, trace = field::Empty);
    if let Some(TraceContext { trace, .. }) = TraceContext::of(request.headers()) {
        span.record("trace", format!("{trace:032x}"));
    }
    let mut response = CURRENT.scope(id.clone(), next.run(request).instrument(span)).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// The id of a request with these headers: the one that the caller gave, or a new one.
pub(crate) fn of(headers: &HeaderMap) -> String {
    taken(headers).unwrap_or_else(next)
}

/// The next id of this process: none comes twice, and none is likely to come from another process, since each begins at random.
fn next() -> String {
    /// Odd, so that all numbers come before one comes again; large, so that ids in a row do not look alike (2^64 divided by the golden
    /// ratio).
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(u64::from_ne_bytes(random::bytes())));
    format!("{:016x}", NEXT.fetch_add(STEP, Ordering::Relaxed))
}

/// The id that the caller gave, unless it could be something else in a log.
fn taken(headers: &HeaderMap) -> Option<String> {
    let given = headers.get(HEADER)?.to_str().ok()?;
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    ((1..=MAX).contains(&given.len()) && given.bytes().all(is_plain)).then(|| given.to_owned())
}
