//! What is read about one group, and where the logs of many stand.

use sqlx::AssertSqlSafe;

use super::group::{HeadRow, members_count, owner};
use crate::domain::{Group, GroupType, Guid, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::decode::{inconsistent, parse_guid};
use crate::store::sql::query::{dynamic, fetch, fetch_scalar, placeholders};

/// Groups whose log positions are read by one statement.
const GROUPS_PER_STATEMENT: usize = 1000;

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

impl Reader {
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

    /// The group's type, and whether somebody is a member of it; `None` when there is no such group. One statement runs the same two
    /// searches whatever they find, so that its time does not reveal which groups exist.
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
    pub async fn password_hash(&mut self, guid: &Guid) -> Result<Option<String>, StoreError> {
        let stored: Option<Option<String>> = fetch_scalar!(
            fetch_optional,
            self.tx,
            "SELECT password FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        Ok(stored.flatten())
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
        members_count(self.tx.reborrow(), guid).await
    }

    /// The log positions of those of these groups that exist.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn heads(&mut self, guids: &[Guid]) -> Result<Vec<Head>, StoreError> {
        let mut heads = Vec::with_capacity(guids.len());
        for guids in guids.chunks(GROUPS_PER_STATEMENT) {
            let sql =
                format!("SELECT guid, seq, rewritten_seq FROM groups WHERE guid IN {}", placeholders(1, guids.len()));
            let rows: Vec<(String, i64, i64)> = dynamic!(fetch_all, self.tx, sql, query, {
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
}
