//! Preparing a sync in small transactions, so that the one that applies it (`apply.rs`) is short: SQLite has one
//! writer, and everybody else's acts wait for it.
//!
//! Each row of `sync_rows` gets a [`state`](crate::store::sql::sync_states). Rows whose member changes in the meantime are
//! compared again when the sync is applied.

use std::collections::HashSet;

use super::scopes::kept_scope;
use super::staging::StagingId;
use crate::domain::{Guid, Uid};
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::sync_states::state;
use crate::store::transaction::tx::Tx;

/// The people of a range who are staged (`s`): `$1` is the sync, `$2` and `$3` the range.
macro_rules! in_range {
    () => {
        "s.sync = $1 AND s.uid > $2 AND s.uid <= $3"
    };
}

/// Whether the row of somebody who is staged (`s`) has another name or picture than the user (`u`). One that it does not have stays.
macro_rules! renamed {
    () => {
        "((s.name IS NOT NULL AND s.name <> u.name)
            OR (s.avatar IS NOT NULL AND (u.avatar IS NULL OR u.avatar <> s.avatar)))"
    };
}

pub(in crate::store) use renamed;

/// The state of a group when a sync of it was prepared.
#[derive(Debug, Clone)]
pub struct PreparedFrom {
    pub(super) seq: u64,
    /// The pseudonyms of people whose ban was under their pseudonym.
    erased_and_banned: HashSet<String>,
}

