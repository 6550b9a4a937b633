//! `serve`: runs the service.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep, timeout};

use super::log::{self, LogFilter};
use crate::app::App;
use crate::config::{Config, ConfigError, ConfigSource};
use crate::listener::Listener;
use crate::open_files;
use crate::serve::{Drain, SHUTDOWN_LIMIT, serve_metrics, serve_until_drained, shutdown_signal};
use crate::store::{Store, StoreError};
use crate::supervisor;

/// Longest wait for a database that is starting.
const DATABASE_WAIT: Duration = Duration::from_secs(30);
/// Time between two attempts to connect.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// Time between two log lines about the wait.
const LOG_INTERVAL: Duration = Duration::from_secs(5);
/// Longest wait for the files of a reload.
const READ_TIMEOUT: Duration = Duration::from_secs(5);
/// Most reloads whose files hang at one time: each holds a thread.
const MAX_HANGING: usize = 4;

/// Runs the service until a shutdown signal. At SIGHUP it reads `source` and the files that it names again.
///
/// # Errors
/// When there is no viewer key, or the database or the address cannot be opened.
pub async fn run(config: Config, source: ConfigSource, log: LogFilter) -> anyhow::Result<()> {
    config.require_viewer_key()?;
    open_files::raise_limit();
    // From now on the signal does not end the process: one that arrives before the service is open is handled once it
    // is.
    let hangups = signal(SignalKind::hangup()).context("cannot handle SIGHUP")?;
    let listener = Listener::bind(&config.listen).await?;
    if let Some(warning) = config.plain_http(listener.tcp_address()) {
        tracing::warn!("{warning}");
    }
    for webhook in config.webhooks.iter().filter(|webhook| webhook.keys.is_empty()) {
        let host = webhook.url.host_str().unwrap_or_default();
        tracing::warn!(
            "webhooks to {host} are not signed: whoever can reach it can send it events of their own; give it a secret"
        );
    }
    let metrics = match config.metrics_listen {
        Some(address) => Some(
            TcpListener::bind(address)
                .await
                .with_context(|| format!("cannot listen on {address} (--metrics-listen)"))?,
        ),
        None => None,
    };
    #[cfg(feature = "otlp")]
    let traces = config.otlp_endpoint.as_deref().map(super::traces::start).transpose()?;
    let shutdown = shutdown_signal();
    tokio::pin!(shutdown);
    // The first process of a container ignores signals that it does not handle.
    let app = tokio::select! {
        app = open(config) => app?,
        _ = &mut shutdown => {
            tracing::info!("stopped by a signal before the database was open");
            return Ok(());
        }
    };
    let signalled_at = OnceLock::new();
    let shutdown = async {
        let kind = shutdown.await;
        let _ = signalled_at.set(Instant::now());
        kind
    };
    if let Some(metrics) = metrics {
        serve_metrics(&app, metrics)?;
    }
    let served = tokio::select! {
        served = serve_until_drained(app.clone(), app.router(), listener, shutdown) => served,
        () = reload_forever(&app, hangups, &source, &log) => Ok(Drain::Complete),
    };
    let left = || SHUTDOWN_LIMIT.saturating_sub(signalled_at.get().map_or(Duration::ZERO, Instant::elapsed));
    let is_cut_short = matches!(served, Ok(Drain::CutShort));
    if !is_cut_short {
        // A second signal may also come now.
        tokio::select! {
            () = close(&app, left()) => {}
            _ = shutdown_signal() => {}
        }
    }
    #[cfg(feature = "otlp")]
    if let Some(traces) = traces
        && !is_cut_short
    {
        tokio::select! {
            () = traces.end(left()) => {}
            _ = shutdown_signal() => {}
        }
    }
    served.map(|_| ())
}

/// Closes the database, within this time.
async fn close(app: &App, within: Duration) {
    if timeout(within, app.close()).await.is_err() {
        tracing::warn!(
            "the database could not be closed in time: the next start finds the last acts in its write-ahead log"
        );
    }
}

/// Reads the configuration again at each signal. One that cannot be used changes nothing.
async fn reload_forever(app: &App, mut hangups: Signal, source: &ConfigSource, log: &LogFilter) {
    let mut hanging = Vec::new();
    while hangups.recv().await.is_some() {
        supervisor::reloading();
        match reload(app, source, log, &mut hanging).await {
            Ok(unchanged) if unchanged.is_empty() => tracing::info!("configuration reloaded"),
            Ok(unchanged) => tracing::warn!(
                options = unchanged.join(", "),
                "configuration reloaded; these options have changed and take effect with a restart"
            ),
            Err(error) => tracing::error!("cannot reload the configuration, the one before stays: {error:#}"),
        }
        supervisor::ready();
    }
    std::future::pending::<()>().await;
}

/// A thread that reads the configuration.
type Reading = JoinHandle<Result<Config, ConfigError>>;

async fn reload(
    app: &App,
    source: &ConfigSource,
    log: &LogFilter,
    hanging: &mut Vec<Reading>,
) -> anyhow::Result<Vec<&'static str>> {
    let config = read(source, hanging).await?;
    let filter = log::filter(&config)?;
    let unchanged = app.reload(&config).await?;
    log.set(filter)?;
    Ok(unchanged)
}

/// Reads the configuration in a thread of its own: a file on a server that is away, or one that nobody writes to, hangs. A thread cannot be
/// ended: those that hang are kept in `hanging`, and no further one is started beside [`MAX_HANGING`].
async fn read(source: &ConfigSource, hanging: &mut Vec<Reading>) -> anyhow::Result<Config> {
    hanging.retain(|reading| !reading.is_finished());
    ensure!(
        hanging.len() < MAX_HANGING,
        "the file of the configuration, or one that it names, hangs: so many reads of earlier reloads wait for it that no \
         further one is begun"
    );
    let source = source.clone();
    let mut reading = spawn_blocking(move || source.load());
    match timeout(READ_TIMEOUT, &mut reading).await {
        Ok(config) => Ok(config??),
        Err(_) => {
            hanging.push(reading);
            bail!(
                "the file of the configuration, or one that it names, cannot be read within {} s",
                READ_TIMEOUT.as_secs()
            )
        }
    }
}

/// Opens the service as soon as its database accepts connections.
async fn open(config: Config) -> anyhow::Result<App> {
    let begun = Instant::now();
    let mut logged = None::<Instant>;
    loop {
        let error = match App::open(config.clone()).await {
            Ok(app) => return Ok(app),
            Err(error) => error,
        };
        let Some(cause) = error.downcast_ref::<StoreError>() else { return Err(error) };
        // Behind a pooler both addresses are opened, the direct one first.
        let url = config.direct_database_url();
        let is_retryable = Store::is_retryable(url, cause).await
            && (url == config.database_url || Store::is_retryable(&config.database_url, cause).await);
        if begun.elapsed() >= DATABASE_WAIT || !is_retryable {
            return Err(error);
        }
        if logged.is_none_or(|logged| logged.elapsed() >= LOG_INTERVAL) {
            tracing::warn!(%error, database = Store::location(url), "waiting for the database");
            logged = Some(Instant::now());
        }
        sleep(RETRY_INTERVAL).await;
    }
}
