//! What an endpoint did not ask for, and what its format does not have: it is passed over, however old it is.

use std::time::Duration;

use chat_group_members::config::{Secret, Webhook, WebhookFormat};
use chat_group_members::membership::sweep;
use chat_group_members::store::Lane;
use reqwest::Method;
use serde_json::json;

use super::receiver::Receiver;
use super::{KEY, ask, operate, state, webhook};
use crate::support::{World, eventually, uid};

/// How long an event is tried, in milliseconds, and a little more.
const THREE_DAYS: i64 = 3 * 24 * 3_600_000 + 1;
/// For so long an event stays in the log after that, in milliseconds.
const TWO_HOURS: i64 = 2 * 3_600_000;

/// The cast, and an endpoint of this format that has all that it asks for (everything where nothing is listed) and is paused.
async fn paused(receiver: &Receiver, events: &[&str], format: WebhookFormat) -> World {
    let url = receiver.url.clone();
    let world = World::with(|config| {
        let all = webhook(&url);
        let asked = events.iter().map(|kind| (*kind).to_owned()).collect();
        let events = if events.is_empty() { all.events.clone() } else { asked };
        config.webhooks = vec![Webhook { events, format, ..all }];
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await;
    eventually("nothing waits", || async { state(&world).await["backlog"] == 0 }).await;
    operate(&world, "pause", json!({})).await;
    eventually("it is paused", || async { state(&world).await["state"] == "paused" }).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    world
}

/// Zed, who is in no group, is made known and erased.
async fn zed_is_erased(world: &World) {
    ask(world, Method::POST, "/v3/users", Some(json!({"uid": "zed", "name": "Zed"}))).await.ok();
    ask(world, Method::DELETE, "/v3/users/zed", Some(json!({"permanent": true}))).await.ok();
}

/// Its node has said that it knows the endpoint, since the time went on.
async fn endpoint_is_known(world: &World) {
    eventually("the node says that it knows the endpoint", || async {
        let known = world.app.store().read().await.unwrap().endpoints().await.unwrap();
        known.first().is_some_and(|endpoint| world.clock.now() - endpoint.seen_at < 60_000)
    })
    .await;
}

/// A paused endpoint that asks for who leaves: ten scope changes wait for it, and that Eve has left.
async fn with_scope_changes_that_nobody_asked_for(receiver: &Receiver) -> World {
    let world = paused(receiver, &["member.left"], WebhookFormat::Standard).await;
    for turn in 0..10 {
        world.ada.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
    }
    world.eve.leave().await.ok();
    world
}

async fn nothing_waits(world: &World) {
    eventually("nothing waits", || async { state(world).await["backlog"] == 0 }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scope_changes_that_nobody_asked_for_are_not_dead_after_three_days_and_eve_s_leaving_is() {
    let receiver = Receiver::new().await;
    let world = with_scope_changes_that_nobody_asked_for(&receiver).await;
    zed_is_erased(&world).await;
    world.clock.advance(THREE_DAYS);
    world.dee.leave().await.ok();
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
    nothing_waits(&world).await;
    assert_eq!(state(&world).await["dead"], 1, "Eve's leaving alone");
    let told: Vec<_> = receiver.calls().iter().map(|call| call.data()["member"]["uid"].clone()).collect();
    assert_eq!(told, ["dee"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scope_changes_that_nobody_asked_for_are_not_dead_though_the_log_was_pruned_before_the_endpoint_went_on() {
    let receiver = Receiver::new().await;
    let world = with_scope_changes_that_nobody_asked_for(&receiver).await;
    world.clock.advance(THREE_DAYS);
    endpoint_is_known(&world).await;
    sweep(world.app.store(), 1).await.unwrap();
    world.dee.leave().await.ok();
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
    nothing_waits(&world).await;
    assert_eq!(state(&world).await["dead"], 1, "Eve's leaving alone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_original_does_not_have_is_not_dead_after_three_days() {
    let receiver = Receiver::new().await;
    let world = paused(&receiver, &[], WebhookFormat::Original).await;
    world.ada.act(Method::POST, "/groups/den/members/eve/notes", json!({"text": "Loud at night."})).await.ok();
    world.ada.mute("eve", json!({"until": 3600, "reason": "noise"})).await.ok();
    zed_is_erased(&world).await;
    world.clock.advance(THREE_DAYS);
    let before = receiver.calls().len();
    operate(&world, "resume", json!({})).await;
    nothing_waits(&world).await;
    assert_eq!((state(&world).await["dead"].as_u64(), receiver.calls().len()), (Some(0), before));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutes_and_notes_are_not_dead_in_the_original_s_format_though_the_log_was_pruned_before_the_endpoint_went_on() {
    let receiver = Receiver::new().await;
    let asked = ["member.muted", "member.unmuted", "note.added", "note.removed", "member.updated"];
    let world = paused(&receiver, &asked, WebhookFormat::Original).await;
    let log = format!("/v3/groups/den/events?after={}", world.head("den").await);
    world.ada.act(Method::POST, "/groups/den/members/eve/notes", json!({"text": "Loud at night."})).await.ok();
    world.ada.mute("eve", json!({"until": 3600, "reason": "noise"})).await.ok();
    world.clock.advance(THREE_DAYS + TWO_HOURS);
    endpoint_is_known(&world).await;
    sweep(world.app.store(), 1).await.unwrap();
    assert_eq!(ask(&world, Method::GET, &log, None).await.status, 410, "the note is not kept any more");
    operate(&world, "resume", json!({})).await;
    nothing_waits(&world).await;
    assert_eq!(state(&world).await["dead"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lane_of_zed_s_erasure_is_deleted_though_an_endpoint_that_did_not_ask_for_it_was_paused_for_three_days() {
    let receiver = Receiver::new().await;
    let world = paused(&receiver, &["member.left"], WebhookFormat::Standard).await;
    let lane = Lane::Outbox(Some(world.app.store().pseudonyms().of(&uid("zed"))));
    let stored = async || world.app.store().read().await.unwrap().outbox(&lane, 0, 10).await.unwrap();
    zed_is_erased(&world).await;
    assert_eq!(stored().await.0, 1);
    eventually("the erasure has ended", || async {
        world.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
    world.clock.advance(THREE_DAYS);
    endpoint_is_known(&world).await;
    sweep(world.app.store(), 10_000).await.unwrap();
    assert!(stored().await.1.is_empty(), "it is too old");
    operate(&world, "resume", json!({})).await;
    nothing_waits(&world).await;
    assert_eq!(state(&world).await["dead"], 0);
    eventually("the lane is gone", || async {
        // The lease of the node that delivers is over.
        world.clock.advance(7_000);
        sweep(world.app.store(), 10_000).await.unwrap();
        stored().await.0 == 0
    })
    .await;
}
