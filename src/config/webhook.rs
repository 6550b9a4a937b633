//! Endpoints of webhooks.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use sha2::{Digest, Sha256};

use super::allowed_addresses::AllowedAddresses;
use super::error::ConfigError;
use super::options::{GivenOption, Layers, OptionSource, is_set};
use super::secret_file;
use super::signing_key::SigningKey;
use super::value::Parsed;
use super::webhook_table::{WEBHOOKS, WebhookTable};
use crate::domain::event_type::{self, event_types};
use crate::domain::is_loopback;

/// Most endpoints.
const MAX_ENDPOINTS: usize = 10;
/// Longest URL, in bytes.
const MAX_URL: usize = 2_000;

/// An endpoint of webhooks.
#[derive(Clone, PartialEq)]
pub struct Webhook {
    /// The URL that events are sent to; may contain a password or a key.
    pub url: Url,
    /// Every one of them signs.
    pub keys: Vec<SigningKey>,
    /// The types of events that it asks for; see [`Webhook::wants`].
    pub events: Vec<String>,
    /// The form of the payloads.
    pub format: WebhookFormat,
    /// Whether it may be at a private address, and without TLS.
    pub allow_private: bool,
}

/// The form of payloads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WebhookFormat {
    /// Standard Webhooks 1.0.
    #[default]
    Standard,
    /// The triggers and payloads of the original.
    Original,
}

impl Webhook {
    /// A hash of the URL without user and password, by which the endpoint is known to all nodes and after a restart: with
    /// another password it is the same endpoint.
    pub fn id(&self) -> String {
        hash(&self.without_credentials())
    }

    /// The id that version 0.2 gave it, which hashed user and password as well; `None` where the URL has neither.
    pub fn former_id(&self) -> Option<String> {
        Some(hash(&self.url)).filter(|former| *former != self.id())
    }

    /// The addresses that it may have.
    pub fn allowed_addresses(&self) -> AllowedAddresses {
        match () {
            () if self.allow_private => AllowedAddresses::Everywhere,
            () if self.url.host_str().is_some_and(is_loopback) => AllowedAddresses::Loopback,
            () => AllowedAddresses::Public,
        }
    }

    /// The address that the URL names in numbers, which no resolver is asked about.
    pub fn literal(&self) -> Option<IpAddr> {
        literal(&self.url)
    }

    /// Whether it gets events of this type: those that it lists, and that another history of events begins. Without that a
    /// receiver would take new events for old ones, whose numbers they have again.
    pub fn wants(&self, kind: &str) -> bool {
        kind == event_type::LOG_RESTARTED || self.events.iter().any(|wanted| wanted == kind)
    }

    /// The URL without what may be secret in it: user, password and query.
    pub fn location(&self) -> String {
        let mut url = self.without_credentials();
        url.set_query(None);
        url.set_fragment(None);
        url.into()
    }

    /// The URL without user and password.
    pub fn without_credentials(&self) -> Url {
        let mut url = self.url.clone();
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("id", &self.id()).field("location", &self.location()).finish_non_exhaustive()
    }
}

/// The option of the endpoint's URL, and whether it is given.
const URL: GivenOption = ("webhook-url", |options| is_set(&options.webhook_url));
/// The options of the endpoint at `--webhook-url`, and whether they are given.
const OF_THE_ENDPOINT: [GivenOption; 4] = [
    ("webhook-secret", |options| options.webhook_secret.iter().any(|text| !text.trim().is_empty())),
    ("webhook-events", |options| options.webhook_events.iter().any(|text| !text.trim().is_empty())),
    ("webhook-format", |options| is_set(&options.webhook_format)),
    ("webhook-allow-private", |options| is_set(&options.webhook_allow_private)),
];

