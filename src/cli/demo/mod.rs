//! `demo`: the shop window. A chat page as a host application would make one (header, messages,
//! composer), with the component beside it, and a group that is seeded afresh at every start.

mod chat;
mod folder;
mod host;
mod messages;
mod page;
mod people;
mod play;
mod stage;

use anyhow::ensure;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use self::folder::Folder;
use self::host::Demo;
use crate::config::Config;
use crate::serve::{serve_router, told_to_end};

/// Largest form, in bytes: a message of 2,000 characters in percent signs.
const BODY: usize = 32 * 1024;

/// Shows a chat page with a seeded group, on this machine only.
///
/// Its database lives in a folder of its own among the system's temporary files, made at every
/// start and removed at the end.
///
/// # Errors
/// When the address is not one of this machine alone, or it or the database cannot be opened.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let listen = config.listen;
    ensure!(
        listen.ip().is_loopback(),
        "the demo lets everybody be everybody, so it listens on this machine only: \
         give --listen 127.0.0.1:PORT, not {listen}"
    );
    let folder = Folder::make()?;
    let demo = Demo::open(config, folder.path()).await?;
    play::live_forever(demo.clone());
    let ended = async {
        let told = told_to_end().await;
        demo.0.end.cancel();
        told
    };
    serve_router(demo.app().clone(), router(&demo), listen, ended).await
}

/// The host application's routes, and the service's.
fn router(demo: &Demo) -> Router {
    let own = Router::new()
        .route("/", get(page::show))
        .route("/demo/look", post(page::look))
        .route("/demo/messages", post(messages::say))
        .route("/demo/messages/events", get(messages::stream))
        .route("/demo/stage", post(play::begin))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(demo.clone());
    own.merge(demo.app().router())
}
