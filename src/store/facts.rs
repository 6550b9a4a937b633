//! Facts about the database itself.

use super::db::{Connection, ask, run};
use super::error::StoreError;
use crate::random;

/// The history's name. Another one begins when this (`here`) is not the database it was written to:
/// a backup that was put in its place tells another story under the same numbers.
pub(super) async fn epoch(mut on: Connection<'_>, here: &str) -> Result<String, StoreError> {
    let stored: Option<(String, String)> = ask!(
        fetch_optional,
        on,
        "SELECT e.value, f.value FROM facts e, facts f WHERE e.name = 'epoch' AND f.name = 'file'"
    )?;
    // Nothing is written when nothing is new: a file that is read-only opens as well.
    let epoch = match stored {
        Some((epoch, known)) if known == here => return Ok(epoch),
        _ => random_name(),
    };
    for (name, value) in [("epoch", epoch.as_str()), ("file", here)] {
        put_fact(on.lend(), name, value).await?;
    }
    Ok(epoch)
}

/// Writes a fact, in place of the one of that name.
pub(super) async fn put_fact(mut on: Connection<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    run!(
        on,
        "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value
    )?;
    Ok(())
}

/// Sixteen random characters out of `0-9a-f`.
pub(crate) fn random_name() -> String {
    random::hex::<8>()
}
