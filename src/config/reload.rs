//! The options that take effect on a reload, and those that need a restart.

use super::{Config, Secret, Webhook};

/// The currently configured API keys and secrets.
#[derive(Clone)]
pub struct Credentials {
    /// The secret that signs viewer tokens.
    pub viewer_secret: Option<Secret>,
    /// The audience that viewer tokens name.
    pub viewer_audience: String,
    /// Keys of the host's back end.
    pub api_keys: Vec<Secret>,
}

impl Credentials {
    /// The index of an API key. Every key is compared, so that timing does not reveal which one was nearly right.
    pub fn api_key_number(&self, given: &str) -> Option<usize> {
        let matches = |(number, key): (usize, &Secret)| key.matches(given).then_some(number);
        self.api_keys.iter().enumerate().map(matches).fold(None, |found, this| this.or(found))
    }
}

impl From<&Config> for Credentials {
    fn from(config: &Config) -> Credentials {
        Credentials {
            viewer_secret: config.viewer_secrets.first().cloned(),
            viewer_audience: config.viewer_audience.clone(),
            api_keys: config.api_keys.clone(),
        }
    }
}

impl Config {
    /// The options of `new` that differ from this configuration and take effect only with a start.
    pub fn needs_restart(&self, new: &Config) -> Vec<&'static str> {
        let without_keys = |webhooks: &[Webhook]| -> Vec<Webhook> {
            webhooks.iter().cloned().map(|webhook| Webhook { keys: Vec::new(), ..webhook }).collect()
        };
        let webhooks = without_keys(&self.webhooks) != without_keys(&new.webhooks);
        let before = [
            ("listen", self.listen != new.listen),
            ("metrics-listen", self.metrics_listen != new.metrics_listen),
            ("keep-alive", self.keep_alive != new.keep_alive),
            ("otlp-endpoint", self.otlp_endpoint != new.otlp_endpoint),
            ("database-url", self.database_url != new.database_url),
            ("direct-database-url", self.direct_database_url != new.direct_database_url),
            ("pooler", self.pooler != new.pooler),
            ("viewer-cookie", self.viewer_cookie != new.viewer_cookie),
            ("base-path", self.base_path != new.base_path),
            ("public-url", self.public_url != new.public_url),
            ("allow-origin", self.allow_origins != new.allow_origins),
            ("frame-ancestors", self.frame_ancestors != new.frame_ancestors),
            ("views", self.views != new.views),
        ];
        let after = [
            ("webhooks", webhooks),
            ("rate-limit", self.rate_limit != new.rate_limit),
            ("retention", self.retention != new.retention),
            ("undo-window", self.undo_window != new.undo_window),
            ("roster-memory", self.roster_memory != new.roster_memory),
            ("log-format", self.log_format != new.log_format),
        ];
        let all = before.into_iter().chain(self.transport_changes(new)).chain(after);
        let mut changed: Vec<_> = all.filter(|(_, differs)| *differs).map(|(name, _)| name).collect();
        let taken_over = Config {
            viewer_secrets: new.viewer_secrets.clone(),
            viewer_jwks: new.viewer_jwks.clone(),
            viewer_audience: new.viewer_audience.clone(),
            api_keys: new.api_keys.clone(),
            webhooks: new.webhooks.clone(),
            log: new.log.clone(),
            ..self.clone()
        };
        // An option that is missing in the lists above is reported nevertheless.
        if changed.is_empty() && taken_over != *new {
            changed.push("another option");
        }
        changed
    }
}
