//! The configuration: every option of the service, validated, with its default.
//!
//! Not here: what an option does. Other modules get the [`Config`], or single values of it.

mod allowed_addresses;
mod environment;
mod error;
mod listen;
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
use std::path::{Path, PathBuf};
use std::time::Duration;

use options::{Layers, OptionSource};
use reqwest::Url;

use crate::domain::is_loopback;
use crate::store::{DatabaseAddress, Pooler};

pub use allowed_addresses::AllowedAddresses;
pub use environment::Environment;
pub use error::ConfigError;
pub use listen::{Listen, ListenError};
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

/// The source of this process's configuration, besides the environment.
#[derive(Clone)]
pub struct ConfigSource {
    /// The options that were given as flags.
    pub flags: Options,
    /// The file that was named by `--config`.
    pub file: Option<PathBuf>,
}

impl ConfigSource {
    /// The configuration as the files say it now.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load(&self) -> Result<Config, ConfigError> {
        let config = self.load_to_move()?;
        config.check_pooler()?;
        Ok(config)
    }

    /// The same for `move`, whose `--direct-database-url` is of the database that the configured file moves to.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load_to_move(&self) -> Result<Config, ConfigError> {
        let environment = Environment::of_process()?;
        let named = environment.get("CGM_CONFIG").map(PathBuf::from);
        let Some(path) = self.file.clone().or(named) else {
            return Config::resolve(self.flags.clone(), &environment, None);
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::resolve(self.flags.clone(), &environment, Some((&path, &text))),
            Err(cause) => Err(ConfigError::Read { path, cause }),
        }
    }
}

impl Config {
    /// The configuration of this process: `flags`, then the environment, then the file (`--config`,
    /// or `CGM_CONFIG`), then the defaults.
    ///
    /// # Errors
    /// When a file cannot be read, a name is unknown, or a value is not allowed.
    pub fn load(flags: Options, file: Option<&Path>) -> Result<Config, ConfigError> {
        ConfigSource { flags, file: file.map(Path::to_path_buf) }.load()
    }

    /// The configuration from these flags, this environment and this file (path and text), whether or not the options of poolers
    /// fit the database.
    fn resolve(flags: Options, environment: &Environment, file: Option<(&Path, &str)>) -> Result<Config, ConfigError> {
        let mut given =
            vec![(OptionSource::Flags, flags), (OptionSource::Environment, Options::from_environment(environment)?)];
        if let Some((path, text)) = file {
            given.push((OptionSource::File(path.into()), Options::from_file(path, text)?));
        }
        let mut defaults = Config::default();
        if let Some(folder) = environment.state_directory() {
            defaults.database_url = format!("sqlite://{}/chat-group-members.db", folder.display());
        }
        let config = Config::from_layers(&Layers(given), defaults)?;
        config.check_transport()?;
        Ok(config)
    }

