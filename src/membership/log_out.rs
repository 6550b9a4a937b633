//! Tokens of viewers: issued, and refused from now on. No token is stored.

use super::ActError;
use super::request::fingerprint::person_fingerprint;
use super::request::idempotency::done_before;
use super::request::{GlobalRequest, Idempotent};
use crate::domain::Uid;
use crate::store::{Decision, Store};

/// Refuses from now on every viewer token of this person that was issued until now, and those dated up to `clock_ahead` seconds
/// later. Anybody can be logged out, known or not: somebody may hold a token for them.
///
/// # Errors
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn log_out(
    store: &Store,
    request: GlobalRequest,
    uid: Uid,
    clock_ahead: i64,
) -> Result<Idempotent<()>, ActError> {
    let fingerprint = person_fingerprint("log-out", store.pseudonyms(), &uid, &request);
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let done_at = done_before(tx, &request, &fingerprint).await?;
                if done_at.is_none() {
                    tx.log_out(&uid, clock_ahead).await?;
                }
                Ok(Decision::Commit(Idempotent { value: (), done_at }))
            })
        })
        .await
}

/// Records under the key of the call that a token is issued now: repeated, it is the same token, with the same issue
/// time and end, so that a logout since then ends it too. Without a key nothing is written.
///
/// # Errors
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn issue_token(store: &Store, request: GlobalRequest, uid: Uid) -> Result<Idempotent<()>, ActError> {
    if request.key.is_none() {
        return Ok(Idempotent { value: (), done_at: None });
    }
    let fingerprint = person_fingerprint("issue-token", store.pseudonyms(), &uid, &request);
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let done_at = done_before(tx, &request, &fingerprint).await?;
                Ok(Decision::Commit(Idempotent { value: (), done_at }))
            })
        })
        .await
}
