//! Where the configuration comes from: flags, then the environment, then the file, then the defaults.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::error::ConfigError;
use super::options::{Layers, OptionSource, Options};
use super::places::Places;
use super::{Config, value, wake, webhook};

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
    ///
    /// # Errors
    /// When a name is unknown, or a value is not allowed.
    pub(super) fn resolve(
        flags: Options,
        environment: &Environment,
        file: Option<(&Path, &str)>,
    ) -> Result<Config, ConfigError> {
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
            nats_url: given.one("nats-url", |o| &o.nats_url, value::nats_url)?,
            webhooks: webhook::endpoints(given)?,
            rate_limit: given.one("rate-limit", |o| &o.rate_limit, value::rate_limit)?,
            retention: given.one("retention", |o| &o.retention, value::retention)?.unwrap_or(or.retention),
            undo_window: given.one("undo-window", |o| &o.undo_window, value::undo_window)?.unwrap_or(or.undo_window),
            roster_memory: given
                .one("roster-memory", |o| &o.roster_memory, value::roster_memory)?
                .unwrap_or(or.roster_memory),
            log: given.one("log", |o| &o.log, value::log)?.unwrap_or(or.log),
            log_format: given.one("log-format", |o| &o.log_format, value::log_format)?.unwrap_or(or.log_format),
            places: Places::in_layers(given),
        })
    }
}
