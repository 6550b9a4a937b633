//! Nodes beside one PostgreSQL of their own: words between them, who is there on which, and a node
//! that is cut off from the rest.

use std::time::{Duration, Instant};

use chat_group_members::config::{Config, Secret, Wake};
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::support::cluster::{Cluster, Stop};
use crate::support::proxy::Proxy;
use crate::support::sse::{Message, Raw};
use crate::support::wake_servers::Nats;
use crate::support::{self, World, eventually, soon};

pub(crate) const API_KEY: &str = "a-key-of-the-host-s-back-end";
const STREAM: &str = "/groups/den/events?format=json";

/// A database, and a node beside it with the cast in its groups.
pub(crate) async fn first(configure: impl FnOnce(&mut Config)) -> (Cluster, World) {
    let cluster = spawn_blocking(Cluster::start).await.unwrap();
    let url = cluster.create_database("chat");
    let world = World::with(|config| {
        config.database_url = url;
        configure(config);
    })
    .await;
    (cluster, world)
}

/// Another node beside it.
pub(crate) async fn another(cluster: &Cluster, configure: impl FnOnce(&mut Config)) -> World {
    let url = cluster.url("chat");
    World::empty(|config| {
        config.database_url = url;
        configure(config);
    })
    .await
}

/// Another node, and the network through which it reaches the database.
pub(crate) async fn through_a_network(cluster: &Cluster) -> (Proxy, World) {
    let network = Proxy::to_port(cluster.port).await;
    let through = cluster.url("chat").replace(&format!(":{}/", cluster.port), &format!(":{}/", network.port()));
    let there = another(cluster, |config| config.database_url = through).await;
    (network, there)
}

/// A thousand people come into the den.
pub(crate) async fn a_thousand_more(here: &World) -> Vec<String> {
    let crowd: Vec<String> = (0..1000).map(|n| format!("c{n:04}")).collect();
    let people = crowd.iter().map(|uid| (uid.as_str(), uid.as_str(), Scope::Participant));
    here.seed("den", GroupType::Private, people).await;
    crowd
}

/// Somebody mutes a thousand people of the den three times, which is an event for each.
pub(crate) async fn more_events_than_are_read_one_by_one(actor: &support::Actor, crowd: &[String]) {
    for hours in 1..=3 {
        let act = json!({"act": "mute", "uid": crowd, "until": hours * 3600});
        actor.act(Method::POST, "/groups/den/bulk", act).await.ok();
    }
}

