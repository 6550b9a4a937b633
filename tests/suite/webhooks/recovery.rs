//! What counts as a failing endpoint, and what it gets when it takes deliveries again.

use chat_group_members::domain::{GroupType, Scope};

use super::receiver::{Call, Receiver, Reply};
use super::{state, while_time_passes, world_sending_to};
use crate::support::{World, eventually};

/// The time that a receiver asks for, in seconds: longer than a test takes, the leaps of its clock included.
const ASKED: u32 = 2 * 3_600;

/// A refusal that asks for time.
fn later() -> Reply {
    Reply::Headers(503, vec![("retry-after", ASKED.to_string())])
}

fn is_of(call: &Call, guid: &str) -> bool {
    call.data()["group"]["guid"] == guid
}

/// Zoe makes a group: two events.
async fn new_group(world: &World, guid: &str) {
    world.seed(guid, GroupType::Public, [("zoe", "Zoe", Scope::Owner)]).await;
}

/// Waits until the next event of so many groups fails.
async fn groups_fail(world: &World, groups: u64) {
    eventually(&format!("{groups} groups fail"), || async { state(world).await["failing"] == groups }).await;
}

/// Waits until the node has read the state of the endpoint; it writes afterwards that it knows the endpoint.
async fn the_endpoint_is_read(world: &World) {
    world.clock.advance(61_000);
    eventually("the node says that it knows the endpoint", || async {
        let known = world.app.store().read().await.unwrap().endpoints().await.unwrap();
        world.clock.now() - known[0].seen_at < 60_000
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_node_delivers_ends_a_row_of_failures() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers(|_, _| later());
    for number in 0..4 {
        new_group(&world, &format!("g{number}")).await;
    }
    groups_fail(&world, 4).await;
    let at = world.clock.now() + 1_000;
    world.write_by_hand(&format!("UPDATE webhook_endpoints SET answer = '200', answered_at = {at}")).await;
    // The first of these rounds may have begun before.
    for _ in 0..2 {
        the_endpoint_is_read(&world).await;
    }
    new_group(&world, "g4").await;
    groups_fail(&world, 5).await;
    receiver.answers_with(200);
    new_group(&world, "g5").await;
    receiver.has_event("g5", 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_for_which_the_receiver_asked_for_time_has_it_also_when_the_endpoint_is_well_again() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers(|call, _| if is_of(call, "g0") { later() } else { Reply::Status(500) });
    new_group(&world, "g0").await;
    groups_fail(&world, 1).await;
    for number in 1..5 {
        new_group(&world, &format!("g{number}")).await;
    }
    eventually("everything waits", || async { state(&world).await["backingOff"] == true }).await;
    receiver.answers(|call, _| if is_of(call, "g0") { later() } else { Reply::Status(200) });
    world.clock.advance(6_000);
    for number in 1..5 {
        receiver.has_event(&format!("g{number}"), 2).await;
    }
    eventually("it is well", || async { state(&world).await["backingOff"] == false }).await;
    // What was made due before this group is tried before it.
    new_group(&world, "g5").await;
    receiver.has_event("g5", 2).await;
    let tries = receiver.calls().iter().filter(|call| is_of(call, "g0")).count();
    assert_eq!(tries, 1, "not before the time that was asked for");
    receiver.answers_with(200);
    while_time_passes(&world, receiver.has_event("g0", 2)).await;
}
