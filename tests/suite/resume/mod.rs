//! Streams that break and come back: nothing lost, nothing twice, in order, or an honest resync.

mod writers;

use chat_group_members::domain::{Act, Scope, Terms};
use chat_group_members::membership;
use chat_group_members::store::Store;
use futures_util::{StreamExt as _, stream};
use serde_json::json;

use crate::support::sse::Message;
use crate::support::{Actor, World, by_host, guid, select, uid};

const DATA: &str = "/groups/den/events?format=json";

/// The numbers of events that came, in order.
fn numbers(messages: &[Message]) -> Vec<u64> {
    messages.iter().filter(|message| message.id.is_some()).map(Message::seq).collect()
}

/// The id of the snapshot that data was read from.
async fn id_now(actor: &Actor) -> String {
    actor.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].as_str().unwrap().to_owned()
}

/// So many events: Eve is promoted and demoted in turn.
async fn flip(world: &World, times: usize) {
    for _ in 0..times {
        let now = world.scope("den", "eve").await.unwrap();
        let next = if now == Scope::Participant { Scope::Moderator } else { Scope::Participant };
        world.host_sets_scope("den", "eve", next).await;
    }
}

#[tokio::test]
async fn by_header_or_query_a_stream_goes_on_where_it_was() {
    let world = World::new().await;
    let id = id_now(&world.dee).await;
    let since = world.head("den").await;
    flip(&world, 5).await;
    let expected: Vec<u64> = (since + 1..=since + 5).collect();
    let mut by_header = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
    assert_eq!(numbers(&by_header.up_to(since + 5).await), expected);
    let mut by_query = world.dee.raw(&format!("{DATA}&lastEventId={id}"), &[]).await;
    assert_eq!(numbers(&by_query.up_to(since + 5).await), expected);
    // Both go on live, from there.
    flip(&world, 1).await;
    for stream in [&mut by_header, &mut by_query] {
        assert_eq!(numbers(&stream.up_to(since + 6).await), [since + 6]);
    }
}

#[tokio::test]
async fn the_header_wins_over_the_query() {
    let world = World::new().await;
    let old = id_now(&world.dee).await;
    let since = world.head("den").await;
    flip(&world, 3).await;
    let new = id_now(&world.dee).await;
    flip(&world, 1).await;
    let mut stream = world.dee.raw(&format!("{DATA}&lastEventId={old}"), &[("Last-Event-ID", &new)]).await;
    assert_eq!(numbers(&stream.up_to(since + 4).await), [since + 4]);
    let mut stream = world.dee.raw(&format!("{DATA}&lastEventId={new}"), &[("Last-Event-ID", "what is this")]).await;
    stream.next().await;
    assert_eq!(stream.next().await.unwrap().name(), "resync", "also one that cannot be read");
}

#[tokio::test]
async fn an_id_that_is_none_of_ours_is_answered_with_one_resync() {
    let world = World::new().await;
    let id = id_now(&world.dee).await;
    let (epoch, since) = (id.rsplit_once('.').unwrap().0.to_owned(), world.head("den").await);
    let strange = [
        "garbage".to_owned(),
        format!("anotherepoch.{since}"),
        format!("{epoch}.{}", since + 1000),
        format!("{epoch}.-1"),
        format!("{epoch}."),
        format!("{epoch}.99999999999999999999999"),
        "x".repeat(3000),
    ];
    for id in strange {
        let mut data = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
        assert_eq!(data.next().await.unwrap().name(), "ready", "{id}");
        let resync = data.next().await.unwrap();
        let now = world.head("den").await;
        assert_eq!((resync.name(), resync.seq()), ("resync", now), "{id}");
        assert!(resync.json()["id"].as_str().unwrap() == resync.id.unwrap());
        let mut html = world.dee.raw("/groups/den/events", &[("Last-Event-ID", &id)]).await;
        assert!(html.next().await.unwrap().has("li[data-note=resync]"), "{id}");
        flip(&world, 1).await;
        assert_eq!(numbers(&data.up_to(now + 1).await), [now + 1], "and no other");
        let message = html.up_to(now + 1).await.pop().unwrap();
        assert!(message.shows("eve") && !message.has("[data-note=resync]"), "{message:?}");
    }
}

