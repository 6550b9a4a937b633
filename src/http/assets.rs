//! `GET /static/{file}`: scripts and styles under names that carry a hash of the content, so that a
//! browser asks for each of them once.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::respond::conditional::is_known;
use crate::assets::{ASSETS, Asset};
use crate::content_coding::ContentCoding;
use crate::http::openapi::AssetPath;

/// The route, relative to the mount.
pub(super) const ROUTE: &str = "/static/{file}";

/// Served under their plain names too, for host pages that link them by hand.
const FIXED_NAMES: [&str; 2] = ["css-variables.css", "chat-group-members.js"];

/// Serves `/static/{file}`.
#[utoipa::path(get, path = "/static/{file}", operation_id = "static", tag = "Component", security(()), params(AssetPath),
    summary = "Stylesheets and scripts.",
    responses((status = 200, description = "The file."), (status = 404, description = "No such file.")))]
pub(super) async fn serve(Path(file): Path<String>, headers: HeaderMap) -> Response<Body> {
    let hashed = |asset: &&Asset| asset.url.strip_prefix("/static/") == Some(file.as_str());
    let fixed = |asset: &&Asset| asset.name == file && FIXED_NAMES.contains(&asset.name);
    if let Some(asset) = ASSETS.iter().find(hashed) {
        respond(asset, "public, max-age=31536000, immutable", &headers)
    } else if let Some(asset) = ASSETS.iter().find(fixed) {
        respond(asset, "no-cache", &headers)
    } else {
        let mut missing = Response::new(Body::from("There is no such file.\n"));
        *missing.status_mut() = StatusCode::NOT_FOUND;
        set(&mut missing, header::CONTENT_TYPE, "text/plain; charset=utf-8");
        set(&mut missing, header::CACHE_CONTROL, "no-store");
        missing
    }
}

fn respond(asset: &'static Asset, caching: &'static str, request: &HeaderMap) -> Response<Body> {
    let unchanged = is_known(request, asset.etag);
    let (encoding, bytes) = encoded(asset, request);
    let mut response = Response::new(if unchanged { Body::empty() } else { Body::from(bytes) });
    if unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        set(&mut response, header::CONTENT_TYPE, asset.kind);
        if let Some(encoding) = encoding {
            response.headers_mut().insert(header::CONTENT_ENCODING, encoding.header());
        }
    }
    set(&mut response, header::CACHE_CONTROL, caching);
    set(&mut response, header::ETAG, asset.etag);
    set(&mut response, header::VARY, "Accept-Encoding");
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Public files: a host on another origin may load them, with integrity checks too.
    set(&mut response, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(&mut response, HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    response
}

/// The file in the coding that the client prefers.
fn encoded(asset: &'static Asset, request: &HeaderMap) -> (Option<ContentCoding>, &'static [u8]) {
    let coding = ContentCoding::accepted(request);
    let bytes = match coding {
        Some(ContentCoding::Brotli) => asset.br,
        Some(ContentCoding::Gzip) => asset.gzip,
        None => asset.plain,
    };
    (coding, bytes)
}

fn set(response: &mut Response<Body>, name: HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::url;
    use axum::http::Request;
    use tower::ServiceExt as _;

    async fn info(method: &str, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).expect("a request of constants");
        axum::Router::new()
            .route("/static/{file}", axum::routing::get(serve))
            .oneshot(request)
            .await
            .expect("routing cannot fail")
    }

    fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
        response.headers().get(name).and_then(|value| value.to_str().ok())
    }

    #[tokio::test]
    async fn a_hashed_name_is_kept_for_a_year() {
        let response = info("GET", url("page.css"), &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(header(&response, "cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(header(&response, "content-type"), Some("text/css; charset=utf-8"));
        assert_eq!(header(&response, "content-encoding"), None);
    }

    #[tokio::test]
    async fn a_fixed_name_is_asked_for_again_and_answered_with_304() {
        let first = info("GET", "/static/chat-group-members.js", &[]).await;
        assert_eq!(header(&first, "cache-control"), Some("no-cache"));
        let tag = header(&first, "etag").expect("an ETag");
        let second = info("GET", "/static/chat-group-members.js", &[("if-none-match", tag)]).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(header(&second, "vary"), Some("Accept-Encoding"));
    }

    #[tokio::test]
    async fn the_smallest_accepted_encoding_is_sent() {
        for (accepted, sent) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip;q=1.0, br;q=0", Some("gzip")),
            ("*", Some("br")),
            ("*;q=0", None),
            ("br;q=0.0, *", Some("gzip")),
            ("identity", None),
        ] {
            let response = info("GET", "/static/css-variables.css", &[("accept-encoding", accepted)]).await;
            assert_eq!(header(&response, "content-encoding"), sent, "for {accepted}");
        }
    }

    #[tokio::test]
    async fn other_names_are_not_there() {
        for path in ["/static/page.css", "/static/page.0000000000.css", "/static/..%2Fbuild.rs"] {
            assert_eq!(info("GET", path, &[]).await.status(), StatusCode::NOT_FOUND, "for {path}");
        }
    }

    #[tokio::test]
    async fn head_says_the_length_and_sends_nothing() {
        let response = info("HEAD", url("chat-group-members.js"), &[("accept-encoding", "br")]).await;
        let length: usize = header(&response, "content-length").expect("a length").parse().expect("a number");
        let asset = ASSETS.iter().find(|asset| asset.name == "chat-group-members.js").expect("our script");
        assert_eq!(length, asset.br.len());
        let body = axum::body::to_bytes(response.into_body(), 1).await.expect("an empty body");
        assert!(body.is_empty());
    }
}
