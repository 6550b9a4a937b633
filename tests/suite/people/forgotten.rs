//! Whom the nodes forget in memory because they are erased, and what of others they keep.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use super::is_shared;
use super::zora::{UID, erase, with_zora};
use crate::support::{World, eventually, uid};

/// Longer than an erasure takes on a busy machine.
const ENDED: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_knows_that_zora_is_being_erased_until_her_erasure_has_ended_and_keeps_no_name_of_hers_then() {
    let world = with_zora().await;
    let other = if is_shared(&world) { Some(world.beside().await) } else { None };
    let nodes: Vec<&World> = [&world].into_iter().chain(other.as_ref()).collect();
    let mut seen = Vec::new();
    for node in nodes {
        let mut people = node.app.hub().being_erased();
        seen.push(tokio::spawn(async move {
            people.wait_for(|people| people.contains(&uid(UID))).await.unwrap();
            people.wait_for(Vec::is_empty).await.unwrap();
        }));
    }
    erase(&world, UID).await.ok();
    for node in seen {
        timeout(ENDED, node).await.expect("she is named, and then nobody").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cy_was_told_with_her_role_is_still_read_once_zora_is_forgotten() {
    let world = with_zora().await;
    let before = world.ada.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].clone();
    let header = [("last-event-id", before.as_str().unwrap())];
    let told = json!({"scope": "participant", "message": "You were away for long."});
    world.ada.grant("cy", told).await.ok();
    let notice = async || {
        let list = world.cy.get("/groups/den/members?part=component").await.ok();
        list.text(".chat-group-members__notice")
    };
    assert!(notice().await.contains("You were away for long."));
    erase(&world, UID).await.ok();
    eventually("the node has forgotten what was rewritten", async || {
        let mut stream = world.ada.raw("/groups/den/events?format=json", &header).await;
        assert_eq!(stream.next().await.unwrap().name(), "ready");
        stream.next().await.unwrap().name() == "resync"
    })
    .await;
    assert!(notice().await.contains("You were away for long."));
}
