//! What a sync came to: how many people it changed, and the version of the host's data that the group is now in step with.

use crate::domain::Guid;
use crate::store::error::StoreError;
use crate::store::groups::group::members_count;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// The number of members, the number of people touched by event `seq` who are members, and of those who are not.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn count_synced(&mut self, guid: &Guid, seq: u64) -> Result<(u64, u64, u64), StoreError> {
        let members = members_count(self.connection.reborrow(), guid).await?;
        let touched: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM touched WHERE guid = $1 AND seq = $2",
            guid.as_str(),
            seq as i64
        )?;
        let removed: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM touched WHERE guid = $1 AND seq = $2 AND new_scope IS NULL",
            guid.as_str(),
            seq as i64
        )?;
        Ok((members, (touched - removed) as u64, removed as u64))
    }

    /// Sets the version of the host's data that the group is in step with.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn set_sync_version(&mut self, guid: &Guid, version: i64) -> Result<(), StoreError> {
        let sql = "UPDATE groups SET sync_version = $2 WHERE guid = $1";
        Ok(execute!(self.connection, sql, guid.as_str(), version)?)
    }

    /// The version of the host's data that the group was last brought into step with.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn sync_version(&mut self, guid: &Guid) -> Result<Option<i64>, StoreError> {
        sync_version(self.connection.reborrow(), guid).await
    }
}

/// The version of the host's data that the group was last brought into step with.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn sync_version(mut on: Connection<'_>, guid: &Guid) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT sync_version FROM groups WHERE guid = $1";
    let version: Option<Option<i64>> = fetch_scalar!(fetch_optional, on, sql, guid.as_str())?;
    Ok(version.flatten())
}
