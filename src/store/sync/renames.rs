//! Members who have another name or picture by a sync of another group: recorded in the sync's transaction, so that
//! none is lost, and announced to each of their groups in one of its own, so that no act waits for many groups.

use crate::domain::{Guid, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::decode::{parse_guid, parse_uid};
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::transaction::tx::Tx;

impl Reader {
    /// The first group after this one with renames to announce.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn next_group_with_renames(&mut self, after: Option<&Guid>) -> Result<Option<Guid>, StoreError> {
        let guid: Option<String> = fetch_scalar!(
            fetch_optional,
            self.tx,
            "SELECT guid FROM sync_renames WHERE guid > $1 ORDER BY guid LIMIT 1",
            after.map_or("", Guid::as_str)
        )?;
        guid.as_deref().map(parse_guid).transpose()
    }
}

impl Tx<'_> {
    /// Waits for syncs that record somebody of this group again, and has later ones wait: what is announced from here on is the newest
    /// name. On SQLite nobody else writes.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lock_renames(&mut self, guid: &Guid) -> Result<(), StoreError> {
        if self.hides_members() {
            return Ok(());
        }
        let sql = "SELECT count(*) FROM (SELECT 1 FROM sync_renames WHERE guid = $1 ORDER BY uid FOR UPDATE) AS locked";
        let _locked: i64 = fetch_scalar!(fetch_one, self.connection, sql, guid.as_str())?;
        Ok(())
    }

    /// The members of this group whose renames are to be announced, the first `at_most` of them.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn renamed_members(&mut self, guid: &Guid, at_most: usize) -> Result<Vec<Uid>, StoreError> {
        let uids: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            "SELECT r.uid FROM sync_renames r JOIN members m ON m.guid = r.guid AND m.uid = r.uid AND m.scope >= 0
             WHERE r.guid = $1 ORDER BY r.uid LIMIT $2",
            guid.as_str(),
            at_most as i64
        )?;
        uids.iter().map(|uid| parse_uid(uid)).collect()
    }

    /// Marks the members of a range whose renames are to be announced as touched by the event `seq`.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn touch_renamed(&mut self, guid: &Guid, seq: u64, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        execute!(
            self.connection,
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
             SELECT m.guid, CAST($4 AS BIGINT), m.uid, m.scope, m.scope, m.joined_at, m.joined_at
             FROM sync_renames r JOIN members m
               ON m.guid = $1 AND m.uid = r.uid AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0
             WHERE r.guid = $1 AND r.uid > $2 AND r.uid <= $3",
            guid.as_str(),
            after,
            until,
            seq as i64
        )?;
        Ok(execute!(
            self.connection,
            "UPDATE members SET seq = $4 WHERE guid = $1 AND uid > $2 AND uid <= $3 AND scope >= 0
               AND EXISTS (SELECT 1 FROM sync_renames r
                           WHERE r.guid = $1 AND r.uid = members.uid AND r.uid > $2 AND r.uid <= $3)",
            guid.as_str(),
            after,
            until,
            seq as i64
        )?)
    }

    /// Deletes the rename of a member, which has been announced.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn clear_rename(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        let sql = "DELETE FROM sync_renames WHERE guid = $1 AND uid = $2";
        Ok(execute!(self.connection, sql, guid.as_str(), uid.as_str())?)
    }

    /// Deletes the renames of this group that the event `seq` has announced, and those of people who are no members. Those that other
    /// syncs have recorded meanwhile stay.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn clear_renames(&mut self, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        let sql = "DELETE FROM sync_renames WHERE guid = $1
               AND (EXISTS (SELECT 1 FROM touched t WHERE t.guid = $1 AND t.seq = $2 AND t.uid = sync_renames.uid)
                 OR NOT EXISTS (SELECT 1 FROM members m WHERE m.guid = $1 AND m.uid = sync_renames.uid AND m.scope >= 0))";
        Ok(execute!(self.connection, sql, guid.as_str(), seq as i64)?)
    }
}
