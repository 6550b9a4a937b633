//! Protection of the cookie against cross-site request forgery.
//!
//! Stricter than `tower_http::csrf`, which accepts requests without any origin. Browsers always send one with unsafe methods
//! (<https://fetch.spec.whatwg.org/#origin-header>), and scripts use a bearer token.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method};

/// Whether a cookie may authenticate the request: the method is safe, or the request comes from our own origin.
///
/// `Sec-Fetch-Site` decides if the browser sends it (`none` means that the user navigated). Without it, `Origin` must be
/// our host by http or https, or the origin of `public_url`.
pub fn same_origin(method: &Method, headers: &HeaderMap, public_url: Option<&str>) -> bool {
    if method.is_safe() {
        return true;
    }
    if headers.contains_key("sec-fetch-site") {
        return matches!(only(headers, HeaderName::from_static("sec-fetch-site")), Some("same-origin" | "none"));
    }
    let Some(origin) = only(headers, ORIGIN) else { return false };
    if public_url.is_some_and(|url| origin.eq_ignore_ascii_case(origin_of(url))) {
        return true;
    }
    let from = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    from.zip(only(headers, HOST)).is_some_and(|(from, host)| !host.is_empty() && from.eq_ignore_ascii_case(host))
}

/// The value of a header that occurs exactly once.
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