/// The endpoint of the options, and those of the file's tables.
///
/// # Errors
/// When a value is not allowed, a URL is listed twice, or there are too many.
pub(super) fn endpoints(given: &Layers) -> Result<Vec<Webhook>, ConfigError> {
    let mut endpoints: Vec<Webhook> = Vec::new();
    // Each is checked, also where there is no endpoint for it.
    let format = given.one("webhook-format", |o| &o.webhook_format, format)?.unwrap_or_default();
    let allow_private = given.one("webhook-allow-private", |o| &o.webhook_allow_private, boolean)?.unwrap_or_default();
    let keys = given.many("webhook-secret", |o| &o.webhook_secret, SigningKey::parse)?;
    let events = given.many("webhook-events", |o| &o.webhook_events, event)?;
    let url = given.one("webhook-url", |o| &o.webhook_url, url)?;
    if url.is_none()
        && let Some(place) = given.first_given(&OF_THE_ENDPOINT)
    {
        let problem = "there is no endpoint that it is for: give --webhook-url, or its own `secret`, `events`, `format` and \
                       `allow-private` to each of [[webhooks]]";
        return Err(wrong(&place, problem.into()));
    }
    if let Some(url) = url {
        let place = given.first_given(&[URL]).expect("a source gave the URL");
        let webhook = checked(url, keys, events, format, allow_private).map_err(|problem| wrong(&place, problem))?;
        endpoints.push(webhook);
    }
    for (source, options) in &given.0 {
        for (number, table) in (1..).zip(&options.webhooks) {
            let place = match source {
                OptionSource::File(path) => format!("[[{WEBHOOKS}]] number {number} in {}", path.display()),
                OptionSource::Flags | OptionSource::Environment => format!("[[{WEBHOOKS}]] number {number}"),
            };
            let webhook = of_table(table).map_err(|problem| wrong(&place, problem))?;
            if endpoints.iter().any(|other| other.id() == webhook.id()) {
                let problem = "this URL is listed twice; user and password do not tell endpoints apart, a query (?2) \
                               does";
                return Err(wrong(&place, problem.into()));
            }
            endpoints.push(webhook);
        }
    }
    if endpoints.len() > MAX_ENDPOINTS {
        return Err(wrong(
            WEBHOOKS,
            format!("{} endpoints are configured, at most {MAX_ENDPOINTS} are allowed", endpoints.len()),
        ));
    }
    Ok(endpoints)
}

fn wrong(place: &str, problem: String) -> ConfigError {
    ConfigError::Value { place: place.to_owned(), problem }
}

fn of_table(table: &WebhookTable) -> Parsed<Webhook> {
    let content = match &table.secret_file {
        Some(_) if !table.secret.is_empty() => return Err("give `secret` or `secret-file`, not both".into()),
        Some(path) => secret_file::read(path).map_err(|problem| format!("`secret-file`: {problem}"))?,
        None => String::new(),
    };
    let secrets = table.secret.iter().map(|text| text.trim()).chain(secret_file::values(&content));
    let keys = secrets.map(SigningKey::parse).collect::<Result<_, _>>()?;
    let events = table.events.iter().map(|text| event(text.trim())).collect::<Result<_, _>>()?;
    let format = table.format.as_deref().map(|text| format(text.trim())).transpose()?.unwrap_or_default();
    let url = match (&table.url, &table.url_file) {
        (Some(text), None) => url(text.trim())?,
        (None, Some(path)) => {
            let content = secret_file::read(path).map_err(|problem| format!("`url-file`: {problem}"))?;
            url(content.trim()).map_err(|problem| format!("`url-file`: {problem}"))?
        }
        (Some(_), Some(_)) => return Err("give `url` or `url-file`, not both".into()),
        (None, None) => return Err("give `url` or `url-file`".into()),
    };
    checked(url, keys, events, format, table.allow_private)
}

fn checked(
    url: Url,
    keys: Vec<SigningKey>,
    events: Vec<String>,
    format: WebhookFormat,
    allow_private: bool,
) -> Parsed<Webhook> {
    if url.scheme() == "http" && !allow_private && !url.host_str().is_some_and(is_loopback) {
        return Err("http would show events to everybody on the way; give https, http on this machine \
                    (127.0.0.1, localhost), or --webhook-allow-private for a network of your own"
            .into());
    }
    // Receivers of the original's format verify nothing, and may do without.
    if keys.is_empty() && format == WebhookFormat::Standard {
        return Err("a webhook is signed: give --webhook-secret (or `secret`), \
                    made with: echo whsec_$(openssl rand -base64 32)"
            .into());
    }
    let events = if events.is_empty() {
        event_types().into_iter().filter(|kind| kind != event_type::USER_PRESENCE).collect()
    } else {
        events
    };
    let webhook = Webhook { url, keys, events, format, allow_private };
    if let Some(address) = webhook.literal().filter(|address| !webhook.allowed_addresses().includes(*address)) {
        return Err(format!(
            "{address} is not an address of the public Internet; \
             give --webhook-allow-private (or `allow-private`) for a network of your own"
        ));
    }
    Ok(webhook)
}

