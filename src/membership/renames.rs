//! Tells groups of members who have another name or picture by a sync of another group.

use super::ActError;
use super::apply::host_event;
use super::users::claim_for_profile_event;
use crate::domain::{EventKind, Guid};
use crate::store::{Decision, Store, Tx, UidRange};

/// Above this number of members of one group, they share one event.
const FEW: usize = 20;
/// Groups that are told at a time.
const AT_ONCE: usize = 16;

/// Tells every group that has not been told. What fails is tried again by the sweep.
pub(super) async fn tell_renames(store: &Store) {
    if let Err(error) = tell_all(store).await {
        match error {
            ActError::Store(error) if error.already_logged() => {}
            error => tracing::warn!(%error, "groups could not be told of new names; trying again"),
        }
    }
}

/// Tells every group that has not been told.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn tell_all(store: &Store) -> Result<(), ActError> {
    let mut last: Option<Guid> = None;
    loop {
        let mut guids = Vec::with_capacity(AT_ONCE);
        {
            let mut reader = store.read().await?;
            while guids.len() < AT_ONCE
                && let Some(guid) = reader.next_group_to_tell(last.as_ref()).await?
            {
                guids.push(guid.clone());
                last = Some(guid);
            }
        }
        if guids.is_empty() {
            return Ok(());
        }
        let mut telling = tokio::task::JoinSet::new();
        for guid in guids {
            let store = store.clone();
            telling.spawn(async move { tell(&store, guid).await });
        }
        for told in telling.join_all().await {
            told?;
        }
    }
}

/// One group, in a transaction of its own: no other is locked meanwhile.
async fn tell(store: &Store, guid: Guid) -> Result<(), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let claimed = tx.claim(&guid).await?;
                let untold = tx.untold(&guid, FEW + 1).await?;
                if let Some(claimed) = &claimed {
                    match untold.len() {
                        0 => tx.unclaim(&guid).await?,
                        1..=FEW => {
                            // The number that was claimed is the first one's.
                            tx.unclaim(&guid).await?;
                            for uid in &untold {
                                claim_for_profile_event(tx, &guid, uid).await?;
                            }
                        }
                        _ => tell_of_many(tx, &guid, claimed.seq).await?,
                    }
                }
                tx.mark_told(&guid).await?;
                Ok(Decision::Commit(()))
            })
        })
        .await
}

async fn tell_of_many(tx: &mut Tx<'_>, guid: &Guid, seq: u64) -> Result<(), ActError> {
    tx.begin_ranges().await?;
    let mut range = UidRange::start();
    while !range.is_last() {
        range = tx.next_members(guid, &range).await?;
        tx.touch_untold(guid, seq, &range).await?;
    }
    tx.end_ranges().await?;
    Ok(tx.append_sync(host_event(tx, guid, seq, EventKind::MembersSynced, Vec::new())).await?)
}