/// A stream that has begun.
async fn stream(actor: &support::Actor) -> Raw {
    let mut stream = actor.raw(STREAM, &[]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    stream
}

/// Thirty acts on one node, each waited for on the other before the next: with a look each second
/// that would take about fifteen.
async fn thirty_acts_are_seen_at_once(here: &World, there: &World) {
    let mut seen = stream(&there.eve).await;
    let head = here.head("den").await;
    soon("thirty acts, one after the other", async {
        for round in 0..30 {
            let scope = if round % 2 == 0 { "moderator" } else { "participant" };
            here.ada.set_scope("dee", scope).await.ok();
            seen.up_to(head + 1 + round).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_one_node_is_on_every_other_at_once_by_notify() {
    let by_notify = |config: &mut Config| config.wake = Wake::Postgres;
    let (cluster, here) = first(by_notify).await;
    let there = another(&cluster, by_notify).await;
    thirty_acts_are_seen_at_once(&here, &there).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_one_node_is_on_every_other_at_once_by_nats_and_a_second_later_when_that_is_dead() {
    let mut nats = Nats::start();
    let (url, wake) = (nats.url(), Wake::Nats);
    let by_nats = |config: &mut Config| {
        (config.wake, config.nats_url) = (wake, Some(url.clone()));
        config.api_keys = vec![Secret::new(API_KEY)];
    };
    let (cluster, here) = first(by_nats).await;
    let there = another(&cluster, by_nats).await;
    thirty_acts_are_seen_at_once(&here, &there).await;

    nats.kill();
    let mut seen = stream(&there.eve).await;
    let head = here.head("den").await;
    here.cy.kick("dee").await.ok();
    seen.up_to(head + 1).await;
    eventually("messages that did not come are counted", async || {
        here.host_adds("den", "dee", "Dee Dee").await;
        here.cy.kick("dee").await.ok();
        let request = there.eve.anonymous(Method::GET, "/metrics").header("apikey", API_KEY);
        let text = request.send().await.unwrap().text().await.unwrap();
        text.lines()
            .any(|line| line.strip_prefix("chat_group_members_wakes_lost_total ").is_some_and(|lost| lost != "0"))
    })
    .await;

    nats.start_again();
    here.host_adds("den", "dee", "Dee Dee").await;
    thirty_acts_are_seen_at_once(&here, &there).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_are_doubled_late_early_or_nonsense_change_nothing() {
    let by_notify = |config: &mut Config| config.wake = Wake::Postgres;
    let (cluster, here) = first(by_notify).await;
    let there = another(&cluster, by_notify).await;
    let mut seen = stream(&there.eve).await;
    let head = here.head("den").await;
    for round in 0..10 {
        let scope = if round % 2 == 0 { "moderator" } else { "participant" };
        here.ada.set_scope("dee", scope).await.ok();
        for word in ["den 1", "den 1\nden 1", "den 999999", "nowhere 3", "den -1", "*", "", "\n\n*\nden"] {
            cluster.sql("chat", &format!("SELECT pg_notify('chat_group_members', E'a-stranger\\n{word}')"));
        }
    }
    let messages: Vec<Message> =
        seen.up_to(head + 10).await.into_iter().filter(|message| message.id.is_some()).collect();
    assert_eq!(messages.iter().map(Message::seq).collect::<Vec<_>>(), (head + 1..=head + 10).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_with_tabs_on_two_nodes_is_one_person() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    let mut ada = stream(&there.ada).await;
    let one = stream(&here.dee).await;
    assert_eq!(next_status_of(&mut ada, "dee").await, "online");
    let two = stream(&there.dee).await;
    drop(one);
    // Long after the first tab closed, as both nodes count: Cy's coming is told, and of Dee nothing.
    let _cy = stream(&here.cy).await;
    assert_eq!(next_statuses(&mut ada).await, [("cy".into(), "online".into())]);
    drop(two);
    for node in [&here, &there] {
        node.clock.advance(6_000);
    }
    assert_eq!(next_status_of(&mut ada, "dee").await, "away");
    for node in [&here, &there] {
        node.clock.advance(5 * 60_000);
    }
    assert_eq!(next_status_of(&mut ada, "dee").await, "offline");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_says_on_any_node_who_is_there() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    let mut ada = stream(&there.ada).await;
    here.app.hub().set_host_presence(&support::uid("dee"), true);
    assert_eq!(next_status_of(&mut ada, "dee").await, "online");
    let late = another(&cluster, |_| {}).await;
    until_status(&late, "dee", "online").await;
    late.app.hub().set_host_presence(&support::uid("dee"), false);
    assert_eq!(next_status_of(&mut ada, "dee").await, "away");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_dies_takes_its_people_offline_once_and_not_those_who_came_elsewhere() {
    a_node_ends(async |node: &World| node.app.stop()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_drains_takes_nobody_offline_who_comes_elsewhere() {
    a_node_ends(async |node: &World| {
        node.app.drain().await;
        node.app.stop();
    })
    .await;
}

/// Dee and Eve are on a node that ends; Eve comes elsewhere and Dee does not.
async fn a_node_ends(end: impl AsyncFn(&World)) {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    let mut ada = stream(&there.ada).await;
    let (_dee, eve) = (stream(&here.dee).await, stream(&here.eve).await);
    let mut online = Vec::new();
    while online.len() < 2 {
        online.extend(next_statuses(&mut ada).await);
    }
    assert!(online.iter().all(|(_, status)| status == "online"), "{online:?}");
    end(&here).await;
    drop(eve);
    let _eve = stream(&there.eve).await;
    let statuses = tokio::time::timeout(Duration::from_secs(60), async {
        loop {
            // Streams say something at least every fifteen seconds.
            if let Ok(statuses) = tokio::time::timeout(Duration::from_secs(5), receive_statuses(&mut ada)).await {
                return statuses;
            }
        }
    });
    let dee_alone = [("dee".to_owned(), "offline".to_owned())];
    assert_eq!(statuses.await.expect("the lease ends"), dee_alone, "once, and nothing of Eve");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_there_is_known_again_after_the_database_was_killed() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    let _dee = stream(&here.dee).await;
    here.app.hub().set_host_presence(&support::uid("eve"), true);
    until_status(&there, "dee", "online").await;
    until_status(&there, "eve", "online").await;
    let cluster = spawn_blocking(move || {
        cluster.stop(Stop::Immediate);
        cluster.start_again();
        cluster
    });
    let cluster = cluster.await.unwrap();
    assert_eq!(cluster.sql("chat", "SELECT count(*) FROM attendance WHERE uid = 'ada'").trim(), "0");
    let late = another(&cluster, |_| {}).await;
    until_status(&late, "dee", "online").await;
    until_status(&late, "eve", "online").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_is_cut_off_says_so_and_shows_nothing_until_it_has_caught_up() {
    let (cluster, here) = first(|_| {}).await;
    let (network, there) = through_a_network(&cluster).await;
    let mut dee = stream(&there.dee).await;
    let mut eve = there.eve.raw("/groups/den/events", &[]).await;
    eve.next().await.unwrap();

    network.stall();
    eve.until("a word that the node is cut off", |message| is_live(message, "reconnecting")).await;
    here.ada.kick("dee").await.ok();
    // Somebody comes to the node that is cut off, and its list is still there.
    let (_cy, list) = (there.cy.raw(STREAM, &[]).await, there.eve.sees().await);
    assert!(list.contains(&"dee".into()), "as it was before: {list:?}");
    assert_eq!(there.eve.data("/groups/den/members/cy").await.ok().json()["data"]["status"], "offline");
    let mut late = there.ben.raw("/groups/den/events", &[]).await;
    late.until("the same word to who comes late", |message| is_live(message, "reconnecting")).await;

    network.heal();
    eve.until("Dee's end", |message| message.misses("dee")).await;
    let rest = dee.rest().await;
    assert_eq!(rest.last().unwrap().name(), "revoked");
    let cy = rest.iter().find(|message| message.data.as_deref().is_some_and(|data| data.contains("\"cy\"")));
    assert_eq!(cy, None, "nothing in between, not even that Cy came");
    late.until("a word that all is well", |message| is_live(message, "on")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_group_that_takes_seconds_to_read_is_not_live_meanwhile_and_every_other_is() {
    let (cluster, here) = first(|_| {}).await;
    here.seed("hall", GroupType::Public, [("ada", "Ada", Scope::Owner), ("ben", "Ben", Scope::Participant)]).await;
    let (network, there) = through_a_network(&cluster).await;
    let mut den = there.eve.raw("/groups/den/events", &[]).await;
    let mut hall = there.ben.raw("/groups/hall/events", &[]).await;
    for stream in [&mut den, &mut hall] {
        stream.next().await.unwrap();
    }

    network.delay(Duration::from_millis(25));
    let crowd: Vec<String> = (0..20_000).map(|n| format!("c{n:05}")).collect();
    let people = crowd.iter().map(|uid| (uid.as_str(), uid.as_str(), Scope::Participant));
    here.seed("hall", GroupType::Public, people).await;
    hall.until("a word that it is not up to date", |message| is_live(message, "reconnecting")).await;
    let mut late = there.ada.raw("/groups/hall/events", &[]).await;
    late.until("the same word to who comes late", |message| is_live(message, "reconnecting")).await;
    here.ada.kick("dee").await.ok();
    let kicked = den.until("Dee's end", |message| message.misses("dee") || is_live(message, "reconnecting")).await;
    assert!(!is_live(&kicked, "reconnecting"), "the den is up to date");
    for stream in [&mut hall, &mut late] {
        stream.until("a word that all is well", |message| is_live(message, "on")).await;
    }
    assert_eq!(there.ben.data("/groups/hall/members?limit=1").await.ok().json()["meta"]["count"], 20_002);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_is_told_as_one_also_by_a_node_that_was_far_behind_and_when_a_mute_ended_after_it() {
    let (cluster, here) = first(|config| config.wake = Wake::None).await;
    let crowd = a_thousand_more(&here).await;
    let (network, there) = through_a_network(&cluster).await;
    let mut dee = stream(&there.dee).await;

    network.stall();
    here.cy.mute("dee", json!({"until": 3600})).await.ok();
    here.cy.ban("dee", json!({"message": "Cool down."})).await.ok();
    here.cy.unmute("dee").await.ok();
    more_events_than_are_read_one_by_one(&here.cy, &crowd).await;
    network.heal();
    let end = dee.rest().await.pop().unwrap();
    assert_eq!(end.name(), "revoked");
    let data = end.data.unwrap();
    assert!(data.contains("banned") && data.contains("Cool down."), "{data}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_goes_on_without_any_transport() {
    let (cluster, here) = first(|config| config.wake = Wake::None).await;
    let there = another(&cluster, |config| config.wake = Wake::None).await;
    let mut ada = stream(&there.ada).await;
    let _dee = stream(&here.dee).await;
    assert_eq!(next_status_of(&mut ada, "dee").await, "online");
    let head = here.head("den").await;
    here.cy.kick("dee").await.ok();
    ada.up_to(head + 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_is_told_a_status_once_more_since_another_node_may_not_have_known_it() {
    let (_cluster, here) = first(|_| {}).await;
    let mut ada = here.ada.raw("/groups/den/events", &[]).await;
    ada.next().await.unwrap();
    let _dee = stream(&here.dee).await;
    let mut received_at = Vec::new();
    for time in ["first", "once more"] {
        let word = ada.until(time, |message| message.has("[data-note=statuses][data-online~=dee][data-total]")).await;
        received_at.push(Instant::now());
        assert!(!word.has("li[data-uid]"), "no row is drawn again: {word:?}");
    }
    // One to two times three seconds, each until the next round.
    let later = received_at[1] - received_at[0];
    assert!((Duration::from_secs(2)..Duration::from_secs(9)).contains(&later), "{later:?} later");
}

fn is_live(message: &Message, live: &str) -> bool {
    message.has(&format!("[data-live={live}]"))
}

/// Who is said to be what in the next message about who is there.
async fn next_statuses(stream: &mut Raw) -> Vec<(String, String)> {
    soon("who is there", receive_statuses(stream)).await
}

async fn receive_statuses(stream: &mut Raw) -> Vec<(String, String)> {
    let message = stream.until("who is there", |message| message.name() == "presence").await;
    let text = |member: &Value, name: &str| member[name].as_str().unwrap().to_owned();
    let members = message.json()["members"].as_array().unwrap().clone();
    // Whoever looks is there too.
    members.iter().map(|member| (text(member, "uid"), text(member, "status"))).filter(|(uid, _)| uid != "ada").collect()
}

/// The next status of this person.
async fn next_status_of(stream: &mut Raw, uid: &str) -> String {
    loop {
        if let Some((_, status)) = next_statuses(stream).await.into_iter().find(|(other, _)| other == uid) {
            return status;
        }
    }
}

/// Waits until this node says that somebody has this status.
pub(crate) async fn until_status(node: &World, uid: &str, status: &str) {
    soon(&format!("{uid} to be {status}"), async {
        loop {
            let member = node.ada.data(&format!("/groups/den/members/{uid}")).await;
            if member.status == 200 && member.json()["data"]["status"] == status {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}
