//! Who is there, as it happens: statuses come, go away and go, and lists by status gain and lose people.

use chat_group_members::domain::{GroupType, Name, Scope};
use chat_group_members::membership;
use serde_json::json;

use crate::support::screen::Screen;
use crate::support::sse::Raw;
use crate::support::{World, eventually, uid};

/// The status of somebody in the next message that tells one.
async fn status_of(stream: &mut Raw, uid: &str) -> String {
    let mut status = String::new();
    stream
        .until(&format!("the status of {uid}"), |message| {
            let members = if message.name() == "presence" { message.json()["members"].clone() } else { json!([]) };
            let found = members.as_array().unwrap().iter().find(|member| member["uid"] == uid);
            status = found.map(|member| member["status"].as_str().unwrap().to_owned()).unwrap_or_default();
            found.is_some()
        })
        .await;
    status
}

#[tokio::test]
async fn dee_comes_goes_away_and_is_gone() {
    let world = World::new().await;
    let (mut ada, mut screen) = (world.ada.events().await, world.cy.stream().await);
    let one = world.dee.stream().await;
    assert_eq!(status_of(&mut ada, "dee").await, "online");
    let message = screen.until("Dee's dot", |message| message.has("[data-note=statuses][data-online~=dee]")).await;
    assert!(!message.misses("dee"), "a status takes nobody away: {message:?}");
    assert_eq!(world.eve.data("/groups/den").await.ok().json()["data"]["onlineMembersCount"], 3);

    let other = world.dee.stream().await;
    drop(one);
    eventually("the server sees one stream less", async || world.app.hub().streams() == 3).await;
    world.clock.advance(10 * 60_000);
    world.app.hub().set_host_presence(&uid("eve"), true);
    ada.until("Eve and nobody else", |message| {
        assert!(
            message.data.as_deref().is_none_or(|data| !data.contains("\"dee\"")),
            "of two tabs one is open: {message:?}"
        );
        message.name() == "presence"
    })
    .await;

    drop(other);
    eventually("the server sees no stream of Dee", async || world.app.hub().streams() == 2).await;
    world.clock.advance(6_000);
    assert_eq!(status_of(&mut ada, "dee").await, "away");
    let away = world.eve.get("/groups/den/members?status=online").await.ok();
    assert_eq!(away.attribute("li[data-uid=dee]", "data-status").as_deref(), Some("away"), "away counts as online");
    world.clock.advance(5 * 60_000);
    assert_eq!(status_of(&mut ada, "dee").await, "offline");
    let message = screen.until("Dee's dot", |message| message.has("[data-note=statuses][data-offline~=dee]")).await;
    assert!(!message.misses("dee"), "offline is not gone");
}

#[tokio::test]
async fn the_online_view_gains_and_loses_people() {
    let world = World::new().await;
    let mut online = world.ada.raw("/groups/den/events?status=online", &[]).await;
    online.next().await;
    let eve = world.eve.stream().await;
    let message = online.until("Eve", |message| message.shows("eve")).await;
    assert_eq!(message.attribute("li[data-note=count]", "data-count").as_deref(), Some("2"));
    drop(eve);
    eventually("Eve's stream is closed", async || world.app.hub().streams() == 1).await;
    world.clock.advance(6 * 60_000);
    online.until("Eve goes", |message| message.misses("eve")).await;
}

#[tokio::test]
async fn a_list_by_status_loses_nobody_whoever_comes_goes_and_is_renamed() {
    let world = World::empty(|_| {}).await;
    let people: Vec<_> = (0..12).map(|n| (format!("p{n}"), format!("Person {n}"))).collect();
    let cast = people.iter().map(|(uid, name)| (uid.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", GroupType::Private, cast.chain([("ada", "Ada", Scope::Owner)])).await;
    let mut screens = Vec::new();
    for query in ["status=online", "status=offline", "filter=online&limit=3", "status=offline&groupBy=none", "limit=5"]
    {
        screens.push(Screen::open(&world.ada, "den", query).await);
    }
    let rename = async |n: usize, name: &str| {
        let name = Some(Name::parse(name).unwrap());
        membership::put_user(world.app.store(), uid(&format!("p{n}")), name, None).await.unwrap();
    };
    let say = |people: std::ops::Range<usize>, online| {
        people.for_each(|n| world.app.hub().set_host_presence(&uid(&format!("p{n}")), online));
    };
    for round in 0..3 {
        for n in 0..10 {
            rename(n, &format!("Renamed {round} {n}")).await;
        }
        say(0..10, true);
        for screen in &mut screens {
            screen.until_fresh().await;
        }
        rename(11, &format!("Somebody else {round}")).await;
        say(0..4, false);
        world.clock.advance(6 * 60_000);
        world.app.hub().set_host_presence(&uid("p10"), round == 1);
        let there = if round == 0 { 7 } else { 8 };
        let counted = async || world.ada.data("/groups/den").await.ok().json()["data"]["onlineMembersCount"] == there;
        eventually("those who went are gone", counted).await;
        for screen in &mut screens {
            screen.until_fresh().await;
        }
        screens[round].reconnect().await;
    }
    let (online, _) = screens[0].compared().await;
    assert_eq!(online.count, "8", "Ada, six who stayed, and one who is away: {online:#?}");
}
