//! Compression of responses, for clients that accept it, where the compressed length reveals nothing to another site.
//!
//! [`negotiate`] decides the coding of each response once, and compresses what no handler has compressed.

use std::convert::Infallible;
use std::future::ready;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::predicate::SizeAbove;
use tower_http::compression::{CompressionLayer, Predicate as _};

use super::assets;
use crate::app::App;
use crate::content_coding::{ContentCoding, QUALITY, SMALLEST};
use crate::http::extract::text;
use crate::identity::cookie;

/// Decides in which coding the answer is, if in any, and compresses it unless its handler has. Leaves at most that coding in
/// `Accept-Encoding`: handlers need not weigh again, and whoever refuses everything gets the plain text in place of a refusal after the act.
pub(super) async fn negotiate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let is_file = request.extensions().get::<MatchedPath>().is_some_and(|path| path.as_str().ends_with(assets::ROUTE));
    let headers = request.headers();
    // Our files are the same for everybody: their size reveals nothing.
    let may_measure = !is_file && others_may_measure(headers, &app.config().viewer_cookie);
    let coding = ContentCoding::accepted(headers).filter(|_| !may_measure);
    match coding {
        Some(coding) => request.headers_mut().insert(header::ACCEPT_ENCODING, coding.header()),
        None => request.headers_mut().remove(header::ACCEPT_ENCODING),
    };
    let is_head = request.method() == Method::HEAD;
    let response = next.run(request).await;
    let Some(coding) = coding else { return response };
    let mut response = if is_compressible(&response) { compressed(response, coding).await } else { response };
    if is_head && !response.headers().contains_key(header::CONTENT_ENCODING) {
        // It is that of the plain text, and an answer to GET may be compressed (RFC 9110, 8.6).
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

/// Whether this is a text that is not small, nor compressed already, nor sent piece by piece (`no-transform`, RFC 9111, 5.2.2.6).
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let caching = text(headers, header::CACHE_CONTROL.as_str()).unwrap_or_default();
    (kind.starts_with("text/") || kind.starts_with("application/"))
        && !kind.starts_with("text/event-stream")
        && !caching.contains("no-transform")
        && !headers.contains_key(header::CONTENT_ENCODING)
        && SizeAbove::new(SMALLEST as u64).should_compress(response)
}

/// Compresses an [`is_compressible`] response by the layer of `tower-http`. It is not around the handlers, because a body in it is several
/// kilobytes larger, also one that it leaves as it is, and each stream would keep one.
async fn compressed(response: Response, coding: ContentCoding) -> Response {
    let mut request = Request::new(Body::empty());
    request.headers_mut().insert(header::ACCEPT_ENCODING, coding.header());
    let mut response = Some(response);
    let answer = service_fn(move |_: Request| ready(Ok::<_, Infallible>(response.take().expect("it is asked once"))));
    let quality = CompressionLevel::Precise(QUALITY.cast_signed());
    let Ok(response) = CompressionLayer::new().quality(quality).layer(answer).oneshot(request).await;
    response.map(Body::new)
}

/// Whether another site may have caused the request, and could measure the response. Such a site chooses names and search
/// words, which stand in the response beside what only the viewer may see, and the length of a compressed response reveals
/// which of its guesses were right (BREACH). Browsers send cookies by themselves; one that does not name the requesting site
/// may send them for any site.
fn others_may_measure(headers: &HeaderMap, cookie_name: &str) -> bool {
    let is_unknown = !headers.contains_key("sec-fetch-site");
    cookie::find(headers, cookie_name).is_some() && (is_unknown || cookie::is_cross_site(headers))
}
