//! One snapshot of the database. The reads stand where they belong: `groups/`, `people/`, `log/`.

use super::backend::Pool;
use super::read_tx::ReadTx;
use crate::store::error::StoreError;
use crate::store::pseudonym::Pseudonyms;

/// One consistent snapshot of the database, which all reads of it see.
///
/// Every method fails with [`StoreError::Unavailable`] when the database cannot be read now or the connection
/// ends, and with [`StoreError::Inconsistent`] when a stored row breaks an invariant.
pub struct Reader {
    pub(in crate::store) tx: ReadTx,
    /// When it began, Unix milliseconds: bans that end before are over.
    pub(in crate::store) now: i64,
    pub(in crate::store) pseudonyms: Pseudonyms,
}

impl Reader {
    /// Begins a snapshot. `now` in Unix milliseconds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be read now.
    pub(in crate::store) async fn begin(pool: &Pool, now: i64, pseudonyms: Pseudonyms) -> Result<Reader, StoreError> {
        Ok(Reader { tx: ReadTx::begin(pool).await?, now, pseudonyms })
    }
}
