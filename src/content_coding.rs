//! Content codings of responses (RFC 9110, 8.4.1): the one that a client accepts, and the compression of a whole
//! text. Streamed bodies are compressed by a layer in `src/http/compression.rs`.

use std::io::Write as _;

use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;

use crate::quality_values::quality_values;

/// Bytes of a text from which on it is compressed.
pub(crate) const SMALLEST: usize = 1024;

/// The quality of both codings, of brotli's 11 and gzip's 9: half a millisecond for a page, and within a tenth of the
/// smallest size.
pub(crate) const QUALITY: u32 = 7;
/// Brotli's window, 2 to this power of bytes: more than a page has.
const BROTLI_WINDOW: u32 = 18;

/// A coding that we compress in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCoding {
    /// Brotli (RFC 7932).
    Brotli,
    /// gzip (RFC 1952).
    Gzip,
}

impl ContentCoding {
    /// The name in `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ContentCoding::Brotli => "br",
            ContentCoding::Gzip => "gzip",
        }
    }

    /// The value of `Content-Encoding`.
    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(self.name())
    }

    /// The coding that `Accept-Encoding` prefers, by its weights; brotli, which is smaller, among equals. `None` when
    /// it accepts neither (RFC 9110, 12.5.3): a client that refuses the plain text as well gets the plain text.
    pub(crate) fn accepted(headers: &HeaderMap) -> Option<ContentCoding> {
        let [brotli, gzip] = [ContentCoding::Brotli, ContentCoding::Gzip].map(|coding| weight(headers, coding.name()));
        match (brotli > 0.0, gzip > 0.0) {
            (true, _) if brotli >= gzip => Some(ContentCoding::Brotli),
            (_, true) => Some(ContentCoding::Gzip),
            _ => None,
        }
    }

    /// The text in this coding.
    pub(crate) fn compress(self, text: &[u8]) -> Bytes {
        let written = match self {
            ContentCoding::Brotli => {
                let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, QUALITY, BROTLI_WINDOW);
                writer.write_all(text).map(|()| writer.into_inner())
            }
            ContentCoding::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(QUALITY));
                writer.write_all(text).and_then(|()| writer.finish())
            }
        };
        written.expect("memory can be written to").into()
    }
}

/// The weight of a coding in `Accept-Encoding`: its own, else that of `*`, else 0.
fn weight(headers: &HeaderMap, coding: &str) -> f32 {
    let values = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    let mut any = 0.0;
    for (name, weight) in values.flat_map(quality_values) {
        let weight = weight.unwrap_or(0.0);
        if name.eq_ignore_ascii_case(coding) {
            return weight;
        }
        if name == "*" {
            any = weight;
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_coding_is_taken_and_brotli_among_equals() {
        use ContentCoding::{Brotli, Gzip};
        for (accepted, taken) in [
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("gzip;q=1.0, br;q=0.5", Some(Gzip)),
            ("gzip;q=1.0, br;q=0", Some(Gzip)),
            ("GZIP", Some(Gzip)),
            ("*", Some(Brotli)),
            ("br;q=0.0, *", Some(Gzip)),
            ("*;q=0", None),
            ("identity", None),
            ("identity;q=0", None),
            ("br;q=x", None),
            ("deflate, zstd", None),
            ("", None),
        ] {
            let headers = [(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))].into_iter().collect();
            assert_eq!(ContentCoding::accepted(&headers), taken, "for {accepted}");
        }
        assert_eq!(ContentCoding::accepted(&HeaderMap::new()), None);
    }
}
