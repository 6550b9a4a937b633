//! Groups in which hundreds are there: who comes and goes costs a word, and not a row for everybody.

mod support;

use chat_group_members::domain::{GroupType, Scope};
use support::sse::Message;
use support::{World, eventually, row, uid};

const LIST: &str = "/groups/den/members";
const STREAM: &str = "/groups/den/events";

/// A den of Ada, Ben and 800 people, of whom so many are there.
async fn crowd(there: usize) -> World {
    let world = World::empty(|_| {}).await;
    let mut people =
        vec![row("ada", "Ada Lindqvist", Scope::Owner, None), row("ben", "Ben Okafor", Scope::Participant, None)];
    people.extend((0..800).map(|n| row(&person(n), "Somebody", Scope::Participant, None)));
    world.sync("den", GroupType::Private, people).await;
    (0..there).for_each(|n| world.app.hub().host_says(&uid(&person(n)), true));
    let counted = format!("there are {there} there");
    let online = async || {
        let group = world.ada.data("/groups/den").await.ok().json();
        group["data"]["onlineMembersCount"] == there
    };
    eventually(&counted, online).await;
    world
}

fn person(n: usize) -> String {
    format!("p{n}")
}

/// Whom a message names as being this.
fn named(message: &Message, status: &str) -> Vec<String> {
    let named = message.attribute("[data-note=statuses]", &format!("data-{status}")).unwrap_or_default();
    named.split_whitespace().map(str::to_owned).collect()
}

fn tells_statuses(message: &Message) -> bool {
    message.has("[data-note=statuses]")
}

#[tokio::test]
async fn whoever_comes_is_told_who_of_the_hundreds_is_there() {
    let world = crowd(600).await;
    let mut ada = world.ada.raw(STREAM, &[]).await;
    let told = ada.until("who is there", tells_statuses).await;
    let online = named(&told, "online");
    assert!((0..600).all(|n| online.contains(&person(n))), "{online:?}");
    assert!(!online.contains(&person(600)));
    assert_eq!(told.attribute("[data-note=statuses]", "data-others").as_deref(), Some("offline"));
}

#[tokio::test]
async fn where_hundreds_are_there_a_status_that_changes_is_a_word() {
    let world = crowd(600).await;
    let (mut ada, mut ben) = (world.ada.raw(STREAM, &[]).await, world.ben.raw(STREAM, &[]).await);
    // Ben himself is one of those who have come since the last time.
    for stream in [&mut ada, &mut ben] {
        stream.until("who is there", tells_statuses).await;
        stream.until("Ada and Ben", |message| named(message, "online").contains(&"ben".into())).await;
    }
    (0..200).for_each(|n| world.app.hub().host_says(&uid(&person(n)), false));
    let mut told = Vec::new();
    for stream in [&mut ada, &mut ben] {
        let mut gone = 0;
        let all = |message: &Message| {
            assert!(!message.has("li[data-uid]"), "nobody's row is drawn anew: {message:?}");
            gone += named(message, "away").len();
            gone == 200
        };
        told.push(stream.until("200 who went", all).await);
    }
    assert!(told.iter().all(|message| message.data.as_deref().unwrap().len() < 20_000), "{told:#?}");
    // Whoever comes now is told the same.
    let mut again = world.ada.raw(STREAM, &[]).await;
    let present = again.until("who is there", tells_statuses).await;
    assert_eq!(named(&present, "away").len(), 200);
    let fresh = world.ada.get(&format!("{LIST}?searchKeyword=p0")).await.ok();
    assert_eq!(fresh.attribute("li[data-uid=p0]", "data-status").as_deref(), Some("away"));
}

#[tokio::test]
async fn a_list_of_who_is_there_is_looked_at_again_when_many_come_at_once() {
    let world = crowd(600).await;
    let mut there = world.ada.raw(&format!("{STREAM}?status=online"), &[]).await;
    there.next().await;
    (600..700).for_each(|n| world.app.hub().host_says(&uid(&person(n)), true));
    let told = there.until("to look again", |message| message.has("[data-note=resync]")).await;
    assert!(!told.has("li[data-uid]"), "{told:?}");
    // One alone is shown; beside other nodes only once nothing of the many is to be told again.
    for who in (700..705).map(person) {
        world.app.hub().host_says(&uid(&who), true);
        let told = |message: &Message| message.shows(&who) || message.has("[data-note=resync]");
        if !there.until(&format!("{who}, who came"), told).await.has("[data-note=resync]") {
            return;
        }
    }
    panic!("whoever comes alone is not shown");
}