    /// Values that are not given are taken from `or`.
    fn from_layers(given: &Layers, or: Config) -> Result<Config, ConfigError> {
        Ok(Config {
            listen: given.one("listen", |o| &o.listen, value::listen)?.unwrap_or(or.listen),
            metrics_listen: given.one("metrics-listen", |o| &o.metrics_listen, value::metrics_listen)?,
            keep_alive: given.one("keep-alive", |o| &o.keep_alive, value::keep_alive)?.unwrap_or(or.keep_alive),
            otlp_endpoint: given.one("otlp-endpoint", |o| &o.otlp_endpoint, value::otlp_endpoint)?,
            database_url: given
                .one("database-url", |o| &o.database_url, value::database_url)?
                .unwrap_or(or.database_url),
            direct_database_url: given.one(
                "direct-database-url",
                |o| &o.direct_database_url,
                value::direct_database_url,
            )?,
            pooler: given.one("pooler", |o| &o.pooler, value::pooler)?.unwrap_or(or.pooler),
            viewer_secrets: given.many("viewer-secret", |o| &o.viewer_secret, value::viewer_secret)?,
            viewer_jwks: given.one("viewer-jwks", |o| &o.viewer_jwks, value::jwks)?,
            viewer_audience: given
                .one("viewer-audience", |o| &o.viewer_audience, value::any)?
                .unwrap_or(or.viewer_audience),
            viewer_cookie: given
                .one("viewer-cookie", |o| &o.viewer_cookie, value::cookie_name)?
                .unwrap_or(or.viewer_cookie),
            api_keys: given.many("api-key", |o| &o.api_key, value::api_key)?,
            base_path: given.one("base-path", |o| &o.base_path, value::base_path)?.unwrap_or(or.base_path),
            public_url: given.one("public-url", |o| &o.public_url, value::public_url)?,
            allow_origins: given.many("allow-origin", |o| &o.allow_origin, value::origin)?,
            frame_ancestors: given.many("frame-ancestors", |o| &o.frame_ancestors, value::frame_ancestors)?.concat(),
            views: given.one("views", |o| &o.views, value::any)?.map(PathBuf::from),
            wake: given.one("wake", |o| &o.wake, wake::parse)?.unwrap_or(or.wake),
            nats_url: given.one("nats-url", |o| &o.nats_url, value::any)?,
            webhooks: webhook::endpoints(given)?,
            rate_limit: given.one("rate-limit", |o| &o.rate_limit, value::rate_limit)?,
            retention: given.one("retention", |o| &o.retention, value::retention)?.unwrap_or(or.retention),
            undo_window: given.one("undo-window", |o| &o.undo_window, value::undo_window)?.unwrap_or(or.undo_window),
            roster_memory: given.one("roster-memory", |o| &o.roster_memory, value::bytes)?.unwrap_or(or.roster_memory),
            log: given.one("log", |o| &o.log, value::log)?.unwrap_or(or.log),
            log_format: given.one("log-format", |o| &o.log_format, value::log_format)?.unwrap_or(or.log_format),
            places: Places::in_layers(given),
        })
    }

    /// Checks that the transport has the server it needs.
    fn check_transport(&self) -> Result<(), ConfigError> {
        let problem = match self.wake {
            Wake::Nats if self.nats_url.is_none() => "nats needs the address of a server; give --nats-url",
            Wake::Postgres if self.database_url.starts_with("sqlite:") => {
                "postgres needs a PostgreSQL database; give --database-url postgres://…, or another transport"
            }
            Wake::Postgres | Wake::None if self.nats_url.is_some() => {
                "the server of --nats-url is used by nats and auto alone; leave it out"
            }
            Wake::Nats | Wake::Postgres | Wake::Auto | Wake::None => return Ok(()),
        };
        Err(ConfigError::Value { place: self.places.of("wake"), problem: problem.into() })
    }

    /// The options of the transport, and whether `new` has another value.
    fn transport_changes(&self, new: &Config) -> [(&'static str, bool); 2] {
        [("wake", self.wake != new.wake), ("nats-url", self.nats_url != new.nats_url)]
    }

    /// Checks that there is a way past a pooler that gives every transaction another session.
    fn check_pooler(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, problem: &str| {
            Err(ConfigError::Value { place: self.places.of(name), problem: problem.into() })
        };
        if self.database_url.starts_with("sqlite:") {
            if self.direct_database_url.is_some() {
                return wrong("direct-database-url", "it is for a PostgreSQL; --database-url is a SQLite file");
            }
            if self.pooler != Pooler::Session {
                return wrong("pooler", "it is for a PostgreSQL; --database-url is a SQLite file");
            }
        }
        if self.pooler == Pooler::Session || self.direct_database_url.is_some() {
            return Ok(());
        }
        wrong(
            "pooler",
            "transaction needs an address past the pooler for migrations and wakes; give --direct-database-url",
        )
    }

    /// The database, and how the service reaches it.
    pub fn database(&self) -> DatabaseAddress {
        let (url, direct_url) = (self.database_url.clone(), self.direct_database_url.clone());
        DatabaseAddress { url, direct_url, pooler: self.pooler }
    }

    /// The address of the database past a pooler, for commands.
    pub fn direct_database_url(&self) -> &str {
        self.direct_database_url.as_deref().unwrap_or(&self.database_url)
    }

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
