//! Events that belong to no group are written together with what they tell of, or not at all.

use chat_group_members::membership::sweep;
use chat_group_members::store::{Decision, Lane, OutboxEvent, StoreError};
use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::Receiver;
use super::{ask, state, world_sending_to};
use crate::support::{World, eventually, uid};

/// How a transaction ends.
type End = fn() -> Result<Decision<()>, StoreError>;

/// The number of the last event of a lane, and the events that are stored.
async fn stored(world: &World, lane: &Lane) -> (u64, Vec<OutboxEvent>) {
    world.app.store().read().await.unwrap().outbox(lane, 0, 10).await.unwrap()
}

/// The lane in which the erasure of somebody is told.
fn erasure_of(world: &World, who: &str) -> Lane {
    Lane::Outbox(Some(world.app.store().pseudonyms().of(&uid(who))))
}

async fn erase(world: &World, who: &str) -> u16 {
    ask(world, Method::DELETE, &format!("/v3/users/{who}"), Some(json!({"permanent": true}))).await.status.as_u16()
}

/// The ids of what was told of erasures.
fn told_erasures(receiver: &Receiver) -> Vec<String> {
    let calls = receiver.calls().into_iter().filter(|call| call.kind() == "user.deleted");
    calls.map(|call| call.id().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_that_is_refused_or_rolled_back_leaves_no_event() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let (head, before) = (world.head("den").await, receiver.calls().len());
    // Ada owns groups, nobody knows Zoe, and Dee may kick nobody.
    for (who, status) in [("ada", 409), ("zoe", 404)] {
        assert_eq!(erase(&world, who).await, status);
        let (last, events) = stored(&world, &erasure_of(&world, who)).await;
        assert!(last == 0 && events.is_empty(), "{who}: {events:?}");
    }
    world.dee.kick("eve").await.refused(403, "ERR_GROUP_NO_CLEARANCE");

    let lane = Lane::Outbox(Some(uid("dee")));
    let ends: [(End, u64); 3] = [
        (|| Err(StoreError::Unavailable("the act fails after it has written".into())), 0),
        (|| Ok(Decision::Rollback(())), 0),
        (|| Ok(Decision::Commit(())), 1),
    ];
    for (end, expected) in ends {
        let written: Result<(), StoreError> = world
            .app
            .store()
            .write(None, move |tx| {
                Box::pin(async move {
                    let dee = uid("dee");
                    tx.append_outbox("user.deleted", Some(&dee), &json!({"uid": "dee"})).await?;
                    end()
                })
            })
            .await;
        let (last, events) = stored(&world, &lane).await;
        assert_eq!((last, events.len() as u64), (expected, expected), "{written:?}");
    }
    eventually("what was committed is told", || async { !told_erasures(&receiver).is_empty() }).await;
    assert_eq!((receiver.calls().len(), world.head("den").await), (before + 1, head), "and nothing else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_that_succeeds_has_its_event_stored_before_anybody_is_told() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(503);
    assert_eq!(erase(&world, "eve").await, 200);
    let (last, events) = stored(&world, &erasure_of(&world, "eve")).await;
    let [event] = &events[..] else { panic!("one event: {events:?}") };
    assert_eq!((last, event.kind.as_str()), (1, "user.deleted"));
    let data: Value = serde_json::from_str(&event.data).unwrap();
    assert_eq!((&data["uid"], &data["groups"]), (&json!("eve"), &json!(["den", "park", "vault"])));
    assert_eq!(world.scope("den", "eve").await, None, "Eve is out by the same time");
    eventually("it is tried", || async { !told_erasures(&receiver).is_empty() }).await;
    assert!(told_erasures(&receiver).iter().all(|id| *id == event.id), "under the id that is stored");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_of_no_group_waits_for_an_endpoint_that_no_node_has_in_its_configuration() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(503);
    assert_eq!(erase(&world, "eve").await, 200);
    eventually("it is tried", || async { !told_erasures(&receiver).is_empty() }).await;
    world.app.drain().await;
    receiver.answers_with(200);
    let (tries, lane) = (told_erasures(&receiver).len(), erasure_of(&world, "eve"));
    // Longer than undelivered events of groups are kept for it.
    world.clock.advance(11 * 60_000);
    sweep(world.app.store(), 10_000).await.unwrap();
    assert_eq!(stored(&world, &lane).await.1.len(), 1, "no log keeps it");

    let there = world.beside().await;
    eventually("it is told", || async { told_erasures(&receiver).len() > tries }).await;
    eventually("the positions are written", || async { state(&there).await["backlog"] == 0 }).await;
    sweep(there.app.store(), 10_000).await.unwrap();
    assert!(stored(&there, &lane).await.1.is_empty(), "what everybody has is forgotten");
}
