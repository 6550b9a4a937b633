//! The allowed targets of redirects and links back: our own paths and allowed origins.

use percent_encoding::percent_decode_str;

use crate::app::App;
use crate::http::extract::RequestInfo;
use crate::views::urls::with_parameters;

/// Longest address that is led back to, in bytes.
const MAX_URL: usize = 2048;

/// The query's `return`, when it may be led back to.
pub(in crate::http) fn parse(app: &App, info: &RequestInfo) -> Option<String> {
    info.value("return").filter(|url| is_allowed(app, url))
}

/// Whether a reader may be sent to this address.
pub(in crate::http) fn is_allowed(app: &App, url: &str) -> bool {
    let local = url.starts_with('/') && !url.starts_with("//") && !url.starts_with("/\\");
    let config = app.config();
    let allowed = config.allow_origins.iter().chain(config.public_url.iter());
    let within = |origin: &String| {
        url.strip_prefix(origin.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    };
    url.len() <= MAX_URL && is_plain(url) && (local || allowed.into_iter().any(within))
}

/// Whether an address means the same to everybody who reads it: it has no control characters, no backslashes, which browsers
/// take for slashes, and no dot segments, which a proxy that joins paths would resolve to another place; neither encoded,
/// for those who decode before they compare.
fn is_plain(url: &str) -> bool {
    let odd = |c: char| c.is_control() || c == '\\';
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let mut path = path.strip_prefix("https://").or_else(|| path.strip_prefix("http://")).unwrap_or(path).to_owned();
    // Some programs decode a URL twice.
    loop {
        let decoded = percent_decode_str(&path).decode_utf8_lossy().into_owned();
        if decoded == path {
            break;
        }
        path = decoded;
    }
    let is_dots = |segment: &str| matches!(segment.split(';').next(), Some("." | ".."));
    !url.contains(odd) && !path.contains(odd) && !path.contains("//") && !path.split('/').any(is_dots)
}

/// The URL with one more parameter, unless it is empty.
pub(in crate::http) fn with_parameter(url: &str, name: &str, value: &str) -> String {
    if value.is_empty() {
        return url.to_owned();
    }
    let pair = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    with_parameters(url, &pair)
}
