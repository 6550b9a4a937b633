//! Several nodes that share the work.

use std::collections::BTreeSet;

use chat_group_members::config::Webhook;
use chat_group_members::store::{Decision, Lane, LaneProgress, StoreError, StoredEndpoint};
use reqwest::Method;
use serde_json::json;

use super::receiver::{Call, Receiver};
use super::{ask, state, webhook, world_sending_to, world_sending_to_with};
use crate::support::{eventually, guid};

fn is_shared() -> bool {
    std::env::var("CGM_TEST_POSTGRES").is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_the_work_and_another_goes_on_where_one_stops() {
    let receiver = Receiver::new().await;
    let here = world_sending_to(&receiver).await;
    if !is_shared() {
        // A file has one node: the next one goes on.
        here.app.drain().await;
    }
    let there = here.beside().await;
    for turn in 0..10 {
        let scope = if turn % 2 == 0 { "moderator" } else { "participant" };
        let node = if turn < 5 && is_shared() { &here } else { &there };
        node.ada.set_scope("dee", scope).await.ok();
    }
    if is_shared() {
        here.app.drain().await;
    }
    there.ben.kick("dee").await.ok();
    receiver.has_event("den", there.head("den").await).await;
    receiver.is_in_order();
    let ids: Vec<_> = receiver.calls().iter().map(|call| call.id().to_owned()).collect();
    let distinct: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(ids.len(), distinct.len(), "each once, when nobody is killed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_was_paused_moves_no_position_back_or_forth() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    eventually("all is written", || async { state(&world).await["backlog"] == 0 }).await;
    let id = state(&world).await["id"].as_str().unwrap().to_owned();
    let (lane, head, epoch) =
        (Lane::Group(guid("den")), world.head("den").await, world.app.store().epoch().to_string());
    world.app.drain().await;
    // A node takes the lane, is paused for longer than its lease, and another node takes over.
    let claim = async |token: &'static str, lease: i64| {
        let (id, lanes) = (id.clone(), vec![lane.clone()]);
        let until = world.clock.now() + lease;
        let claimed: Result<_, chat_group_members::store::StoreError> = world
            .app
            .store()
            .write(None, move |tx| {
                Box::pin(async move {
                    Ok(chat_group_members::store::Decision::Commit(
                        tx.claim_lanes(&id, token, &lanes, false, until).await?,
                    ))
                })
            })
            .await;
        claimed.unwrap().len()
    };
    let advance = async |token: &'static str, seq: u64, epoch: &str| {
        let (id, epoch) = (id.clone(), epoch.to_owned());
        let progress = vec![LaneProgress { lane: lane.clone(), seq, dead: 0 }];
        let until = world.clock.now() + 10_000;
        let held: Result<_, chat_group_members::store::StoreError> = world
            .app
            .store()
            .write(None, move |tx| {
                Box::pin(async move {
                    let held = tx.advance_lanes(&id, token, &epoch, &progress, until).await?;
                    Ok(chat_group_members::store::Decision::Commit(held))
                })
            })
            .await;
        held.unwrap().len()
    };
    assert_eq!(claim("paused", 10_000).await, 1);
    assert_eq!(claim("other", 10_000).await, 0, "it is held");
    world.clock.advance(10_001);
    assert_eq!(claim("other", 10_000).await, 1, "the lease ran out");
    assert_eq!(advance("other", head + 2, &epoch).await, 1);
    assert_eq!(advance("paused", head + 1, &epoch).await, 0, "not back");
    assert_eq!(advance("paused", head + 9, &epoch).await, 0, "not forth");
    assert_eq!(advance("other", head + 1, &epoch).await, 0, "nobody moves one back");
    assert_eq!(advance("other", head + 3, "another").await, 0, "not by another history");
    assert_eq!(advance("other", head + 3, &epoch).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_fails_leaves_an_endpoint_open_to_which_another_has_delivered_meanwhile() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    world.app.drain().await;
    let stored = async || world.app.store().read().await.unwrap().endpoints().await.unwrap().remove(0);
    let back_off = async |read: StoredEndpoint| {
        let due_at = world.clock.now() + 5_000;
        let written: Result<bool, StoreError> = world
            .app
            .store()
            .write(None, move |tx| {
                Box::pin(async move {
                    let attempts = read.attempts + 1;
                    Ok(Decision::Commit(tx.back_off_endpoint(&read, attempts, due_at, due_at).await?))
                })
            })
            .await;
        written.unwrap()
    };
    let well = stored().await;
    assert!(back_off(well.clone()).await);
    assert!(!back_off(well).await, "the same failures are counted once");
    let failing = stored().await;
    assert_eq!(failing.attempts, 1);
    let id = failing.id.clone();
    let reopened: Result<(), StoreError> = world
        .app
        .store()
        .write(None, move |tx| Box::pin(async move { tx.reopen_endpoint(&id, &[]).await.map(Decision::Commit) }))
        .await;
    reopened.unwrap();
    assert!(!back_off(failing).await, "what was read is of before the delivery");
    let now = stored().await;
    assert_eq!((now.attempts, now.due_at, now.failing_since), (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_belongs_to_no_group_is_told_in_order_for_each_person() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    for (person, step) in [(Some("dee"), 1), (None, 1), (Some("dee"), 2), (Some("eve"), 1), (Some("dee"), 3)] {
        let person = person.map(crate::support::uid);
        let data = json!({"person": person.as_ref().map(ToString::to_string), "step": step});
        let appended: Result<(), chat_group_members::store::StoreError> = world
            .app
            .store()
            .write(None, move |tx| {
                Box::pin(async move {
                    let person = person.as_ref();
                    tx.append_outbox("user.deleted", person, &data).await?;
                    Ok(chat_group_members::store::Decision::Commit(()))
                })
            })
            .await;
        appended.unwrap();
    }
    let of = |person: serde_json::Value| {
        let calls = receiver.calls().into_iter().filter(|call| call.kind() == "user.deleted");
        calls
            .map(|call| call.data())
            .filter(|data| data["person"] == person)
            .map(|data| data["step"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    eventually("all are told", || async {
        of(json!("dee")).len() == 3 && of(json!("eve")).len() == 1 && of(json!(null)).len() == 1
    })
    .await;
    assert_eq!(of(json!("dee")), [1, 2, 3]);
    eventually("the positions are written", || async { state(&world).await["backlog"] == 0 }).await;
    chat_group_members::membership::sweep(world.app.store(), 10_000).await.unwrap();
    let lane = Lane::Outbox(Some(crate::support::uid("dee")));
    let left = world.app.store().read().await.unwrap().outbox(&lane, 0, 10).await.unwrap().1;
    assert!(left.is_empty(), "what everybody has is forgotten");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_history_is_announced_to_every_endpoint() {
    let (receiver, leavers) = (Receiver::new().await, Receiver::new().await);
    let asks_for_leavers = Webhook { events: vec!["member.left".into()], ..webhook(&leavers.url) };
    let world = world_sending_to_with(&receiver, |config| config.webhooks.push(asks_for_leavers)).await;
    eventually("all is written", || async {
        let endpoints = ask(&world, Method::GET, "/v3/webhooks", None).await.ok().json();
        endpoints["data"].as_array().unwrap().iter().all(|endpoint| endpoint["backlog"] == 0)
    })
    .await;
    assert!(leavers.calls().is_empty(), "nobody has left");
    let before = world.app.store().epoch().to_string();
    chat_group_members::store::Store::start_new_epoch(&world.app.config().database_url).await.unwrap();
    for endpoint in [&receiver, &leavers] {
        eventually("it is told", || async { endpoint.calls().iter().any(|call| call.kind() == "log.restarted") }).await;
        let call = endpoint.calls().into_iter().find(|call| call.kind() == "log.restarted").unwrap();
        assert_ne!(call.data()["epoch"], before.as_str());
    }
    world.cy.kick("dee").await.ok();
    world.eve.leave().await.ok();
    for endpoint in [&receiver, &leavers] {
        endpoint.has_event("den", world.head("den").await).await;
    }
    receiver.is_in_order();
    let kinds: BTreeSet<String> = leavers.calls().iter().map(Call::kind).collect();
    let expected = BTreeSet::from(["log.restarted", "member.left"].map(String::from));
    assert_eq!(kinds, expected, "beside what it asks for");
}
