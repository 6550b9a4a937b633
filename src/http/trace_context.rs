//! The trace that a request belongs to, from the header `traceparent` (W3C Trace Context,
//! <https://www.w3.org/TR/trace-context/>). A malformed header is ignored.

use axum::http::{HeaderMap, HeaderName};

/// The header.
const HEADER: HeaderName = HeaderName::from_static("traceparent");
/// Length of the fields of version 00, in bytes; later versions may append others.
const LENGTH: usize = 55;

/// The caller's trace and span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TraceContext {
    /// The trace, not 0.
    pub trace: u128,
    /// The span of the caller, not 0.
    pub parent: u64,
    /// The caller's flags; the lowest says that it records this trace.
    pub flags: u8,
}

impl TraceContext {
    /// The caller's context; ignored when there are several headers.
    pub(super) fn of(headers: &HeaderMap) -> Option<TraceContext> {
        let mut given = headers.get_all(HEADER).iter();
        let (Some(one), None) = (given.next(), given.next()) else { return None };
        TraceContext::parse(one.to_str().ok()?)
    }

    /// `00-TRACE-PARENT-FLAGS`, in lower case.
    fn parse(text: &str) -> Option<TraceContext> {
        let fields = text.get(..LENGTH)?;
        let mut fields = fields.split('-');
        let (version, trace) = (hex(fields.next()?, 2)?, hex(fields.next()?, 32)?);
        let (parent, flags) = (hex(fields.next()?, 16)?, hex(fields.next()?, 2)?);
        let is_whole = match version {
            0 => text.len() == LENGTH,
            0xff => false,
            _ => text.len() == LENGTH || text.as_bytes()[LENGTH] == b'-',
        };
        (is_whole && trace != 0 && parent != 0).then(|| TraceContext {
            trace,
            parent: u64::try_from(parent).expect("16 digits"),
            flags: u8::try_from(flags).expect("2 digits"),
        })
    }
}

/// A number of so many hexadecimal digits, in lower case.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_hex = text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { u128::from_str_radix(text, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;
    const PARENT: u64 = 0x00f0_67aa_0ba9_02b7;

    #[test]
    fn a_parent_is_read_also_of_later_versions() {
        for (text, flags) in [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", 1),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", 0),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03-later", 3),
        ] {
            let read = TraceContext::parse(text);
            assert_eq!(read, Some(TraceContext { trace: TRACE, parent: PARENT, flags }), "{text}");
        }
    }

    #[test]
    fn what_is_malformed_is_not_there() {
        for text in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-é1",
        ] {
            assert_eq!(TraceContext::parse(text), None, "{text}");
        }
    }
}
