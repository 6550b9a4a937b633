//! What a refused undo says of what has happened since: never the act itself that it was to undo.

use std::time::Duration;

use chat_group_members::config::Secret;
use reqwest::Method;
use serde_json::json;

use super::undo;
use crate::support::actor::send;
use crate::support::{Actor, World, eventually};
use crate::v3::KEY;

/// What is said where no act is named.
const SINCE: &str = "Something has happened to them since, so this was not undone.";

/// The cast, whose acts can be undone for ten minutes, and a host with a key.
async fn world() -> World {
    World::with(|config| {
        config.undo_window = Duration::from_secs(600);
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await
}

/// Why somebody does not undo this act, in words.
async fn refusal(actor: &Actor, seq: u64) -> String {
    let refused = undo(actor, seq).await;
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    refused.refused(409, "ERR_UNDO_OVERTAKEN");
    detail
}

#[tokio::test]
async fn of_somebody_who_was_erased_the_kick_itself_is_not_what_has_happened_since() {
    let world = world().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    let erase = world.ada.anonymous(Method::DELETE, "/v3/users/dee").header("apikey", KEY);
    send(erase.json(&json!({"permanent": true}))).await.ok();
    assert_eq!(refusal(&world.cy, kicked).await, SINCE);
    let store = world.app.store();
    eventually("the erasure has ended", async || store.read().await.unwrap().erasures().await.unwrap().is_empty())
        .await;
    assert_eq!(refusal(&world.cy, kicked).await, SINCE);
}

#[tokio::test]
async fn of_a_mute_that_has_run_out_the_mute_itself_is_not_what_has_happened_since() {
    let world = world().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    let muted = world.head("den").await;
    world.clock.advance(61_000);
    assert_eq!(refusal(&world.cy, muted).await, SINCE, "whether its end is logged yet or not");
}

#[tokio::test]
async fn what_somebody_else_has_done_since_is_named() {
    let world = world().await;
    world.cy.set_scope("dee", "moderator").await.ok();
    let promoted = world.head("den").await;
    world.ben.set_scope("dee", "participant").await.ok();
    let said = refusal(&world.cy, promoted).await;
    assert!(said.starts_with(SINCE) && said.contains("Ben"), "{said}");
}
