//! The lanes in which the outbox tells of erasures are deleted when nobody needs them any more.

use std::collections::HashSet;

use chat_group_members::membership::sweep;
use chat_group_members::store::Lane;
use reqwest::Method;
use serde_json::json;

use super::receiver::Receiver;
use super::{ask, state, world_sending_to};
use crate::support::{eventually, faults, uid};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_erasure_that_was_told_no_lane_is_left_and_the_next_one_of_the_same_uid_is_told_too() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let lane = Lane::Outbox(Some(world.app.store().pseudonyms().of(&uid("eve"))));
    for times in 1..=2 {
        if times == 2 {
            ask(&world, Method::POST, "/v3/users", Some(json!({"uid": "eve", "name": "Eve"}))).await.ok();
        }
        ask(&world, Method::DELETE, "/v3/users/eve", Some(json!({"permanent": true}))).await.ok();
        eventually("it is told", || async {
            let told = receiver.calls().into_iter().filter(|call| call.kind() == "user.deleted");
            told.map(|call| call.id().to_owned()).collect::<HashSet<_>>().len() == times
        })
        .await;
        eventually("nothing waits", || async { state(&world).await["backlog"] == 0 }).await;
        eventually("the lane is gone", || async {
            // The lease of the node that told it is over.
            world.clock.advance(7_000);
            sweep(world.app.store(), 10_000).await.unwrap();
            world.app.store().read().await.unwrap().outbox(&lane, 0, 10).await.unwrap().0 == 0
        })
        .await;
        eventually("the erasure has ended", || async {
            world.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
        })
        .await;
    }
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}
