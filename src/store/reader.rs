//! What is read: a group with its members, what changed since, the banned.

use super::db::{Pool, View, ask, many, placeholders, scalar};
use super::error::StoreError;
use super::groups::{HeadRow, owner};
use super::person::{Person, PersonRow, people};
use super::tx::{bad, done_before};
use crate::domain::{Ban, Group, Guid, Uid};

/// One consistent view of the database; every read of it sees the same moment.
pub struct Reader {
    pub(super) view: View,
    now: i64,
}

impl Reader {
    pub(super) async fn begin(pool: &Pool, now: i64) -> Result<Reader, StoreError> {
        Ok(Reader { view: View::begin(pool).await?, now })
    }

    /// The group and its last event number; `None` when there is no such group.
    pub async fn group(&mut self, guid: &Guid) -> Result<Option<(Group, u64)>, StoreError> {
        let row: Option<HeadRow> = ask!(
            fetch_optional,
            self.view,
            "SELECT guid, name, type, icon, description, seq, deleted_at
             FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        row.map(|row| Ok((row.group.read()?, row.seq as u64))).transpose()
    }

    /// Hash of the password of a password group (PHC string).
    pub async fn password(&mut self, guid: &Guid) -> Result<Option<String>, StoreError> {
        let stored: Option<Option<String>> = scalar!(
            fetch_optional,
            self.view,
            "SELECT password FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        Ok(stored.flatten())
    }

    /// Whether any ban has run out and was not lifted yet.
    pub async fn any_ended_ban(&mut self) -> Result<bool, StoreError> {
        let ended: i64 = scalar!(
            fetch_one,
            self.view,
            "SELECT count(*) FROM (SELECT 1 FROM bans WHERE until_at <= $1 LIMIT 1) AS ended",
            self.now
        )?;
        Ok(ended != 0)
    }

    /// The ids of all groups.
    pub async fn guids(&mut self) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> =
            scalar!(fetch_all, self.view, "SELECT guid FROM groups WHERE deleted_at IS NULL ORDER BY guid")?;
        rows.iter().map(|guid| guid.parse().map_err(|_| bad("guid", guid))).collect()
    }

    /// The group's owner; `None` when there is no such group.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        owner(self.view.lend(), guid).await
    }

    /// How many members a group has.
    pub async fn members_count(&mut self, guid: &Guid) -> Result<u64, StoreError> {
        let count: i64 = scalar!(fetch_one, self.view, "SELECT count(*) FROM members WHERE guid = $1", guid.as_str())?;
        Ok(count as u64)
    }

    /// The last event number of each of these groups that is still there.
    pub async fn heads(&mut self, guids: &[Guid]) -> Result<Vec<(Guid, u64)>, StoreError> {
        let mut heads = Vec::with_capacity(guids.len());
        for guids in guids.chunks(1000) {
            let sql = format!("SELECT guid, seq FROM groups WHERE guid IN {}", placeholders(1, guids.len()));
            let rows: Vec<(String, i64)> = many!(fetch_all, self.view, sql, query, {
                for guid in guids {
                    query = query.bind(guid.as_str());
                }
            })?;
            for (guid, seq) in rows {
                heads.push((guid.parse().map_err(|_| bad("guid", &guid))?, seq as u64));
            }
        }
        Ok(heads)
    }

    /// What was done before under this caller's key, if anything.
    pub async fn done_before(&mut self, guid: &Guid, caller: &str, key: &str) -> Result<Option<String>, StoreError> {
        done_before(self.view.lend(), guid, caller, key).await
    }

    /// One person and what they are to the group.
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(people(self.view.lend(), guid, uid, uid, self.now).await?.0)
    }

    /// Everybody banned now, newest first.
    pub async fn bans(&mut self, guid: &Guid) -> Result<Vec<Ban>, StoreError> {
        let rows: Vec<PersonRow> = ask!(
            fetch_all,
            self.view,
            "SELECT b.uid, u.name, u.avatar, u.sort_key, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM bans b LEFT JOIN users u ON u.uid = b.uid
             WHERE b.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2) ORDER BY b.at DESC, b.uid",
            guid.as_str(),
            self.now
        )?;
        rows.into_iter().map(|row| row.read()?.ban.ok_or_else(|| bad("ban", "without a time"))).collect()
    }

    /// What is wrong with this group's stored rows, in words; empty when nothing is.
    pub async fn faults(&mut self, guid: &Guid) -> Result<Vec<String>, StoreError> {
        let mut faults = Vec::new();
        let owners: i64 =
            scalar!(fetch_one, self.view, "SELECT count(*) FROM members WHERE guid = $1 AND scope = 3", guid.as_str())?;
        if owners != 1 {
            faults.push(format!("it has {owners} owners instead of one"));
        }
        let (events, first, last): (i64, Option<i64>, Option<i64>) = ask!(
            fetch_one,
            self.view,
            "SELECT count(*), min(seq), max(seq) FROM events WHERE guid = $1",
            guid.as_str()
        )?;
        let head: i64 = scalar!(fetch_one, self.view, "SELECT seq FROM groups WHERE guid = $1", guid.as_str())?;
        if last.unwrap_or(0) != head || first.zip(last).is_some_and(|(first, last)| last - first + 1 != events) {
            faults.push(format!("its log has {events} events from {first:?} to {last:?}, and its number is {head}"));
        }
        let both: i64 = scalar!(
            fetch_one,
            self.view,
            "SELECT count(*) FROM members m JOIN bans b ON b.guid = m.guid AND b.uid = m.uid
             WHERE m.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2)",
            guid.as_str(),
            self.now
        )?;
        if both != 0 {
            faults.push(format!("{both} people are members and banned at once"));
        }
        Ok(faults)
    }
}
