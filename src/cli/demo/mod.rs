//! `demo`: a host application with a chat page (header, messages, composer) and the component beside it. Its group is
//! seeded at every start.
//!
//! Not here: anything that the service itself needs.

mod chat;
mod folder;
mod host;
mod messages;
mod page;
mod people;
mod raid;
mod simulation;
mod simulation_state;

use anyhow::Context;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use tokio::signal::unix::{SignalKind, signal};

use self::folder::DemoFolder;
use self::host::Demo;
use crate::config::{Config, ConfigError, Options};
use crate::listener::Listener;
use crate::serve::{serve_router, shutdown_signal};

/// Most bytes of a form: a message of 2,000 characters, percent-encoded.
const MAX_BODY: usize = 32 * 1024;

/// Serves the chat page, on this machine only.
///
/// Its database is in a temporary folder, which is created at every start and removed at the end.
///
/// # Errors
/// When the address is not a loopback address, or it or the database cannot be opened.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let listener = Listener::bind(&config.listen).await?;
    let address = listener.tcp_address().filter(|_| listener.is_loopback());
    let address = address.with_context(|| {
        format!(
            "the demo lets everybody be everybody, so it listens on this machine only: \
             give --listen 127.0.0.1:PORT, not {}",
            config.listen
        )
    })?;
    let folder = DemoFolder::create()?;
    let demo = Demo::open(config, address, folder.path()).await?;
    simulation::simulate_presence(demo.clone());
    let mut hangups = signal(SignalKind::hangup()).context("cannot handle SIGHUP")?;
    let app = demo.app().clone();
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            match app.reload_templates().await {
                Ok(()) => tracing::info!("templates were read again; everything else of the demo stays as it is"),
                Err(error) => tracing::error!("templates cannot be read again: {error:#}"),
            }
        }
    });
    let shutdown = async {
        let kind = shutdown_signal().await;
        demo.0.end.cancel();
        kind
    };
    serve_router(demo.app().clone(), router(&demo), listener, shutdown).await
}

/// Refuses flags that would have no effect: the demo reaches nothing beyond itself.
///
/// # Errors
/// [`ConfigError::Value`] for the first such flag.
pub fn check_flags(flags: &Options) -> Result<(), ConfigError> {
    let own = [
        ("--database-url", flags.database_url.is_some()),
        ("--viewer-secret", !flags.viewer_secret.is_empty()),
        ("--viewer-jwks", flags.viewer_jwks.is_some()),
        ("--viewer-cookie", flags.viewer_cookie.is_some()),
        ("--base-path", flags.base_path.is_some()),
        ("--public-url", flags.public_url.is_some()),
    ];
    let webhooks = [("--webhook-url", flags.webhook_url.is_some())];
    match own.into_iter().chain(flags.transport()).chain(webhooks).find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(ConfigError::Value {
            place: flag.into(),
            problem: "the demo sets this itself, with a database of its own; run `serve` to use it".into(),
        }),
        None => Ok(()),
    }
}

/// The routes of the host application, merged with the service's.
fn router(demo: &Demo) -> Router {
    let own = Router::new()
        .route("/", get(page::show))
        .route("/demo/look", post(page::switch_viewer))
        .route("/demo/messages", post(messages::post_message))
        .route("/demo/messages/events", get(messages::stream))
        .route("/demo/simulation", post(simulation::start))
        .route("/demo/raid", post(raid::start))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(demo.clone());
    own.merge(demo.app().router())
}
