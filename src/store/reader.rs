//! Reads that need no folder of their own: groups, people, bans.

use std::sync::LazyLock;

use sqlx::AssertSqlSafe;

use super::backend::Pool;
use super::decode::{inconsistent, parse_guid};
use super::error::StoreError;
use super::groups::{HeadRow, owner};
use super::person::{Person, ProfileRow, RestrictedRow, RestrictionRow, people};
use super::pseudonym::Pseudonyms;
use super::query::{bulk, fetch, fetch_scalar, placeholders};
use super::read_tx::ReadTx;
use super::sqlite::{MoveState, read_only};
use crate::domain::{Group, GroupType, Guid, Restriction, Search, Uid};

/// The position of a group's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The group.
    pub guid: Guid,
    /// Its last event.
    pub seq: u64,
    /// Its last event when an erasure rewrote the log; 0 when none did.
    pub rewritten_seq: u64,
}

/// One consistent snapshot of the database, which all reads of it see.
///
/// Every method fails with [`StoreError::Unavailable`] when the database cannot be read now or the connection
/// ends, and with [`StoreError::Inconsistent`] when a stored row breaks an invariant.
pub struct Reader {
    pub(super) tx: ReadTx,
    /// When it began, milliseconds since the epoch: bans that end before are over.
    pub(super) now: i64,
    pub(super) pseudonyms: Pseudonyms,
}

impl Reader {
    /// Begins a snapshot. `now` in milliseconds since the epoch.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be read now.
    pub(super) async fn begin(pool: &Pool, now: i64, pseudonyms: Pseudonyms) -> Result<Reader, StoreError> {
        Ok(Reader { tx: ReadTx::begin(pool).await?, now, pseudonyms })
    }

