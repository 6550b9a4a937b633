//! A raid: hundreds are muted at once, and may speak again together. Participants neither see it nor fetch anything.
//! Roles that end together are seen by everybody.

use std::slice::from_ref;

use chat_group_members::config::Wake;
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::json;

use crate::support::screen::Screen;
use crate::support::sse::Message;
use crate::support::{Actor, World, eventually, faults, guid};

const LIST: &str = "/groups/den/members";
const STREAM: &str = "/groups/den/events";
const NOTICE: &str = ".chat-group-members__notice";

/// So many people more in the den, and the node knows them.
async fn raid(world: &World, size: usize) -> Vec<String> {
    let names: Vec<String> = (0..size).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", GroupType::Private, people).await;
    let group = world.app.hub().group(&guid("den")).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
    names
}

/// Cy does this to all of them in one transaction, for so many seconds.
async fn act(world: &World, act: &str, names: &[String], seconds: u64) {
    let body = json!({"act": act, "uid": names, "until": seconds, "message": "Shh."});
    world.cy.act(Method::POST, "/groups/den/bulk", body).await.ok();
}

/// The id of the list as it is now.
async fn id_now(actor: &Actor) -> String {
    actor.data(&format!("{LIST}?limit=1")).await.ok().json()["meta"]["id"].as_str().unwrap().to_owned()
}

/// What a screen is told first that comes back from this id.
async fn back(actor: &Actor, id: &str) -> Message {
    actor.raw(STREAM, &[("last-event-id", id)]).await.next().await.unwrap()
}

/// How many of these messages tell a screen to fetch its window again.
fn resyncs(messages: &[Message]) -> usize {
    messages.iter().filter(|message| message.has("li[data-note=resync]")).count()
}

/// Whether these messages change no row, and have the screen fetch nothing.
fn are_nothing(messages: &[Message]) -> bool {
    let rows = "li[data-uid], li[data-note=resync], li[data-note=renew]";
    let events = "[data-name=member-muted], [data-name=member-unmuted]";
    messages.iter().all(|message| !message.has(rows) && !message.has(events))
}

/// The numbers of events that came, in order.
fn numbers(messages: &[Message]) -> Vec<u64> {
    messages.iter().filter(|message| message.id.is_some()).map(Message::seq).collect()
}

/// The people in events of this name, sorted.
fn people(messages: &[Message], name: &str) -> Vec<String> {
    let named = messages.iter().filter(|message| message.name() == name).map(Message::json);
    let mut uids: Vec<_> = named.map(|event| event["member"]["uid"].as_str().unwrap().to_owned()).collect();
    uids.sort();
    uids
}

#[tokio::test]
async fn six_hundred_mutes_at_once_are_a_resync_for_staff_and_nothing_for_participants() {
    let here = World::with(|config| config.wake = Wake::None).await;
    let names = raid(&here, 600).await;
    let there = here.beside().await;
    let mut streams = Vec::new();
    for node in [&here, &there] {
        let screens = (node.cy.stream().await, node.eve.stream().await);
        streams.push((screens, (node.cy.events().await, node.eve.events().await)));
    }
    let (before, since) = (id_now(&here.eve).await, here.head("den").await);
    act(&here, "mute", &names, 3600).await;
    let head = here.head("den").await;
    assert_eq!(head, since + 600);
    for ((cy, eve), (staff, data)) in &mut streams {
        let messages = cy.up_to(head).await;
        assert_eq!(resyncs(&messages), 1, "{messages:#?}");
        let messages = eve.up_to(head).await;
        assert!(are_nothing(&messages), "{messages:#?}");
        let messages = staff.up_to(head).await;
        assert_eq!(messages.iter().filter(|message| message.name() == "member_muted").count(), 600);
        let messages = data.up_to(head).await;
        assert_eq!(numbers(&messages), (since + 1..=head).collect::<Vec<_>>());
        assert!(messages.iter().all(|message| message.id.is_none() || message.data.is_none()), "{messages:#?}");
    }
    for node in [&here, &there] {
        let message = back(&node.cy, &before).await;
        assert_eq!(resyncs(from_ref(&message)), 1, "{message:?}");
        let message = back(&node.eve, &before).await;
        assert!(are_nothing(from_ref(&message)) && message.seq() == head, "{message:?}");
    }
}

#[tokio::test]
async fn whoever_is_muted_among_six_hundred_reads_it() {
    let world = World::new().await;
    let mut names = raid(&world, 600).await;
    names[599] = "dee".into();
    let (mut screen, mut data) = (world.dee.stream().await, world.dee.events().await);
    let before = id_now(&world.dee).await;
    act(&world, "mute", &names, 3600).await;
    let message = screen.until("the notice", |message| message.has("li[data-note=renew]")).await;
    assert!(message.has(NOTICE), "{message:?}");
    let messages = data.up_to(world.head("den").await).await;
    let mutes: Vec<_> = messages.iter().filter(|message| message.name() == "member_muted").map(Message::json).collect();
    assert_eq!(mutes.len(), 1, "{mutes:?}");
    assert_eq!((&mutes[0]["member"]["uid"], &mutes[0]["message"]), (&json!("dee"), &json!("Shh.")));
    let message = back(&world.dee, &before).await;
    assert!(message.has("li[data-note=renew]"), "{message:?}");
    assert!(world.dee.get(&format!("{LIST}?part=component")).await.ok().has(NOTICE));
}

