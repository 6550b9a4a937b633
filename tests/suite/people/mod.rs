//! What the host decides about people besides their groups: logging out, presence, export and erasure.

mod erasure;
mod export;
mod forgotten;
mod logout;
mod picture;
mod presence;
mod staged;
mod undelivered;
mod zora;

use reqwest::Method;
use serde_json::Value;

use crate::support::actor::{send, with};
use crate::support::{Answer, World};
use crate::v3::KEY;

/// A world whose host has a key.
async fn world() -> World {
    World::with(|config| config.api_keys = vec![chat_group_members::config::Secret::new(KEY)]).await
}

/// Whether there can be another node beside it.
fn is_shared(world: &World) -> bool {
    world.app.config().database_url.starts_with("postgres")
}

/// The host asks.
async fn host(world: &World, method: Method, path: &str, body: Option<Value>) -> Answer {
    let request = with(world.ada.anonymous(method, path), &[("apikey", KEY)]);
    let request = if let Some(body) = body { request.json(&body) } else { request };
    send(request).await
}
