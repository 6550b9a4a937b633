//! The sweep: calls what is done again and again beside acts. It ends what ran out (`expiry.rs`), in a loop of its own that nothing
//! else delays; announces new names to groups where a sync left that undone, deletes old Idempotency-Keys and the oldest events of
//! the log, and drops syncs that were abandoned.

use std::time::Duration;

use super::ActError;
use super::expiry::end_all;
use super::sync::forget;
use super::sync::renames::announce_renames;
use crate::clock::every;
use crate::store::{DELIVERY_LIFETIME, Decision, FailureLog, SYNC_ABANDONED_AFTER, StagingId, Store};

/// Interval of looking for expired restrictions and scopes, and for names to announce.
const INTERVAL: Duration = Duration::from_secs(1);
/// Old keys and events are deleted every so many intervals.
const PRUNE_EVERY: u32 = 60;
/// Lifetime of an Idempotency-Key, in milliseconds.
const KEY_LIFETIME: i64 = 24 * 3600 * 1000;
/// An endpoint that no node has had in its configuration for this long holds no events of groups back, in milliseconds.
const ENDPOINT_LIFETIME: i64 = 10 * 60 * 1000;

/// Ends bans, mutes and scopes as they run out, until the store is gone.
pub async fn end_forever(store: Store) {
    let (mut tick, failures) = (every(INTERVAL), FailureLog::new());
    loop {
        tick.tick().await;
        failures.observe(&end_all(&store).await, "ending bans, mutes and scopes");
    }
}

/// Announces new names that wait, and deletes what nobody needs, until the store is gone.
pub async fn sweep_forever(store: Store, retention: u64) {
    let mut tick = every(INTERVAL);
    let failures = FailureLog::new();
    for round in 1u32.. {
        tick.tick().await;
        announce_renames(&store).await;
        if round.is_multiple_of(PRUNE_EVERY) {
            failures.observe(&sweep(&store, retention).await, "forgetting old events");
        }
    }
}

/// Forgets old keys and events, and what syncs left behind that were not applied.
///
/// # Errors
/// [`ActError::Store`].
pub async fn sweep(store: &Store, retention: u64) -> Result<(), ActError> {
    forget_abandoned(store).await?;
    // Some rows in each transaction: acts go on between them.
    while store
        .write(None, move |tx| {
            Box::pin(async move {
                let (dead, endpoint_seen_after) = (tx.now() - DELIVERY_LIFETIME, tx.now() - ENDPOINT_LIFETIME);
                Ok::<_, ActError>(Decision::Commit(tx.prune(KEY_LIFETIME, retention, dead, endpoint_seen_after).await?))
            })
        })
        .await?
    {}
    while store
        .write(None, |tx| Box::pin(async move { Ok::<_, ActError>(Decision::Commit(tx.prune_erased_lanes().await?)) }))
        .await?
    {}
    Ok(())
}

/// Forgets every sync whose process is gone. Until then a cursor waits for it, and it holds the uid of whoever is erased.
///
/// # Errors
/// [`ActError::Store`].
async fn forget_abandoned(store: &Store) -> Result<(), ActError> {
    let since = store.clock().now() - SYNC_ABANDONED_AFTER;
    let mut last: Option<StagingId> = None;
    loop {
        let abandoned = store.read().await?.abandoned_sync(since).await?;
        // The same one again could not be forgotten: the next round tries it again.
        let Some(id) = abandoned.filter(|id| last != Some(*id)) else { return Ok(()) };
        forget(store, id).await;
        last = Some(id);
    }
}