impl Tx<'_> {
    /// Records which group a sync is for, and where it stands now. On SQLite a group that is not there gets a row as if
    /// it had been deleted, so that it can have hidden members.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn begin_preparation(&mut self, guid: &Guid, id: StagingId) -> Result<PreparedFrom, StoreError> {
        self.keep_alive(id).await?;
        execute!(self.connection, "UPDATE syncs SET guid = $2 WHERE sync = $1", id.0, guid.as_str())?;
        if self.hides_members() {
            execute!(
                self.connection,
                "INSERT INTO groups (guid, name, type, seq, created_at, updated_at, deleted_at)
                 VALUES ($1, $1, 'private', 0, $2, $2, $2) ON CONFLICT (guid) DO NOTHING",
                guid.as_str(),
                self.now
            )?;
        }
        let sql = "SELECT seq FROM groups WHERE guid = $1";
        let seq: Option<i64> = fetch_scalar!(fetch_optional, self.connection, sql, guid.as_str())?;
        let erased_and_banned = self.erased_and_banned(guid).await?;
        Ok(PreparedFrom { seq: seq.unwrap_or(0) as u64, erased_and_banned })
    }

    /// The state from which the preparation continues when an erasure has moved a ban to a pseudonym since the list was compared with the
    /// group: [`Tx::unstage_banned`] does not find it. `None` when there is no such ban. The group's `rewritten_seq` cannot show this: it
    /// does not change when the group has no event between two erasures.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn with_rewritten_bans(
        &mut self,
        guid: &Guid,
        from: &PreparedFrom,
    ) -> Result<Option<PreparedFrom>, StoreError> {
        let erased_and_banned = self.erased_and_banned(guid).await?;
        let is_known = erased_and_banned.is_subset(&from.erased_and_banned);
        Ok((!is_known).then_some(PreparedFrom { erased_and_banned, ..*from }))
    }

    /// Finds out about the people of a range what there is to do, and inserts new members hidden. Answers who is left
    /// out, since they are banned and were erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prepare_staged(
        &mut self,
        guid: &Guid,
        id: StagingId,
        range: &UidRange,
    ) -> Result<Vec<Uid>, StoreError> {
        self.keep_alive(id).await?;
        let banned = self.unstage_erased_and_banned(guid, id, range).await?;
        let ((after, until), guid) = (range.bounds(), guid.as_str());
        execute!(
            self.connection,
            concat!(
                "UPDATE sync_rows AS s SET scope = ",
                kept_scope!("s", "$4"),
                " WHERE ",
                in_range!(),
                " AND s.keeps_scope = 1 AND s.scope >= 0"
            ),
            id.0,
            after,
            until,
            guid
        )?;
        execute!(
            self.connection,
            concat!(
                "UPDATE sync_rows AS s SET state = ",
                state!(Unchanged),
                " WHERE ",
                in_range!(),
                "
                   AND EXISTS (SELECT 1 FROM members m JOIN users u ON u.uid = m.uid
                               WHERE m.guid = $4 AND m.uid = s.uid AND m.uid > $2 AND m.uid <= $3
                                 AND u.uid > $2 AND u.uid <= $3 AND m.scope = s.scope
                                 AND (s.joined_at IS NULL OR s.joined_at >= m.joined_at) AND NOT ",
                renamed!(),
                ")"
            ),
            id.0,
            after,
            until,
            guid
        )?;
        if self.hides_members() {
            self.hide_new_members(guid, id, range).await?;
        }
        execute!(
            self.connection,
            concat!(
                "UPDATE sync_rows AS s SET state = ",
                state!(ToApply),
                " WHERE ",
                in_range!(),
                " AND s.state = ",
                state!(Staged)
            ),
            id.0,
            after,
            until
        )?;
        Ok(banned)
    }

    /// Inserts the new members of a range, hidden, but for the owner, and who is or was banned.
    async fn hide_new_members(&mut self, guid: &str, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        macro_rules! new {
            ($state:ident, $of_user:expr) => {
                concat!(
                    "UPDATE sync_rows AS s SET state = ",
                    state!($state),
                    " WHERE ",
                    in_range!(),
                    "
                       AND s.state = ",
                    state!(Staged),
                    " AND s.scope <> 3 AND ",
                    $of_user,
                    "
                       AND NOT EXISTS (SELECT 1 FROM members m WHERE m.guid = $4 AND m.uid = s.uid)
                       AND NOT EXISTS (SELECT 1 FROM bans b WHERE b.guid = $4 AND b.uid = s.uid)"
                )
            };
        }
        let unknown =
            new!(UserInserted, "s.name IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users u WHERE u.uid = s.uid)");
        let known = new!(
            MemberInserted,
            concat!("EXISTS (SELECT 1 FROM users u WHERE u.uid = s.uid AND NOT ", renamed!(), ")")
        );
        execute!(self.connection, unknown, id.0, after, until, guid)?;
        execute!(self.connection, known, id.0, after, until, guid)?;
        execute!(
            self.connection,
            concat!(
                "INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at)
                 SELECT s.uid, s.name, s.avatar, s.sort_key, $4, $4 FROM sync_rows s
                 WHERE ",
                in_range!(),
                " AND s.state = ",
                state!(UserInserted)
            ),
            id.0,
            after,
            until,
            self.now
        )?;
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO members (guid, uid, scope, joined_at, seq)
                 SELECT $4, s.uid, -1 - s.scope, COALESCE(s.joined_at, $5), -$1 FROM sync_rows s
                 WHERE ",
                in_range!(),
                " AND s.state >= ",
                state!(MemberInserted)
            ),
            id.0,
            after,
            until,
            guid,
            self.now / 1000
        )?)
    }

    /// Stages those members of a range as leaving who are not listed, except the owner.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prepare_leaving(&mut self, guid: &Guid, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        self.keep_alive(id).await?;
        let (after, until) = range.bounds();
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO sync_rows (sync, uid, line, scope, state)
                 SELECT CAST($1 AS BIGINT), m.uid, 0, -1, ",
                state!(ToApply),
                " FROM members m
                 WHERE m.guid = $4 AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0 AND m.scope <> 3
                   AND NOT EXISTS (SELECT 1 FROM sync_rows s
                                   WHERE s.sync = $1 AND s.uid = m.uid AND s.uid > $2 AND s.uid <= $3)"
            ),
            id.0,
            after,
            until,
            guid.as_str()
        )?)
    }

    /// Stages a member as leaving who is not listed.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn stage_leaving(&mut self, id: StagingId, uid: &Uid) -> Result<(), StoreError> {
        let sql = concat!(
            "INSERT INTO sync_rows (sync, uid, line, scope, state) VALUES ($1, $2, 0, -1, ",
            state!(ToApply),
            ") ON CONFLICT (sync, uid) DO NOTHING"
        );
        Ok(execute!(self.connection, sql, id.0, uid.as_str())?)
    }

    /// Removes those of a range whose ban is stored under their pseudonym, because they were erased, and returns their uids. SQL cannot
    /// compute pseudonyms, so every row of the range is read, if there is any such ban.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn unstage_erased_and_banned(
        &mut self,
        guid: &Guid,
        id: StagingId,
        range: &UidRange,
    ) -> Result<Vec<Uid>, StoreError> {
        let (erased, mut banned) = (self.erased_and_banned(guid).await?, Vec::new());
        if erased.is_empty() {
            return Ok(banned);
        }
        let (after, until) = range.bounds();
        let sql = concat!("SELECT s.uid FROM sync_rows s WHERE ", in_range!(), " AND s.scope >= 0");
        let uids: Vec<String> = fetch_scalar!(fetch_all, self.connection, sql, id.0, after, until)?;
        for uid in uids {
            let uid = parse_uid(&uid)?;
            if erased.contains(self.pseudonyms.of(&uid).as_str()) {
                let sql = "DELETE FROM sync_rows WHERE sync = $1 AND uid = $2";
                execute!(self.connection, sql, id.0, uid.as_str())?;
                banned.push(uid);
            }
        }
        Ok(banned)
    }

    /// Whether new members are inserted before the sync is applied. PostgreSQL has many writers: nobody waits there for
    /// the transaction of another group, and rows would only be written twice.
    pub(crate) fn hides_members(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(_))
    }
}
