//! What nodes keep for each other about who is there, in the moments when it can be lost.

use std::sync::Arc;

use chat_group_members::config::{Config, Secret};
use chat_group_members::domain::Status;
use chat_group_members::live::HostReport;
use chat_group_members::store::{HOST_NODE, NodePresence};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::peer_nodes::{API_KEY, another, first, until_status};
use crate::support::actor::send;
use crate::support::{World, eventually, uid};

const DAY: i64 = 24 * 3_600_000;
const STREAM: &str = "/groups/den/events?format=json";

fn gone(name: &str) -> NodePresence {
    NodePresence { uid: uid(name), open: false, away: false, until: None, closed_at: 0, reported_at: 0 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn that_somebody_is_gone_is_kept_until_the_other_nodes_have_had_the_time_to_read_it() {
    let (_cluster, here) = first(|_| {}).await;
    let table = here.app.store().presence_table().unwrap();
    let now = here.clock.now() + DAY;
    table.put_host_presence(&[gone("dee")], now).await.unwrap();
    table.prune(now - 1).await.unwrap();
    assert_eq!(table.changes_since(HOST_NODE, now - 1).await.unwrap(), [gone("dee")]);
    table.prune(now + 1).await.unwrap();
    assert_eq!(table.changes_since(HOST_NODE, 0).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_host_reported_before_is_not_written_over_what_it_reported_last() {
    let (_cluster, here) = first(|_| {}).await;
    let table = here.app.store().presence_table().unwrap();
    let now = here.clock.now() + DAY;
    let report = |open, reported_at| NodePresence { open, reported_at, ..gone("dee") };
    let written = async |open, reported_at| {
        table.put_host_presence(&[report(open, reported_at)], now).await.unwrap();
        table.changes_since(HOST_NODE, 0).await.unwrap()
    };
    assert_eq!(written(true, now).await, [report(true, now)]);
    assert_eq!(written(false, now - 50).await, [report(true, now)]);
    let before_the_clock_went_back = now - 3_600_000;
    assert_eq!(written(false, before_the_clock_went_back).await, [report(false, before_the_clock_went_back)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_host_reports_to_a_node_that_drains_reaches_the_others() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    here.app.drain().await;
    for (status, shown) in [(Status::Online, "online"), (Status::Offline, "offline"), (Status::Away, "away")] {
        here.app.hub().set_host_report(&uid("dee"), HostReport { status, until: None });
        until_status(&there, "dee", shown).await;
    }
    here.app.hub().set_host_report(&uid("eve"), HostReport { status: Status::Online, until: None });
    here.app.hub().presences().reports_written().await;
    here.app.stop();
    until_status(&there, "eve", "online").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_drains_learns_until_its_end_who_is_there() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    until_status(&here, "dee", "offline").await;
    here.app.drain().await;
    there.app.hub().set_host_report(&uid("dee"), HostReport { status: Status::Online, until: None });
    until_status(&here, "dee", "online").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_has_just_started_knows_from_its_first_answer_on_who_is_there() {
    let (cluster, here) = first(|_| {}).await;
    here.app.hub().set_host_report(&uid("dee"), HostReport { status: Status::Online, until: None });
    here.app.hub().presences().reports_written().await;
    // For a second nobody can read who is there.
    let cluster = Arc::new(cluster);
    let locking = cluster.clone();
    let locked = spawn_blocking(move || locking.sql("chat", "BEGIN; LOCK attendance; SELECT pg_sleep(1); COMMIT"));
    let is_locked = "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'attendance'::regclass";
    eventually("the lock", || async { cluster.sql("chat", is_locked).trim() == "1" }).await;
    let late = another(&cluster, |_| {}).await;
    let dee = late.ada.data("/groups/den/members/dee").await.ok();
    assert_eq!(dee.json()["data"]["status"], "online");
    locked.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_deleted_on_one_node_and_made_again_is_offline_on_the_node_that_had_their_stream() {
    let with_key = |config: &mut Config| config.api_keys = vec![Secret::new(API_KEY)];
    let (cluster, here) = first(with_key).await;
    let there = another(&cluster, with_key).await;
    let ask = async |node: &World, method: Method, path: &str, body: Value| {
        send(node.ada.anonymous(method, path).header("apikey", API_KEY).json(&body)).await.ok()
    };
    let (mut dee, eve) = (here.dee.raw(STREAM, &[]).await, here.eve.raw(STREAM, &[]).await);
    for name in ["dee", "eve"] {
        until_status(&there, name, "online").await;
    }
    // Eve is away when she is deleted, and Dee has a stream open.
    drop(eve);
    for node in [&here, &there] {
        node.clock.advance(6_000);
    }
    until_status(&there, "eve", "away").await;
    for (name, called) in [("dee", "Dee Again"), ("eve", "Eve Again")] {
        ask(&there, Method::DELETE, &format!("/v3/users/{name}"), json!({})).await;
        ask(&there, Method::POST, "/v3/users", json!({"uid": name, "name": called})).await;
    }
    dee.rest().await;
    ask(&there, Method::POST, "/v3/groups/den/members", json!({"participants": ["dee", "eve"]})).await;
    for name in ["dee", "eve"] {
        until_status(&here, name, "offline").await;
        until_status(&there, name, "offline").await;
        let user = here.ada.anonymous(Method::GET, &format!("/v3/users/{name}")).header("apikey", API_KEY);
        assert_eq!(send(user).await.ok().json()["data"]["status"], "offline");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_what_nodes_share_is_lost_each_writes_anew_what_it_knows() {
    let (cluster, here) = first(|_| {}).await;
    let there = another(&cluster, |_| {}).await;
    let hub = here.app.hub();
    hub.set_host_report(&uid("dee"), HostReport { status: Status::Online, until: None });
    until_status(&there, "dee", "online").await;
    // As after a crash of the database; and before anybody notices, the host reports two more, of whom one was known otherwise.
    hub.set_host_report(&uid("cy"), HostReport { status: Status::Online, until: None });
    until_status(&there, "cy", "online").await;
    cluster.sql("chat", "TRUNCATE nodes, attendance");
    let there_too = there.app.hub();
    there_too.set_host_report(&uid("eve"), HostReport { status: Status::Online, until: None });
    there_too.set_host_report(&uid("cy"), HostReport { status: Status::Away, until: None });
    until_status(&here, "eve", "online").await;
    let late = another(&cluster, |_| {}).await;
    for (uid, status) in [("eve", "online"), ("dee", "online"), ("cy", "away")] {
        until_status(&late, uid, status).await;
        until_status(&here, uid, status).await;
    }
}
