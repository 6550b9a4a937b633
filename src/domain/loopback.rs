//! Hosts that are this machine. It is here because whether a picture is shown depends on it (`avatar.rs`); cookies and the
//! configuration ask it too.

use std::net::IpAddr;

/// Whether a host, as a URL or the header `Host` names it without its port, is this machine: `localhost` and the names below
/// it (RFC 6761, 6.3), or a loopback address; an IPv6 address with or without its brackets. Spellings that only a browser
/// would repair do not count.
pub fn is_loopback(host: &str) -> bool {
    let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
    let address = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host == "localhost"
        || host.strip_suffix(".localhost").is_some_and(is_name)
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host of `host:port`; `None` when what follows the host is not a port.
pub fn without_port(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, rest) = authority.split_at(end);
    let is_port = |rest: &str| rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    (rest.is_empty() || is_port(rest)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_and_loopback_addresses_are_this_machine_and_nothing_that_looks_like_them() {
        for host in ["localhost", "app.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "localhost.example",
            "notlocalhost",
            "127.1",
            "10.0.0.1",
            "[fe80::1]",
            "[::1",
            "::1]",
            "[localhost]",
            "ada@app.localhost",
            "evil.example\\.localhost",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_port_is_a_number_behind_the_host() {
        for (authority, host) in [
            ("localhost", "localhost"),
            ("localhost:80", "localhost"),
            ("[::1]", "[::1]"),
            ("[::1]:80", "[::1]"),
            ("", ""),
        ] {
            assert_eq!(without_port(authority), Some(host), "{authority}");
        }
        for authority in ["localhost:http", "localhost:80@evil.example", "localhost:70000", "[::1]80", "[::1", "::1"] {
            assert_eq!(without_port(authority), None, "{authority}");
        }
    }
}
