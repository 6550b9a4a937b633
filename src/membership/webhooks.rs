//! What operators do to endpoints of webhooks.

use super::ActError;
use crate::store::{Decision, EndpointState, Store};

/// Pauses an endpoint, or lets it have what it missed; `false` when there is none of this id.
///
/// # Errors
/// [`ActError::Store`].
pub async fn set_endpoint_state(store: &Store, id: String, state: EndpointState) -> Result<bool, ActError> {
    store
        .write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.set_endpoint_state(&id, state).await?)) }))
        .await
}

/// Delivers to an endpoint again what happened at `from` (milliseconds since the epoch) or later and is still in
/// the log; answers how many events that are, `None` when there is no endpoint of this id.
///
/// # Errors
/// [`ActError::Store`].
pub async fn replay_endpoint(store: &Store, id: String, from: i64) -> Result<Option<u64>, ActError> {
    store
        .write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.replay_endpoint(&id, from).await?)) }))
        .await
}
