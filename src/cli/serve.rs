//! `serve`: runs the service.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::app::App;
use crate::config::Config;
use crate::serve::{bind, outlive_file_limits, serve, serve_metrics, shutdown_signal};
use crate::store::{Store, StoreError};

/// Longest wait for a database that is starting.
const DATABASE_WAIT: Duration = Duration::from_secs(30);
/// Time between two attempts to connect.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// Time between two log lines about the wait.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// Runs the service until a shutdown signal.
///
/// # Errors
/// When there is no viewer key, or the database or the address cannot be opened.
pub async fn run(config: Config) -> anyhow::Result<()> {
    config.require_viewer_key()?;
    outlive_file_limits();
    let listener = bind(config.listen).await?;
    let metrics = match config.metrics_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let app = open(config).await?;
    if let Some(metrics) = metrics {
        serve_metrics(&app, metrics)?;
    }
    serve(app, listener, shutdown_signal()).await
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
        if begun.elapsed() >= DATABASE_WAIT || !Store::is_retryable(&config.database_url, cause).await {
            return Err(error);
        }
        if logged.is_none_or(|logged| logged.elapsed() >= LOG_INTERVAL) {
            tracing::warn!(%error, database = Store::location(&config.database_url), "waiting for the database");
            logged = Some(Instant::now());
        }
        sleep(RETRY_INTERVAL).await;
    }
}
