//! Watching a group while it is synchronised: rows of a small sync, and one request to fetch the window again of a large one.

use serde_json::{Value, json};

use super::KEY;
use super::upload::{text, world};
use crate::support::World;
use crate::support::sse::Message;

/// Lets the host put these rows into `den`; `query` says how.
async fn sync(world: &World, query: &str, rows: &[Value]) {
    let request = reqwest::Client::new()
        .put(format!("{}/v3/groups/den/members{query}", world.url))
        .header("apikey", KEY)
        .header("content-type", "application/x-ndjson");
    let answer = request.body(text(rows)).send().await.unwrap().text().await.unwrap();
    assert!(answer.contains("\"result\""), "{answer}");
}

/// Ada, Eve and so many others, of whom all are new.
fn crowd(others: usize) -> Vec<Value> {
    let known = ["ada", "eve"].map(|uid| json!({"uid": uid})).into_iter();
    known.chain((0..others).map(|n| json!({"uid": format!("u{n}"), "name": format!("User {n}")}))).collect()
}

/// How many of these messages tell a screen to fetch its window again.
fn resyncs(messages: &[Message]) -> usize {
    messages.iter().filter(|message| message.has("li[data-note=resync]")).count()
}

#[tokio::test]
async fn whoever_watches_a_large_sync_gets_one_resync() {
    let world = world().await;
    let (mut data, mut screen) = (world.eve.events().await, world.ada.stream().await);
    data.until("ready", |message| message.name() == "ready").await;
    sync(&world, "", &crowd(3_000)).await;
    let synced = data.until("the sync", |message| message.name() == "members_synced").await;
    assert_eq!(synced.seq(), world.head("den").await);
    let messages = screen.up_to(synced.seq()).await;
    assert_eq!(resyncs(&messages), 1, "{messages:#?}");
    assert_eq!(resyncs(&messages[messages.len() - 1..]), 1, "with the number of the sync");

    world.ada.kick("u7").await.ok();
    let next =
        data.until("the next event", |message| message.id.is_some() && message.name().starts_with("member")).await;
    assert_eq!((next.name(), next.seq()), ("member_kicked", synced.seq() + 1), "one event was all");
    let messages = screen.up_to(next.seq()).await;
    assert_eq!(resyncs(&messages), 0, "{messages:#?}");
    assert!(messages.last().unwrap().misses("u7"), "{messages:#?}");
}

#[tokio::test]
async fn nobody_resyncs_whose_screen_can_be_told_what_changed() {
    let world = world().await;
    let mut screen = world.ada.stream().await;
    let mut elsewhere = world.ada.raw("/groups/park/events", &[]).await;
    let before = screen.next().await.unwrap().id.unwrap();

    sync(&world, "?mode=partial", &[json!({"uid": "gus", "name": "Gus"}), json!({"uid": "zoe", "name": "Zoe"})]).await;
    let messages = screen.up_to(world.head("den").await).await;
    assert_eq!(resyncs(&messages), 0, "{messages:#?}");
    let last = messages.last().unwrap();
    assert!(last.shows("gus") && last.shows("zoe"), "{last:?}");
    let mut back = world.ada.raw("/groups/den/events", &[("last-event-id", &before)]).await;
    let first = back.next().await.unwrap();
    assert!(resyncs(std::slice::from_ref(&first)) == 0 && first.shows("gus"), "nor does who comes back: {first:?}");

    // A large sync: whoever watches another group, or comes back from after it, does not need to look again.
    let before = last.id.clone().unwrap();
    sync(&world, "", &crowd(1_000)).await;
    let messages = screen.up_to(world.head("den").await).await;
    let after = messages.last().unwrap().id.clone().unwrap();
    world.gus.join().await.ok();
    let messages = elsewhere.up_to(world.head("park").await).await;
    assert!(resyncs(&messages) == 0 && messages.last().unwrap().shows("gus"), "{messages:#?}");
    for (id, expected) in [(before, 1), (after, 0)] {
        let mut back = world.ada.raw("/groups/den/events", &[("last-event-id", &id)]).await;
        let mut messages = vec![back.next().await.unwrap()];
        world.ada.set_scope("u7", if expected == 1 { "moderator" } else { "participant" }).await.ok();
        messages.extend(back.up_to(world.head("den").await).await);
        assert_eq!(resyncs(&messages), expected, "{id}: {messages:#?}");
    }
}
