//! Announces to groups that members have another name or picture by a sync of another group.

use crate::domain::{EventKind, Guid, Uid};
use crate::membership::ActError;
use crate::membership::apply::host_event;
use crate::membership::users::claim_for_profile_event;
use crate::store::{Decision, FailureLog, StagingId, Store, Tx, UidRange};

/// Above this number of members of one group, they share one event.
const MAX_SINGLE_EVENTS: usize = 20;
/// Groups that are announced to at a time.
const AT_ONCE: usize = 16;

/// Announces every rename that is recorded: after a sync, and again by the sweep, which tries what has failed.
pub(in crate::membership) async fn announce_renames(store: &Store) {
    static FAILURES: FailureLog = FailureLog::new();
    FAILURES.observe(&announce_all(store).await, "announcing new names to groups");
}

/// Announces every rename that is recorded.
///
/// # Errors
/// [`ActError::Store`]; of a group that is locked for long or cannot be read, after all others are informed.
pub(in crate::membership) async fn announce_all(store: &Store) -> Result<(), ActError> {
    let mut last: Option<Guid> = None;
    let mut first_error: Option<ActError> = None;
    loop {
        let mut guids = Vec::with_capacity(AT_ONCE);
        {
            let mut reader = store.read().await?;
            while guids.len() < AT_ONCE
                && let Some(guid) = reader.next_group_with_renames(last.as_ref()).await?
            {
                guids.push(guid.clone());
                last = Some(guid);
            }
        }
        if guids.is_empty() {
            return first_error.map_or(Ok(()), Err);
        }
        let mut running = tokio::task::JoinSet::new();
        for guid in guids {
            let store = store.clone();
            running.spawn(async move { announce(&store, guid).await });
        }
        for announced in running.join_all().await {
            if let Err(error) = announced {
                first_error.get_or_insert(error);
            }
        }
    }
}

/// Announces the names to one group, in a transaction of its own that locks no other group.
async fn announce(store: &Store, guid: Guid) -> Result<(), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let locked = tx.lock_group(&guid).await?;
                tx.lock_renames(&guid).await?;
                let renamed = tx.renamed_members(&guid, MAX_SINGLE_EVENTS + 1).await?;
                if let Some(locked) = &locked {
                    match renamed.len() {
                        0 => tx.return_seq(&guid).await?,
                        1..=MAX_SINGLE_EVENTS => {
                            // The number that was taken is the first one's.
                            tx.return_seq(&guid).await?;
                            for uid in &renamed {
                                claim_for_profile_event(tx, &guid, uid).await?;
                                tx.clear_rename(&guid, uid).await?;
                            }
                        }
                        _ => announce_as_sync(tx, &guid, locked.seq).await?,
                    }
                }
                // A group that is gone has no members.
                tx.clear_renames(&guid, locked.map_or(0, |locked| locked.seq)).await?;
                Ok(Decision::Commit(()))
            })
        })
        .await
}

async fn announce_as_sync(tx: &mut Tx<'_>, guid: &Guid, seq: u64) -> Result<(), ActError> {
    tx.begin_ranges().await?;
    let mut range = UidRange::start();
    while !range.is_last() {
        range = tx.next_members(guid, &range).await?;
        tx.touch_renamed(guid, seq, &range).await?;
        tx.record_synced_restrictions(guid, seq, &range).await?;
    }
    tx.end_ranges().await?;
    Ok(tx.append_sync(host_event(tx, guid, seq, EventKind::MembersSynced, Vec::new())).await?)
}

/// A join and a sync that run at once do not see each other: the join logs the old name. Once the sync is applied, this waits for each
/// such join and records its group. One person is locked at a time: with several locked, an act could wait for this while this waits
/// for that act's transaction, which the acts of a group share.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn record_missed_renames(store: &Store, id: StagingId) -> Result<(), ActError> {
    let mut range = UidRange::start();
    while !range.is_last() {
        let (locked, next) = renamed_and_locked(store, id, range).await?;
        let Some(locked) = locked else { return Ok(()) };
        if let Err(error) = wait_for(store, locked).await {
            // An act does not take so long. A sync reads names once it is applied.
            tracing::debug!(%error, "somebody with a new name is locked for long");
        }
        record_missed(store, id, next.clone()).await?;
        range = next;
    }
    Ok(())
}

/// Whom [`Tx::renamed_and_locked`] answers of the range after this one, and that range.
async fn renamed_and_locked(
    store: &Store,
    id: StagingId,
    range: UidRange,
) -> Result<(Option<Vec<Uid>>, UidRange), ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                tx.begin_ranges_of_many(id).await?;
                let next = tx.next_to_apply(id, &range).await?;
                Ok(Decision::Rollback((tx.renamed_and_locked(id, &next).await?, next)))
            })
        })
        .await
}

/// Waits until nobody has these people locked.
async fn wait_for(store: &Store, people: Vec<Uid>) -> Result<(), ActError> {
    for uid in people {
        store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Rollback(tx.lock_user(&uid).await?)) })
            })
            .await?;
    }
    Ok(())
}

async fn record_missed(store: &Store, id: StagingId, range: UidRange) -> Result<(), ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let many = tx.begin_ranges_of_many(id).await?;
                tx.record_missed_renames(id, &range).await?;
                if many {
                    tx.end_ranges().await?;
                }
                Ok(Decision::Commit(()))
            })
        })
        .await
}
