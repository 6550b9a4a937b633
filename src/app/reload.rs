//! Configuration and templates that are taken over while the service runs.

use std::sync::{Arc, PoisonError};

use super::App;
use crate::config::Config;
use crate::identity::Keys;

impl App {
    /// Takes over the keys of viewers, of the host's back end and of webhooks from another configuration, and reads the
    /// templates again. Streams whose token's key is gone end. Returns the options that differ and need a restart.
    ///
    /// # Errors
    /// When the keys cannot be loaded: nothing has changed then. As [`App::reload_templates`]: the keys are taken over then.
    pub async fn reload(&self, config: &Config) -> anyhow::Result<Vec<&'static str>> {
        config.require_viewer_key()?;
        let keys = Keys::from_config(config, self.clock().now() / 1000).await?;
        *self.0.credentials.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config.into());
        self.webhooks().set_keys(&config.webhooks);
        self.keys().replace(&keys);
        self.reload_templates().await?;
        Ok(self.config().needs_restart(config))
    }

    /// Reads the templates again. Those that cannot be read stay as they were, which is logged.
    ///
    /// # Errors
    /// When the templates of the host panic.
    pub async fn reload_templates(&self) -> anyhow::Result<()> {
        let slots = self.slots().clone();
        let unreadable = tokio::task::spawn_blocking(move || {
            slots.refresh();
            slots.unreadable()
        });
        if let Some(why) = unreadable.await? {
            tracing::warn!(why, "templates were not reloaded; keeping the loaded ones");
        }
        Ok(())
    }
}
