//! Operators' acts on webhook endpoints.

use super::ActError;
use super::request::GlobalRequest;
use super::request::idempotency::{done_before, was_done_before};
use crate::store::{Decision, EndpointState, Store, StoreError};

/// Pauses an endpoint, or lets it have what it missed; answers the state it has now, `None` when there is no endpoint
/// of this id.
///
/// # Errors
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn set_endpoint_state(
    store: &Store,
    request: GlobalRequest,
    id: String,
    state: EndpointState,
) -> Result<Option<EndpointState>, ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let fingerprint = format!("set-endpoint {id} {}", state.as_str());
                if done_before(tx, &request, &fingerprint).await?.is_some() {
                    return Ok(Decision::Rollback(tx.endpoint_state(&id).await?));
                }
                let is_set = tx.set_endpoint_state(&id, state).await?;
                Ok(if is_set { Decision::Commit(Some(state)) } else { Decision::Rollback(None) })
            })
        })
        .await
}

/// Delivers to an endpoint again what happened at `from` (Unix milliseconds) or later and is still in
/// the log; answers how many events that are, `None` when there is no endpoint of this id. Repeated under its key, it
/// answers 0.
///
/// It takes many transactions, so that acts need not wait for it, and goes on to its end even when the caller is cancelled. The
/// last one records the key: after an error it is done in part, and is to be repeated.
///
/// # Errors
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn replay_endpoint(
    store: &Store,
    request: GlobalRequest,
    id: String,
    from: i64,
) -> Result<Option<u64>, ActError> {
    let store = store.clone();
    let replay = tokio::spawn(async move { replay(&store, request, id, from).await });
    replay.await.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Err(ActError::Store(StoreError::Unavailable("the program ends".into()))),
    })
}

async fn replay(store: &Store, request: GlobalRequest, id: String, from: i64) -> Result<Option<u64>, ActError> {
    let fingerprint = format!("replay-endpoint {id} {from}");
    let is_repeat = was_done_before(store, &request, &fingerprint).await?;
    if !store.read().await?.endpoints().await?.iter().any(|endpoint| endpoint.id == id) {
        return Ok(None);
    }
    if is_repeat {
        return Ok(Some(0));
    }
    let mut events = 0;
    let mut after = Some(String::new());
    while let Some(last) = after {
        let part = store.read().await?.lanes_to_replay(&id, from, &last).await?;
        after = part.last.clone();
        if part.is_empty() {
            continue;
        }
        let id = id.clone();
        events += store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Commit(tx.replay_lanes(&id, &part).await?)) })
            })
            .await?;
    }
    record(store, request, fingerprint).await.map(|is_first| Some(if is_first { events } else { 0 }))
}

/// Records that the request's key stands for this call; `false` when it did already.
async fn record(store: &Store, request: GlobalRequest, fingerprint: String) -> Result<bool, ActError> {
    if request.key.is_none() {
        return Ok(true);
    }
    store
        .write(None, move |tx| {
            Box::pin(async move {
                Ok(match done_before(tx, &request, &fingerprint).await? {
                    None => Decision::Commit(true),
                    Some(_) => Decision::Rollback(false),
                })
            })
        })
        .await
}
