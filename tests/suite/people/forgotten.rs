//! Whom the nodes forget in memory because they are erased.

use std::time::Duration;

use tokio::time::timeout;

use super::is_shared;
use super::zora::{UID, erase, with_zora};
use crate::support::{World, uid};

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
