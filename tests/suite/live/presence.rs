//! Who is there, as it happens: statuses come, go away and go, and lists by status gain and lose people.

use chat_group_members::domain::{GroupType, Name, Scope, Status};
use chat_group_members::live::HostReport;
use chat_group_members::membership;
use serde_json::json;

use crate::support::screen::Screen;
use crate::support::sse::Raw;
use crate::support::{World, eventually, guid, uid};

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

/// What the group's member list says of somebody.
async fn shown_status_of(world: &World, guid: &str, uid: &str) -> Option<String> {
    let page = world.ada.get(&format!("/groups/{guid}/members")).await.ok();
    page.attribute(&format!("li[data-uid={uid}]"), "data-status")
}

#[tokio::test]
async fn whoever_leaves_while_online_and_comes_back_after_going_offline_is_offline() {
    let world = World::new().await;
    let hub = world.app.hub();
    let online = |until| HostReport { status: Status::Online, until };
    hub.set_host_report(&uid("dee"), online(None));
    assert_eq!(shown_status_of(&world, "park", "dee").await.as_deref(), Some("online"));
    world.host_kicks("park", "dee").await;
    hub.set_host_report(&uid("dee"), HostReport { status: Status::Offline, until: None });
    // When Eve's report is over, everybody's status has been looked at.
    hub.set_host_report(&uid("eve"), online(Some(world.clock.now() + 1)));
    world.clock.advance(2);
    eventually("Eve is offline", async || shown_status_of(&world, "park", "eve").await.as_deref() == Some("offline"))
        .await;
    world.dee.join().await.ok();
    assert_eq!(shown_status_of(&world, "park", "dee").await.as_deref(), Some("offline"));
    assert_eq!(world.ada.data("/groups/park").await.ok().json()["data"]["onlineMembersCount"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_and_goes_while_a_group_is_read_has_the_right_status_in_it() {
    const GROUPS: usize = 4;
    let world = World::empty(|_| {}).await;
    let people: Vec<String> = (0..2_000).map(|n| format!("p{n}")).collect();
    for group in 0..GROUPS {
        let cast = people.iter().map(|uid| (uid.as_str(), uid.as_str(), Scope::Participant));
        world.seed(&format!("g{group}"), GroupType::Public, cast.chain([("ada", "Ada", Scope::Owner)])).await;
    }
    let hub = world.app.hub();
    for person in &people {
        hub.set_host_presence(&uid(person), true);
    }
    for group in 0..GROUPS {
        let guid = guid(&format!("g{group}"));
        let read = tokio::spawn({
            let hub = hub.clone();
            async move { hub.group(&guid).await.unwrap().unwrap() }
        });
        let mut n = 0;
        while !read.is_finished() {
            let status = if (n / people.len()).is_multiple_of(2) { Status::Away } else { Status::Online };
            let report = HostReport { status, until: None };
            hub.set_host_report(&uid(&people[n % people.len()]), report);
            n += 1;
        }
        let group = read.await.unwrap();
        // On PostgreSQL a round with the other nodes may be about to note what it found.
        let is_right = async || {
            let state = group.state();
            people.iter().all(|person| {
                let sent = hub.presences().last_sent_of(&uid(person)).map(|presence| presence.status);
                Some(state.roster().presence(person).status) == sent
            })
        };
        eventually(&format!("everybody has the right status in {}", group.guid()), is_right).await;
    }
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
