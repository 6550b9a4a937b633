//! Erasing a person whom a list of the host names that was staged.

use chat_group_members::membership::sweep;
use reqwest::Method;
use serde_json::json;

use super::host;
use super::zora::{NAME, UID, dump, erase, traces, with_zora};
use crate::support::eventually;

#[tokio::test]
async fn of_a_list_that_was_applied_and_not_yet_discarded_nothing_names_who_is_erased() {
    let world = with_zora().await;
    let now = world.clock.now();
    // As nodes leave them that end just then: the rows of a list that was applied, and of one that was given up.
    for (sync, phase) in [(5, 1), (6, 2)] {
        let list = format!("INSERT INTO syncs (sync, guid, alive_at, phase) VALUES ({sync}, 'den', {now}, {phase})");
        world.write_by_hand(&list).await;
        let rows = format!(
            "INSERT INTO sync_rows (sync, uid, line, name, sort_key, scope, state)
             VALUES ({sync}, '{UID}', 1, '{NAME}', 'zora quillfeather', 0, 1), ({sync}, 'eve', 2, 'Eve', 'eve', 0, 1)"
        );
        world.write_by_hand(&rows).await;
    }
    erase(&world, UID).await.ok();
    eventually("nothing names her", async || traces(&dump(&world).await).is_empty()).await;
}

/// The file may hold what was deleted, and is to be written anew; each time it becomes so this is another word.
const DUE: &str = "SELECT value FROM facts WHERE name = 'scrub_due'";
const STAGED: &str = "SELECT uid FROM sync_rows LIMIT 1";

#[tokio::test]
async fn a_list_that_leaves_somebody_out_does_not_have_the_file_written_anew() {
    let world = with_zora().await;
    let url = world.app.config().database_url.clone();
    // Writing a file anew raises this.
    let version = async || match url.starts_with("sqlite:") {
        true => world.read_by_hand("SELECT CAST(schema_version AS TEXT) FROM pragma_schema_version").await,
        false => None,
    };
    let before = version().await;
    let list = json!({"members": [{"uid": "dee"}]});
    host(&world, Method::PUT, "/v3/groups/den/members", Some(list)).await.ok();
    eventually("what was staged is discarded", async || world.read_by_hand(STAGED).await.is_none()).await;
    assert_eq!(world.read_by_hand(DUE).await, None);
    assert_eq!(version().await, before);
}

#[tokio::test]
async fn a_list_that_was_given_up_after_she_was_erased_has_the_file_written_anew() {
    let world = with_zora().await;
    let (url, now) = (world.app.config().database_url.clone(), world.clock.now());
    // A list that another node is storing.
    world.write_by_hand(&format!("INSERT INTO syncs (sync, guid, alive_at, phase) VALUES (5, 'den', {now}, 0)")).await;
    let row = format!(
        "INSERT INTO sync_rows (sync, uid, line, name, sort_key, scope, state) VALUES (5, '{UID}', 1, '{NAME}', 'z', 0, 1)"
    );
    world.write_by_hand(&row).await;
    erase(&world, UID).await.ok();
    eventually("the erasure has ended", async || {
        let is_over = world.read_by_hand("SELECT uid FROM erasures").await.is_none();
        is_over && (!url.starts_with("sqlite:") || world.read_by_hand(DUE).await.is_none())
    })
    .await;
    let before = world.read_by_hand(DUE).await;
    world.write_by_hand("UPDATE syncs SET alive_at = 0").await;
    sweep(world.app.store(), 10_000).await.unwrap();
    eventually("it is given up", async || world.read_by_hand(STAGED).await.is_none()).await;
    assert_ne!(world.read_by_hand(DUE).await, before);
}
