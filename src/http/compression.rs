//! Compression of responses, for clients that accept it, where the compressed length reveals nothing to another site.
//!
//! [`negotiate`] decides the coding of each response once; the layer around the handlers compresses what no handler has
//! compressed.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::predicate::{And, SizeAbove};
use tower_http::compression::{CompressionLayer, Predicate};

use super::assets;
use crate::app::App;
use crate::content_coding::{ContentCoding, QUALITY, SMALLEST};
use crate::http::extract::text;
use crate::identity::cookie;

/// Compresses texts that are not small, unless they are compressed already, or `no-transform` (RFC 9111, 5.2.2.6) says that
/// they are sent piece by piece.
pub(super) fn layer() -> CompressionLayer<And<SizeAbove, impl Predicate>> {
    let is_text = |_, _, headers: &HeaderMap, _: &_| {
        let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
        let caching = text(headers, header::CACHE_CONTROL.as_str()).unwrap_or_default();
        (kind.starts_with("text/") || kind.starts_with("application/"))
            && !kind.starts_with("text/event-stream")
            && !caching.contains("no-transform")
    };
    let quality = CompressionLevel::Precise(QUALITY.cast_signed());
    CompressionLayer::new().quality(quality).compress_when(SizeAbove::new(SMALLEST as u64).and(is_text))
}

/// Leaves at most one coding in `Accept-Encoding`, the one that the answer may be in: handlers and the layer need not
/// weigh again, and whoever refuses everything gets the plain text in place of a refusal after the act.
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
    let mut response = next.run(request).await;
    if is_head && coding.is_some() && !response.headers().contains_key(header::CONTENT_ENCODING) {
        // It is that of the plain text, and an answer to GET may be compressed (RFC 9110, 8.6).
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

/// Whether another site may have caused the request, and could measure the response. Such a site chooses names and search
/// words, which stand in the response beside what only the viewer may see, and the length of a compressed response reveals
/// which of its guesses were right (BREACH). Browsers send cookies by themselves; one that does not name the requesting site
/// may send them for any site.
fn others_may_measure(headers: &HeaderMap, cookie_name: &str) -> bool {
    let is_unknown = !headers.contains_key("sec-fetch-site");
    cookie::find(headers, cookie_name).is_some() && (is_unknown || cookie::is_cross_site(headers))
}
