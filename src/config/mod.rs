//! The configuration: every option of the service, validated, with its default.
//!
//! `options` is what flags, environment and file say, as text; `value` reads the text of one option; `load` puts them together, and
//! `reload` says which of them a running service takes over.
//!
//! Not here: what an option does. Other modules get the [`Config`], or single values of it.

mod allowed_addresses;
mod database;
mod environment;
mod error;
mod listen;
mod load;
mod options;
mod places;
mod reload;
mod secret_file;
mod signing_key;
#[cfg(test)]
mod tests;
mod value;
mod wake;
mod webhook;
mod webhook_table;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;

use crate::domain::is_loopback;
use crate::store::Pooler;

pub use allowed_addresses::AllowedAddresses;
pub use environment::Environment;
pub use error::ConfigError;
pub use listen::{Listen, ListenError};
pub use load::ConfigSource;
pub use options::Options;
pub use places::Places;
pub use reload::Credentials;
pub use signing_key::SigningKey;
pub use value::{LogFormat, RateLimit, Secret};
pub use wake::Wake;
pub use webhook::{Webhook, WebhookFormat};

/// The configuration of one process. Texts are trimmed, URLs normalised.
#[derive(Clone, PartialEq)]
pub struct Config {
    /// The source of connections.
    pub listen: Listen,
    /// The address at which `/metrics` alone is served without a key.
    pub metrics_listen: Option<SocketAddr>,
    /// The time for which a connection stays open while nothing is asked on it.
    pub keep_alive: Duration,
    /// The http or https URL of the collector of traces.
    pub otlp_endpoint: Option<String>,
    /// `sqlite://…` or `postgres://…`; may contain a password.
    pub database_url: String,
    /// The URL of the same database without the pooler; may contain a password.
    pub direct_database_url: Option<String>,
    /// The pooler before the database.
    pub pooler: Pooler,
    /// Secrets of viewer tokens (HS256), each at least 32 bytes; the first one signs.
    pub viewer_secrets: Vec<Secret>,
    /// File or http(s) URL of the JWKS for viewer tokens.
    pub viewer_jwks: Option<String>,
    /// The audience that the claim `aud` of a viewer token must contain.
    pub viewer_audience: String,
    /// Name of the cookie that may carry a viewer token.
    pub viewer_cookie: String,
    /// Keys of the host's back end.
    pub api_keys: Vec<Secret>,
    /// The path of the mount: "" for the root, else "/x" without a trailing slash.
    pub base_path: String,
    /// The URL at which browsers reach the service: an http or https origin with an optional path, without a trailing slash.
    pub public_url: Option<String>,
    /// Origins of pages that may fetch from the service, exactly as browsers send them.
    pub allow_origins: Vec<String>,
    /// Sources for the CSP directive `frame-ancestors`; empty means 'none'.
    pub frame_ancestors: Vec<String>,
    /// Folder of the operator's own templates.
    pub views: Option<PathBuf>,
    /// The transport that wakes the other nodes.
    pub wake: Wake,
    /// URL of the NATS server; may contain a password.
    pub nats_url: Option<String>,
    /// The endpoints of webhooks, each with a URL of its own.
    pub webhooks: Vec<Webhook>,
    /// Requests allowed per caller; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Events kept per group, at least 10,000.
    pub retention: u64,
    /// The time in which an act can be undone; zero for never.
    pub undo_window: Duration,
    /// Memory for cached groups, in bytes.
    pub roster_memory: u64,
    /// Filter of log lines, in the syntax of `tracing_subscriber::EnvFilter`.
    pub log: String,
    /// Format of log lines.
    pub log_format: LogFormat,
    /// Where the options were given that are checked after they are read.
    pub places: Places,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)).into(),
            metrics_listen: None,
            keep_alive: Duration::from_secs(75),
            otlp_endpoint: None,
            database_url: "sqlite://chat-group-members.db".into(),
            direct_database_url: None,
            pooler: Pooler::Session,
            viewer_secrets: Vec::new(),
            viewer_jwks: None,
            viewer_audience: "chat-group-members".into(),
            viewer_cookie: "chat_token".into(),
            api_keys: Vec::new(),
            base_path: String::new(),
            public_url: None,
            allow_origins: Vec::new(),
            frame_ancestors: Vec::new(),
            views: None,
            wake: Wake::Auto,
            nats_url: None,
            webhooks: Vec::new(),
            rate_limit: None,
            retention: 10_000,
            undo_window: Duration::from_secs(30),
            roster_memory: 512 << 20,
            log: "info".into(),
            log_format: LogFormat::Text,
            places: Places::default(),
        }
    }
}

impl fmt::Debug for Config {
    /// Prints only fields without secrets and passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("listen", &self.listen)
            .field("base_path", &self.base_path)
            .field("public_url", &self.public_url)
            .field("allow_origins", &self.allow_origins)
            .field("frame_ancestors", &self.frame_ancestors)
            .field("wake", &self.wake)
            .field("retention", &self.retention)
            .field("undo_window", &self.undo_window)
            .field("roster_memory", &self.roster_memory)
            .finish_non_exhaustive()
    }
}

impl Config {
    /// Checks that viewers can be authenticated.
    ///
    /// # Errors
    /// [`ConfigError::NoViewerKey`], which explains how to make a key.
    pub fn require_viewer_key(&self) -> Result<(), ConfigError> {
        if self.viewer_secrets.is_empty() && self.viewer_jwks.is_none() {
            return Err(ConfigError::NoViewerKey);
        }
        Ok(())
    }

    /// A warning for operators whose viewers' tokens would travel unencrypted: by http to another machine. `bound` is
    /// the address of the socket: of one that systemd passes, nothing else says it.
    pub fn plain_http(&self, bound: Option<SocketAddr>) -> Option<String> {
        let listen = match bound {
            Some(address) if self.listen == Listen::Systemd => Listen::Address(address),
            _ => self.listen.clone(),
        };
        match &self.public_url {
            Some(url)
                if url.starts_with("http:")
                    && !Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(is_loopback)) =>
            {
                Some(format!(
                    "--public-url {url} is plain http: whoever sees the traffic reads the viewers' tokens, and cookies go \
                 unprotected; serve it by https"
                ))
            }
            None if listen.is_reachable() => Some(format!(
                "listening on {listen} by plain http without --public-url: let a proxy serve it by https, where alone \
                 browsers keep the viewers' cookies, and name its address with --public-url"
            )),
            Some(_) | None => None,
        }
    }

    /// The value of the CSP directive `frame-ancestors`.
    pub fn frame_ancestors_csp(&self) -> String {
        if self.frame_ancestors.is_empty() { "'none'".into() } else { self.frame_ancestors.join(" ") }
    }
}
