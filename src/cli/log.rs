//! Logging to standard error. Log lines contain no names, tokens or query strings.

use std::fs::File;
use std::io::{IsTerminal, stderr};
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;

use anyhow::Context as _;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, fmt, reload};

use crate::config::{Config, LogFormat};
use crate::print;

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

/// Other crates that log secrets of a connection, and the level above which none of their lines is written, whatever the filter says.
/// async-nats logs its options at `debug` and `trace`, with the password of `--nats-url`; sqlx warns of parameters of an address that it
/// does not know, with their values.
const CAPPED: [(&str, LevelFilter); 2] =
    [("async_nats", LevelFilter::INFO), ("sqlx_postgres::options", LevelFilter::OFF)];

/// Whether a line may be written at all: none that another crate writes with a secret in it.
fn is_free_of_secrets(line: &Metadata<'_>) -> bool {
    let is_of =
        |module: &str| line.target().strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    CAPPED.into_iter().find(|(module, _)| is_of(module)).is_none_or(|(_, most)| *line.level() <= most)
}

/// Starts logging as configured.
///
/// # Errors
/// When the filter cannot be parsed.
pub fn start(config: &Config) -> anyhow::Result<LogFilter> {
    let (filter, handle) = reload::Layer::new(filter(config)?);
    let registry = tracing_subscriber::registry().with(filter).with(filter_fn(is_free_of_secrets));
    let lines = fmt::layer().with_writer(stderr).with_ansi(has_colours());
    let is_journal = is_journal();
    match config.log_format {
        LogFormat::Text => {
            registry.with(lines.compact().map_event_format(|format| WithPriority { format, is_journal })).init();
        }
        LogFormat::Json => {
            print::write_notes_as_json();
            registry.with(lines.json().map_event_format(|format| WithPriority { format, is_journal })).init();
        }
    }
    Ok(LogFilter(handle))
}

/// Log lines that begin with their priority where the journal of systemd reads them, so that `journalctl -p warning` finds warnings
/// (sd-daemon(3)).
struct WithPriority<F> {
    format: F,
    is_journal: bool,
}

impl<S, N, F> FormatEvent<S, N> for WithPriority<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        if self.is_journal {
            write!(writer, "<{}>", priority(*event.metadata().level()))?;
        }
        self.format.format_event(context, writer, event)
    }
}

/// The priority of a level by syslog(3).
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        _ => 7,
    }
}

/// Whether standard error leads to the journal: systemd names that stream by device and inode (`JOURNAL_STREAM`, systemd.exec(5)).
fn is_journal() -> bool {
    let Ok(named) = std::env::var("JOURNAL_STREAM") else { return false };
    let opened = stderr().as_fd().try_clone_to_owned().and_then(|stream| File::from(stream).metadata());
    opened.is_ok_and(|meta| named == format!("{}:{}", meta.dev(), meta.ino()))
}

/// The configured filter.
///
/// # Errors
/// When it cannot be parsed, which the configuration has checked where it was read from options.
pub fn filter(config: &Config) -> anyhow::Result<EnvFilter> {
    EnvFilter::try_new(&config.log).context("the filter of log lines")
}

/// Files and pipes get plain text; so do terminals of people who want it (<https://no-color.org>).
fn has_colours() -> bool {
    stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;

    #[test]
    fn no_filter_lets_through_what_other_crates_write_with_secrets_in_it() {
        let mut log = tempfile::tempfile().unwrap();
        let filter = EnvFilter::new("trace,async_nats::connector=trace,sqlx_postgres::options::parse=trace");
        let lines = fmt::layer().with_writer(log.try_clone().unwrap()).with_ansi(false);
        let logged = tracing_subscriber::registry().with(filter).with(filter_fn(is_free_of_secrets)).with(lines);
        tracing::subscriber::with_default(logged, || {
            tracing::debug!(target: "async_nats::connector", "hunter1");
            tracing::trace!(target: "async_nats", "hunter2");
            tracing::warn!(target: "sqlx_postgres::options::parse", "hunter3");
            tracing::info!(target: "async_nats::connector", "connected");
            tracing::debug!(target: "sqlx_postgres::options_of_another", "harmless");
            tracing::debug!("ours");
        });
        let mut written = String::new();
        log.rewind().unwrap();
        log.read_to_string(&mut written).unwrap();
        assert!(["connected", "harmless", "ours"].iter().all(|line| written.contains(line)), "{written}");
        assert!(!written.contains("hunter"), "{written}");
    }
}
