//! Erasing a person: what describes them is deleted, and the groups are recorded whose rows name them.
//!
//! Not here: the rewriting of those rows (`rewriting.rs`), and the order of the steps, which `membership/erasure.rs` has.

use std::collections::{BTreeMap, HashSet};

use serde_json::json;

use super::erasures::{Erasure, RowsNaming, SCRUB_DUE};
use super::known::is_known;
use crate::domain::event_type::USER_DELETED;
use crate::domain::{Guid, Uid};
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::metadata::{random_id, upsert_metadata};
use crate::store::sql::decode::parse_guid;
use crate::store::sql::in_force::in_force;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::sync_states::{erased_line, phase, state};
use crate::store::sql::tables::{ERASURE_POSITIONS, ERASURES, ErasurePositionValues, ErasureValues};
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// Whether anything is stored about this person, in whichever table.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn is_known(&mut self, uid: &Uid) -> Result<bool, StoreError> {
        is_known(self.connection.reborrow(), uid).await
    }

    /// The groups that somebody owns.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn groups_owned_by(&mut self, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            "SELECT guid FROM members WHERE uid = $1 AND scope = 3 ORDER BY guid",
            uid.as_str()
        )?;
        rows.iter().map(|guid| parse_guid(guid)).collect()
    }

    /// Records that the erasure of this person has begun. It takes the place of one that has not ended.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn begin_erasure(&mut self, uid: &Uid) -> Result<Erasure, StoreError> {
        let erasure = Erasure { uid: uid.clone(), pseudonym: self.pseudonyms.of(uid), at: self.now, left_at: None };
        let row = ErasureValues {
            uid: uid.as_str(),
            pseudonym: erasure.pseudonym.as_str(),
            at: erasure.at,
            left_at: erasure.left_at,
        };
        insert(self.connection.reborrow(), &ERASURES.upsert(1, &[]), [row]).await?;
        Ok(erasure)
    }

    /// Whether this is still the stored state of the erasure: no other node has continued it or begun another one. If not,
    /// the uid may belong to somebody else by now.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn is_current(&mut self, erasure: &Erasure) -> Result<bool, StoreError> {
        let sql = "SELECT left_at FROM erasures WHERE uid = $1 AND at = $2";
        let left_at: Option<Option<i64>> =
            fetch_scalar!(fetch_optional, self.connection, sql, erasure.uid.as_str(), erasure.at)?;
        Ok(left_at == Some(erasure.left_at))
    }

    /// Records that an erasure does not take place after all, and forgets the positions of one whose place it took.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn cancel_erasure(&mut self, uid: &Uid) -> Result<(), StoreError> {
        for sql in ["DELETE FROM erasures WHERE uid = $1", "DELETE FROM erasure_positions WHERE uid = $1"] {
            execute!(self.connection, sql, uid.as_str())?;
        }
        Ok(())
    }

    /// Records that the person, whom these rows name, has left every group, and reports it to webhooks. The report is the only
    /// thing that still names them, until it is delivered. Does nothing when somebody else has done so.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_left(
        &mut self,
        Erasure { uid, pseudonym, at, .. }: &Erasure,
        named: &RowsNaming,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE erasures SET left_at = $3 WHERE uid = $1 AND at = $2 AND left_at IS NULL RETURNING at";
        let recorded: Option<i64> = fetch_scalar!(fetch_optional, self.connection, sql, uid.as_str(), *at, self.now)?;
        if recorded.is_none() {
            return Ok(());
        }
        execute!(self.connection, "DELETE FROM erasure_positions WHERE uid = $1", uid.as_str())?;
        // Webhooks deliver groups separately, so the log position of each group is recorded.
        let positions = self.record_positions(uid, named).await?;
        let groups: Vec<&str> = positions.keys().map(String::as_str).collect();
        let data =
            json!({"uid": uid.as_str(), "pseudonym": pseudonym.as_str(), "groups": groups, "positions": positions});
        self.append_outbox(USER_DELETED, Some(pseudonym), &data).await
    }

    /// Records how far the log of every group names them by now (`named`): an act whose transaction had begun before they left may have
    /// ended since. Their restrictions may also be dated later than their leaving, since the time of a group goes on where the clock went
    /// back. Does nothing when there is somebody with this uid again: later rows may be about them. Answers the erasure as it is
    /// stored then.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn extend_erasure(&mut self, mut erasure: Erasure, named: &RowsNaming) -> Result<Erasure, StoreError> {
        let uid = erasure.uid.as_str();
        let others: i64 = fetch_scalar!(fetch_one, self.connection, "SELECT count(*) FROM users WHERE uid = $1", uid)?;
        if others > 0 || !self.is_current(&erasure).await? {
            return Ok(erasure);
        }
        self.record_positions(&erasure.uid, named).await?;
        if named.latest > erasure.left_at {
            let sql = "UPDATE erasures SET left_at = $3 WHERE uid = $1 AND at = $2";
            execute!(self.connection, sql, uid, erasure.at, named.latest)?;
            erasure.left_at = named.latest;
        }
        Ok(erasure)
    }

    /// Records where the log of every group that names this person stands, and answers it by guid. Later events are about the next
    /// person with this uid.
    async fn record_positions(&mut self, uid: &Uid, named: &RowsNaming) -> Result<BTreeMap<String, i64>, StoreError> {
        let mut positions = BTreeMap::new();
        for guid in &named.groups {
            let guid = guid.to_string();
            let sql = "SELECT seq FROM groups WHERE guid = $1";
            let seq: Option<i64> = fetch_scalar!(fetch_optional, self.connection, sql, &guid)?;
            let seq = seq.unwrap_or(0);
            let row = ErasurePositionValues { uid: uid.as_str(), guid: &guid, seq };
            insert(self.connection.reborrow(), &ERASURE_POSITIONS.upsert(1, &[]), [row]).await?;
            positions.insert(guid, seq);
        }
        Ok(positions)
    }

    /// The pseudonyms of those who are banned and were erased since. Their prefix is a range of the primary key.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn erased_and_banned(&mut self, guid: &Guid) -> Result<HashSet<String>, StoreError> {
        let erased: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            concat!(
                "SELECT uid FROM bans WHERE guid = $1 AND uid >= 'erased-' AND uid < 'erased.' AND ",
                in_force!("until_at", "$2")
            ),
            guid.as_str(),
            self.now
        )?;
        Ok(erased.into_iter().collect())
    }

    /// Removes a person from syncs. In a sync that is still staged a placeholder row takes their place, so that rows staged later leave
    /// them out too: a list uploaded before the erasure does not add them again. The rows that name them in a sync
    /// that was applied or given up are not read any more.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_staged(&mut self, uid: &Uid) -> Result<(), StoreError> {
        self.forget_prepared(uid).await?;
        for sql in [
            concat!(
                "INSERT INTO sync_rows (sync, uid, line, scope, state) SELECT sync, $1, ",
                erased_line!(),
                ", -1, ",
                state!(Unchanged),
                " FROM syncs WHERE phase = ",
                phase!(Staged),
                " ON CONFLICT (sync, uid)
                 DO UPDATE SET line = excluded.line, name = NULL, avatar = NULL, sort_key = NULL, joined_at = NULL,
                   scope = -1, keeps_scope = 0, scope_until = NULL, state = ",
                state!(Unchanged)
            ),
            concat!(
                "DELETE FROM sync_rows WHERE sync IN (SELECT sync FROM syncs WHERE phase <> ",
                phase!(Staged),
                ") AND uid = $1"
            ),
            "DELETE FROM sync_renames WHERE uid = $1",
        ] {
            execute!(self.connection, sql, uid.as_str())?;
        }
        Ok(())
    }

    /// Deletes what the outbox holds about a person, and the names of its lanes that name them.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_outbox_of(&mut self, uid: &Uid) -> Result<(), StoreError> {
        let lane = Lane::Outbox(Some(uid.clone())).to_string();
        // The row that a report of their presence locks is deleted first: no report is appended to the outbox afterwards.
        execute!(self.connection, "DELETE FROM reported_presence WHERE uid = $1", uid.as_str())?;
        execute!(self.connection, "DELETE FROM outbox WHERE person = $1", uid.as_str())?;
        for sql in [
            "DELETE FROM outbox WHERE lane = $1",
            "DELETE FROM outbox_lanes WHERE lane = $1",
            "DELETE FROM webhook_positions WHERE lane = $1",
        ] {
            execute!(self.connection, sql, &lane)?;
        }
        Ok(())
    }

    /// Records that an erasure has ended. What it deleted may still be in the file: see [`crate::store::Store::scrub`].
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn end_erasure(&mut self, uid: &Uid) -> Result<(), StoreError> {
        for sql in ["DELETE FROM erasures WHERE uid = $1", "DELETE FROM erasure_positions WHERE uid = $1"] {
            execute!(self.connection, sql, uid.as_str())?;
        }
        self.record_scrub_due().await
    }

    /// Records that the file may hold deleted content that names somebody who was erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn record_scrub_due(&mut self) -> Result<(), StoreError> {
        upsert_metadata(self.connection.reborrow(), SCRUB_DUE, &random_id()).await
    }

    /// How many events of the outbox name somebody who was erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn outbox_naming_erased(&mut self) -> Result<i64, StoreError> {
        let sql = "SELECT count(*) FROM outbox WHERE kind = $1";
        Ok(fetch_scalar!(fetch_one, self.connection, sql, USER_DELETED)?)
    }

    /// Records that the file holds nothing any more that was deleted before `due` was written.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn record_scrubbed(&mut self, due: &str) -> Result<(), StoreError> {
        execute!(self.connection, "DELETE FROM facts WHERE name = $1 AND value = $2", SCRUB_DUE, due)?;
        Ok(())
    }
}
