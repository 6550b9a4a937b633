//! Rejections of requests before any handler sees them, as problem documents (RFC 9457): the format that the client
//! would prefer is not known yet. Where the path was read, the host's back end gets them in the form of `/v3`.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use crate::http::{is_of_host, request_id, trace_early_rejection};

/// Largest head of a request, in bytes.
pub(super) const LARGEST_HEAD: usize = 16 * 1024;
/// Largest buffer of a connection, in bytes: the largest head with what follows it. Streams are many and their messages small,
/// so that theirs stay at the 8 KiB that hyper begins with.
pub(super) const CONNECTION_BUFFER: usize = LARGEST_HEAD + 1024;

/// Why a request is refused.
pub(super) struct EarlyRejection {
    /// The id of the request.
    id: String,
    /// Whether the host's back end is known to have sent it.
    is_of_host: bool,
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
        let id = request_id::of(&HeaderMap::new());
        EarlyRejection { id, is_of_host: false, status, code, title, detail }
    }

    /// The same for a request whose head was read: it may name its id, and its path says who reads the answer.
    pub(super) fn of_request<B>(self, request: &Request<B>, base_path: &str) -> EarlyRejection {
        let is_of_host = request.uri().path().strip_prefix(base_path).is_some_and(is_of_host);
        EarlyRejection { id: request_id::of(request.headers()), is_of_host, ..self }
    }

    /// Logs and counts it. `method`: that of the request, where it was read.
    pub(super) fn trace(&self, method: Option<&Method>) {
        trace_early_rejection(&self.id, method, self.status);
    }

    fn body(&self) -> String {
        let EarlyRejection { id, is_of_host, status, code, title, detail } = self;
        if *is_of_host {
            return serde_json::json!({"error": {"code": code, "message": detail, "details": {}}}).to_string();
        }
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

    fn content_type(&self) -> &'static str {
        if self.is_of_host { "application/json" } else { "application/problem+json" }
    }

    /// The answer, after which the connection closes: where its next request begins is uncertain.
    pub(super) fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type()));
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
        let (status, kind, id_header, id, length) =
            (self.status, self.content_type(), request_id::HEADER, &self.id, body.len());
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{headers}{id_header}: {id}\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .into()
    }
}

const HEADERS: [(header::HeaderName, &str); 3] =
    [(header::CACHE_CONTROL, "no-store"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::CONNECTION, "close")];

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
