//! `serve`: the service.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::app::App;
use crate::config::Config;
use crate::serve::{outlive_file_limits, serve, told_to_end};
use crate::store::{Store, StoreError};

/// So long a database may take until it answers for the first time: it may be starting as well.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is asked, and how often the log says so.
const AGAIN: Duration = Duration::from_millis(500);
const TOLD: Duration = Duration::from_secs(5);

/// Runs the service until it is told to end.
///
/// # Errors
/// Without a viewer key, database, or address to listen on.
pub async fn run(config: Config) -> anyhow::Result<()> {
    config.require_viewer_key()?;
    outlive_file_limits();
    let listen = config.listen;
    let app = open(config).await?;
    serve(app, listen, told_to_end()).await
}

/// Opens the service, as soon as its database is there.
async fn open(config: Config) -> anyhow::Result<App> {
    let begun = Instant::now();
    let mut told = None::<Instant>;
    loop {
        let error = match App::open(config.clone()).await {
            Ok(app) => return Ok(app),
            Err(error) => error,
        };
        let Some(cause) = error.downcast_ref::<StoreError>() else { return Err(error) };
        if begun.elapsed() >= PATIENCE || !Store::is_retryable(&config.database_url, cause).await {
            return Err(error);
        }
        if told.is_none_or(|told| told.elapsed() >= TOLD) {
            tracing::warn!(%error, database = Store::location(&config.database_url), "waiting for the database");
            told = Some(Instant::now());
        }
        sleep(AGAIN).await;
    }
}
