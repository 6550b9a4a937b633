//! Whether anything is stored about a person, and when they were logged out.

use crate::domain::Uid;
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::logouts::logged_out_at;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::fetch_scalar;

impl Reader {
    /// Whether anything is stored about this person, in whichever table. The time of a logout is, also after an erasure.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn is_known(&mut self, uid: &Uid) -> Result<bool, StoreError> {
        Ok(is_known(self.tx.reborrow(), uid).await? || self.logged_out_at(uid).await?.is_some())
    }

    /// When somebody was logged out everywhere, Unix milliseconds.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn logged_out_at(&mut self, uid: &Uid) -> Result<Option<i64>, StoreError> {
        let person = self.pseudonyms.of(uid);
        logged_out_at(self.tx.reborrow(), &person).await
    }
}

/// Whether anything is stored under the uid of this person, which an erasure ends: as a user, in the log, in bans, mutes
/// and notes, under keys of theirs, and as a status for webhooks.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(in crate::store) async fn is_known(mut on: Connection<'_>, uid: &Uid) -> Result<bool, StoreError> {
    let known: i64 = fetch_scalar!(
        fetch_one,
        on,
        "SELECT count(*) FROM (
           SELECT 1 FROM users WHERE uid = $1
           UNION ALL SELECT 1 FROM touched WHERE uid = $1
           UNION ALL SELECT 1 FROM events WHERE by_uid = $1
           UNION ALL SELECT 1 FROM bans WHERE uid = $1 OR by_uid = $1
           UNION ALL SELECT 1 FROM mutes WHERE uid = $1 OR by_uid = $1
           UNION ALL SELECT 1 FROM notes WHERE uid = $1 OR by_uid = $1
           UNION ALL SELECT 1 FROM idempotency WHERE caller = $1
           UNION ALL SELECT 1 FROM erasures WHERE uid = $1
           UNION ALL SELECT 1 FROM reported_presence WHERE uid = $1
           UNION ALL SELECT 1 FROM outbox WHERE person = $1
           LIMIT 1) AS found",
        uid.as_str()
    )?;
    Ok(known != 0)
}
