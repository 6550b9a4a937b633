//! The header `Host` (RFC 9112, 3.2): exactly one over HTTP/1.1, at most one over HTTP/1.0, and a valid one.

use axum::http::{Request, Version, header};

/// Why a request is refused for its `Host`.
pub(super) fn refusal<B>(request: &Request<B>) -> Option<&'static str> {
    let mut all = request.headers().get_all(header::HOST).iter();
    match (all.next(), all.next()) {
        // Health checks of load balancers ask without one, over 1.0; over 2 there is `:authority`.
        (None, _) if request.version() == Version::HTTP_11 => Some("A request over HTTP/1.1 needs the header Host."),
        (Some(_), Some(_)) => Some("A request has one header Host."),
        (Some(host), None) if !is_valid(host.as_bytes()) => Some("The header Host is not a host and a port."),
        (None | Some(_), _) => None,
    }
}

/// `uri-host [":" port]` of RFC 3986; empty where the target has no authority.
fn is_valid(host: &[u8]) -> bool {
    let (name, port) = match host.first() {
        Some(b'[') => {
            let Some(end) = host.iter().position(|&b| b == b']') else { return false };
            let is_address =
                std::str::from_utf8(&host[1..end]).is_ok_and(|ip| ip.parse::<std::net::Ipv6Addr>().is_ok());
            match host[end + 1..].split_first() {
                _ if !is_address => return false,
                None => (&host[..0], None),
                Some((b':', port)) => (&host[..0], Some(port)),
                Some(_) => return false,
            }
        }
        _ => match host.iter().position(|&b| b == b':') {
            Some(at) => (&host[..at], Some(&host[at + 1..])),
            None => (host, None),
        },
    };
    let is_port = |port: &[u8]| {
        let digits = port.iter().all(u8::is_ascii_digit);
        digits && (port.is_empty() || std::str::from_utf8(port).is_ok_and(|port| port.parse::<u16>().is_ok()))
    };
    is_name(name) && port.is_none_or(is_port)
}

/// `reg-name`: letters, digits, marks, and whole percent-encoded bytes.
fn is_name(name: &[u8]) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b);
    let mut rest = name;
    while let Some((&first, tail)) = rest.split_first() {
        rest = match (first, tail) {
            (b'%', [a, b, tail @ ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => tail,
            (b, tail) if is_plain(b) => tail,
            _ => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for good in
            ["chat.example", "chat.example:8080", "127.0.0.1", "[::1]", "[::1]:80", "a_b-c", "", "chat.example:", "%41"]
        {
            assert!(is_valid(good.as_bytes()), "{good:?}");
        }
        for bad in [
            "a b", "a/b", "a@b", "a:b", "a:1:2", "a:65536", "[::1", "[x]", "[::1]x", "http://a", "a?b", "a\\b", "%4",
            "ä",
        ] {
            assert!(!is_valid(bad.as_bytes()), "{bad:?}");
        }
    }
}
