//! Mends what `doctor` found, where that is safe. State that nodes keep in memory is mended in one transaction for each group, under
//! its lock and with an event, so that running nodes follow.

use super::ActError;
use super::apply::host_event;
use super::sync::renames::announce_all;
use crate::domain::{EventKind, Guid};
use crate::store::{Decision, Repair, Store, StoreError};

/// Makes a repair everywhere but in groups that cannot be read for another reason, which it answers with that reason.
///
/// # Errors
/// [`ActError::Store`] when the database cannot be used; groups before the one that failed are mended.
pub async fn mend(store: &Store, repair: Repair) -> Result<Vec<(Guid, ActError)>, ActError> {
    let mut left = Vec::new();
    if !repair.emits_event() {
        store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Commit(tx.mend(&repair, None).await?)) })
            })
            .await?;
        return Ok(left);
    }
    let mut after = String::new();
    loop {
        let last = after.clone();
        let groups = store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Rollback(tx.groups_to_mend(&repair, &last).await?)) })
            })
            .await?;
        let Some(last) = groups.last() else { return Ok(left) };
        after.clone_from(last);
        // A group whose id is malformed cannot be addressed; the report keeps listing it.
        for guid in groups.iter().filter_map(|guid| guid.parse::<Guid>().ok()) {
            match mend_group(store, repair, guid.clone()).await {
                Err(error @ ActError::Store(StoreError::Inconsistent(_))) => left.push((guid, error)),
                mended => mended?,
            }
        }
    }
}

async fn mend_group(store: &Store, repair: Repair, guid: Guid) -> Result<(), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let Some(locked) = tx.lock_group(&guid).await? else {
                    // The group is deleted: there is nobody to inform.
                    return Ok(Decision::Commit(tx.mend(&repair, Some(&guid)).await?));
                };
                tx.mend_locked(&repair, &guid, locked.seq).await?;
                tx.append_sync(host_event(tx, &guid, locked.seq, EventKind::MembersSynced, Vec::new())).await?;
                Ok(Decision::Commit(()))
            })
        })
        .await
}

/// Recomputes every sort key that does not belong to its name, and appends an event to the groups of these people.
///
/// # Errors
/// [`ActError::Store`]; people before the one that failed are mended.
pub async fn mend_sort_keys(store: &Store) -> Result<(), ActError> {
    let mut last = Some(String::new());
    while let Some(after) = last {
        last = store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Commit(tx.mend_sort_keys(&after).await?)) })
            })
            .await?;
    }
    announce_all(store).await
}

/// Inserts the row that names the node which reports presence to webhooks.
///
/// # Errors
/// [`ActError::Store`].
pub async fn mend_presence_reporter(store: &Store) -> Result<(), ActError> {
    store.write(None, |tx| Box::pin(async move { Ok(Decision::Commit(tx.mend_presence_reporter().await?)) })).await
}

/// Makes these indexes anew.
///
/// # Errors
/// [`ActError::Store`]: a unique index needs rows without doubles.
pub async fn mend_indexes(store: &Store, names: Vec<String>) -> Result<(), ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.mend_indexes(&names).await?)) })).await
}
