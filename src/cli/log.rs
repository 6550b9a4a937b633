//! Logging to standard error. Log lines contain no names, tokens or query strings.

use std::fs::File;
use std::io::{IsTerminal, stderr};
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;

use anyhow::Context as _;
use tracing::{Event, Level, Subscriber};
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

/// Starts logging as configured.
///
/// # Errors
/// When the filter cannot be parsed.
pub fn start(config: &Config) -> anyhow::Result<LogFilter> {
    let (filter, handle) = reload::Layer::new(filter(config)?);
    let registry = tracing_subscriber::registry().with(filter);
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
