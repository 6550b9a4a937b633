//! Groups in which hundreds are there: who comes and goes costs a word, and not a row for everybody.

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};
use serde_json::json;

use crate::support::sse::Message;
use crate::support::{PATIENCE, World, eventually, row, uid};

const LIST: &str = "/groups/den/members";
const STREAM: &str = "/groups/den/events";

/// A den of Ada, Ben and 800 people, of whom so many are there.
async fn crowd(there: usize) -> World {
    crowd_of(800, there, World::empty(|_| {}).await).await
}

/// The same of so many people.
async fn crowd_of(size: usize, there: usize, world: World) -> World {
    let mut people =
        vec![row("ada", "Ada Lindqvist", Scope::Owner, None), row("ben", "Ben Okafor", Scope::Participant, None)];
    people.extend((0..size).map(|n| row(&person(n), "Somebody", Scope::Participant, None)));
    world.sync("den", GroupType::Private, people).await;
    (0..there).for_each(|n| world.app.hub().set_host_presence(&uid(&person(n)), true));
    until_online(&world, there).await;
    world
}

async fn until_online(world: &World, there: usize) {
    let counted = format!("there are {there} there");
    let online = async || {
        let group = world.ada.data("/groups/den").await.ok().json();
        group["data"]["onlineMembersCount"] == there
    };
    eventually(&counted, online).await;
}

/// These people close their last page, and five minutes later are gone.
async fn go(world: &World, who: impl Iterator<Item = usize>, left: usize) {
    who.for_each(|n| world.app.hub().set_host_presence(&uid(&person(n)), false));
    world.clock.advance(6 * 60_000);
    until_online(world, left).await;
}

fn person(n: usize) -> String {
    format!("p{n}")
}

/// Whom a message names as being this.
fn named(message: &Message, status: &str) -> Vec<String> {
    let named = message.attribute("[data-note=statuses]", &format!("data-{status}")).unwrap_or_default();
    named.split_whitespace().map(str::to_owned).collect()
}

/// How live statuses are, as a message says it: the word for the script, the sentence for people.
fn mode_of(message: &Message) -> Option<(String, String)> {
    let attribute = |name: &str| message.attribute("[data-note=presence]", name);
    Some((attribute("data-mode")?, attribute("data-text")?))
}

/// The same as a fresh page says it.
async fn mode_on_page(world: &World, query: &str) -> (String, String) {
    let page = world.ada.get(&format!("{LIST}?limit=1&{query}")).await.ok();
    let mode = page.attribute(".chat-group-members__view", "data-presence").unwrap();
    (mode, page.text("p#cgm-den-freshness.chat-group-members__freshness"))
}

/// Whether a message says how people are; one with the number alone does not.
fn tells_statuses(message: &Message) -> bool {
    ["online", "away", "others"].iter().any(|status| message.has(&format!("[data-note=statuses][data-{status}]")))
}

#[tokio::test]
async fn whoever_comes_is_told_who_of_the_hundreds_is_there() {
    let world = crowd(600).await;
    let mut ada = world.ada.raw(STREAM, &[]).await;
    let message = ada.until("who is there", tells_statuses).await;
    let online = named(&message, "online");
    assert!((0..600).all(|n| online.contains(&person(n))), "{online:?}");
    assert!(!online.contains(&person(600)));
    assert_eq!(message.attribute("[data-note=statuses]", "data-others").as_deref(), Some("offline"));
}

