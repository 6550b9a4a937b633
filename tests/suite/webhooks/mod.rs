//! Webhooks, as a host's server gets them.

mod credentials;
mod cut_off;
mod delivery;
mod described;
mod erased_lanes;
mod failing;
mod lying;
mod many;
mod measured;
mod operating;
mod original;
mod original_counts;
mod original_fields;
mod original_large;
mod original_owner;
mod outbox;
mod presence;
pub mod receiver;
mod recovery;
mod replay;
mod retention;
mod sample;
mod slow;
mod unwanted;

use std::time::Duration;

use chat_group_members::config::{Config, Secret, SigningKey, Webhook, WebhookFormat};
use chat_group_members::domain::event_type::event_types;
use reqwest::{Method, Url};
use serde_json::Value;

use self::receiver::{Receiver, SECRET};
use crate::support::actor::{send, with};
use crate::support::{Answer, World};

/// A key of the host.
const KEY: &str = "0123456789abcdef";

/// An endpoint at this URL that gets everything but presence.
pub fn webhook(url: &str) -> Webhook {
    Webhook {
        url: Url::parse(url).unwrap(),
        keys: vec![SigningKey::parse(SECRET).unwrap()],
        events: event_types().into_iter().filter(|kind| kind != "user.presence").collect(),
        format: WebhookFormat::Standard,
        allow_private: false,
    }
}

/// The cast, and a host that is told what happens to them from now on.
async fn world_sending_to(receiver: &Receiver) -> World {
    world_sending_to_with(receiver, |_| {}).await
}

/// The same with options of one's own.
async fn world_sending_to_with(receiver: &Receiver, configure: impl FnOnce(&mut Config)) -> World {
    let url = receiver.url.clone();
    let world = World::with(|config| {
        config.webhooks = vec![webhook(&url)];
        config.api_keys = vec![Secret::new(KEY)];
        configure(config);
    })
    .await;
    // The cast was told of as well.
    for guid in ["den", "park", "vault"] {
        receiver.has_event(guid, world.head(guid).await).await;
    }
    world
}

/// The host asks.
async fn ask(world: &World, method: Method, path: &str, body: Option<Value>) -> Answer {
    let mut request = with(world.ada.anonymous(method, path), &[("apikey", KEY)]);
    if let Some(body) = body {
        request = request.json(&body);
    }
    send(request).await
}

/// What comes of this while time passes, an hour every two seconds: a try that fails just now is repeated that much
/// later, and one leap of the clock may come before it is noted. No more often: each leap ends the leases.
pub async fn while_time_passes<T>(world: &World, work: impl Future<Output = T>) -> T {
    let passing = async {
        loop {
            world.clock.advance(3_600_000);
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    };
    tokio::select! {
        value = work => value,
        () = passing => unreachable!("time goes on"),
    }
}

/// The state of the only endpoint.
pub async fn state(world: &World) -> Value {
    let listed = ask(world, Method::GET, "/v3/webhooks", None).await.ok().json();
    listed["data"].as_array().unwrap().iter().find(|one| one["configured"] == true).cloned().unwrap_or_default()
}

/// An operator does this to the only endpoint.
async fn operate(world: &World, verb: &str, body: Value) -> Value {
    let id = state(world).await["id"].as_str().unwrap().to_owned();
    ask(world, Method::POST, &format!("/v3/webhooks/{id}/{verb}"), Some(body)).await.ok().json()["data"].clone()
}
