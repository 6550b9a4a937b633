//! Passwords of password groups, which are kept hashed.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};

use super::ActError;
use crate::domain::{GroupType, Guid};
use crate::random;
use crate::store::Store;

/// Hashes a password (Argon2id, PHC string) off the asynchronous threads.
///
/// # Errors
/// [`ActError::Invalid`] when it cannot be hashed.
pub async fn hash_password(password: String) -> Result<String, ActError> {
    let salt = random::bytes::<16>();
    let hashed = tokio::task::spawn_blocking(move || {
        let salt = SaltString::encode_b64(&salt)?;
        Argon2::default().hash_password(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    hashed
        .await
        .expect("hashing does not panic")
        .map_err(|error| ActError::Invalid(format!("this password cannot be hashed: {error}")))
}

/// The stored hash that this password opens, if it does.
pub(super) async fn check_password(
    store: &Store,
    guid: &Guid,
    password: Option<String>,
) -> Result<Option<String>, ActError> {
    let Some(password) = password else { return Ok(None) };
    let Some(stored) = store.read().await?.password(guid).await? else { return Ok(None) };
    let checked = tokio::task::spawn_blocking(move || {
        let fits = PasswordHash::new(&stored)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        fits.then_some(stored)
    });
    Ok(checked.await.expect("checking does not panic"))
}

/// The hash of the password of a new group of this type.
pub(super) async fn hashed(group_type: GroupType, password: Option<String>) -> Result<Option<String>, ActError> {
    match (group_type, password) {
        (GroupType::Password, Some(password)) => Ok(Some(hash_password(password).await?)),
        (GroupType::Password, None) => Err(ActError::Invalid("a password group needs a password".into())),
        _ => Ok(None),
    }
}
