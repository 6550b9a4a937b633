//! The tables `[[webhooks]]` of the file, not yet validated.

use serde::Deserialize;

use super::environment::suggestion;

/// The key of the file's tables of endpoints.
pub(super) const WEBHOOKS: &str = "webhooks";
/// The keys of a table.
const KEYS: [&str; 7] = ["url", "url-file", "secret", "secret-file", "events", "format", "allow-private"];

/// An entry of `[[webhooks]]` in the file: the options `webhook-…` of one endpoint.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WebhookTable {
    /// As `webhook-url`.
    pub url: Option<String>,
    /// File with the URL, in place of `url`.
    pub url_file: Option<String>,
    /// As `webhook-secret`.
    #[serde(default)]
    pub secret: Vec<String>,
    /// File with the secrets, in place of `secret`.
    pub secret_file: Option<String>,
    /// As `webhook-events`.
    #[serde(default)]
    pub events: Vec<String>,
    /// As `webhook-format`.
    pub format: Option<String>,
    /// As `webhook-allow-private`.
    #[serde(default)]
    pub allow_private: bool,
}

/// Reads the tables.
///
/// # Errors
/// What is wrong, without any value: one may be a secret.
pub(super) fn read(value: toml::Value) -> Result<Vec<WebhookTable>, String> {
    let tables = value.as_array().into_iter().flatten().filter_map(toml::Value::as_table);
    if let Some(key) = tables.flat_map(toml::Table::keys).find(|key| !KEYS.contains(&key.as_str())) {
        let meant = suggestion(&key.replace('_', "-"), KEYS);
        return Err(format!("the key `{key}` of [[{WEBHOOKS}]] is not one of its options{meant}"));
    }
    Vec::deserialize(value).map_err(|_| {
        format!(
            "`{WEBHOOKS}` must be tables [[{WEBHOOKS}]] with `url` (a text), `secret` and `events` (lists of texts), \
             `url-file`, `secret-file` and `format` (texts) and `allow-private` (true or false), and nothing else"
        )
    })
}
