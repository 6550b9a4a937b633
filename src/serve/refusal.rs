//! Rejections of requests before any handler sees them, as problem documents (RFC 9457): the format that the client
//! would prefer is not known yet.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

/// Largest head of a request, in bytes.
pub(super) const LARGEST_HEAD: usize = 16 * 1024;
/// Largest buffer of a connection, in bytes: the largest head with what follows it. Streams are many and their messages small,
/// so that theirs stay at the 8 KiB that hyper begins with.
pub(super) const CONNECTION_BUFFER: usize = LARGEST_HEAD + 1024;

/// Why a request is refused.
pub(super) struct EarlyRejection {
    status: StatusCode,
    code: &'static str,
    title: &'static str,
    detail: &'static str,
}

impl EarlyRejection {
    /// The request cannot be read.
    pub(super) fn bad_request(detail: &'static str) -> EarlyRejection {
        EarlyRejection {
            status: StatusCode::BAD_REQUEST,
            code: "ERR_BAD_REQUEST",
            title: "This request cannot be read.",
            detail,
        }
    }

    fn too_large(status: StatusCode, detail: &'static str) -> EarlyRejection {
        EarlyRejection { status, code: "ERR_TOO_LARGE", title: "This request is too large.", detail }
    }

    fn body(&self) -> String {
        let EarlyRejection { status, code, title, detail } = self;
        let kind = format!("about:blank#{code}");
        serde_json::json!({"type": kind, "title": title, "status": status.as_u16(), "detail": detail, "code": code})
            .to_string()
    }

    /// The answer, after which the connection closes: where its next request begins is uncertain.
    pub(super) fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }

    /// The rejection as bytes of HTTP/1.1.
    pub(super) fn to_http(&self) -> Bytes {
        let body = self.body();
        let headers: String = HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("HTTP/1.1 {}\r\n{headers}content-length: {}\r\n\r\n{body}", self.status, body.len()).into()
    }
}

const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CONTENT_TYPE, "application/problem+json"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONNECTION, "close"),
];

/// Says what an answer of hyper leaves unsaid: a status with nothing but the headers that hyper adds to each.
pub(super) fn without_words(answer: &[u8]) -> Option<EarlyRejection> {
    let lines = std::str::from_utf8(answer).ok()?.strip_suffix("\r\n\r\n")?;
    let (status, headers) = lines.split_once("\r\n")?;
    let is_hypers =
        |line: &str| ["connection: close", "content-length: 0"].contains(&line) || line.starts_with("date: ");
    if !headers.split("\r\n").all(is_hypers) {
        return None;
    }
    match status.get(9..12)? {
        "400" => Some(EarlyRejection::bad_request("The head of the request is not HTTP/1.1 (RFC 9112).")),
        "414" => Some(EarlyRejection::too_large(StatusCode::URI_TOO_LONG, "The address of the request is too long.")),
        "431" => Some(EarlyRejection::too_large(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "The head of a request is at most 16 KiB, in at most 100 headers.",
        )),
        _ => None,
    }
}