#[tokio::test]
async fn whoever_is_there_and_joins_while_nobody_comes_or_goes_is_among_those_who_are_there() {
    let world = crowd(600).await;
    world.app.hub().set_host_presence(&uid("gus"), true);
    let mut ada = world.ada.raw(STREAM, &[]).await;
    // Everybody who has come is told of: what is shared by streams that begin now is as of then.
    ada.until("Ada", |message| named(message, "online").contains(&"ada".into())).await;
    drop(world.ben.raw(STREAM, &[]).await);
    world.host_adds("den", "gus", "Gus").await;
    ada.until("Gus", |message| message.shows("gus")).await;
    let mut late = world.ada.raw(STREAM, &[]).await;
    let message = late.until("who is there", tells_statuses).await;
    assert!(named(&message, "online").contains(&"gus".into()), "{message:?}");
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
    (0..200).for_each(|n| world.app.hub().set_host_presence(&uid(&person(n)), false));
    let mut messages = Vec::new();
    for stream in [&mut ada, &mut ben] {
        let mut gone = 0;
        let all = |message: &Message| {
            assert!(!message.has("li[data-uid]"), "nobody's row is drawn anew: {message:?}");
            gone += named(message, "away").len();
            gone == 200
        };
        messages.push(stream.until("200 who went", all).await);
    }
    assert!(messages.iter().all(|message| message.data.as_deref().unwrap().len() < 20_000), "{messages:#?}");
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
    (600..700).for_each(|n| world.app.hub().set_host_presence(&uid(&person(n)), true));
    let message = there.until("to look again", |message| message.has("[data-note=resync]")).await;
    assert!(!message.has("li[data-uid]"), "{message:?}");
    // One alone is shown; beside other nodes only once nothing of the many is to be told again.
    for who in (700..705).map(person) {
        world.app.hub().set_host_presence(&uid(&who), true);
        let is_shown = |message: &Message| message.shows(&who) || message.has("[data-note=resync]");
        // Statuses of so many are sent every five seconds.
        let message = there.until_within(2 * PATIENCE, &format!("{who}, who came"), is_shown).await;
        if !message.has("[data-note=resync]") {
            return;
        }
    }
    panic!("whoever comes alone is not shown");
}

