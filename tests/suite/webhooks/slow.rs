//! A receiver that takes longer than a second for each delivery: what changes meanwhile holds for the next one.

use std::time::Duration;

use chat_group_members::domain::Scope;
use serde_json::json;

use super::receiver::{Receiver, Reply};
use super::{operate, state, world_sending_to};
use crate::support::{World, eventually};

/// The time that the receiver takes: longer than a batch of events is sent from memory.
const ANSWER_TIME: Duration = Duration::from_millis(1_100);

/// Eight events of `den` that are not delivered yet.
async fn with_undelivered_events(receiver: &Receiver) -> World {
    let world = world_sending_to(receiver).await;
    operate(&world, "pause", json!({})).await;
    for scope in [Scope::Moderator, Scope::Participant].repeat(4) {
        world.host_sets_scope("den", "dee", scope).await;
    }
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_stops_a_batch_that_is_being_sent_and_a_resume_goes_on_after_it() {
    let receiver = Receiver::new().await;
    let world = with_undelivered_events(&receiver).await;
    let before = receiver.calls().len();
    receiver.answers(|_, _| Reply::Late(ANSWER_TIME, 200));
    operate(&world, "resume", json!({})).await;
    receiver.has(before + 1).await;
    operate(&world, "pause", json!({})).await;
    let paused = receiver.calls().len();
    // The time of three further deliveries: the pause is seen after the one that is on its way.
    tokio::time::sleep(ANSWER_TIME * 3 + Duration::from_millis(200)).await;
    assert!(receiver.calls().len() <= paused + 1, "{} came after the pause", receiver.calls().len() - paused);
    receiver.answers_with(200);
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
    receiver.is_in_order();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_410_of_one_group_stops_the_batch_of_another_one() {
    let receiver = Receiver::new().await;
    let world = with_undelivered_events(&receiver).await;
    world.host_sets_scope("park", "dee", Scope::Moderator).await;
    let before = receiver.calls().len();
    receiver.answers(|call, _| {
        if call.data()["group"]["guid"] == "park" { Reply::Status(410) } else { Reply::Late(ANSWER_TIME, 200) }
    });
    operate(&world, "resume", json!({})).await;
    eventually("it is gone", || async { state(&world).await["state"] == "gone" }).await;
    let gone = receiver.calls().len();
    assert!(gone > before, "it was asked");
    tokio::time::sleep(ANSWER_TIME * 3 + Duration::from_millis(200)).await;
    assert!(receiver.calls().len() <= gone + 1, "{} came after the 410", receiver.calls().len() - gone);
}