#[tokio::test]
async fn when_six_hundred_mutes_end_together_staff_see_it_and_participants_are_told_nothing() {
    let world = World::new().await;
    let mut names = raid(&world, 600).await;
    names[599] = "dee".into();
    act(&world, "mute", &names, 60).await;
    let (mut dee, mut eve) = (world.dee.stream().await, world.eve.stream().await);
    let mut screen = Screen::open(&world.cy, "den", "hideUserStatus=true&limit=10").await;
    let (before, head) = (id_now(&world.eve).await, world.head("den").await + 600);
    world.clock.advance(61_000);
    eventually("every mute is over", async || world.head("den").await == head).await;
    let messages = eve.up_to(head).await;
    assert!(are_nothing(&messages), "{messages:#?}");
    let message = dee.until("the end", |message| message.has("li[data-note=renew]")).await;
    assert!(!message.has(NOTICE), "{message:?}");
    // They end in several transactions, so that staff may be sent rows as well.
    screen.up_to(head).await;
    let (live, fresh) = screen.compared().await;
    assert_eq!(live, fresh);
    let message = back(&world.cy, &before).await;
    assert_eq!(resyncs(from_ref(&message)), 1, "{message:?}");
    let message = back(&world.eve, &before).await;
    assert!(are_nothing(from_ref(&message)) && message.seq() == head, "{message:?}");
    assert!(back(&world.dee, &before).await.has("li[data-note=renew]"));
}

#[tokio::test]
async fn of_more_hidden_events_than_are_kept_participants_get_the_numbers_and_what_they_may_see() {
    let world = World::new().await;
    let names = raid(&world, 1000).await;
    // What ends in one transaction: five hundred bans, as many mutes, and a role.
    act(&world, "ban", &names[..500], 60).await;
    act(&world, "mute", &names[500..], 60).await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    let raider = world.actor(&names[999]);
    let (mut cy, mut eve, mut muted) = (world.cy.stream().await, world.eve.stream().await, raider.stream().await);
    let (mut staff, mut data, mut own) = (world.cy.events().await, world.eve.events().await, raider.events().await);
    let since = world.head("den").await;
    let head = since + 1001;
    world.clock.advance(61_000);
    eventually("all of it is over", async || world.head("den").await == head).await;

    let messages = cy.up_to(head).await;
    assert_eq!(resyncs(&messages), 1, "{messages:#?}");
    let messages = eve.up_to(head).await;
    assert_eq!(resyncs(&messages), 0, "{messages:#?}");
    let last = messages.last().unwrap();
    assert!(last.shows("dee") && !last.has("li[data-gone], li[data-uid^=raider]"), "{last:?}");
    let message = muted.until("the end", |message| message.has("li[data-note=renew]")).await;
    assert!(!message.has(NOTICE), "{message:?}");

    for (who, stream) in [("staff", &mut staff), ("whoever was muted", &mut own)] {
        let message = stream.until("to read everything again", |message| message.id.is_some()).await;
        assert_eq!((message.name(), message.seq()), ("resync", head), "{who}");
    }
    let messages = data.up_to(head).await;
    assert_eq!(numbers(&messages), (since + 1..=head).collect::<Vec<_>>());
    let named: Vec<_> = messages.iter().filter(|message| message.id.is_some() && message.data.is_some()).collect();
    assert_eq!(named.iter().map(|message| message.name()).collect::<Vec<_>>(), ["member_scope_changed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_mutes_and_a_thousand_roles_that_end_together_are_over_for_viewers_of_both_nodes() {
    let here = World::new().await;
    let names = raid(&here, 1000).await;
    let there = here.beside().await;
    let mute = json!({"act": "mute", "uid": names, "until": 60});
    let role = json!({"act": "scope", "scope": "moderator", "uid": names, "until": 60});
    for (body, over, for_staff) in [(mute, "member_unmuted", true), (role, "member_scope_changed", false)] {
        here.ada.act(Method::POST, "/groups/den/bulk", body).await.ok();
        let (id, head) = (id_now(&here.ada).await, here.head("den").await + 1000);
        let since = [("last-event-id", id.as_str())];
        let mut viewers = Vec::new();
        for node in [&here, &there] {
            // What came before the ends is not in these streams, also where the other node has yet to read it.
            let cy = node.cy.raw("/groups/den/events?format=json", &since).await;
            let eve = node.eve.raw("/groups/den/events?format=json", &since).await;
            viewers.push((cy, eve, Screen::open(&node.cy, "den", "hideUserStatus=true&limit=10").await));
        }
        for (_, _, screen) in &mut viewers {
            let muted = screen.compared().await.0.elements.values().filter(|row| row.contains("data-muted")).count();
            assert_eq!(muted > 0, for_staff, "{muted} are muted");
        }
        here.clock.advance(61_000);
        for (cy, eve, screen) in &mut viewers {
            assert_eq!(people(&cy.up_to(head).await, over), names, "{over}");
            let messages = eve.up_to(head).await;
            assert_eq!(people(&messages, over), if for_staff { Vec::new() } else { names.clone() }, "{over}");
            screen.up_to(head).await;
            let (live, fresh) = screen.compared().await;
            assert_eq!(live, fresh, "{over}");
            assert!(!live.elements.values().any(|row| row.contains("data-muted")), "{live:#?}");
        }
        for node in [&here, &there] {
            let staff = node.eve.data(&format!("{LIST}?scopes=moderator")).await.ok().json();
            assert_eq!(staff["meta"]["count"], 1, "Cy alone: {staff}");
        }
    }
    assert_eq!(faults(&here.app).await, Vec::<String>::new());
}
