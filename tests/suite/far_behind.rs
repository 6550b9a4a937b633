//! Many groups of which a node has missed something: read together, each comes to its end whatever became of the others.

use std::collections::BTreeMap;
use std::sync::Arc;

use chat_group_members::config::{Config, Wake};
use chat_group_members::domain::{Group, GroupType, Guid, LoggedEvent, Member, Scope, Uid};
use chat_group_members::membership;
use chat_group_members::store::{Catchup, counted};
use futures_util::future::join_all;

use crate::peer_nodes::{another, first, through_a_network};
use crate::support::sse::{Message, Raw};
use crate::support::{World, by_host, eventually, guid};

/// More events and people than any of the rooms has.
const ENOUGH: usize = 1000;

/// These rooms: Ada owns each, and Dee is in it.
async fn make(world: &World, rooms: &[&str]) {
    for room in rooms {
        let people = [("ada", "Ada", Scope::Owner), ("dee", "Dee", Scope::Participant)];
        world.seed(room, GroupType::Public, people).await;
    }
}

/// So many more people come into a room, in one event.
async fn come(world: &World, room: &str, count: usize) {
    let crowd: Vec<String> = (0..count).map(|n| format!("c{n:03}")).collect();
    let people = crowd.iter().map(|uid| (uid.as_str(), uid.as_str(), Scope::Participant));
    world.seed(room, GroupType::Public, people).await;
}

/// What happens in the rooms, by their names.
async fn act(world: &World, rooms: &[&str]) {
    for room in rooms {
        match *room {
            "quiet" => {}
            "promoted" => {
                world.host_sets_scope(room, "dee", Scope::Moderator).await;
                world.host_mutes(room, "dee").await;
            }
            "few" => come(world, room, 3).await,
            "large" => come(world, room, 600).await,
            "ended" => membership::delete_group(world.app.store(), by_host(room)).await.unwrap(),
            "again" => {
                membership::delete_group(world.app.store(), by_host(room)).await.unwrap();
                let people = [("ada", "Ada", Scope::Owner), ("eve", "Eve", Scope::Participant)];
                world.seed(room, GroupType::Public, people).await;
            }
            _ => world.host_kicks(room, "dee").await,
        }
    }
}

/// What becomes of the log of these rooms afterwards.
const PRUNED: &str =
    "DELETE FROM events WHERE guid = 'pruned' AND seq = (SELECT seq FROM groups WHERE guid = 'pruned')";
const REWRITTEN: &str = "UPDATE groups SET rewritten_seq = seq WHERE guid = 'rewritten'";
const SPOILT: &str =
    "UPDATE events SET cause = 'rain' WHERE guid = 'spoilt' AND seq = (SELECT seq FROM groups WHERE guid = 'spoilt')";
const MENDED: &str = "UPDATE events SET cause = 'host' WHERE guid = 'spoilt' AND cause = 'rain'";

type Missed = (Option<Group>, u64, Vec<LoggedEvent>, BTreeMap<Uid, Option<Arc<Member>>>);

fn missed(catchup: Catchup) -> Missed {
    (catchup.group, catchup.seq, catchup.events, catchup.touched.into_iter().collect())
}

#[tokio::test]
async fn what_is_read_of_many_groups_is_what_is_read_of_each_by_as_few_statements() {
    const ROOMS: [&str; 10] =
        ["kicked", "promoted", "quiet", "ended", "again", "few", "large", "pruned", "rewritten", "nowhere"];
    let world = World::empty(|_| {}).await;
    make(&world, &ROOMS[..9]).await;
    let mut places = Vec::new();
    for room in &ROOMS[..9] {
        places.push((guid(room), world.head(room).await));
    }
    places.push((guid("nowhere"), 0));
    act(&world, &ROOMS[..9]).await;
    world.write_by_hand(PRUNED).await;
    world.write_by_hand(REWRITTEN).await;

    let mut reader = world.app.store().read().await.unwrap();
    let mut together = reader.catchups(&places, ENOUGH).await.unwrap();
    for (room, (guid, since)) in ROOMS.into_iter().zip(&places) {
        let found = together.remove(guid).map(missed);
        let is_left_out = ["large", "pruned", "rewritten", "nowhere"].contains(&room);
        assert_eq!(found.is_none(), is_left_out, "{room}");
        if !is_left_out {
            assert_eq!(found, reader.catchup(guid, *since, ENOUGH).await.unwrap().map(missed), "{room}");
        }
    }
    let (_, one) = counted(reader.catchups(&places[..1], ENOUGH)).await;
    let (_, four) = counted(reader.catchups(&places[..4], ENOUGH)).await;
    assert_eq!((one, four), (3, 3), "the heads, the events and the people");
}

