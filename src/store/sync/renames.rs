//! Members who have another name or picture by a sync of another group: recorded in the sync's transaction, so that
//! none is lost, and announced to each of their groups in one of its own, so that no act waits for many groups. Whoever came into a group
//! meanwhile is recorded afterwards.

use super::apply::to_apply;
use super::staging::{CHUNK, StagingId};
use crate::domain::{Guid, Scope, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::decode::{parse_guid, parse_uid};
use crate::store::sql::insert::insert;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::sync_states::{phase, state};
use crate::store::sql::tables::{SYNC_ROWS, SyncRowValues};
use crate::store::transaction::tx::Tx;

/// The people of a range (`$2`, `$3`) to whom a sync that was applied at `$4` has given another name or picture, or somebody since
/// (`s`, `u`).
macro_rules! renamed_people {
    () => {
        "sync_rows s JOIN users u ON u.uid = s.uid AND u.uid > $2 AND u.uid <= $3
           AND u.updated_at >= $4 AND u.created_at < $4"
    };
}

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
    /// Records these people as those of a sync of this group that is applied: this transaction, which has locked the group, has given
    /// them other names or pictures since this moment, Unix milliseconds. Whoever came into another group meanwhile is found
    /// as after a sync. `None` where there is nothing to find: without people, and on SQLite.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_renamed(
        &mut self,
        guid: &Guid,
        since: i64,
        people: &[Uid],
    ) -> Result<Option<StagingId>, StoreError> {
        if people.is_empty() || self.hides_members() {
            return Ok(None);
        }
        let id = StagingId::new(since);
        let sql = concat!("INSERT INTO syncs (sync, guid, alive_at, phase) VALUES ($1, $2, $3, ", phase!(Applied), ")");
        execute!(self.connection, sql, id.0, guid.as_str(), since)?;
        for people in people.chunks(CHUNK) {
            let values = people.iter().map(|uid| SyncRowValues {
                sync: id.0,
                uid: uid.as_str(),
                line: 0,
                name: None,
                avatar: None,
                sort_key: None,
                scope: Scope::Participant.number(),
                joined_at: None,
                state: state!(ToApply),
                keeps_scope: 1,
                scope_until: None,
            });
            insert(self.connection.reborrow(), &SYNC_ROWS.insert(people.len()), values).await?;
        }
        Ok(Some(id))
    }

    /// Which people of a range, renamed by a sync that is applied, are locked by a transaction that is not over: perhaps it makes them
    /// members of another group, and has read the old name. `None` on SQLite, where nothing else is written meanwhile, and for a sync
    /// that is not applied.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn renamed_and_locked(
        &mut self,
        id: StagingId,
        range: &UidRange,
    ) -> Result<Option<Vec<Uid>>, StoreError> {
        let Some(applied_at) = self.applied_at(id).await? else { return Ok(None) };
        let (after, until) = range.bounds();
        let uids: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            concat!(
                "WITH renamed AS (SELECT u.uid FROM ",
                renamed_people!(),
                " WHERE ",
                to_apply!(),
                "),
                 free AS (SELECT uid FROM users
                           WHERE uid > $2 AND uid <= $3 AND uid IN (SELECT uid FROM renamed) FOR UPDATE SKIP LOCKED)
                 SELECT uid FROM renamed WHERE uid NOT IN (SELECT uid FROM free) ORDER BY uid"
            ),
            id.0,
            after,
            until,
            applied_at
        )?;
        Ok(Some(uids.iter().map(|uid| parse_uid(uid)).collect::<Result<_, _>>()?))
    }

    /// Records the groups that people of a range came into while a sync that is applied by now gave them another name or picture: those
    /// whose last event about them has the old one, or is a sync that made them members. An announcement changes no scope.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_missed_renames(&mut self, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let Some(applied_at) = self.applied_at(id).await? else { return Ok(()) };
        let (after, until) = range.bounds();
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO sync_renames (guid, uid) SELECT m.guid, m.uid FROM ",
                renamed_people!(),
                " JOIN members m ON m.uid = s.uid AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0
                 WHERE ",
                to_apply!(),
                " AND m.guid <> (SELECT guid FROM syncs WHERE sync = $1)
                   AND NOT EXISTS (SELECT 1 FROM sync_renames r WHERE r.guid = m.guid AND r.uid = m.uid)
                   AND COALESCE((SELECT CASE WHEN t.name IS NULL THEN t.old_scope IS NULL
                                   ELSE t.name <> u.name OR t.avatar IS DISTINCT FROM u.avatar END
                                 FROM touched t WHERE t.guid = m.guid AND t.seq = m.seq AND t.uid = m.uid), TRUE)
                 ORDER BY m.uid, m.guid ON CONFLICT (guid, uid) DO NOTHING"
            ),
            id.0,
            after,
            until,
            applied_at
        )?)
    }

    /// When a sync was applied, whose people others may have made members meanwhile: the time of all that it wrote, Unix milliseconds.
    async fn applied_at(&mut self, id: StagingId) -> Result<Option<i64>, StoreError> {
        if self.hides_members() {
            return Ok(None);
        }
        let sql = concat!("SELECT alive_at FROM syncs WHERE sync = $1 AND phase = ", phase!(Applied));
        Ok(fetch_scalar!(fetch_optional, self.connection, sql, id.0)?)
    }

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
