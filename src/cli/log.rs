//! Logging to standard error. Log lines contain no names, tokens or query strings.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, fmt, reload};

use crate::config::{Config, LogFormat};

/// The filter of log lines, which can be replaced.
pub struct LogFilter(reload::Handle<EnvFilter, Registry>);

impl LogFilter {
    /// Writes from now on what this filter lets through.
    ///
    /// # Errors
    /// When logging has ended.
    pub fn set(&self, filter: EnvFilter) -> anyhow::Result<()> {
        Ok(self.0.reload(filter)?)
    }
}

/// Starts logging as configured.
///
/// # Errors
/// When the filter cannot be parsed.
pub fn start(config: &Config) -> anyhow::Result<LogFilter> {
    let (filter, handle) = reload::Layer::new(filter(config)?);
    let registry = tracing_subscriber::registry().with(filter);
    let lines = fmt::layer().with_writer(stderr).with_ansi(has_colours());
    match config.log_format {
        LogFormat::Text => registry.with(lines.compact()).init(),
        LogFormat::Json => registry.with(lines.json()).init(),
    }
    Ok(LogFilter(handle))
}

/// The configured filter.
///
/// # Errors
/// When it cannot be parsed.
pub fn filter(config: &Config) -> anyhow::Result<EnvFilter> {
    // The syntax takes any other word for the name of a module, and a misspelled level would switch everything off.
    if let Some(word) = config.log.split(',').map(str::trim).find(|word| is_no_level(word)) {
        anyhow::bail!(
            "--log: {word:?} is no level (error, warn, info, debug, trace, off) and sets none, as in module=debug"
        );
    }
    EnvFilter::try_new(&config.log).map_err(|error| anyhow::anyhow!("--log: {error}"))
}

fn is_no_level(directive: &str) -> bool {
    !directive.is_empty() && !directive.contains(['=', '[']) && directive.parse::<LevelFilter>().is_err()
}

/// Files and pipes get plain text; so do terminals of people who want it (<https://no-color.org>).
fn has_colours() -> bool {
    stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
