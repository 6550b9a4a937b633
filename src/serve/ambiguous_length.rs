//! Detects requests that give the length of their body both by `Content-Length` and by `Transfer-Encoding` (RFC 9112,
//! 6.3): a proxy that goes by the one and a server that goes by the other disagree on where the next request begins.
//! hyper uses the latter and removes the former before any handler sees it, so heads are read here as they arrive.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::refusal::CONNECTION_BUFFER;

/// Most headers of a request: as many as hyper takes.
const MOST_HEADERS: usize = 100;

/// The request of a connection whose length is ambiguous.
#[derive(Clone, Default)]
pub(super) struct AmbiguousLength(Arc<Numbers>);

#[derive(Default)]
struct Numbers {
    /// The number of that request, from 1 on; 0 for none.
    ambiguous_length: AtomicU64,
    /// The number of requests that were handed on.
    handed_on: AtomicU64,
}

impl AmbiguousLength {
    /// Whether it is the request that is handed on now.
    pub(super) fn is_next(&self) -> bool {
        let number = self.0.handed_on.fetch_add(1, Ordering::Relaxed) + 1;
        self.0.ambiguous_length.load(Ordering::Relaxed) == number
    }
}

/// Parses the bytes that arrive on a connection: heads, and the lengths of the bodies between them.
pub(super) struct Requests {
    part: RequestPart,
    /// The beginning of a head that has not arrived whole.
    head: Vec<u8>,
    /// The number of heads so far.
    number: u64,
    ambiguous_length: AmbiguousLength,
}

/// The part of a request that the next byte belongs to.
#[derive(Clone, Copy)]
enum RequestPart {
    Head,
    /// The remaining bytes of a body, or of a chunk and the end of its line.
    Bytes {
        left: u64,
        is_chunk: bool,
    },
    /// The line with the size of a chunk (RFC 9112, 7.1), up to where its extensions begin.
    ChunkSize {
        size: u64,
        is_read: bool,
    },
    /// A line after the last chunk.
    Trailer {
        is_empty: bool,
    },
    /// A head that is larger than any that is answered.
    OversizedHead,
    /// No further request is answered: the bytes are no HTTP, or are rejected.
    Over,
}

impl Requests {
    pub(super) fn new(ambiguous_length: AmbiguousLength) -> Requests {
        Requests { part: RequestPart::Head, head: Vec::new(), number: 0, ambiguous_length }
    }

    /// The number of the head that has begun to arrive, or of the first one, which is due from the beginning. Line breaks
    /// before a head are none of it (RFC 9112, 2.2).
    pub(super) fn awaited_head(&self) -> Option<u64> {
        let is_awaited = match self.part {
            RequestPart::Head => self.number == 0 || self.head.iter().any(|byte| !b"\r\n".contains(byte)),
            RequestPart::OversizedHead => true,
            RequestPart::Bytes { .. }
            | RequestPart::ChunkSize { .. }
            | RequestPart::Trailer { .. }
            | RequestPart::Over => false,
        };
        is_awaited.then_some(self.number + 1)
    }

    /// Reads the next bytes that arrived.
    pub(super) fn read(&mut self, mut bytes: &[u8]) {
        while let Some((&first, rest)) = bytes.split_first() {
            match self.part {
                RequestPart::OversizedHead | RequestPart::Over => return,
                RequestPart::Head => {
                    let taken = self.read_head(bytes);
                    bytes = &bytes[taken..];
                    continue;
                }
                RequestPart::Bytes { left, is_chunk } => {
                    let taken = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
                    let left = left - taken as u64;
                    self.part = match (left, is_chunk) {
                        (0, true) => RequestPart::ChunkSize { size: 0, is_read: false },
                        (0, false) => RequestPart::Head,
                        _ => RequestPart::Bytes { left, is_chunk },
                    };
                    bytes = &bytes[taken..];
                    continue;
                }
                RequestPart::ChunkSize { size: 0, .. } if first == b'\n' => {
                    self.part = RequestPart::Trailer { is_empty: true }
                }
                RequestPart::ChunkSize { size, .. } if first == b'\n' => {
                    self.part = RequestPart::Bytes { left: size.saturating_add(2), is_chunk: true };
                }
                RequestPart::ChunkSize { size, is_read } => {
                    let digit = char::from(first).to_digit(16).filter(|_| !is_read).map(u64::from);
                    let longer = digit.map(|digit| size.checked_mul(16).and_then(|size| size.checked_add(digit)));
                    self.part = match longer {
                        Some(Some(size)) => RequestPart::ChunkSize { size, is_read },
                        Some(None) => RequestPart::Over,
                        None => RequestPart::ChunkSize { size, is_read: true },
                    };
                }
                RequestPart::Trailer { is_empty: true } if first == b'\n' => self.part = RequestPart::Head,
                RequestPart::Trailer { .. } if first == b'\n' => self.part = RequestPart::Trailer { is_empty: true },
                RequestPart::Trailer { is_empty } => {
                    self.part = RequestPart::Trailer { is_empty: is_empty && first == b'\r' }
                }
            }
            bytes = rest;
        }
    }

