//! `serve`: the service.

use crate::app::App;
use crate::config::Config;
use crate::serve::{outlive_file_limits, serve, told_to_end};

/// Runs the service until it is told to end.
///
/// # Errors
/// Without a viewer key, database, or address to listen on.
pub async fn run(config: Config) -> anyhow::Result<()> {
    config.require_viewer_key()?;
    outlive_file_limits();
    let listen = config.listen;
    let app = App::open(config).await?;
    serve(app, listen, told_to_end()).await
}
