//! Passwords of password groups: kept hashed, and slower to guess with every wrong try.
//!
//! Not here: who may join at all (`acts/`).

mod hashing;
mod turns;
mod wrong_passwords;

use self::hashing::fits;
use self::turns::TURNS;
use self::wrong_passwords::{TRIES, Tries};
use super::ActError;
use crate::domain::{GroupType, Guid};
use crate::store::Store;

pub use hashing::hash_password;

/// The stored hash that this password opens, if it does.
///
/// # Errors
/// [`ActError::Busy`]; [`ActError::Store`].
pub(super) async fn check_password(
    store: &Store,
    guid: &Guid,
    password: Option<String>,
) -> Result<Option<String>, ActError> {
    let Some(password) = password else { return Ok(None) };
    let Some(stored) = store.read().await?.password_hash(guid).await? else { return Ok(None) };
    Ok(fits(password, stored.clone()).await?.then_some(stored))
}

/// Whether this is the password of the group.
///
/// # Errors
/// [`ActError::Busy`]; [`ActError::Store`].
pub async fn is_password(store: &Store, guid: &Guid, password: String) -> Result<bool, ActError> {
    Ok(check_password(store, guid, Some(password)).await?.is_some())
}

/// Like [`check_password`], for somebody who joins and may guess: each wrong password lengthens the wait before the
/// next try.
///
/// # Errors
/// [`ActError::TooManyTries`]; [`ActError::Busy`]; [`ActError::Store`].
pub(super) async fn try_password(
    store: &Store,
    guid: &Guid,
    caller: &str,
    password: Option<String>,
) -> Result<Option<String>, ActError> {
    let Some(password) = password else { return Ok(None) };
    let Some(stored) = store.read().await?.password_hash(guid).await? else { return Ok(None) };
    // Hashed, so that it names nobody who is erased.
    let (epoch, caller) = (store.epoch(), store.pseudonyms().content(caller));
    let who = Tries::by(&epoch, guid, &caller);
    let _turn = TURNS.take((epoch.to_string(), caller)).await;
    // Counted before it is checked, so that of many at once only a few are checked.
    TRIES.count(&who, store.clock().now()).map_err(|seconds| ActError::TooManyTries { seconds })?;
    let fits = match fits(password, stored.clone()).await {
        Ok(fits) => fits,
        Err(error) => {
            TRIES.take_back(&who);
            return Err(error);
        }
    };
    if fits {
        TRIES.forget(&who);
    }
    Ok(fits.then_some(stored))
}

/// The hash of the password of a new group of this type.
///
/// # Errors
/// [`ActError::Invalid`] without a password for a group of this type; as [`hash_password`].
pub(super) async fn hashed(group_type: GroupType, password: Option<String>) -> Result<Option<String>, ActError> {
    match (group_type, password) {
        (GroupType::Password, Some(password)) => Ok(Some(hash_password(password).await?)),
        (GroupType::Password, None) => Err(ActError::Invalid("password: a group of this type needs one".into())),
        _ => Ok(None),
    }
}
