//! Rejections of requests before any handler sees them, as problem documents (RFC 9457): the format that the client
//! would prefer is not known yet.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use crate::http::{request_id, trace_early_rejection};

/// Largest head of a request, in bytes.
pub(super) const LARGEST_HEAD: usize = 16 * 1024;
/// Largest buffer of a connection, in bytes: the largest head with what follows it. Streams are many and their messages small,
/// so that theirs stay at the 8 KiB that hyper begins with.
pub(super) const CONNECTION_BUFFER: usize = LARGEST_HEAD + 1024;

/// Why a request is refused.
pub(super) struct EarlyRejection {
    /// The id of the request.
    id: String,
    status: StatusCode,
    code: &'static str,
    title: &'static str,
    detail: &'static str,
}

impl EarlyRejection {
    /// The request cannot be read.
    pub(super) fn bad_request(detail: &'static str) -> EarlyRejection {
        let title = "This request cannot be read.";
        EarlyRejection::new(StatusCode::BAD_REQUEST, "ERR_BAD_REQUEST", title, detail)
    }

    fn too_large(status: StatusCode, detail: &'static str) -> EarlyRejection {
        EarlyRejection::new(status, "ERR_TOO_LARGE", "This request is too large.", detail)
    }

    fn new(status: StatusCode, code: &'static str, title: &'static str, detail: &'static str) -> EarlyRejection {
        EarlyRejection { id: request_id::of(&HeaderMap::new()), status, code, title, detail }
    }

    /// The same for a request whose headers were read: they may name its id.
    pub(super) fn with_id_of(self, headers: &HeaderMap) -> EarlyRejection {
        EarlyRejection { id: request_id::of(headers), ..self }
    }

    /// Logs and counts it. `method`: that of the request, where it was read.
    pub(super) fn trace(&self, method: Option<&Method>) {
        trace_early_rejection(&self.id, method, self.status);
    }

    fn body(&self) -> String {
        let EarlyRejection { id, status, code, title, detail } = self;
        serde_json::json!({
            "type": format!("about:blank#{code}"),
            "title": title,
            "status": status.as_u16(),
            "detail": detail,
            "code": code,
            "requestId": id,
        })
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
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            headers.insert(request_id::HEADER, id);
        }
        response
    }

    /// The rejection as bytes of HTTP/1.1.
    pub(super) fn to_http(&self) -> Bytes {
        let body = self.body();
        let headers: String = HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (status, id_header, id, length) = (self.status, request_id::HEADER, &self.id, body.len());
        format!("HTTP/1.1 {status}\r\n{headers}{id_header}: {id}\r\ncontent-length: {length}\r\n\r\n{body}").into()
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
