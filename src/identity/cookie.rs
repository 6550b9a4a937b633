//! The cookie that may carry a viewer token (RFC 6265 and its successor, RFC 6265bis).

use axum::http::header::{COOKIE, HOST};
use axum::http::{HeaderMap, HeaderValue};

use crate::domain::{is_loopback, without_port};

/// The value of the first cookie called `name`, without quotes around it; `None` if it is empty.
///
/// Browsers send the cookie of the more specific path first.
pub fn find<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let value = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()?;
    let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    (!bare.is_empty()).then_some(bare)
}

/// Whether the request comes from a page of another site, or from a frame within one.
///
/// `Sec-Fetch-Site` names the relation to the page that asks; `Sec-Fetch-Storage-Access` is sent
/// only where our cookies are a third party's (<https://privacycg.github.io/storage-access-headers/>).
pub fn is_cross_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
        || headers.contains_key("sec-fetch-storage-access")
}

/// Whether a cookie is for https alone: unless browsers reach the service by http, as `public_url` says, or, where it says
/// nothing, on their own machine.
pub fn is_secure(public_url: Option<&str>, headers: &HeaderMap) -> bool {
    match public_url {
        Some(url) => !url.starts_with("http:"),
        None => !headers.get(HOST).and_then(|host| without_port(host.to_str().ok()?)).is_some_and(is_loopback),
    }
}

/// A cookie to set; always `HttpOnly`.
#[derive(Debug, Clone, Copy)]
pub struct NewCookie<'a> {
    /// Its name, [`crate::config::Config::viewer_cookie`].
    pub name: &'a str,
    /// The token; empty, with `max_age` 0, to delete the cookie.
    pub value: &'a str,
    /// The path it is sent to: [`crate::config::Config::base_path`], "" for all.
    pub base_path: &'a str,
    /// Whether it is used inside another site's page: it is then partitioned by that site (CHIPS),
    /// which needs `Secure`.
    pub cross_site: bool,
    /// Whether browsers reach the service by https.
    pub secure: bool,
    /// Remaining lifetime, in seconds.
    pub max_age: i64,
}

impl NewCookie<'_> {
    /// The value of `Set-Cookie`; `None` if the token contains characters that a cookie cannot.
    pub fn header(&self) -> Option<HeaderValue> {
        let path = if self.base_path.is_empty() { "/" } else { self.base_path };
        let site = match (self.cross_site, self.secure) {
            (true, _) => "SameSite=None; Secure; Partitioned",
            (false, true) => "SameSite=Lax; Secure",
            (false, false) => "SameSite=Lax",
        };
        let fits = self.value.bytes().all(|b| b.is_ascii_graphic() && !b"\",;\\".contains(&b));
        let text =
            format!("{}={}; Path={path}; Max-Age={}; HttpOnly; {site}", self.name, self.value, self.max_age.max(0));
        fits.then(|| HeaderValue::from_str(&text).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static(value))])
    }

    #[test]
    fn a_cookie_is_found_by_its_exact_name() {
        let headers = with("cookie", "a=1; chat_token=x.y=z;chat_token2=no; q=\"quoted\"; empty=");
        assert_eq!(find(&headers, "chat_token"), Some("x.y=z"));
        assert_eq!(find(&headers, "q"), Some("quoted"));
        for absent in ["token", "Chat_Token", "empty", "chat_token3", ""] {
            assert_eq!(find(&headers, absent), None, "{absent:?}");
        }
    }

    #[test]
    fn of_two_cookies_the_first_wins_also_over_several_headers() {
        let mut headers = with("cookie", "t=first; t=second");
        headers.append(COOKIE, HeaderValue::from_static("u=other"));
        assert_eq!(find(&headers, "t"), Some("first"));
        assert_eq!(find(&headers, "u"), Some("other"));
    }

    #[test]
    fn a_cookie_stays_with_our_own_pages() {
        let cookie =
            NewCookie { name: "t", value: "a.b", base_path: "", cross_site: false, secure: false, max_age: 60 };
        assert_eq!(cookie.header().unwrap(), "t=a.b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
        let cookie = NewCookie { secure: true, base_path: "/chat", ..cookie };
        assert_eq!(cookie.header().unwrap(), "t=a.b; Path=/chat; Max-Age=60; HttpOnly; SameSite=Lax; Secure");
    }

    #[test]
    fn a_cookie_is_for_https_unless_the_service_is_on_this_machine_or_says_that_it_is_reached_by_http() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "app.localhost"] {
            assert!(!is_secure(None, &with("host", host)), "{host}");
            assert!(is_secure(Some("https://chat.example"), &with("host", host)));
        }
        for host in ["chat.example", "192.168.1.7:8080", "localhost.evil.example", "[fe80::1]", ""] {
            assert!(is_secure(None, &with("host", host)), "{host}");
            assert!(!is_secure(Some("http://chat.example"), &with("host", host)));
        }
        assert!(is_secure(None, &HeaderMap::new()));
    }

    #[test]
    fn a_cookie_for_another_sites_page_is_partitioned_and_secure() {
        let cookie = NewCookie { name: "t", value: "a", base_path: "", cross_site: true, secure: false, max_age: -5 };
        assert_eq!(cookie.header().unwrap(), "t=a; Path=/; Max-Age=0; HttpOnly; SameSite=None; Secure; Partitioned");
    }

    #[test]
    fn a_value_cannot_add_attributes() {
        for value in ["a; Domain=evil.example", "a\r\nX: y", "a,b", "ä", "\"a\""] {
            let cookie = NewCookie { name: "t", value, base_path: "", cross_site: false, secure: true, max_age: 60 };
            assert_eq!(cookie.header(), None, "{value:?}");
        }
    }

    #[test]
    fn another_site_is_recognised_by_what_the_browser_says() {
        assert!(is_cross_site(&with("sec-fetch-site", "cross-site")));
        assert!(is_cross_site(&with("sec-fetch-storage-access", "none")));
        assert!(!is_cross_site(&with("sec-fetch-site", "same-site")));
        assert!(!is_cross_site(&HeaderMap::new()));
    }
}
