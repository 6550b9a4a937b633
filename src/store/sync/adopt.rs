//! Adopts the rows that were prepared (`prepare.rs`): those of people whom events touched meanwhile are compared again, the
//! others become visible.

use super::prepare::PreparedFrom;
use super::scopes::kept_scope;
use super::staging::StagingId;
use crate::domain::{Guid, Uid};
use crate::store::error::StoreError;
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::sync_states::state;
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// Marks for applying everybody whom the group's events touched after the preparation began and before `seq`. `full`
    /// says that who is not listed leaves.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn review_prepared(
        &mut self,
        guid: &Guid,
        seq: u64,
        id: StagingId,
        from: &PreparedFrom,
        full: bool,
    ) -> Result<(), StoreError> {
        /// The statements, for these people.
        macro_rules! review {
            ($members:literal, $rows:literal) => {
                [
                    concat!("DELETE FROM members WHERE guid = $2 AND seq = -$1 AND scope < 0 AND ", $members),
                    concat!("DELETE FROM sync_rows WHERE sync = $1 AND scope < 0 AND ", $rows),
                    concat!(
                        "UPDATE sync_rows SET state = ",
                        state!(ToApply),
                        " WHERE sync = $1 AND state <> ",
                        state!(ToApply),
                        " AND ",
                        $rows
                    ),
                    concat!(
                        "UPDATE sync_rows SET scope = ",
                        kept_scope!("sync_rows", "$2"),
                        " WHERE sync = $1 AND keeps_scope = 1 AND scope >= 0 AND ",
                        $rows
                    ),
                    concat!(
                        "INSERT INTO sync_rows (sync, uid, line, scope, state)
                         SELECT CAST($1 AS BIGINT), m.uid, 0, -1, ",
                        state!(ToApply),
                        " FROM members m
                         WHERE m.guid = $2 AND m.scope >= 0 AND m.scope <> 3 AND ",
                        $members,
                        "
                           AND NOT EXISTS (SELECT 1 FROM sync_rows s WHERE s.sync = $1 AND s.uid = m.uid)"
                    ),
                ]
            };
        }
        let since = from.seq;
        let (events, deletions): (i64, i64) = fetch!(
            fetch_one,
            self.connection,
            "SELECT count(*), count(CASE WHEN kind = 'group_deleted' THEN 1 END) FROM events WHERE guid = $1 AND seq > $2",
            guid.as_str(),
            since as i64
        )?;
        // The log does not say what happened meanwhile: the group was deleted, or events were forgotten already.
        let everybody = deletions > 0 || events as u64 != seq - 1 - since;
        if !everybody && events == 0 {
            return Ok(());
        }
        let [unhide, unstage_leaving, apply, keep, leave] = if everybody {
            // Always true; each statement names all parameters, as PostgreSQL needs to know their types.
            review!("$3 >= 0", "$2 <> '' AND $3 >= 0")
        } else {
            review!(
                "uid IN (SELECT uid FROM touched WHERE guid = $2 AND seq > $3)",
                "uid IN (SELECT uid FROM touched WHERE guid = $2 AND seq > $3)"
            )
        };
        for sql in [unhide, unstage_leaving, apply, keep].into_iter().chain(full.then_some(leave)) {
            execute!(self.connection, sql, id.0, guid.as_str(), since as i64)?;
        }
        Ok(())
    }

    /// Shows the hidden members of a sync, under the event number `seq`.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn show_prepared(&mut self, guid: &Guid, seq: u64, id: StagingId) -> Result<(), StoreError> {
        if !self.hides_members() {
            return Ok(());
        }
        execute!(
            self.connection,
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at)
             SELECT guid, $3, uid, NULL, -1 - scope, joined_at FROM members WHERE guid = $2 AND seq = -$1 AND scope < 0",
            id.0,
            guid.as_str(),
            seq as i64
        )?;
        Ok(execute!(
            self.connection,
            "UPDATE members SET scope = -1 - scope, seq = $3 WHERE guid = $2 AND seq = -$1 AND scope < 0",
            id.0,
            guid.as_str(),
            seq as i64
        )?)
    }

    /// Keeps a user whom a sync has inserted, should it not be applied: the host has named them as well. Answers whether
    /// there was such a sync.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn adopt_prepared_user(&mut self, uid: &Uid) -> Result<bool, StoreError> {
        let sql = concat!(
            "UPDATE sync_rows SET state = ",
            state!(MemberInserted),
            " WHERE sync IN (SELECT sync FROM syncs) AND uid = $1 AND state = ",
            state!(UserInserted),
            " RETURNING sync"
        );
        let adopted: Vec<i64> = fetch_scalar!(fetch_all, self.connection, sql, uid.as_str())?;
        Ok(!adopted.is_empty())
    }

    /// Takes a user out of what syncs have prepared, so that they can be deleted: a sync that lists them compares them again.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn forget_prepared(&mut self, uid: &Uid) -> Result<(), StoreError> {
        for sql in [
            "DELETE FROM members WHERE uid = $1 AND scope < 0",
            concat!(
                "UPDATE sync_rows SET state = ",
                state!(ToApply),
                " WHERE sync IN (SELECT sync FROM syncs) AND uid = $1"
            ),
        ] {
            execute!(self.connection, sql, uid.as_str())?;
        }
        Ok(())
    }

    /// Removes what a sync that is not applied has prepared for people up to this uid.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn undo_preparation(
        &mut self,
        guid: &str,
        id: StagingId,
        until: &str,
    ) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "DELETE FROM members WHERE guid = $2 AND seq = -$1 AND scope < 0 AND uid <= $3",
            id.0,
            guid,
            until
        )?;
        // Users whom nobody has changed or made a member since.
        Ok(execute!(
            self.connection,
            concat!(
                "DELETE FROM users WHERE created_at = updated_at
                   AND uid IN (SELECT uid FROM sync_rows WHERE sync = $1 AND uid <= $2 AND state = ",
                state!(UserInserted),
                ") AND NOT EXISTS (SELECT 1 FROM members m WHERE m.uid = users.uid)"
            ),
            id.0,
            until
        )?)
    }

    /// Removes the row of a group that was never made.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn remove_placeholder(&mut self, guid: &str) -> Result<(), StoreError> {
        Ok(execute!(
            self.connection,
            "DELETE FROM groups WHERE guid = $1 AND seq = 0 AND deleted_at IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM syncs WHERE guid = $1)
               AND NOT EXISTS (SELECT 1 FROM members WHERE guid = $1)",
            guid
        )?)
    }
}
