//! Logging to standard error. Log lines contain no names, tokens or query strings.

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Starts logging as configured.
///
/// # Errors
/// When the filter cannot be parsed.
pub fn start(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log)?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Text => lines.compact().init(),
        LogFormat::Json => lines.json().init(),
    }
    Ok(())
}
