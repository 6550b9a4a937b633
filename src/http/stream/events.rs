//! `GET /groups/{guid}/events`: the live stream of a group.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::html::{HtmlRenderer, PageVersion};
use super::json::JsonRenderer;
use crate::app::App;
use crate::domain::{Ending, Uid};
use crate::http::extract::{Format, GroupRequest, page_range};
use crate::http::openapi::{GroupPath, ListFilter, Resume};
use crate::http::problem::Problem;
use crate::identity::{Claims, Keys, VerifiedBy};
use crate::live::{LiveGroup, OpenStream, StreamRenderer};
use crate::open_files::StreamSlot;
use crate::views::Props;

/// A comment so often keeps proxies from closing a quiet stream, and finds readers that are gone.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A stream of this viewer and this view.
#[utoipa::path(get, path = "/groups/{guid}/events", operation_id = "stream", tag = "Component", params(GroupPath, Resume, ListFilter),
    summary = "What happens, live.",
    responses((status = 200, description = "Server-sent events: swaps, or with format=json one message for each event.", content_type = "text/event-stream")))]
pub(in crate::http) async fn stream(method: Method, request: GroupRequest) -> Result<Response, Problem> {
    let view = renderer(&request)?;
    let GroupRequest { app, viewer, access, info } = request;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache, no-transform")),
        // Proxies of the nginx family hold answers back unless a header forbids it.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    // A request for the headers alone does not make its viewer online.
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    let slot = app.stream_slots().take().ok_or_else(Problem::no_stream_slot)?;
    let stream = app.hub().subscribe(access.group.guid(), viewer.uid(), view, info.last_event_id).await?;
    let expired = token_expired(app, viewer.0);
    let kind = if info.format == Format::Json { "json" } else { "html" };
    let body = Body::from_stream(messages(CountedStream::new(kind, stream), slot, access.group, expired));
    Ok((headers, body).into_response())
}

/// The renderer of the format that the request asks for.
fn renderer(GroupRequest { app, viewer, access, info }: &GroupRequest) -> Result<Arc<dyn StreamRenderer>, Problem> {
    let props = Props::parse(info.pairs(), app.clock().now())?;
    // A stream has no pages, but an invalid position is refused as everywhere.
    page_range::parse(info, &props)?;
    match info.format {
        Format::Atom => Err(Problem::no_feed()),
        Format::Json => Ok(Arc::new(JsonRenderer::new(!props.hide_user_status))),
        _ => {
            let page_version =
                PageVersion { views: info.value("views"), markup: info.value("markup"), viewer: info.value("self") };
            // A page, and not a program that follows from now on, names the event that it shows.
            let is_older_page = page_version.markup.is_none() && info.value("lastEventId").is_some();
            let context = access.context(app, viewer, props)?.for_older_page(is_older_page);
            Ok(Arc::new(HtmlRenderer::new(&context, &page_version, viewer.uid())))
        }
    }
}

fn messages(
    mut counted: CountedStream,
    slot: StreamSlot,
    group: Arc<LiveGroup>,
    expired: impl Future<Output = ()>,
) -> impl tokio_stream::Stream<Item = Result<Bytes, std::convert::Infallible>> {
    async_stream::stream! {
        let _slot = slot;
        let mut keep_alive = tokio::time::interval_at(tokio::time::Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
        tokio::pin!(expired);
        loop {
            tokio::select! {
                biased;
                frame = counted.stream.subscription.frames.recv() => match frame {
                    Some(frame) => yield Ok(frame),
                    None => break,
                },
                () = &mut expired => {
                    counted.expire();
                    let last = counted.stream.subscription.renderer.end(&group.state(), &Ending::Expired);
                    yield Ok(last);
                    break;
                }
                _ = keep_alive.tick() => yield Ok(Bytes::from_static(b":\n\n")),
            }
        }
    }
}

/// Completes when this viewer's token is no longer valid: it has expired, its key is gone, or they were logged out everywhere.
fn token_expired(app: App, claims: Claims) -> impl Future<Output = ()> {
    // Only what is needed of the claims stays in memory as long as the stream.
    let Claims { uid, issued_at, expires_at, verified_by, .. } = claims;
    let ends_in =
        Duration::from_millis(expires_at.saturating_mul(1000).saturating_sub(app.clock().now()).max(0) as u64);
    let key_gone = key_gone(app.keys().clone(), verified_by);
    let logged_out = logged_out(app, uid, issued_at);
    async move {
        tokio::select! { () = tokio::time::sleep(ends_in) => {}, () = logged_out => {}, () = key_gone => {} }
    }
}

/// Completes when this viewer's token is refused because they were logged out everywhere.
async fn logged_out(app: App, uid: Uid, issued_at: Option<i64>) {
    let logouts = app.hub().logouts();
    let mut watch = logouts.watch();
    while !logouts.refuses(&uid, issued_at, app.clock().now() / 1000) {
        if watch.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// Completes when the key that signed this viewer's token is no longer configured.
async fn key_gone(keys: Keys, verified_by: VerifiedBy) {
    let mut watch = keys.watch();
    while keys.still_accepts(&verified_by) {
        if watch.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// Counts a stream as open until its response body is dropped, and then under the reason of its end.
struct CountedStream {
    kind: &'static str,
    stream: OpenStream,
    has_expired: bool,
}

impl CountedStream {
    fn new(kind: &'static str, stream: OpenStream) -> CountedStream {
        metrics::gauge!("chat_group_members_streams_open", "kind" => kind).increment(1.0);
        CountedStream { kind, stream, has_expired: false }
    }

    fn expire(&mut self) {
        self.has_expired = true;
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        metrics::gauge!("chat_group_members_streams_open", "kind" => self.kind).decrement(1.0);
        let reason = match self.has_expired {
            true => Ending::Expired.reason(),
            // The sender that ended the stream has counted the reason, also where the reader goes before it has read that.
            false if self.stream.subscription.frames.is_closed() => return,
            false => "closed",
        };
        metrics::counter!("chat_group_members_streams_ended_total", "reason" => reason).increment(1);
    }
}
