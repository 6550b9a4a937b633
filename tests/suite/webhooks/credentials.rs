//! User and password in the URL of an endpoint, which may change.

use chat_group_members::app::App;
use chat_group_members::config::{Config, Webhook};
use reqwest::Method;
use serde_json::json;

use super::receiver::{Receiver, Reply};
use super::{ask, state, webhook, world_sending_to_with};
use crate::support::{World, eventually};

/// The receiver's endpoint, with this password of the user `members`.
fn endpoint(receiver: &Receiver, password: &str) -> Webhook {
    webhook(&receiver.url.replace("http://", &format!("http://members:{password}@")))
}

/// What authenticates `members` with the password `new`.
const NEW: &str = "Basic bWVtYmVyczpuZXc=";

/// A service that delivers with the password `old` what happens to the cast.
async fn world_with_the_old_password(receiver: &Receiver) -> World {
    world_sending_to_with(receiver, |config| config.webhooks = vec![endpoint(receiver, "old")]).await
}

/// From now on the receiver takes the new password alone; Cy kicks Dee, and the service ends before it has delivered that. The
/// number of the kick.
async fn ends_with_a_backlog(world: &World, receiver: &Receiver) -> u64 {
    receiver.answers(|call, _| Reply::Status(if call.header("authorization") == NEW { 200 } else { 401 }));
    world.cy.kick("dee").await.ok();
    eventually("the kick waits", || async { state(world).await["failing"] == 1 }).await;
    let kick = world.head("den").await;
    world.app.drain().await;
    world.app.stop();
    // The kick is due again.
    world.clock.advance(6_000);
    kick
}

/// The next start of the service, with the new password.
async fn starts_with_the_new_password(world: &World, receiver: &Receiver) -> World {
    let config = Config { webhooks: vec![endpoint(receiver, "new")], ..world.app.config().clone() };
    let app = App::open_at(config, world.clock.clone()).await.unwrap();
    World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await
}

/// Waits until the kick is delivered with the new password, and checks that the endpoint has everything, and that no other is configured.
async fn the_kick_is_delivered(world: &World, receiver: &Receiver, kick: u64) {
    eventually("the kick is delivered", || async {
        let mut taken = receiver.calls().into_iter().filter(|call| call.header("authorization") == NEW);
        taken.any(|call| call.data()["group"]["guid"] == "den" && call.data()["seq"] == kick)
    })
    .await;
    eventually("nothing waits", || async { state(world).await["backlog"] == 0 }).await;
    // With PostgreSQL, nodes of 0.2 go on under the former id.
    let listed = ask(world, Method::GET, "/v3/webhooks", None).await.ok().json();
    let configured: Vec<_> =
        listed["data"].as_array().unwrap().iter().filter(|endpoint| endpoint["configured"] == true).collect();
    let [only] = configured[..] else { panic!("one endpoint: {listed}") };
    assert_eq!((&only["id"], &only["dead"]), (&json!(endpoint(receiver, "new").id()), &json!(0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_whose_password_changes_gets_what_it_missed() {
    let receiver = Receiver::new().await;
    let world = world_with_the_old_password(&receiver).await;
    let kick = ends_with_a_backlog(&world, &receiver).await;
    let again = starts_with_the_new_password(&world, &receiver).await;
    the_kick_is_delivered(&again, &receiver, kick).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_0_2_has_stored_keeps_its_place_and_its_password_may_change_from_then_on() {
    let receiver = Receiver::new().await;
    let world = world_with_the_old_password(&receiver).await;
    let kick = ends_with_a_backlog(&world, &receiver).await;
    let stored = endpoint(&receiver, "old");
    let (id, former) = (stored.id(), stored.former_id().expect("the URL has a password"));
    for (table, column) in [("webhook_endpoints", "id"), ("webhook_positions", "endpoint")] {
        world.write_by_hand(&format!("UPDATE {table} SET {column} = '{former}' WHERE {column} = '{id}'")).await;
    }
    // The upgrade, still with the old password.
    let upgraded = world.beside().await;
    assert_eq!(state(&upgraded).await["backlog"], 1);
    upgraded.app.drain().await;
    upgraded.app.stop();
    // Whether it was tried or not, it is due.
    world.clock.advance(60_000);
    let again = starts_with_the_new_password(&world, &receiver).await;
    the_kick_is_delivered(&again, &receiver, kick).await;
}
