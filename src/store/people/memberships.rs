//! People looked up with their relation to a group, in one query; and memberships written.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::membership_row::UPSERT;
use super::person::Person;
use super::person_rows::{MuteRow, PersonRow, ProfileRow, RestrictionRow};
use crate::domain::{EventKind, Guid, Member, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::event_kinds::listed;
use crate::store::sql::in_force::in_force;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{MOST_AT_ONCE, dynamic, placeholders};
use crate::store::sql::tables::{MemberValues, MembershipRow};
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// Inserts a membership, or changes it; only when it began stays as it is.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn upsert_member(&mut self, guid: &Guid, member: &Member) -> Result<(), StoreError> {
        insert(self.connection.reborrow(), &UPSERT, [MemberValues::encode(guid, member)]).await
    }

    /// Two people (or one, named twice) and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people(&mut self, guid: &Guid, first: &Uid, second: &Uid) -> Result<(Person, Person), StoreError> {
        people(self.connection.reborrow(), guid, (first, second), self.pseudonyms, self.now).await
    }

    /// These people, each named once, and their relation to the group, in the same order.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people_of(&mut self, guid: &Guid, uids: &[Uid]) -> Result<Vec<Person>, StoreError> {
        people_of(self.connection.reborrow(), guid, uids, self.pseudonyms, self.now).await
    }

    /// Which of these people an event of the group's log has touched. Notes do not count: they can be about anybody.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn in_log(&mut self, guid: &Guid, uids: &[Uid]) -> Result<HashSet<Uid>, StoreError> {
        let (mut found, of_notes) = (HashSet::new(), listed(EventKind::is_of_note));
        for uids in uids.chunks(MOST_AT_ONCE) {
            let places = placeholders(1, uids.len());
            let sql = format!(
                "SELECT DISTINCT t.uid FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
                 WHERE t.guid = ? AND ? NOT LIKE '%,' || e.kind || ',%' AND t.uid IN {places}"
            );
            let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
                query = query.bind(guid.as_str()).bind(of_notes.as_str());
                for uid in uids {
                    query = query.bind(uid.as_str());
                }
            })?;
            for (uid,) in rows {
                found.insert(parse_uid(&uid)?);
            }
        }
        Ok(found)
    }

    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

impl Reader {
    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(people(self.tx.reborrow(), guid, (uid, uid), &self.pseudonyms, self.now).await?.0)
    }
}

/// Two people (or one, named twice) and their relation to the group at `now` (Unix milliseconds).
///
/// # Errors
/// See [`people_of`].
pub(in crate::store) async fn people(
    on: Connection<'_>,
    guid: &Guid,
    (first, second): (&Uid, &Uid),
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<(Person, Person), StoreError> {
    pair(people_of(on, guid, &once_each(first, second), pseudonyms, now).await?)
}

/// Two people (or one, named twice), each named once.
pub(in crate::store) fn once_each(first: &Uid, second: &Uid) -> Vec<Uid> {
    if first == second { vec![first.clone()] } else { vec![first.clone(), second.clone()] }
}

/// The two people who were looked up as [`once_each`] names them.
///
/// # Errors
/// [`StoreError::Inconsistent`] when nobody was found.
pub(in crate::store) fn pair(people: Vec<Person>) -> Result<(Person, Person), StoreError> {
    let mut people = people.into_iter();
    let first = people.next().ok_or_else(missing)?;
    let second = people.next().unwrap_or_else(|| first.clone());
    Ok((first, second))
}

/// These people, each named once, and their relation to the group at `now` (Unix milliseconds), in the same order. A
/// ban of somebody who was erased since matches them by their pseudonym.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when a stored row
/// breaks an invariant.
pub(in crate::store) async fn people_of(
    mut on: Connection<'_>,
    guid: &Guid,
    uids: &[Uid],
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<Vec<Person>, StoreError> {
    let mut rows = Vec::with_capacity(uids.len());
    for uids in uids.chunks(MOST_AT_ONCE) {
        let pseudonyms: Vec<Uid> = uids.iter().map(|uid| pseudonyms.of(uid)).collect();
        let found: Vec<PersonRow> = dynamic!(fetch_all, on, select_people(uids.len()), query, {
            query = query.bind(guid.as_str()).bind(now);
            for (uid, pseudonym) in uids.iter().zip(&pseudonyms) {
                query = query.bind(uid.as_str()).bind(pseudonym.as_str());
            }
        })?;
        rows.extend(found);
    }
    decode_people(rows, uids, now)
}

/// The people of these rows as of `now` (Unix milliseconds), in the order of `uids`.
///
/// # Errors
/// [`StoreError::Inconsistent`] when a row breaks an invariant, or somebody has none.
pub(in crate::store) fn decode_people(rows: Vec<PersonRow>, uids: &[Uid], now: i64) -> Result<Vec<Person>, StoreError> {
    let mut people: HashMap<Uid, Person> = HashMap::with_capacity(rows.len());
    for row in rows {
        let person = row.decode(now)?;
        people.insert(person.uid.clone(), person);
    }
    uids.iter().map(|uid| people.remove(uid).ok_or_else(missing)).collect()
}

fn missing() -> StoreError {
    StoreError::Inconsistent("a person asked for did not come back".into())
}

/// The statement that looks up this many people; placeholders: group, time, then uid and pseudonym of each.
pub(in crate::store) fn select_people(count: usize) -> String {
    static SELECT: LazyLock<(String, String)> = LazyLock::new(|| {
        let head = "WITH g (guid, now) AS (VALUES (CAST(? AS TEXT), CAST(? AS BIGINT))),
               p (uid, pseudonym) AS (VALUES (CAST(? AS TEXT), CAST(? AS TEXT))";
        let tail = format!(
            ") SELECT p.uid, {}, {}, CASE WHEN t.scope = m.scope THEN t.lasting_scope END AS lasting_scope,
               t.until_at AS scope_until, {}, {}
             FROM g CROSS JOIN p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = g.guid AND m.uid = p.uid AND m.scope >= 0
             LEFT JOIN temporary_scopes t ON t.guid = g.guid AND t.uid = p.uid
             LEFT JOIN mutes mu ON mu.guid = g.guid AND mu.uid = p.uid AND mu.until_at > g.now
             LEFT JOIN bans b ON b.guid = g.guid AND b.uid = p.uid AND {}
             LEFT JOIN bans e ON e.guid = g.guid AND e.uid = p.pseudonym AND {}",
            ProfileRow::columns("u"),
            MembershipRow::columns("m"),
            MuteRow::select_list("mu"),
            RestrictionRow::first_of("b", "e"),
            in_force!("b.until_at", "g.now"),
            in_force!("e.until_at", "g.now")
        );
        (head.to_owned(), tail)
    });
    let (head, tail) = &*SELECT;
    format!("{head}{}{tail}", ", (?, ?)".repeat(count.saturating_sub(1)))
}
