//! What is forgotten of a log: its beginning, and never anything behind what stays.

use chat_group_members::domain::Scope;
use chat_group_members::membership::sweep;
use reqwest::Method;
use serde_json::json;

use super::receiver::{Receiver, Reply};
use super::{state, world_sending_to_with};
use crate::support::{World, eventually, faults, guid};

const DAY: i64 = 24 * 3_600_000;

/// The numbers of the events that the log keeps of this group.
async fn kept(world: &World, group: &str) -> Vec<u64> {
    let mut reader = world.app.store().read().await.unwrap();
    let feed = reader.feed(&guid(group), 0, 1_000, None).await.unwrap().unwrap();
    feed.events.iter().map(|event| event.seq).collect()
}

/// An event in `den` for each of these: Dee is promoted and demoted in turn.
async fn happen(world: &World, times: usize) {
    for _ in 0..times {
        let is_participant = world.scope("den", "dee").await == Some(Scope::Participant);
        let next = if is_participant { Scope::Moderator } else { Scope::Participant };
        world.host_sets_scope("den", "dee", next).await;
    }
}

#[tokio::test]
async fn the_last_events_of_every_group_stay_and_an_act_before_them_is_not_undone() {
    let world = World::new().await;
    world.cy.kick("eve").await.ok();
    let kicked = world.head("den").await;
    happen(&world, 3).await;
    sweep(world.app.store(), 3).await.unwrap();
    for group in ["den", "park", "vault"] {
        let head = world.head(group).await;
        assert_eq!(kept(&world, group).await, [head - 2, head - 1, head], "{group}");
    }
    let path = format!("/groups/den/events/{kicked}/undo");
    world.cy.act(Method::POST, &path, json!({})).await.refused(404, "ERR_EVENT_NOT_FOUND");
    // No service keeps as few events as this sweep has left: the doctor misses the others.
    let mut found = faults(&world.app).await;
    found.retain(|fault| !fault.starts_with("events-gap: "));
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stays_of_a_log_has_no_gap_whatever_was_delivered_and_though_a_clock_went_back() {
    let receiver = Receiver::new().await;
    let world = world_sending_to_with(&receiver, |config| config.retention = 1).await;
    let head = world.head("den").await;
    receiver.answers(move |call, _| {
        let is_taken = call.data()["seq"].as_u64().is_some_and(|seq| seq <= head + 2);
        Reply::Status(if is_taken { 200 } else { 503 })
    });
    happen(&world, 4).await;
    eventually("two of them are delivered", || async { state(&world).await["backlog"] == 2 }).await;
    sweep(world.app.store(), 1).await.unwrap();
    assert_eq!(kept(&world, "den").await, [head + 3, head + 4], "what is not delivered yet");

    // One happens while the clock is five days ahead, and two when it is right again.
    world.clock.advance(5 * DAY);
    happen(&world, 1).await;
    world.clock.advance(-5 * DAY);
    happen(&world, 2).await;
    world.clock.advance(4 * DAY);
    eventually("the node says that it knows the endpoint", || async {
        let known = world.app.store().read().await.unwrap().endpoints().await.unwrap();
        world.clock.now() - known[0].seen_at < 60_000
    })
    .await;
    sweep(world.app.store(), 1).await.unwrap();
    assert_eq!(kept(&world, "den").await, [head + 5, head + 6, head + 7], "what is older than three days is gone");
}
