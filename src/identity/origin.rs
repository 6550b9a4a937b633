//! Protection of the cookie against cross-site request forgery.
//!
//! Stricter than `tower_http::csrf`, which accepts requests without any origin. Browsers always send one with unsafe methods
//! (<https://fetch.spec.whatwg.org/#origin-header>), and scripts use a bearer token.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method};

/// Whether a cookie may authenticate the request: the method is safe, or the request comes from our own origin.
///
/// An `Origin` must be our host by http or https, or the origin of `public_url`: a proxy that changes `Host` needs the
/// latter. `Sec-Fetch-Site`, where a browser sends it, must say so as well (`none` means that the user navigated), and is
/// enough without an `Origin`. The origin `null` says nothing of itself: browsers send it from our own pages too, where a
/// proxy has set a strict `Referrer-Policy`, and are believed when they say `same-origin` besides.
pub fn same_origin(method: &Method, headers: &HeaderMap, public_url: Option<&str>) -> bool {
    if method.is_safe() {
        return true;
    }
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    let site = only(headers, SITE);
    let origin = only(headers, ORIGIN);
    let is_repeated = |name, value: Option<&str>| value.is_none() && headers.contains_key(name);
    if is_repeated(SITE, site) || is_repeated(ORIGIN, origin) {
        return false;
    }
    match (site, origin) {
        (Some("same-origin"), Some("null")) | (Some("same-origin" | "none"), None) => true,
        (None | Some("same-origin" | "none"), Some(origin)) => is_ours(origin, headers, public_url),
        _ => false,
    }
}

fn is_ours(origin: &str, headers: &HeaderMap, public_url: Option<&str>) -> bool {
    if public_url.is_some_and(|url| origin.eq_ignore_ascii_case(origin_of(url))) {
        return true;
    }
    let from = match origin.split_once("://") {
        Some(("https", from)) => Some((from, ":443")),
        Some(("http", from)) => Some((from, ":80")),
        _ => None,
    };
    // Browsers leave the usual port out, some proxies write it.
    from.zip(only(headers, HOST)).is_some_and(|((from, port), host)| {
        let is = |host: &str| !host.is_empty() && from.eq_ignore_ascii_case(host);
        is(host) || host.strip_suffix(port).is_some_and(is)
    })
}

/// The value of a header that occurs exactly once, as text.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

/// The origin of a normalised http or https URL.
pub fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    const PUBLIC: Option<&str> = Some("https://chat.example/members");

    fn post(headers: &[(&'static str, &'static str)]) -> bool {
        sent(Method::POST, headers)
    }

    fn sent(method: Method, headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        same_origin(&method, &map, PUBLIC)
    }

    #[test]
    fn reading_needs_no_proof() {
        assert!(sent(Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(sent(Method::HEAD, &[]));
    }

    #[test]
    fn the_browsers_own_word_decides() {
        assert!(post(&[("sec-fetch-site", "same-origin")]));
        assert!(post(&[("sec-fetch-site", "none")]));
        for site in ["cross-site", "same-site", "", "Same-Origin", "same-origin, none"] {
            let forged = [("sec-fetch-site", site), ("origin", "https://chat.example"), ("host", "chat.example")];
            assert!(!post(&forged), "{site:?}");
        }
        assert!(!post(&[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]));
    }

    #[test]
    fn a_foreign_origin_is_refused_whatever_else_is_said() {
        for site in ["same-origin", "none"] {
            for origin in ["https://evil.example", "https://chat.example.evil", "http://chat.example", "file://", ""] {
                let forged = [("sec-fetch-site", site), ("origin", origin), ("host", "inner:8080")];
                assert!(!post(&forged), "{site} {origin:?}");
            }
            let ours = [("sec-fetch-site", site), ("origin", "https://chat.example"), ("host", "inner:8080")];
            assert!(post(&ours), "{site}");
            let twice = [("sec-fetch-site", site), ("origin", "https://chat.example"), ("origin", "https://a.example")];
            assert!(!post(&twice), "{site}");
        }
        assert!(post(&[("sec-fetch-site", "same-origin"), ("origin", "null"), ("host", "inner:8080")]));
        assert!(!post(&[("sec-fetch-site", "none"), ("origin", "null"), ("host", "inner:8080")]));
    }

    #[test]
    fn the_usual_port_may_be_written() {
        assert!(post(&[("origin", "https://inner.example"), ("host", "inner.example:443")]));
        assert!(post(&[("origin", "http://inner.example"), ("host", "inner.example:80")]));
        assert!(!post(&[("origin", "https://inner.example"), ("host", "inner.example:80")]));
        assert!(!post(&[("origin", "https://"), ("host", ":443")]));
    }

    #[test]
    fn an_older_browser_is_judged_by_its_origin() {
        assert!(post(&[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")]));
        assert!(post(&[("origin", "https://inner.example"), ("host", "inner.example")]));
        assert!(post(&[("origin", "https://chat.example"), ("host", "inner:8080")]), "public URL behind a proxy");
    }

    #[test]
    fn a_strangers_origin_is_not_ours() {
        for origin in [
            "null",
            "",
            "https://chat.example.evil",
            "https://evilchat.example",
            "https://chat.example:444",
            "http://chat.example",
            "https://chat.example/members",
            "file://inner:8080",
        ] {
            assert!(!post(&[("origin", origin), ("host", "inner:8080")]), "{origin:?}");
        }
        assert!(!post(&[("origin", "https://"), ("host", "")]));
        assert!(!post(&[("origin", "https://a"), ("origin", "https://chat.example"), ("host", "a")]));
    }

    #[test]
    fn silence_is_no_proof() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            assert!(!sent(method, &[("host", "chat.example")]));
        }
    }

    #[test]
    fn an_origin_ends_before_the_path() {
        assert_eq!(origin_of("https://chat.example/members"), "https://chat.example");
        assert_eq!(origin_of("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
    }
}
