//! The header `Content-Security-Policy` of every page.

use axum::http::HeaderValue;

use crate::config::Config;

/// The policy: scripts, styles and requests of our own alone, in frames of the configured origins.
///
/// # Errors
/// When a configured origin cannot stand in a header.
pub(super) fn of(config: &Config) -> anyhow::Result<HeaderValue> {
    // A form's answer may lead back to the host by the field `return`, and browsers hold such a redirect to `form-action` too.
    let form_targets: String = config.allow_origins.iter().map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; \
         form-action 'self'{form_targets}; base-uri 'none'; frame-ancestors {}",
        config.frame_ancestors_csp()
    );
    Ok(HeaderValue::from_str(&policy)?)
}
