//! The progress of request bodies. A body that makes none is refused. The rest of a body that its handler did not
//! read to the end is read, or the response says that the connection closes: otherwise hyper closes it unannounced, and the
//! client's next request on it is lost.

use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep, timeout};

/// A body must make progress, or end, in every interval of this length.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// Fewer bytes in an interval are no progress.
const MIN_PROGRESS: usize = 1024;
/// Most bytes that are read of the rest of a body, once its request is answered.
const MAX_REST: usize = 64 * 1024;
/// Longest wait for the rest.
const REST_TIMEOUT: Duration = Duration::from_secs(1);

/// A body did not get on.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive in time")]
struct Stalled;

/// Whether a body could not be read because it did not get on.
pub(super) fn has_stalled(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<Stalled>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Reads the rest of a body once its request is answered, or says that the connection closes.
pub(super) async fn watch(request: Request, next: Next) -> Response {
    // Connections of HTTP/2 carry each request by itself.
    if request.body().is_end_stream() || request.version() > Version::HTTP_11 {
        return next.run(request).await;
    }
    // A client that waits for "100 Continue" sends no body before it.
    let is_held_back = request.headers().contains_key(header::EXPECT);
    let rest = Arc::new(Mutex::new(Rest::InUse));
    let of = rest.clone();
    let request =
        request.map(|body| Body::new(Watched { body: Some(body), rest: of, begun: false, received: 0, wait: None }));
    let mut response = next.run(request).await;
    let rest = std::mem::replace(&mut *rest.lock().unwrap_or_else(PoisonError::into_inner), Rest::InUse);
    let is_clean = match rest {
        Rest::InUse | Rest::Read => true,
        Rest::Broken => false,
        Rest::Unread { begun, .. } if is_held_back && !begun => false,
        Rest::Unread { body, .. } => timeout(REST_TIMEOUT, read_away(body)).await.unwrap_or(false),
    };
    if !is_clean {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether all that is left was read.
async fn read_away(mut body: Body) -> bool {
    let mut read = 0;
    // A length that was announced is known before anything is read.
    while body.size_hint().lower() <= (MAX_REST - read) as u64 {
        match body.frame().await {
            None => return true,
            Some(Err(_)) => return false,
            Some(Ok(frame)) => read += frame.data_ref().map_or(0, Bytes::len),
        }
        if read > MAX_REST {
            return false;
        }
    }
    false
}

/// The state of a request's body.
enum Rest {
    /// A handler still reads it.
    InUse,
    /// It was read to its end.
    Read,
    /// It stalled, or the connection ended.
    Broken,
    /// It was dropped before its end.
    Unread { body: Body, begun: bool },
}

/// A body that has to get on, and that is handed back when it is dropped.
struct Watched {
    /// `None` at its end.
    body: Option<Body>,
    rest: Arc<Mutex<Rest>>,
    /// Whether anything of it was asked for.
    begun: bool,
    /// Bytes since the wait began.
    received: usize,
    wait: Option<Pin<Box<Sleep>>>,
}

impl Watched {
    fn end(&mut self, rest: Rest) {
        self.body = None;
        *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = rest;
    }

    /// Whether the body has not got on for too long.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        let wait = self.wait.get_or_insert_with(|| Box::pin(sleep(PROGRESS_INTERVAL)));
        wait.as_mut().poll(cx).is_ready()
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        this.begun = true;
        match Pin::new(body).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                this.received += frame.data_ref().map_or(0, Bytes::len);
                if this.received >= MIN_PROGRESS {
                    (this.received, this.wait) = (0, None);
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => {
                this.end(Rest::Broken);
                Poll::Ready(Some(Err(error)))
            }
            Poll::Ready(None) => {
                this.end(Rest::Read);
                Poll::Ready(None)
            }
            Poll::Pending if this.is_late(cx) => {
                this.end(Rest::Broken);
                Poll::Ready(Some(Err(axum::Error::new(Stalled))))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        match self.body.take() {
            None => {}
            Some(body) if body.is_end_stream() => self.end(Rest::Read),
            Some(body) => {
                let begun = self.begun;
                self.end(Rest::Unread { body, begun });
            }
        }
    }
}
