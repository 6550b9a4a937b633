//! Operators' acts on webhook endpoints.

use super::ActError;
use super::request::GlobalRequest;
use super::request::idempotency::done_before;
use crate::store::{Decision, EndpointState, Store};

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

/// Delivers to an endpoint again what happened at `from` (milliseconds since the epoch) or later and is still in
/// the log; answers how many events that are, `None` when there is no endpoint of this id. Repeated under its key it
/// is none.
///
/// # Errors
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn replay_endpoint(
    store: &Store,
    request: GlobalRequest,
    id: String,
    from: i64,
) -> Result<Option<u64>, ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                if done_before(tx, &request, &format!("replay-endpoint {id} {from}")).await?.is_some() {
                    return Ok(Decision::Rollback(tx.endpoint_state(&id).await?.map(|_| 0)));
                }
                let events = tx.replay_endpoint(&id, from).await?;
                Ok(if events.is_some() { Decision::Commit(events) } else { Decision::Rollback(None) })
            })
        })
        .await
}