#[tokio::test]
async fn how_fresh_statuses_are_is_said_when_it_changes_and_does_not_waver() {
    let world = crowd(498).await;
    let (mut ada, mut ben) =
        (world.ada.raw(STREAM, &[]).await, world.ben.raw(&format!("{STREAM}?hideUserStatus=true"), &[]).await);
    until_online(&world, 500).await;
    assert_eq!(mode_on_page(&world, "").await, ("rows".into(), String::new()));
    world.app.hub().set_host_presence(&uid(&person(500)), true);
    let message = ada.until("that they are too many", |message| mode_of(message).is_some()).await;
    let (mode, sentence) = mode_of(&message).unwrap();
    assert!(mode == "batched" && !sentence.is_empty(), "{message:?}");
    assert_eq!(mode_on_page(&world, "").await, (mode, sentence), "as a fresh page has it");
    let message = ben.until("the same", |message| mode_of(message).is_some()).await;
    assert_eq!(mode_of(&message), Some(("batched".into(), String::new())), "where no status is shown none is late");

    go(&world, 0..51, 450).await;
    assert_eq!(mode_on_page(&world, "").await.0, "batched");
    go(&world, 51..52, 449).await;
    let mut waver = Vec::new();
    let back = |message: &Message| {
        waver.extend(mode_of(message));
        !waver.is_empty()
    };
    ada.until("that they are few", back).await;
    assert_eq!(waver, [("rows".into(), String::new())]);
    assert_eq!(mode_on_page(&world, "").await, ("rows".into(), String::new()));
    world.app.hub().set_host_presence(&uid(&person(0)), true);
    ada.until("who came, at once", |message| named(message, "online").contains(&person(0))).await;
    assert_eq!(mode_on_page(&world, "").await.0, "rows", "450 again");
    assert!(!world.ada.get(&format!("{LIST}?hideUserStatus=true")).await.ok().has(".chat-group-members__freshness"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_five_thousand_are_exceeded_an_open_screen_is_told_that_only_their_number_is_live() {
    let world = crowd_of(5100, 4990, World::empty(|_| {}).await).await;
    let mut ada = world.ada.raw(STREAM, &[]).await;
    let first = ada.next().await.unwrap();
    assert_eq!(mode_of(&first).unwrap().0, "batched");
    until_online(&world, 4991).await;
    (4990..4999).for_each(|n| world.app.hub().set_host_presence(&uid(&person(n)), true));
    until_online(&world, 5000).await;
    assert_eq!(mode_on_page(&world, "").await.0, "batched");
    world.app.hub().set_host_presence(&uid(&person(4999)), true);
    let message = ada.until("that only their number is live", |message| mode_of(message).is_some()).await;
    let (mode, sentence) = mode_of(&message).unwrap();
    assert!(mode == "counts" && !sentence.is_empty(), "{message:?}");
    assert!(named(&message, "online").is_empty(), "there are too many to name: {message:?}");
    assert_eq!(mode_on_page(&world, "").await, (mode, sentence), "as a fresh page has it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_rows_tell_statuses_again_every_screen_gets_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("says.html"), "{{ member.status }}").unwrap();
    let world = World::empty(|config| config.views = Some(folder.path().to_owned())).await;
    let world = crowd_of(5200, 5001, world).await;
    let mut streams = Vec::new();
    for actor in [&world.ada, &world.ben] {
        let mut stream = actor.raw(STREAM, &[]).await;
        let first = stream.next().await.unwrap();
        assert_eq!(mode_of(&first).unwrap().0, "counts");
        assert!(!tells_statuses(&first), "there are too many to name");
        streams.push(stream);
    }
    let mut drawn = world.ada.raw(&format!("{STREAM}?subtitleView=says"), &[]).await;
    drawn.next().await.unwrap();
    let mut data = world.ben.events().await;
    until_online(&world, 5003).await;
    go(&world, 0..503, 4500).await;
    assert_eq!(mode_on_page(&world, "").await.0, "counts");
    let counted = data.until("their number", |message| message.name() == "presence").await.json();
    assert!(counted["online"].is_u64() && counted["members"] == json!([]), "{counted}");
    go(&world, 503..504, 4499).await;
    for stream in &mut streams {
        let message = stream
            .until("how it is now", |message| {
                assert!(mode_of(message).is_some() || !tells_statuses(message), "{message:?}");
                mode_of(message).is_some()
            })
            .await;
        assert_eq!(mode_of(&message).unwrap().0, "batched");
        assert_eq!(message.attribute("[data-note=statuses]", "data-others").as_deref(), Some("offline"));
        let online = named(&message, "online");
        let expected = (504..5001).map(person).chain(["ada".into(), "ben".into()]);
        assert_eq!(online.iter().collect::<BTreeSet<_>>(), expected.collect::<Vec<_>>().iter().collect());
        assert!(named(&message, "away").is_empty());
    }
    // Rows that say it in words of their own are fetched.
    drawn.until("to look again", |message| message.has("[data-note=resync]") && mode_of(message).is_some()).await;
    let all = |message: &Message| message.name() == "presence" && message.json()["others"] == "offline";
    let message = data.until("all statuses", all).await.json();
    let members = message["members"].as_array().unwrap().iter();
    let online: BTreeSet<_> = members.map(|member| member["uid"].as_str().unwrap().to_owned()).collect();
    assert_eq!(online, (504..5001).map(person).chain(["ada".into(), "ben".into()]).collect());
}

#[tokio::test]
async fn a_stream_begins_with_how_fresh_statuses_are_unless_its_page_says_it() {
    let world = World::new().await;
    let first = world.dee.stream().await.next().await.unwrap();
    assert_eq!(mode_of(&first), None);
    let id = first.id.unwrap();
    for since in [id.as_str(), "elsewhere.1"] {
        let mut again = world.dee.raw(STREAM, &[("Last-Event-ID", since)]).await;
        let first = again.next().await.unwrap();
        assert_eq!(mode_of(&first), Some(("rows".into(), String::new())), "since {since}");
    }
    let many = crowd(600).await;
    let first = many.ada.raw(STREAM, &[]).await.next().await.unwrap();
    assert_eq!(mode_of(&first), Some(mode_on_page(&many, "").await));
}
