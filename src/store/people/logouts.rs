//! Logouts of people from all their sessions. Nodes follow the rows by their version.

use crate::domain::Uid;
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::tables::{LOGOUTS, LogoutValues};
use crate::store::transaction::tx::Tx;

/// A logout of somebody from all their sessions.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Logout {
    /// Their pseudonym.
    pub person: String,
    /// When, Unix milliseconds.
    pub at: i64,
    /// Rises from one to the next.
    pub version: i64,
}

impl Tx<'_> {
    /// Records that a person is logged out everywhere now. Issue times of tokens are whole seconds, and the service dates a
    /// token that it makes right after a logout to the next second: a second logout within one second therefore counts for
    /// the next. The clock that dates tokens is up to `clock_ahead` seconds ahead, which is added to the time of the logout.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn log_out(&mut self, uid: &Uid, clock_ahead: i64) -> Result<(), StoreError> {
        // Takes a lock, so that later commits have higher versions and no reader misses one.
        execute!(self.connection, "UPDATE facts SET value = value WHERE name = 'epoch'")?;
        let person = self.pseudonyms.of(uid);
        let version = newest_version(self.connection.reborrow()).await? + 1;
        let before = logged_out_at(self.connection.reborrow(), &person).await?;
        let next = before.map_or(0, |at| (at.div_euclid(1000) + 1) * 1000);
        let at = next.max(self.now + clock_ahead * 1000);
        let row = LogoutValues { person: person.as_str(), at, version };
        insert(self.connection.reborrow(), &LOGOUTS.upsert(1, &[]), [row]).await
    }
}

impl Reader {
    /// The version of the newest logout; 0 when there is none.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn logout_version(&mut self) -> Result<i64, StoreError> {
        newest_version(self.tx.reborrow()).await
    }

    /// The logouts after this version.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn logouts_since(&mut self, version: i64) -> Result<Vec<Logout>, StoreError> {
        Ok(fetch!(fetch_all, self.tx, "SELECT person, at, version FROM logouts WHERE version > $1", version)?)
    }
}

async fn newest_version(mut on: Connection<'_>) -> Result<i64, StoreError> {
    Ok(fetch_scalar!(fetch_one, on, "SELECT COALESCE(max(version), 0) FROM logouts")?)
}

/// When whoever has this pseudonym was logged out everywhere, Unix milliseconds.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(in crate::store) async fn logged_out_at(mut on: Connection<'_>, person: &Uid) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT at FROM logouts WHERE person = $1";
    Ok(fetch_scalar!(fetch_optional, on, sql, person.as_str())?)
}
