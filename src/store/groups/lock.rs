//! Locking a group, which every act on it begins with.

use std::sync::LazyLock;

use sqlx::{AssertSqlSafe, FromRow, SqliteConnection};

use super::group::{GroupRow, happened_at};
use crate::domain::{Group, Guid, Uid};
use crate::store::error::StoreError;
use crate::store::people::memberships::{decode_people, once_each, pair, select_people};
use crate::store::people::person::Person;
use crate::store::people::person_rows::PersonRow;
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::fetch;
use crate::store::transaction::tx::Tx;

/// A group that this act has locked, with the number that its event will have.
pub struct LockedGroup {
    /// The number of the event this act may append.
    pub seq: u64,
    /// The group.
    pub group: Group,
    /// Hash of the password of a password group (PHC string).
    pub password_hash: Option<String>,
}

static LOCK: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE groups SET seq = seq + 1 WHERE guid = $1 AND deleted_at IS NULL
         RETURNING {}, password, seq,
           (SELECT e.at FROM events e WHERE e.guid = groups.guid AND e.seq = groups.seq - 1) AS last_at",
        GroupRow::columns("groups")
    )
});

impl Tx<'_> {
    /// Locks the group and takes its next event number; `None` when there is no such group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lock_group(&mut self, guid: &Guid) -> Result<Option<LockedGroup>, StoreError> {
        let row: Option<LockedGroupRow> = fetch!(fetch_optional, self.connection, LOCK.as_str(), guid.as_str())?;
        let Some(row) = row else { return Ok(None) };
        let now = self.read_clock();
        Ok(Some(self.begin_in(guid, row, now).await?))
    }

    /// The same with two people (or one, named twice) and their relation to the group, as they are once it is locked.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lock_group_with(
        &mut self,
        guid: &Guid,
        (first, second): (&Uid, &Uid),
    ) -> Result<Option<(LockedGroup, Person, Person)>, StoreError> {
        let (now, pseudonyms) = (self.read_clock(), self.pseudonyms);
        let found = match self.connection.reborrow() {
            Connection::Sqlite(connection) => {
                lock_and_read(connection, guid, &once_each(first, second), pseudonyms, now).await?
            }
            // A statement that waited for the lock does not see what its last holder wrote: the next one does.
            Connection::Postgres(_) => {
                let Some(locked) = self.lock_group(guid).await? else { return Ok(None) };
                let (first, second) = self.people(guid, first, second).await?;
                return Ok(Some((locked, first, second)));
            }
        };
        let Some((row, people)) = found else { return Ok(None) };
        let (first, second) = pair(people)?;
        Ok(Some((self.begin_in(guid, row, now).await?, first, second)))
    }

    async fn begin_in(&mut self, guid: &Guid, row: LockedGroupRow, now: i64) -> Result<LockedGroup, StoreError> {
        let LockedGroupRow { seq, password_hash, last_at, group } = row;
        let last_at = match last_at.or_else(|| self.last_uninserted_at(guid)) {
            // A statement of PostgreSQL that waited for the lock does not see the event of its last holder; the next one does.
            None if seq > 1 => happened_at(self.connection.reborrow(), guid, seq as u64 - 1).await?,
            last_at => last_at,
        };
        self.begin_in_group(now, last_at);
        Ok(LockedGroup { seq: seq as u64, group: group.decode()?, password_hash })
    }
}

/// Locks the group and reads these people, by one message to the thread of the connection; `None` when there is no such group.
async fn lock_and_read(
    connection: &mut SqliteConnection,
    guid: &Guid,
    uids: &[Uid],
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<Option<(LockedGroupRow, Vec<Person>)>, StoreError> {
    let pseudonyms: Vec<Uid> = uids.iter().map(|uid| pseudonyms.of(uid)).collect();
    // `$1` of the first statement is the first value, and so is the first bare placeholder, since there is none before it.
    let sql = format!("{}; {}", *LOCK, select_people(uids.len()));
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(guid.as_str()).bind(now);
    for (uid, pseudonym) in uids.iter().zip(&pseudonyms) {
        query = query.bind(uid.as_str()).bind(pseudonym.as_str());
    }
    let rows = query.fetch_all(connection).await?;
    // Each of these people has a row, also where there is no such group.
    let Some((locked, people)) = rows.split_first().filter(|(_, people)| people.len() == uids.len()) else {
        return Ok(None);
    };
    let people = people.iter().map(PersonRow::from_row).collect::<sqlx::Result<Vec<_>>>()?;
    Ok(Some((LockedGroupRow::from_row(locked)?, decode_people(people, uids, now)?)))
}

#[derive(FromRow)]
struct LockedGroupRow {
    seq: i64,
    #[sqlx(rename = "password")]
    password_hash: Option<String>,
    last_at: Option<i64>,
    #[sqlx(flatten)]
    group: GroupRow,
}