#[tokio::test]
async fn a_number_of_another_group_is_no_number_of_this_one() {
    let world = World::new().await;
    flip(&world, 20).await;
    let id = id_now(&world.dee).await;
    let mut stream = world.dee.raw("/groups/park/events?format=json", &[("Last-Event-ID", &id)]).await;
    stream.next().await;
    assert_eq!(stream.next().await.unwrap().name(), "resync", "it lies beyond the end of this group's log");
}

#[tokio::test]
async fn what_was_told_before_is_told_again_only_to_whom_may_see_it() {
    let world = World::new().await;
    let id = id_now(&world.dee).await;
    world.cy.ban("eve", json!({"reason": "rude"})).await.ok();
    world.cy.unban("eve").await.ok();
    let head = world.head("den").await;
    let dee = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await.up_to(head).await;
    assert!(dee.iter().all(|message| !message.data.as_deref().unwrap_or_default().contains("rude")));
    assert_eq!(dee.last().unwrap().data, None, "the unban is a number only");
    let cy = world.cy.raw(DATA, &[("Last-Event-ID", &id)]).await.up_to(head).await;
    assert!(cy.iter().any(|message| message.data.as_deref().unwrap_or_default().contains("rude")));
    world.cy.kick("dee").await.ok();
    let refused = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
    assert_eq!(refused.status, 404, "and nobody who is out resumes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_events_resume_as_are_promised() {
    let world = World::new().await;
    let id = id_now(&world.dee).await;
    let since = world.head("den").await;
    // More than a node has at hand: they are read from the log.
    let many = 1_500;
    let store = world.app.store();
    let acts = stream::iter(0..many).map(|n| {
        let terms = Terms { reason: Some(format!("{n}")), message: None, until: None };
        membership::act(store, by_host("den"), uid("flo"), Act::Ban(terms))
    });
    // As many at a time as every machine writes before an act has waited too long.
    acts.buffer_unordered(100).for_each(|done| async move { drop(done.unwrap()) }).await;
    let mut stream = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
    let messages = stream.up_to(since + many).await;
    assert!(messages.iter().all(|message| message.name() != "resync"), "the last 10,000 resume");
    assert_eq!(numbers(&messages), (since + 1..=since + many).collect::<Vec<_>>());

    let back = world.dee.raw("/groups/den/events", &[("Last-Event-ID", &id)]).await.next().await.unwrap();
    assert!(!back.has("[data-note=resync]"), "a screen goes on as well");
    assert!(!back.shows("flo") && back.seq() == since + many);
    assert_eq!(back.html().select(&select("[data-note=event]")).count() as u64, many, "and the host hears of each");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_ten_thousand_events_outlast_a_sweep_and_resume_and_what_is_before_them_is_one_resync() {
    let world = World::new().await;
    let first = world.head("den").await + 1;
    let head = first + 10_100;
    world
        .write_by_hand(&format!(
            "INSERT INTO events (guid, seq, kind, at)
               WITH RECURSIVE numbers (seq) AS (SELECT {first} UNION ALL SELECT seq + 1 FROM numbers WHERE seq < {head})
               SELECT 'den', seq, 'group_updated', (SELECT max(e.at) FROM events e WHERE e.guid = 'den') FROM numbers;
             UPDATE groups SET seq = {head} WHERE guid = 'den'"
        ))
        .await;
    membership::sweep(world.app.store(), 10_000).await.unwrap();
    let id = id_now(&world.dee).await;
    let (epoch, last) = id.rsplit_once('.').unwrap();
    assert_eq!(last, head.to_string());
    let inside = format!("{epoch}.{}", head - 10_000);
    let messages = world.dee.raw(DATA, &[("Last-Event-ID", &inside)]).await.up_to(head).await;
    assert_eq!(numbers(&messages), (head - 9_999..=head).collect::<Vec<_>>());
    assert!(messages.iter().all(|message| message.name() != "resync"), "each of them came");
    let outside = format!("{epoch}.{}", head - 10_001);
    let mut data = world.dee.raw(DATA, &[("Last-Event-ID", &outside)]).await;
    assert_eq!(data.next().await.unwrap().name(), "ready");
    let resync = data.next().await.unwrap();
    assert_eq!((resync.name(), resync.seq()), ("resync", head));
    let path = "/groups/den/events";
    for (id, is_resync) in [(&inside, false), (&outside, true)] {
        let screen = world.dee.raw(path, &[("Last-Event-ID", id)]).await.next().await.unwrap();
        assert_eq!((screen.has("li[data-note=resync]"), screen.seq()), (is_resync, head), "since {id}");
    }
}

#[tokio::test]
async fn when_an_operator_begins_a_new_history_everybody_looks_again_and_nothing_restarts() {
    let world = World::new().await;
    let id = id_now(&world.dee).await;
    let (mut data, mut screen) = (world.dee.raw(DATA, &[]).await, world.dee.raw("/groups/den/events", &[]).await);
    Store::start_new_epoch(&world.app.config().database_url).await.unwrap();
    assert_eq!(data.rest().await.last().unwrap().name(), "bye");
    assert_eq!(screen.rest().await.last().unwrap().name(), "bye");
    let mut data = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
    let resync = data.until("a resync", |message| message.id.is_some()).await;
    assert_eq!(resync.name(), "resync");
    let now = resync.id.unwrap();
    assert_ne!(now.split('.').next(), id.split('.').next());
    assert_eq!(id_now(&world.dee).await, now, "the list is of the new one as well");
    world.host_kicks("den", "eve").await;
    assert_eq!(data.next().await.unwrap().name(), "member_kicked");
}

#[tokio::test]
async fn an_event_that_only_a_later_version_knows_is_read_past_and_what_it_changed_is_seen() {
    let world = World::new().await;
    let (mut screen, mut data) = (world.eve.stream().await, world.eve.events().await);
    let id = screen.next().await.unwrap().id.unwrap();
    let head = world.head("den").await;
    world
        .write_by_hand(&format!(
            "UPDATE groups SET seq = seq + 1 WHERE guid = 'den';
             UPDATE members SET scope = 1, seq = {seq} WHERE guid = 'den' AND uid = 'dee';
             INSERT INTO events (guid, seq, kind, at) VALUES ('den', {seq}, 'member_waved', 1800000000000);
             INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at) VALUES ('den', {seq}, 'dee', 0, 1, 1700000000)",
            seq = head + 1
        ))
        .await;
    let group = world.app.hub().group(&guid("den")).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
    data.until("everything is read again", |message| message.name() == "resync").await;
    screen.until("the list is fetched anew", |message| message.has("[data-note=resync]")).await;
    let list = world.eve.get("/groups/den/members").await.ok();
    assert_eq!(list.attribute("li[data-uid=dee]", "data-scope").as_deref(), Some("moderator"));
    world.ada.kick("cy").await.ok();
    let message = data.until("what came next", |message| message.name() == "member_kicked").await;
    assert_eq!(message.seq(), head + 2);
    let mut resumed = world.eve.raw("/groups/den/events?format=json", &[("last-event-id", id.as_str())]).await;
    resumed.until("everything is read again", |message| message.name() == "resync").await;
    let feed = world.eve.get("/groups/den/members?format=atom").await.ok();
    assert!(feed.body.contains("removed Cy") && !feed.body.contains("waved"), "{}", feed.body);
}
