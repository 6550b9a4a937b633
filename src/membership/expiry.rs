//! What ends by itself: bans that ran out, remembered keys, the far end of the log.

use std::time::Duration;

use tokio::time::Instant;

use super::ActError;
use super::renames::announce_all;
use super::sync::forget;
use crate::domain::{Cause, EventKind, LoggedEvent, Restrictions, RestrictionsChange, TouchedMember};
use crate::store::{DELIVERY_LIFETIME, Decision, FailureLog, Store};

/// How often ended bans are looked for. A ban has no effect from its end on (`store/person.rs`); this deletes it and
/// announces it.
const INTERVAL: Duration = Duration::from_secs(1);
/// Bans lifted in one transaction.
const BATCH_SIZE: i64 = 100;
/// After so many intervals, old keys and events are forgotten.
const PRUNE_EVERY: u32 = 60;
/// How long an Idempotency-Key is remembered, in milliseconds.
const KEY_LIFETIME: i64 = 24 * 3600 * 1000;
/// An endpoint that no node has had in its configuration for so long holds no events back, in milliseconds.
const ENDPOINT_LIFETIME: i64 = 10 * 60 * 1000;
/// A sync that has not got on for so long is nobody's any more, in milliseconds.
const ABANDONED_AFTER: i64 = 10 * 60 * 1000;

/// Lifts bans as they run out, and forgets what nobody needs, until the store is gone.
pub async fn sweep_forever(store: Store, retention: u64) {
    let mut tick = tokio::time::interval(INTERVAL);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let [lifting, announcing, pruning] = [const { FailureLog::new() }; 3];
    for round in 1u32.. {
        tick.tick().await;
        log(&lifting, "lifting ended bans", &lift_ended(&store).await);
        log(&announcing, "announcing groups of new names", &announce_all(&store).await);
        if round.is_multiple_of(PRUNE_EVERY) {
            log(&pruning, "forgetting old events", &sweep(&store, retention).await);
        }
    }
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

async fn lift_ended(store: &Store) -> Result<(), ActError> {
    if !store.read().await?.any_ended_ban().await? {
        return Ok(());
    }
    store
        .write(None, |tx| {
            Box::pin(async move {
                let mut ended = tx.ended_bans(BATCH_SIZE).await?;
                // Whoever takes several locks takes them in one order.
                ended.sort();
                for (guid, uid) in ended {
                    let claimed = tx.claim(&guid).await?;
                    // Another node may have been here first.
                    let lifted = tx.lift_ended_ban(&guid, &uid).await?;
                    let Some(claimed) = claimed else { continue };
                    let Some(ban) = lifted else {
                        tx.unclaim(&guid).await?;
                        continue;
                    };
                    let person = tx.person(&guid, &uid).await?;
                    let touched = TouchedMember {
                        name: person.profile.as_ref().map(|profile| profile.name.clone()),
                        uid,
                        old: None,
                        new: None,
                        member: None,
                        restrictions: RestrictionsChange::new(Restrictions { ban: Some(ban) }, Restrictions::default()),
                    };
                    let kind = EventKind::MemberUnbanned;
                    tx.append(LoggedEvent::new(guid, claimed.seq, tx.now(), kind, Cause::Ended, vec![touched])).await?;
                }
                Ok(Decision::Commit(()))
            })
        })
        .await
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
    Ok(())
}
