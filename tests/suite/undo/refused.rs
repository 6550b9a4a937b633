//! What a refused undo says of what has happened since: never the act itself that it was to undo.

use std::time::Duration;

use chat_group_members::config::Secret;
use reqwest::Method;
use serde_json::json;

use super::{bans, undo};
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

/// The host erases somebody.
async fn erase(world: &World, uid: &str) {
    let erase = world.ada.anonymous(Method::DELETE, &format!("/v3/users/{uid}")).header("apikey", KEY);
    send(erase.json(&json!({"permanent": true}))).await.ok();
}

/// Waits until the log names nobody any more who was erased.
async fn erasures_have_ended(world: &World) {
    let store = world.app.store();
    eventually("the erasure has ended", async || store.read().await.unwrap().erasures().await.unwrap().is_empty())
        .await;
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
    erase(&world, "dee").await;
    assert_eq!(refusal(&world.cy, kicked).await, SINCE);
    erasures_have_ended(&world).await;
    assert_eq!(refusal(&world.cy, kicked).await, SINCE);
}

#[tokio::test]
async fn of_somebody_who_was_out_and_is_erased_neither_a_ban_nor_a_mute_comes_back() {
    let world = world().await;
    let mut lifted = Vec::new();
    // Nobody has named Gus: he is no user.
    for uid in ["dee", "gus"] {
        world.cy.ban(uid, json!({"reason": "rude"})).await.ok();
        world.cy.unban(uid).await.ok();
        lifted.push(world.head("den").await);
    }
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    world.eve.leave().await.ok();
    world.cy.unmute("eve").await.ok();
    lifted.push(world.head("den").await);
    for uid in ["dee", "gus", "eve"] {
        erase(&world, uid).await;
    }
    let head = world.head("den").await;
    for seq in &lifted {
        assert_eq!(refusal(&world.cy, *seq).await, SINCE);
    }
    erasures_have_ended(&world).await;
    for seq in &lifted {
        assert_eq!(refusal(&world.cy, *seq).await, SINCE);
    }
    assert_eq!(world.head("den").await, head);
}

#[tokio::test]
async fn of_somebody_whom_nobody_has_named_a_ban_that_was_lifted_comes_back() {
    let world = world().await;
    world.cy.ban("gus", json!({"reason": "rude"})).await.ok();
    let banned = bans(&world).await;
    world.cy.unban("gus").await.ok();
    let unbanned = world.head("den").await;
    assert_ne!(bans(&world).await, banned);
    undo(&world.cy, unbanned).await.ok();
    assert_eq!(bans(&world).await, banned);
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

#[tokio::test]
async fn the_ban_of_somebody_who_was_erased_before_it_was_lifted_comes_back() {
    let world = world().await;
    world.cy.ban("dee", json!({"reason": "rude"})).await.ok();
    erase(&world, "dee").await;
    erasures_have_ended(&world).await;
    let banned = bans(&world).await;
    world.cy.unban(banned["data"][0]["uid"].as_str().unwrap()).await.ok();
    let lifted = world.head("den").await;
    undo(&world.cy, lifted).await.ok();
    assert_eq!(bans(&world).await, banned);
}
