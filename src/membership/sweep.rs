//! The sweep: calls what is done again and again beside acts. It ends what ran out (`expiry.rs`), in a loop of its own that nothing
//! else delays; announces new names to groups where a sync left that undone, deletes old Idempotency-Keys and the oldest events of
//! the log, and drops syncs that were abandoned.

use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior};

use super::ActError;
use super::expiry::end_all;
use super::sync::forget;
use super::sync::renames::announce_all;
use crate::store::{DELIVERY_LIFETIME, Decision, FailureLog, Store};

/// Interval of looking for expired restrictions and scopes, and for names to announce.
const INTERVAL: Duration = Duration::from_secs(1);
/// Old keys and events are deleted every so many intervals.
const PRUNE_EVERY: u32 = 60;
/// Lifetime of an Idempotency-Key, in milliseconds.
const KEY_LIFETIME: i64 = 24 * 3600 * 1000;
/// An endpoint that no node has had in its configuration for this long holds no events of groups back, in milliseconds.
const ENDPOINT_LIFETIME: i64 = 10 * 60 * 1000;
/// A sync without progress for this long is abandoned, in milliseconds.
const ABANDONED_AFTER: i64 = 10 * 60 * 1000;

/// Ends bans, mutes and scopes as they run out, until the store is gone.
pub async fn end_forever(store: Store) {
    let (mut tick, failures) = (ticks(), FailureLog::new());
    loop {
        tick.tick().await;
        log(&failures, "ending bans, mutes and scopes", &end_all(&store).await);
    }
}

/// Announces new names that wait, and deletes what nobody needs, until the store is gone.
pub async fn sweep_forever(store: Store, retention: u64) {
    let mut tick = ticks();
    let [announcing, pruning] = [const { FailureLog::new() }; 2];
    for round in 1u32.. {
        tick.tick().await;
        log(&announcing, "announcing new names to groups", &announce_all(&store).await);
        if round.is_multiple_of(PRUNE_EVERY) {
            log(&pruning, "forgetting old events", &sweep(&store, retention).await);
        }
    }
}

/// The rounds of a loop; one that is late delays those after it.
fn ticks() -> Interval {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Logs what became of a task that is done again and again.
fn log(failures: &FailureLog, task: &str, outcome: &Result<(), ActError>) {
    match outcome {
        Ok(()) if failures.succeeded(Instant::now()) => tracing::info!("{task} succeeds again"),
        Err(ActError::Store(error)) if error.already_logged() => {}
        Err(error) if failures.failed(&error.to_string(), Instant::now()) => {
            tracing::warn!(%error, "{task} fails; trying again");
        }
        Ok(()) | Err(_) => {}
    }
}

/// Forgets old keys and events, and what a sync left behind that was not applied.
///
/// # Errors
/// [`ActError::Store`].
pub async fn sweep(store: &Store, retention: u64) -> Result<(), ActError> {
    let abandoned = store.read().await?.abandoned_sync(store.clock().now() - ABANDONED_AFTER).await?;
    if let Some(id) = abandoned {
        forget(store, id).await;
    }
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