    /// The group and its last event number; `None` when there is no such group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn group(&mut self, guid: &Guid) -> Result<Option<(Group, u64)>, StoreError> {
        let row: Option<HeadRow> = fetch!(
            fetch_optional,
            self.tx,
            AssertSqlSafe(HeadRow::select("WHERE g.guid = $1 AND g.deleted_at IS NULL")),
            guid.as_str()
        )?;
        row.map(|row| Ok((row.group.decode()?, row.seq as u64))).transpose()
    }

    /// The group's type, and whether somebody is a member of it; `None` where no group is. The same two
    /// searches in one statement, whatever they find, so that their time tells nobody which groups there are.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn type_and_membership(
        &mut self,
        guid: &Guid,
        uid: &Uid,
    ) -> Result<Option<(GroupType, bool)>, StoreError> {
        let (group_type, members): (Option<String>, i64) = fetch!(
            fetch_one,
            self.tx,
            "SELECT (SELECT type FROM groups WHERE guid = $1 AND deleted_at IS NULL),
                    (SELECT count(*) FROM members WHERE guid = $1 AND uid = $2 AND scope >= 0)",
            guid.as_str(),
            uid.as_str()
        )?;
        let Some(text) = group_type else { return Ok(None) };
        let group_type = text.parse().map_err(|()| inconsistent("type of a group", &text))?;
        Ok(Some((group_type, members > 0)))
    }

    /// Hash of the password of a password group (PHC string).
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn password(&mut self, guid: &Guid) -> Result<Option<String>, StoreError> {
        let stored: Option<Option<String>> = fetch_scalar!(
            fetch_optional,
            self.tx,
            "SELECT password FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        Ok(stored.flatten())
    }

    /// Whether any ban, mute or scope has ended and is not taken back yet.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn any_ended(&mut self) -> Result<bool, StoreError> {
        let ended: i64 = fetch_scalar!(
            fetch_one,
            self.tx,
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM bans WHERE until_at <= $1)
                      OR EXISTS (SELECT 1 FROM mutes WHERE until_at <= $1)
                      OR EXISTS (SELECT 1 FROM temporary_scopes WHERE until_at <= $1)
               THEN CAST(1 AS BIGINT) ELSE 0 END",
            self.now
        )?;
        Ok(ended != 0)
    }

    /// The group's owner; `None` when it is the host, or there is no such group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        owner(self.tx.reborrow(), guid).await
    }

    /// The number of members of a group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn members_count(&mut self, guid: &Guid) -> Result<u64, StoreError> {
        let count: i64 = fetch_scalar!(
            fetch_one,
            self.tx,
            "SELECT count(*) FROM members WHERE guid = $1 AND scope >= 0",
            guid.as_str()
        )?;
        Ok(count as u64)
    }

    /// The log positions of those of these groups that exist.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn heads(&mut self, guids: &[Guid]) -> Result<Vec<Head>, StoreError> {
        let mut heads = Vec::with_capacity(guids.len());
        for guids in guids.chunks(1000) {
            let sql =
                format!("SELECT guid, seq, rewritten_seq FROM groups WHERE guid IN {}", placeholders(1, guids.len()));
            let rows: Vec<(String, i64, i64)> = bulk!(fetch_all, self.tx, sql, query, {
                for guid in guids {
                    query = query.bind(guid.as_str());
                }
            })?;
            for (guid, seq, rewritten_seq) in rows {
                heads.push(Head { guid: parse_guid(&guid)?, seq: seq as u64, rewritten_seq: rewritten_seq as u64 });
            }
        }
        Ok(heads)
    }

    /// Why the file is read-only; `None` for a database that can be written.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn move_state(&mut self) -> Result<Option<MoveState>, StoreError> {
        read_only::state(self.tx.reborrow()).await
    }

    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(people(self.tx.reborrow(), guid, (uid, uid), &self.pseudonyms, self.now).await?.0)
    }

    /// The number of bans or mutes in force that a search finds, and `limit` of them after the first `offset`, newest
    /// first.
    /// # Errors
    /// See [`Reader`].
    pub async fn restrictions(
        &mut self,
        kind: RestrictionKind,
        guid: &Guid,
        search: &Search,
        offset: usize,
        limit: usize,
    ) -> Result<(usize, Vec<Restriction>), StoreError> {
        if search.is_empty() {
            let count: i64 = fetch_scalar!(
                fetch_one,
                self.tx,
                match kind {
                    RestrictionKind::Ban => {
                        "SELECT count(*) FROM bans WHERE guid = $1 AND (until_at IS NULL OR until_at > $2)"
                    }
                    RestrictionKind::Mute => "SELECT count(*) FROM mutes WHERE guid = $1 AND until_at > $2",
                },
                guid.as_str(),
                self.now
            )?;
            return Ok((count as usize, self.restrictions_in_force(kind, guid, offset, limit).await?));
        }
        // Names are compared as people search, which no database does.
        let found: Vec<Restriction> = self.restrictions_in_force(kind, guid, 0, usize::MAX).await?;
        let found: Vec<Restriction> = found.into_iter().filter(|one| one.is_found(search)).collect();
        Ok((found.len(), found.into_iter().skip(offset).take(limit).collect()))
    }

    async fn restrictions_in_force(
        &mut self,
        kind: RestrictionKind,
        guid: &Guid,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<Restriction>, StoreError> {
        static BANS: LazyLock<String> = LazyLock::new(|| select_restrictions("bans"));
        static MUTES: LazyLock<String> = LazyLock::new(|| select_restrictions("mutes"));
        let sql = match kind {
            RestrictionKind::Ban => BANS.as_str(),
            RestrictionKind::Mute => MUTES.as_str(),
        };
        let most = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let rows: Vec<RestrictedRow> =
            fetch!(fetch_all, self.tx, sql, guid.as_str(), self.now, most(limit), most(offset))?;
        rows.into_iter().map(RestrictedRow::decode).collect()
    }
}

/// The two kinds of restrictions, which are listed alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestrictionKind {
    /// Bans: people who may not come in.
    Ban,
    /// Mutes: people who may not speak.
    Mute,
}

/// The statement that selects [`RestrictedRow`]s in force.
fn select_restrictions(table: &str) -> String {
    format!(
        "SELECT r.uid, {}, {} FROM {table} r LEFT JOIN users u ON u.uid = r.uid
         WHERE r.guid = $1 AND (r.until_at IS NULL OR r.until_at > $2)
         ORDER BY r.at DESC, r.uid LIMIT $3 OFFSET $4",
        ProfileRow::columns("u"),
        RestrictionRow::columns("r")
    )
}
