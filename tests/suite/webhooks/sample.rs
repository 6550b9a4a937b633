//! The receiver in Rust that `docs/webhooks.md` shows: it compiles, and takes what is signed and nothing else.

use std::net::Ipv4Addr;
use std::sync::Mutex;

use axum::Router;
use axum::routing::post;
use serde_json::Value;

use super::receiver::SECRET;
use super::webhook;
use crate::support::{World, eventually};

include!("../../receivers/hook.rs");

/// The ids and events that were applied.
static APPLIED: Mutex<Vec<(String, Value)>> = Mutex::new(Vec::new());

async fn apply(id: &str, event: Value) {
    APPLIED.lock().unwrap().push((id.to_owned(), event));
}

/// Whether an event was applied that is like this.
fn was_applied(is_wanted: impl Fn(&str, &Value) -> bool) -> bool {
    APPLIED.lock().unwrap().iter().any(|(id, event)| is_wanted(id, event))
}

#[test]
fn the_page_shows_the_receiver_that_is_compiled_here() {
    let page = include_str!("../../../docs/webhooks.md");
    let (_, block) = page.split_once("\n```rust\n").unwrap();
    let (shown, _) = block.split_once("\n```\n").unwrap();
    assert_eq!(shown, include_str!("../../receivers/hook.rs").trim_end());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_receiver_in_rust_applies_that_dee_was_kicked_and_refuses_what_is_not_signed() {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}/hooks/members", listener.local_addr().unwrap());
    let state = Arc::new(Webhook::new(SECRET).unwrap());
    let router = Router::new().route("/hooks/members", post(hook)).with_state(state);
    tokio::spawn(async move { axum::serve(listener, router).await });

    let endpoint = webhook(&url);
    let world = World::with(move |config| config.webhooks = vec![endpoint]).await;
    world.cy.kick("dee").await.ok();
    eventually("Dee's kick is applied", || async {
        was_applied(|id, event| {
            id.starts_with("evt_") && event["type"] == "member.kicked" && event["data"]["member"]["uid"] == "dee"
        })
    })
    .await;

    let request = reqwest::Client::new().post(&url).header("webhook-id", "evt_forged").body("{}");
    let unsigned = request.send().await.unwrap();
    assert_eq!(unsigned.status(), 400);
    assert!(!was_applied(|id, _| id == "evt_forged"));
}
