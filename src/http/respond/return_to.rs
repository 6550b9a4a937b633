//! Where pages and forms may lead back to: to our own paths and to allowed origins.

use crate::app::App;
use crate::http::extract::RequestInfo;

/// Longest address that is led back to, in bytes.
const MAX_URL: usize = 2048;

/// The query's `return`, when it may be led back to.
pub(crate) fn parse(app: &App, info: &RequestInfo) -> Option<String> {
    info.value("return").filter(|url| is_allowed(app, url))
}

/// Whether a reader may be sent to this address.
pub(crate) fn is_allowed(app: &App, url: &str) -> bool {
    let local = url.starts_with('/') && !url.starts_with("//") && !url.starts_with("/\\");
    let config = app.config();
    let allowed = config.allow_origins.iter().chain(config.public_url.iter());
    let within = |origin: &String| {
        url.strip_prefix(origin.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    };
    !url.contains(char::is_control) && url.len() <= MAX_URL && (local || allowed.into_iter().any(within))
}
