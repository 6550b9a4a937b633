//! Messages with changes of role, read on nodes that have the change from the log: they loaded the group later, or were far behind.

use chat_group_members::config::Wake;
use serde_json::{Value, json};

use crate::mutes::{named, undo_last};
use crate::peer_nodes::{a_thousand_more, first, more_events_than_are_read_one_by_one, through_a_network};
use crate::support::{Actor, World, eventually};

/// The message that Cy is told with a lower role.
const TOLD: &str = "You were away for long.";

/// The terms of a change of scope.
fn terms(scope: &str, message: &str) -> Value {
    json!({"scope": scope, "message": message})
}

/// The notice below somebody's list, empty when there is none.
async fn notice(actor: &Actor) -> String {
    actor.get("/groups/den/members?part=component").await.ok().text(".chat-group-members__notice")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_demoted_reads_the_message_also_on_a_node_that_loads_the_group_later() {
    let here = World::new().await;
    here.ada.grant("cy", terms("participant", TOLD)).await.ok();
    // This is as if it had not been.
    here.ada.set_scope("cy", "moderator").await.ok();
    undo_last(&here, &here.ada).await.ok();
    here.ada.grant("dee", terms("moderator", "Welcome.")).await.ok();
    here.ada.set_scope("dee", "participant").await.ok();
    here.ada.grant("ben", terms("participant", "Rest.")).await.ok();
    here.host_kicks("den", "ben").await;
    here.host_adds("den", "ben", "Ben Okri").await;

    let there = here.beside().await;
    assert!(notice(&there.cy).await.contains(TOLD));
    assert_eq!(notice(&there.dee).await, "", "of her present role nothing was said");
    assert_eq!(notice(&there.ben).await, "", "he came back as anybody");
    here.clock.advance(3_600_000);
    for node in [here.beside().await, there] {
        assert_eq!(notice(&node.cy).await, "", "after an hour");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_writes_who_steps_down_is_told_to_nobody_as_if_the_team_said_it() {
    let here = World::new().await;
    let (mut cy, mut ben) = (here.cy.events().await, here.ben.events().await);
    here.cy.grant("cy", terms("participant", TOLD)).await.ok();
    for stream in [&mut cy, &mut ben] {
        let event = named(stream, "member_scope_changed").await;
        assert_eq!((&event["new"], event.get("message")), (&json!("participant"), None), "{event}");
    }
    for node in [&here, &here.beside().await] {
        assert_eq!(notice(&node.cy).await, "");
        let feed = node.cy.get("/groups/den/members?format=atom").await.ok().body;
        assert!(!feed.contains(TOLD), "{feed}");
    }
    here.ben.grant("ben", terms("moderator", &"x".repeat(513))).await.refused(422, "ERR_VALIDATION");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_shows_a_group_of_which_it_cannot_read_an_event_with_a_message_without_that_message() {
    let here = World::new().await;
    here.ada.grant("cy", terms("participant", TOLD)).await.ok();
    here.ada.grant("dee", terms("moderator", "Welcome.")).await.ok();
    here.write_by_hand("UPDATE events SET cause = 'weather' WHERE guid = 'den' AND message = 'Welcome.'").await;
    let there = here.beside().await;
    assert_eq!(notice(&there.dee).await, "");
    assert!(notice(&there.cy).await.contains(TOLD), "the others are read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_demoted_reads_the_message_also_on_a_node_that_was_far_behind() {
    let (cluster, here) = first(|config| config.wake = Wake::None).await;
    let crowd = a_thousand_more(&here).await;
    let (network, there) = through_a_network(&cluster).await;
    assert_eq!(notice(&there.cy).await, "");

    network.stall();
    here.ada.grant("cy", terms("participant", TOLD)).await.ok();
    more_events_than_are_read_one_by_one(&here.ben, &crowd).await;
    network.heal();
    eventually("the message", async || {
        let list = there.cy.get("/groups/den/members?part=component").await;
        list.status == 200 && list.text(".chat-group-members__notice").contains(TOLD)
    })
    .await;
}