fn url(text: &str) -> Parsed<Url> {
    // The URL may contain a password or a key, so it is not repeated.
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or("this is not an http or https address")?;
    if url.fragment().is_some() {
        return Err("leave out the # and what is behind it: it is never sent, and does not tell endpoints apart".into());
    }
    if text.len() > MAX_URL {
        return Err(format!("the address has {} bytes, at most {MAX_URL} are allowed", text.len()));
    }
    Ok(url)
}

fn event(text: &str) -> Parsed<String> {
    let types = event_types();
    if types.iter().any(|known| known == text) {
        return Ok(text.to_owned());
    }
    Err(format!("{text:?} is not a type of events; give some of {}", types.join(", ")))
}

fn format(text: &str) -> Parsed<WebhookFormat> {
    match text {
        "standard" => Ok(WebhookFormat::Standard),
        "original" => Ok(WebhookFormat::Original),
        _ => Err(format!("{text:?} is not a format of webhooks; give standard or original")),
    }
}

fn boolean(text: &str) -> Parsed<bool> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("{text:?} is neither true nor false")),
    }
}

fn hash(url: &Url) -> String {
    let hash = Sha256::digest(url.as_str());
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_known_by_its_url_and_shown_without_its_password() {
        let webhook =
            |text: &str| checked(url(text).unwrap(), Vec::new(), Vec::new(), WebhookFormat::Original, false).unwrap();
        let (one, other) = (webhook("https://u:secret@a.example/x?key=secret"), webhook("https://a.example/x"));
        assert_eq!(one.location(), "https://a.example/x");
        // As they are stored: 0.2 knew the first one by the second id.
        assert_eq!((one.id(), one.former_id().as_deref()), ("2ab2076f2712fa5f".to_owned(), Some("6f780bc44f928604")));
        assert_eq!((other.id(), other.former_id()), ("39021306bfa34811".to_owned(), None));
        assert!(!format!("{one:?}").contains("secret"));
        assert!(!one.events.iter().any(|kind| kind == "user.presence"));
    }

    #[test]
    fn an_endpoint_gets_what_it_lists_and_every_new_history() {
        let events = vec!["member.left".to_owned()];
        let url = url("https://a.example/x").unwrap();
        let webhook = checked(url, Vec::new(), events, WebhookFormat::Original, false).unwrap();
        assert!(webhook.wants("member.left") && webhook.wants("log.restarted"));
        assert!(!webhook.wants("member.joined") && !webhook.wants("user.presence"));
    }

    #[test]
    fn http_is_for_this_machine_alone() {
        let check =
            |text: &str, private| checked(url(text).unwrap(), Vec::new(), Vec::new(), WebhookFormat::Original, private);
        for local in ["http://127.0.0.1:8000/x", "http://localhost/x", "http://[::1]/x"] {
            assert!(check(local, false).is_ok(), "{local}");
        }
        assert!(check("http://a.example/x", false).unwrap_err().contains("--webhook-allow-private"));
        assert!(check("http://10.0.0.1/x", true).is_ok());
    }

    #[test]
    fn an_address_in_numbers_is_one_of_the_public_internet() {
        let check =
            |text: &str, private| checked(url(text).unwrap(), Vec::new(), Vec::new(), WebhookFormat::Original, private);
        for inside in ["https://10.0.0.1/x", "https://0x0a.1/x", "https://[fd00::1]/x", "https://169.254.169.254/x"] {
            assert!(check(inside, false).unwrap_err().contains("--webhook-allow-private"), "{inside}");
            assert!(check(inside, true).is_ok(), "{inside}");
        }
        for allowed in ["https://8.8.8.8/x", "https://127.0.0.1/x", "https://ten.example/x"] {
            assert!(check(allowed, false).is_ok(), "{allowed}");
        }
    }
}