    /// Reads a head, as far as it is there. Answers how many of these bytes belong to it.
    fn read_head(&mut self, bytes: &[u8]) -> usize {
        let before = self.head.len();
        let mut head = std::mem::take(&mut self.head);
        // Most heads arrive in one piece: those are not copied.
        let text = if before == 0 {
            bytes
        } else {
            head.extend_from_slice(bytes);
            &head
        };
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(text) {
            Ok(httparse::Status::Complete(end)) => {
                self.number += 1;
                self.part = body_of(request.headers).unwrap_or(RequestPart::Over);
                if has_both_lengths(request.headers) {
                    self.ambiguous_length.0.ambiguous_length.store(self.number, Ordering::Relaxed);
                    self.part = RequestPart::Over;
                }
                end - before
            }
            Ok(httparse::Status::Partial) if text.len() < CONNECTION_BUFFER => {
                self.head = if before == 0 { bytes.to_vec() } else { head };
                bytes.len()
            }
            // hyper refuses both.
            Ok(httparse::Status::Partial) => {
                self.part = RequestPart::OversizedHead;
                bytes.len()
            }
            Err(_) => {
                self.part = RequestPart::Over;
                bytes.len()
            }
        }
    }
}

fn has_both_lengths(headers: &[httparse::Header<'_>]) -> bool {
    let has = |name: &str| headers.iter().any(|header| header.name.eq_ignore_ascii_case(name));
    has("content-length") && has("transfer-encoding")
}

/// The part after a head; `None` when its body has no known end.
fn body_of(headers: &[httparse::Header<'_>]) -> Option<RequestPart> {
    let value = |name: &str| headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    if value("transfer-encoding").is_some() {
        return Some(RequestPart::ChunkSize { size: 0, is_read: false });
    }
    match value("content-length") {
        None => Some(RequestPart::Head),
        Some(length) => match std::str::from_utf8(length.value).ok()?.trim().parse().ok()? {
            0 => Some(RequestPart::Head),
            left => Some(RequestPart::Bytes { left, is_chunk: false }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{AmbiguousLength, Requests};

    /// The number of the request whose length is ambiguous, however the bytes are split.
    fn ambiguous_length(text: &str) -> u64 {
        let of = |size: usize| {
            let length = AmbiguousLength::default();
            let mut requests = Requests::new(length.clone());
            text.as_bytes().chunks(size).for_each(|bytes| requests.read(bytes));
            (1..9).find(|_| length.is_next()).unwrap_or(0)
        };
        let whole = of(text.len());
        for size in [1, 2, 3, 7, 50] {
            assert_eq!(of(size), whole, "{size} bytes at a time: {text:?}");
        }
        whole
    }

    const BOTH: &str = "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";

    #[test]
    fn a_request_that_tells_both_is_found_behind_others() {
        let plain = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
        let long = "PUT /b HTTP/1.1\r\nContent-Length: 12\r\n\r\nGET / HTTP/1";
        let chunked =
            "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        let trailed = "PUT /d HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\n\r\n";
        assert_eq!(ambiguous_length(BOTH), 1);
        assert_eq!(ambiguous_length(&format!("{plain}{BOTH}")), 2);
        assert_eq!(ambiguous_length(&format!("{plain}{long}{chunked}{trailed}{plain}{BOTH}")), 6);
        assert_eq!(ambiguous_length(&format!("{plain}{long}{chunked}{trailed}{plain}")), 0);
    }

    #[test]
    fn a_head_is_awaited_from_its_first_byte_and_the_first_from_the_beginning() {
        let mut requests = Requests::new(AmbiguousLength::default());
        assert_eq!(requests.awaited_head(), Some(1));
        let steps = [
            ("GET / HT", Some(1)),
            ("TP/1.1\r\n\r\n", None),
            ("\r\n", None),
            ("P", Some(2)),
            ("UT / HTTP/1.1\r\nContent-Length: 3\r\n\r\na", None),
            ("bcGET", Some(3)),
        ];
        for (text, awaited) in steps {
            requests.read(text.as_bytes());
            assert_eq!(requests.awaited_head(), awaited, "{text:?}");
        }
        requests.read("x".repeat(super::CONNECTION_BUFFER).as_bytes());
        assert_eq!(requests.awaited_head(), Some(3), "also of one that is too large");
    }

    #[test]
    fn what_stands_in_a_body_is_no_request() {
        let length = BOTH.len();
        assert_eq!(ambiguous_length(&format!("PUT / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{BOTH}")), 0);
        let chunk = format!("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{BOTH}\r\n0\r\n\r\n");
        assert_eq!(ambiguous_length(&chunk), 0);
        assert_eq!(ambiguous_length(&format!("nonsense\r\n\r\n{BOTH}")), 0);
    }
}
