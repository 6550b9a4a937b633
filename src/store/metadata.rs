//! Metadata of the database, stored in its table `facts` by name: the epoch, the identity of the file, the key of pseudonyms.

use super::error::StoreError;
use super::pseudonym::Pseudonyms;
use crate::random;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::transaction::outbox::announce_epoch;

/// When a node last tried whether acts can be done, Unix milliseconds.
pub(super) const WRITE_PROBE: &str = "write_probe";
/// The key of pseudonyms.
const PSEUDONYM_KEY: &str = "pseudonym_key";

/// The epoch: the name of the database's history of events. A new one begins when `identity` is not the
/// database that the stored one was written to: it is then a restored backup, which assigns other events to
/// the same numbers. `now` in Unix milliseconds.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, or a new epoch cannot be written.
pub(super) async fn load_epoch(mut on: Connection<'_>, identity: &str, now: i64) -> Result<String, StoreError> {
    // Writes only when something changes, so that a read-only file can be opened.
    if let Some(epoch) = stored_epoch(on.reborrow(), identity).await? {
        return Ok(epoch);
    }
    let epoch = random_id();
    for (name, value) in [("epoch", epoch.as_str()), ("file", identity)] {
        upsert_metadata(on.reborrow(), name, value).await?;
    }
    announce_epoch(on, &epoch, now).await?;
    Ok(epoch)
}

/// The epoch that is stored, if it was written to the database of this identity.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn stored_epoch(mut on: Connection<'_>, identity: &str) -> Result<Option<String>, StoreError> {
    Ok(fetch_scalar!(
        fetch_optional,
        on,
        "SELECT e.value FROM facts e, facts f WHERE e.name = 'epoch' AND f.name = 'file' AND f.value = $1",
        identity
    )?)
}

/// The pseudonyms of this database. Their key is made at the first start and moves with the data: a ban of
/// somebody erased matches them by it. To a file that is not `writable` it is not written: nobody is erased there.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, or a new key cannot be written.
pub(super) async fn load_pseudonyms(mut on: Connection<'_>, writable: bool) -> Result<Pseudonyms, StoreError> {
    if let Some(stored) = stored_pseudonyms(on.reborrow()).await? {
        return Ok(stored);
    }
    let key = random::hex::<32>();
    if writable {
        upsert_metadata(on, PSEUDONYM_KEY, &key).await?;
    }
    Ok(Pseudonyms::new(&key))
}

/// The pseudonyms of this database, if their key is stored.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn stored_pseudonyms(on: Connection<'_>) -> Result<Option<Pseudonyms>, StoreError> {
    Ok(metadata(on, PSEUDONYM_KEY).await?.map(|key| Pseudonyms::new(&key)))
}

/// The value of this name, if one is stored.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn metadata(mut on: Connection<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(fetch_scalar!(fetch_optional, on, "SELECT value FROM facts WHERE name = $1", name)?)
}

/// Writes the value of this name, in place of a stored one.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written.
pub(super) async fn upsert_metadata(mut on: Connection<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    execute!(
        on,
        "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value
    )?;
    Ok(())
}

/// Sixteen random characters out of `0-9a-f`.
pub(crate) fn random_id() -> String {
    random::hex::<8>()
}