#[tokio::test]
async fn groups_that_do_not_fit_together_are_left_out() {
    const ROOMS: [&str; 5] = ["kicked", "promoted", "quiet", "few", "ended"];
    let world = World::empty(|_| {}).await;
    make(&world, &ROOMS).await;
    let mut places = Vec::new();
    for room in ROOMS {
        places.push((guid(room), world.head(room).await));
    }
    act(&world, &ROOMS).await;
    let mut reader = world.app.store().read().await.unwrap();
    let mut found = async |places: &[(Guid, u64)], at_most: usize| {
        let found = reader.catchups(places, at_most).await.unwrap();
        let mut rooms: Vec<String> = found.keys().map(Guid::to_string).collect();
        rooms.sort();
        rooms
    };
    // Its two events and one of each other room.
    assert_eq!(found(&places[..], 5).await, ["ended", "few", "kicked", "promoted", "quiet"]);
    assert_eq!(found(&places[..3], 2).await, ["kicked", "quiet"]);
    // One event of three people; of a room that has ended nobody is read.
    assert_eq!(found(&places[3..], 2).await, ["ended"]);
}

/// A stream of a room as data.
async fn stream(world: &World, room: &str) -> Raw {
    let mut stream = world.ada.raw(&format!("/groups/{room}/events?format=json"), &[]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_was_cut_off_follows_each_of_many_groups_whatever_became_of_the_others() {
    const ROOMS: [&str; 9] = ["kicked", "promoted", "few", "large", "pruned", "rewritten", "ended", "again", "spoilt"];
    let (cluster, here) = first(|_| {}).await;
    make(&here, &ROOMS).await;
    let (network, there) = through_a_network(&cluster).await;
    let mut streams = BTreeMap::new();
    for room in ROOMS {
        streams.insert(room, stream(&there, room).await);
    }

    network.stall();
    act(&here, &ROOMS).await;
    for sql in [PRUNED, REWRITTEN, SPOILT] {
        cluster.sql("chat", sql);
    }
    network.heal();
    for (room, names) in [("kicked", "member_kicked"), ("promoted", "member_scope_changed member_muted")] {
        let messages = streams.get_mut(room).unwrap().up_to(here.head(room).await).await;
        let heard: Vec<&str> = messages.iter().filter(|message| message.id.is_some()).map(Message::name).collect();
        assert_eq!(heard.join(" "), names, "{room}");
    }
    for room in ["pruned", "rewritten"] {
        streams.get_mut(room).unwrap().until("a resync", |message| message.name() == "resync").await;
    }
    assert_eq!(streams.get_mut("ended").unwrap().rest().await.last().unwrap().name(), "revoked");
    for room in ["few", "large", "pruned", "rewritten", "again"] {
        let count = here.members(room).await.len();
        eventually(room, async || {
            let list = there.ada.data(&format!("/groups/{room}/members?limit=1")).await.ok().json();
            list["meta"]["count"] == count
        })
        .await;
    }

    // What nobody can read keeps its own group back, until it is mended.
    let dee = async || there.ada.data("/groups/spoilt/members/dee").await.status.as_u16();
    assert_eq!(dee().await, 200);
    cluster.sql("chat", MENDED);
    streams.get_mut("spoilt").unwrap().up_to(here.head("spoilt").await).await;
    assert_eq!(dee().await, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_message_about_many_groups_brings_all_of_them_to_their_ends() {
    let rooms: Vec<String> = (0..70).map(|n| format!("room{n}")).collect();
    let names: Vec<&str> = rooms.iter().map(String::as_str).collect();
    let by_notify = |config: &mut Config| config.wake = Wake::Postgres;
    let (cluster, here) = first(by_notify).await;
    make(&here, &names).await;
    let there = another(&cluster, by_notify).await;
    let mut streams = Vec::new();
    for room in &names {
        streams.push(stream(&there, room).await);
    }
    // The acts of all groups at once: the messages about them say several at a time.
    join_all(names.iter().map(|room| here.host_kicks(room, "dee"))).await;
    for (room, stream) in names.iter().zip(&mut streams) {
        let messages = stream.up_to(here.head(room).await).await;
        assert_eq!(messages.last().unwrap().name(), "member_kicked", "{room}");
    }
}
