//! What is measured of an endpoint, as it takes deliveries, fails, and is given up on.

use std::time::Duration;

use super::receiver::Receiver;
use super::{state, webhook, world_sending_to};
use crate::support::{World, eventually};

/// Longest wait for the backlog, which is read for the metrics every ten seconds.
const BACKLOG_PATIENCE: Duration = Duration::from_secs(20);

/// A measurement of this receiver's endpoint.
fn measured(world: &World, receiver: &Receiver, name: &str) -> f64 {
    let series = format!("chat_group_members_webhook_{name}{{endpoint=\"{}\"}} ", webhook(&receiver.url).id());
    let text = world.app.metrics_text();
    let value = text.lines().find_map(|line| line.strip_prefix(series.as_str()));
    value.unwrap_or_else(|| panic!("{series}: {text}")).parse().unwrap()
}

/// Waits until the backlog is measured like this.
async fn backlog_is(world: &World, receiver: &Receiver, events: f64) {
    let waiting = async {
        while measured(world, receiver, "backlog") != events {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let waited = tokio::time::timeout(BACKLOG_PATIENCE, waiting).await;
    assert!(waited.is_ok(), "the backlog stays {}, not {events}", measured(world, receiver, "backlog"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deliveries_failures_dead_events_and_the_backlog_are_counted() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let count = |name: &str| measured(&world, &receiver, name);
    let before = receiver.calls().len() as f64;
    eventually("the cast is counted", || async { count("deliveries_total") == before }).await;
    world.cy.kick("dee").await.ok();
    eventually("the kick is counted", || async { count("deliveries_total") == before + 1.0 }).await;
    assert_eq!((count("failures_total"), count("dead_total")), (0.0, 0.0));

    receiver.answers_with(500);
    world.ben.kick("eve").await.ok();
    eventually("the failure is counted", || async { count("failures_total") >= 1.0 }).await;
    assert_eq!((count("deliveries_total"), count("dead_total")), (before + 1.0, 0.0));
    backlog_is(&world, &receiver, 1.0).await;

    // After three days the kick is given up, and what comes after it is delivered.
    eventually("the failure is written", || async { state(&world).await["failing"] == 1 }).await;
    world.clock.advance(3 * 24 * 3_600_000 + 1);
    receiver.answers_with(200);
    world.ada.set_scope("cy", "participant").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    eventually("the dead one is counted", || async { count("dead_total") >= 1.0 }).await;
    eventually("the change of scope is counted", || async { count("deliveries_total") >= before + 2.0 }).await;
    backlog_is(&world, &receiver, 0.0).await;
}
