//! Who comes and goes, as a host's server is told of it that asked to be.

use std::collections::HashSet;
use std::time::Duration;

use chat_group_members::config::{Secret, Webhook, WebhookFormat};
use chat_group_members::domain::Status;
use chat_group_members::live::HostReport;
use reqwest::Method;
use serde_json::{Value, json};

use super::original::keys;
use super::receiver::{Receiver, SECRET};
use super::{KEY, ask, state, webhook, while_time_passes, world_sending_to};
use crate::support::program::{Program, command, import};
use crate::support::sse::Raw;
use crate::support::{World, eventually, uid};

/// Somebody whose last stream closed is away after so long, in milliseconds.
const GRACE: i64 = 5_000;
/// And offline after so long.
const AWAY: i64 = 5 * 60_000;
/// Two rounds in which presence is told.
const ROUNDS: Duration = Duration::from_millis(6_500);

/// The cast, and a host that is told of presence alone.
async fn watched(receiver: &Receiver) -> World {
    watched_as(receiver, WebhookFormat::Standard).await
}

async fn watched_as(receiver: &Receiver, format: WebhookFormat) -> World {
    let url = receiver.url.clone();
    World::with(|config| {
        config.webhooks = vec![Webhook { events: vec!["user.presence".into()], format, ..webhook(&url) }];
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await
}

/// A stream of Eve's.
async fn stream(world: &World) -> Raw {
    let mut stream = world.eve.raw("/groups/den/events?format=json", &[]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    stream
}

/// The statuses of somebody in the order in which they came, repeats included.
fn statuses(receiver: &Receiver, uid: &str) -> Vec<String> {
    let calls = receiver.calls().into_iter().filter(|call| call.kind() == "user.presence" && call.data()["uid"] == uid);
    calls.map(|call| call.data()["status"].as_str().unwrap().to_owned()).collect()
}

async fn is_told(receiver: &Receiver, uid: &str, expected: &[&str]) {
    eventually(&format!("{uid} is {expected:?}"), || async { statuses(receiver, uid).len() >= expected.len() }).await;
    assert_eq!(statuses(receiver, uid), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_and_goes_is_told_once_for_each_status() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    let (one, other) = (stream(&world).await, stream(&world).await);
    is_told(&receiver, "eve", &["online"]).await;
    let call = receiver.calls().pop().unwrap();
    assert!(call.is_signed_by(SECRET) && call.id().starts_with("evt_"));
    let body = call.json();
    let mut keys: Vec<_> = body["data"].as_object().unwrap().keys().cloned().collect();
    keys.sort();
    assert_eq!(keys, ["at", "status", "uid"]);
    let at = body["data"]["at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert!((world.clock.now() - at.as_millisecond()).abs() < 20_000, "{body}");
    drop(one);
    world.clock.advance(AWAY);
    tokio::time::sleep(ROUNDS).await;
    is_told(&receiver, "eve", &["online"]).await;
    drop(other);
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.clock.advance(GRACE + 1);
    is_told(&receiver, "eve", &["online", "away"]).await;
    world.clock.advance(AWAY);
    is_told(&receiver, "eve", &["online", "away", "offline"]).await;
    let ids: HashSet<_> = receiver.calls().iter().map(|call| call.id().to_owned()).collect();
    assert_eq!(ids.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_where_nobody_asked() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let _stream = stream(&world).await;
    tokio::time::sleep(ROUNDS).await;
    assert!(receiver.calls().iter().all(|call| call.kind() != "user.presence"));
    assert!(world.app.store().read().await.unwrap().reported_presence().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_host_reports_itself_ends_with_its_time() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    let report = async |status: &str| {
        let body = json!({"status": status, "ttl": 60});
        ask(&world, Method::PUT, "/v3/users/dee/presence", Some(body)).await.ok();
    };
    report("available").await;
    is_told(&receiver, "dee", &["online"]).await;
    report("available").await;
    tokio::time::sleep(ROUNDS).await;
    world.clock.advance(60_001);
    is_told(&receiver, "dee", &["online", "offline"]).await;
    report("away").await;
    is_told(&receiver, "dee", &["online", "offline", "away"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reloads_the_page_or_comes_and_goes_between_two_rounds_is_not_told_of_each_time() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    let first = stream(&world).await;
    is_told(&receiver, "eve", &["online"]).await;
    drop(first);
    for _ in 0..10 {
        drop(stream(&world).await);
    }
    let report = |status| world.app.hub().set_host_report(&uid("dee"), HostReport { status, until: None });
    for _ in 0..10 {
        report(Status::Online);
        report(Status::Offline);
    }
    let _last = stream(&world).await;
    tokio::time::sleep(ROUNDS).await;
    assert_eq!(statuses(&receiver, "eve"), ["online"]);
    assert_eq!(statuses(&receiver, "dee"), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_is_told_in_portions_and_each_of_them_once() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    for number in 0..2_500 {
        let report = HostReport { status: Status::Online, until: None };
        world.app.hub().set_host_report(&uid(&format!("p{number}")), report);
    }
    let mut most = 0;
    let mut before = 0;
    while receiver.calls().len() < 2_500 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let stored = world.app.store().read().await.unwrap().reported_presence().await.unwrap().len();
        most = most.max(stored - before);
        before = stored;
    }
    assert!(most <= 1_000, "{most} at a time");
    tokio::time::sleep(ROUNDS).await;
    let people: HashSet<_> = receiver.calls().iter().map(|call| call.data()["uid"].to_string()).collect();
    assert_eq!((receiver.calls().len(), people.len()), (2_500, 2_500));
    eventually("nothing waits", || async { state(&world).await["backlog"] == 0 }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_what_a_receiver_missed_it_gets_the_last_status_of_each() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    let report = |status| world.app.hub().set_host_report(&uid("dee"), HostReport { status, until: None });
    let stored = async |status: Option<Status>| {
        eventually("it is stored", || async {
            let stored = world.app.store().read().await.unwrap().reported_presence().await.unwrap();
            stored.get(&uid("dee")).copied() == status
        })
        .await;
    };
    receiver.answers_with(500);
    report(Status::Online);
    stored(Some(Status::Online)).await;
    report(Status::Away);
    stored(Some(Status::Away)).await;
    report(Status::Offline);
    stored(None).await;
    eventually("one waits", || async { state(&world).await["backlog"] == 1 }).await;
    receiver.answers_with(200);
    let before = receiver.calls().len();
    while_time_passes(&world, receiver.has(before + 1)).await;
    eventually("nothing waits", || async { state(&world).await["backlog"] == 0 }).await;
    assert_eq!(
        receiver.calls()[before..].iter().map(|call| call.data()["status"].clone()).collect::<Vec<_>>(),
        ["offline"]
    );
    assert_eq!(state(&world).await["dead"], 0, "what a later status replaces is not given up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_restart_who_comes_back_is_not_told_of_and_who_does_not_is_offline() {
    let receiver = Receiver::new().await;
    let here = watched(&receiver).await;
    let online = HostReport { status: Status::Online, until: None };
    let eve = stream(&here).await;
    here.app.hub().set_host_report(&uid("dee"), online);
    if std::env::var("CGM_TEST_POSTGRES").is_ok() {
        // What the host reports outlives a node there: it is ended below.
        is_told(&receiver, "dee", &["online"]).await;
        here.app.hub().set_host_report(&uid("dee"), HostReport { until: Some(here.clock.now() + 20_000), ..online });
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    is_told(&receiver, "eve", &["online"]).await;
    is_told(&receiver, "dee", &["online"]).await;
    here.app.drain_streams(Duration::ZERO).await;
    here.app.stop();
    drop(eve);
    let there = here.beside().await;
    let _eve = stream(&there).await;
    tokio::time::sleep(ROUNDS).await;
    assert_eq!(statuses(&receiver, "dee"), ["online"], "they may still come back");
    there.clock.advance(30_000);
    is_told(&receiver, "dee", &["online", "offline"]).await;
    tokio::time::sleep(ROUNDS).await;
    assert_eq!(statuses(&receiver, "eve"), ["online"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_nodes_one_tells_and_another_goes_on_when_it_is_killed() {
    if std::env::var("CGM_TEST_POSTGRES").is_err() {
        return; // A file has one node.
    }
    let folder = tempfile::tempdir().unwrap();
    let people = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n";
    assert!(import(folder.path(), "den", people).0);
    let receiver = Receiver::new().await;
    let serve = || {
        let mut serve = command(folder.path());
        serve.args(["serve", "--listen", "127.0.0.1:0"]);
        serve.env("CGM_WEBHOOK_URL", &receiver.url).env("CGM_WEBHOOK_SECRET", SECRET);
        serve.env("CGM_WEBHOOK_EVENTS", "user.presence");
        tokio::task::spawn_blocking(move || Program::start(&mut serve))
    };
    let (first, second) = (serve().await.unwrap(), serve().await.unwrap());
    let come = async |node: &Program, who: &str| {
        let mut stream = node.actor(who).raw("/groups/den/events?format=json", &[]).await;
        assert_eq!(stream.next().await.unwrap().name(), "ready");
        stream
    };
    // Ben is on both nodes, Dee on the one that goes, Ada on the one that stays.
    let (_ben, _dee) = (come(&first, "ben").await, come(&first, "dee").await);
    let (_ben_too, _ada) = (come(&second, "ben").await, come(&second, "ada").await);
    for who in ["ada", "ben", "dee"] {
        is_told(&receiver, who, &["online"]).await;
    }
    first.kill();
    let begun = std::time::Instant::now();
    // What the node had delivered when it was killed may come again, under the same id.
    let distinct = |who: &str| {
        let mut ids = HashSet::new();
        let mut calls = receiver.calls();
        calls.retain(|call| call.data()["uid"] == who && ids.insert(call.id().to_owned()));
        calls.iter().map(|call| call.data()["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    while distinct("dee").len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "Dee stays online for ever");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(ROUNDS).await;
    assert_eq!(distinct("dee"), ["online", "offline"]);
    assert_eq!((distinct("ben"), distinct("ada")), (vec!["online".to_owned()], vec!["online".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_erased_is_named_by_no_status_any_more() {
    let receiver = Receiver::new().await;
    let world = watched(&receiver).await;
    let _stream = stream(&world).await;
    is_told(&receiver, "eve", &["online"]).await;
    receiver.answers_with(500);
    world.app.hub().set_host_report(&uid("dee"), HostReport { status: Status::Online, until: None });
    eventually("Dee's waits", || async {
        let stored = world.app.store().read().await.unwrap().reported_presence().await.unwrap();
        stored.contains_key(&uid("dee")) && state(&world).await["failing"] == 1
    })
    .await;
    for who in ["eve", "dee"] {
        let path = format!("/v3/users/{who}");
        ask(&world, Method::DELETE, &path, Some(json!({"permanent": true}))).await.ok();
    }
    eventually("nobody is known as online", || async {
        world.app.store().read().await.unwrap().reported_presence().await.unwrap().is_empty()
    })
    .await;
    let before = receiver.calls().len();
    receiver.answers_with(200);
    world.clock.advance(60_000);
    tokio::time::sleep(ROUNDS).await;
    assert!(
        receiver.calls()[before..].iter().all(|call| call.kind() != "user.presence"),
        "{:?}",
        receiver.calls()[before..].iter().map(|call| call.body.clone()).collect::<Vec<_>>()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_original_s_trigger_tells_of_it() {
    let receiver = Receiver::new().await;
    let world = watched_as(&receiver, WebhookFormat::Original).await;
    let stream = stream(&world).await;
    let call: Value = receiver.has(1).await[0].json();
    assert_eq!(call["trigger"], "user_connection_status_changed");
    let data = &call["data"];
    assert_eq!((&data["status"], &data["userPresenceChanged"]), (&json!("available"), &json!(true)));
    assert_eq!(data["currentConnection"], json!({"action": "connected"}));
    let user = &data["user"];
    assert_eq!(
        (&user["uid"], &user["name"], &user["status"]),
        (&json!("eve"), &json!("Eve Adams"), &json!("available"))
    );
    assert_eq!(keys(data), ["currentConnection", "status", "timestamp", "user", "userPresenceChanged"]);
    assert_eq!(keys(user), ["lastActiveAt", "name", "role", "status", "uid"], "Eve has no picture");
    // In milliseconds and in seconds, as the original has them.
    let timestamp = data["timestamp"].as_i64().unwrap();
    assert!(timestamp > 1_600_000_000_000, "{timestamp}");
    assert_eq!(user["lastActiveAt"], timestamp / 1000);
    drop(stream);
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.clock.advance(AWAY);
    let call: Value = receiver.has(2).await[1].json();
    assert_eq!((&call["data"]["status"], &call["data"]["user"]["status"]), (&json!("offline"), &json!("offline")));
    assert_eq!(call["data"]["currentConnection"], json!({"action": "disconnected"}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn to_the_original_dee_who_is_away_is_available_and_connected() {
    let receiver = Receiver::new().await;
    let world = watched_as(&receiver, WebhookFormat::Original).await;
    let away = json!({"status": "away", "ttl": 60});
    ask(&world, Method::PUT, "/v3/users/dee/presence", Some(away)).await.ok();
    let call: Value = receiver.has(1).await[0].json();
    assert_eq!((&call["data"]["user"]["uid"], &call["data"]["status"]), (&json!("dee"), &json!("available")));
    assert_eq!(call["data"]["currentConnection"], json!({"action": "connected"}));
}
