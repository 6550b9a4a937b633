//! Erasing a person whom a list of the host names that was staged.

use super::erasure::by_hand;
use super::zora::{NAME, UID, dump, erase, traces, with_zora};
use crate::support::eventually;

#[tokio::test]
async fn of_a_list_that_was_applied_and_not_yet_discarded_nothing_names_who_is_erased() {
    let world = with_zora().await;
    let (url, now) = (world.app.config().database_url.clone(), world.clock.now());
    // As nodes leave them that end just then: the rows of a list that was applied, and of one that was given up.
    for (sync, phase) in [(5, 1), (6, 2)] {
        let list = format!("INSERT INTO syncs (sync, guid, alive_at, phase) VALUES ({sync}, 'den', {now}, {phase})");
        by_hand(&url, list).await;
        let rows = format!(
            "INSERT INTO sync_rows (sync, uid, line, name, sort_key, scope, state)
             VALUES ({sync}, '{UID}', 1, '{NAME}', 'zora quillfeather', 0, 1), ({sync}, 'eve', 2, 'Eve', 'eve', 0, 1)"
        );
        by_hand(&url, rows).await;
    }
    erase(&world, UID).await.ok();
    eventually("nothing names her", async || traces(&dump(&world).await).is_empty()).await;
}
