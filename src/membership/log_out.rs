//! Logging somebody out everywhere.

use super::ActError;
use crate::domain::Uid;
use crate::store::{Decision, Store};

/// Has every viewer token of this person refused that was issued until now. Anybody can be logged out, known or not:
/// a token may be out there.
///
/// # Errors
/// [`ActError::Store`].
pub async fn log_out(store: &Store, uid: Uid) -> Result<(), ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move { tx.log_out(&uid).await.map(Decision::Commit).map_err(ActError::from) })
        })
        .await
}
