//! Idempotency-Keys: whether a request was done before, under the same key and with the same fingerprint
//! (`fingerprint/mod.rs`).

use serde::Serialize;

use super::fingerprint::is_same_fingerprint;
use super::{ActRequest, GlobalRequest, IdempotencyKey, left_out};
use crate::domain::{Act, Guid};
use crate::membership::{ActError, Actor};
use crate::store::{Decision, RecordedRequest, Store, StoreError, Tx};

/// Whether the actor left the group under this request's key: the only repeated act that is confirmed to somebody who is no
/// member.
///
/// # Errors
/// When the database cannot be read.
pub async fn has_left(store: &Store, request: &ActRequest) -> Result<bool, StoreError> {
    let (Some(key), Some(leave)) = (&request.key, own_leave(&request.actor)) else { return Ok(false) };
    let caller = request.actor.caller();
    let recorded = store.read().await?.recorded_request(Some(&request.guid), caller, &key.text).await?;
    Ok(recorded.is_some_and(|recorded| recorded.act == leave))
}

/// Whether this was done before under the request's key, as far as is known before its transaction.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::Store`].
pub(in crate::membership) async fn is_same_request(
    store: &Store,
    request: &ActRequest,
    fingerprint: &str,
) -> Result<bool, ActError> {
    is_known(store, Some(&request.guid), &request.actor, request.key.as_ref(), fingerprint).await
}

/// Records that the request's key stands for this act from now on. Returns whether it did already: then the act is not done
/// again. Runs after the group is locked, so that concurrent uses of the key wait.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::NoSuchGroup`] when the key was used before and
/// the actor is no longer a member, since the answer would show them the group (their own leave is confirmed all the same);
/// [`ActError::Invalid`] when it was not done before, and the request is refused then; [`ActError::Store`].
pub(in crate::membership) async fn is_repeat(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    fingerprint: &str,
) -> Result<bool, ActError> {
    Ok(first_request(tx, request, fingerprint).await?.is_some())
}

/// Like [`is_repeat`]; returns what was recorded when it was done first.
///
/// # Errors
/// As [`is_repeat`].
pub(in crate::membership) async fn first_request(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    fingerprint: &str,
) -> Result<Option<RecordedRequest>, ActError> {
    let repeated = use_key(tx, Some(&request.guid), &request.actor, request.key.as_ref(), fingerprint).await;
    if let (Ok(None), Some(why)) = (&repeated, &request.refused_unless_repeat) {
        return Err(ActError::Invalid(why.clone()));
    }
    let confirmed = own_leave(&request.actor).is_some_and(|leave| leave == fingerprint);
    match (&repeated, &request.actor) {
        (Ok(None) | Err(ActError::Store(_)), _) | (_, Actor::Host) => {}
        (Ok(Some(_)), Actor::Viewer(_)) if confirmed => {}
        (_, Actor::Viewer(uid)) => {
            if tx.person(&request.guid, uid).await?.membership.is_none() {
                return Err(ActError::NoSuchGroup);
            }
        }
    }
    repeated
}

/// Records what came of a request about several people, whose key stands for it since [`first_request`]: its first event (`None`: there
/// is none), and whom it left out, by number. A repetition is answered from there.
///
/// # Errors
/// When the database cannot be written.
pub(in crate::membership) async fn record_batch<E: Serialize>(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    batch: Option<u64>,
    left_out: &[(u64, E)],
) -> Result<(), StoreError> {
    let Some(key) = &request.key else { return Ok(()) };
    tx.record_batch(&request.guid, request.actor.caller(), &key.text, batch, &left_out::written(left_out)).await
}

/// Records that a request about one person, whose key stands for it since [`first_request`], changed nothing: a repetition says so too,
/// whatever the person is by then.
///
/// # Errors
/// When the database cannot be written.
pub(in crate::membership) async fn record_unchanged(tx: &mut Tx<'_>, request: &ActRequest) -> Result<(), StoreError> {
    record_batch::<()>(tx, request, None, &[]).await
}

/// Like [`is_repeat`], for acts that leave nobody in the group: a repetition is confirmed.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::Store`].
pub(in crate::membership) async fn is_recorded(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    fingerprint: &str,
) -> Result<bool, ActError> {
    let recorded = use_key(tx, Some(&request.guid), &request.actor, request.key.as_ref(), fingerprint).await?;
    Ok(recorded.is_some())
}

/// Like [`is_repeat`], for a call that belongs to no group: returns when it was done before, if it was. Runs first in
/// the transaction, so that concurrent uses of the key wait.
///
/// # Errors
/// As [`is_repeat`].
pub(in crate::membership) async fn done_before(
    tx: &mut Tx<'_>,
    request: &GlobalRequest,
    fingerprint: &str,
) -> Result<Option<i64>, ActError> {
    Ok(use_key(tx, None, &request.actor, request.key.as_ref(), fingerprint).await?.map(|recorded| recorded.at))
}

/// Like [`done_before`], as far as is known before the transactions of a call that takes several: the last one asks again, and records it.
///
/// # Errors
/// As [`is_same_request`].
pub(in crate::membership) async fn was_done_before(
    store: &Store,
    request: &GlobalRequest,
    fingerprint: &str,
) -> Result<bool, ActError> {
    is_known(store, None, &request.actor, request.key.as_ref(), fingerprint).await
}

/// Whether the key stands for this act, as far as is known outside of a transaction.
async fn is_known(
    store: &Store,
    guid: Option<&Guid>,
    actor: &Actor,
    key: Option<&IdempotencyKey>,
    fingerprint: &str,
) -> Result<bool, ActError> {
    let Some(key) = key else { return Ok(false) };
    let recorded = store.read().await?.recorded_request(guid, actor.caller(), &key.text).await?;
    Ok(same(recorded, fingerprint)?.is_some())
}

/// Commits when nothing had to be done but the request has a key: the key is recorded with that result, and stays used after somebody has
/// undone the act.
pub(in crate::membership) fn unchanged<T>(key: Option<&IdempotencyKey>, value: T) -> Decision<T> {
    if key.is_some() { Decision::Commit(value) } else { Decision::Rollback(value) }
}

/// The fingerprint of leaving, by somebody who can.
fn own_leave(actor: &Actor) -> Option<String> {
    match actor {
        Actor::Viewer(uid) => Some(Act::Leave.fingerprint(uid)),
        Actor::Host => None,
    }
}

async fn use_key(
    tx: &mut Tx<'_>,
    guid: Option<&Guid>,
    actor: &Actor,
    key: Option<&IdempotencyKey>,
    fingerprint: &str,
) -> Result<Option<RecordedRequest>, ActError> {
    let Some(key) = key else { return Ok(None) };
    same(tx.use_key(guid, actor.caller(), &key.text, fingerprint).await?, fingerprint)
}

/// The request that a key stands for, if it stands for one; it is this one, or the key is reused.
fn same(recorded: Option<RecordedRequest>, fingerprint: &str) -> Result<Option<RecordedRequest>, ActError> {
    match recorded {
        Some(recorded) if !is_same_fingerprint(&recorded.act, fingerprint) => Err(ActError::KeyReused),
        recorded => Ok(recorded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_kept_under_the_uid_and_those_of_the_host_under_a_name_that_is_no_uid() {
        assert_eq!(Actor::Viewer("dee".parse().unwrap()).caller(), "dee");
        assert_eq!(Actor::Host.caller(), "*host*");
    }
}
