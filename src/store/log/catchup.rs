//! What groups in memory have missed of the log: of one group, or of many by the same few statements.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use sqlx::AssertSqlSafe;

use super::events::{EventRow, event_rows, fold};
use crate::domain::{EventKind, Group, Guid, LoggedEvent, Member, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::groups::group::HeadRow;
use crate::store::people::person_rows::{EndRow, MemberRow, MuteRow, ProfileRow};
use crate::store::sql::query::{dynamic, fetch, placeholders};
use crate::store::sql::tables::MembershipRow;

/// Joins by indexes alone. Few rows are read, each by its key; PostgreSQL does not know how few, and would read tables of tens of
/// thousands of rows from end to end, which took milliseconds in place of a tenth of one.
const JOIN_BY_INDEX: &str =
    "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

/// The difference between a group as of one event and its current state.
pub struct Catchup {
    /// The group; `None` when it was deleted.
    pub group: Option<Group>,
    /// The last event this includes.
    pub seq: u64,
    /// The events in between, oldest first; a large sync comes without its members.
    pub events: Vec<LoggedEvent>,
    /// Everybody touched in between: the current member, or `None` for somebody who is no member. Empty when the
    /// group was deleted.
    pub touched: Vec<(Uid, Option<Arc<Member>>)>,
}

impl Reader {
    /// The changes after event `since`; `None` when more than `at_most` members were touched or the log does not
    /// reach back that far, or was rewritten since: then a new [`crate::store::Snapshot`] is needed.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn catchup(&mut self, guid: &Guid, since: u64, at_most: usize) -> Result<Option<Catchup>, StoreError> {
        let row: Option<HeadRow> =
            fetch!(fetch_optional, self.tx, AssertSqlSafe(HeadRow::select("WHERE g.guid = $1")), guid.as_str())?;
        let Some(row) = row else { return Ok(None) };
        let seq = row.seq as u64;
        let group = if row.deleted_at.is_some() { None } else { Some(row.group.decode()?) };
        let Some(events) = self.events(guid, since, seq, at_most).await? else { return Ok(None) };
        // Deleting a group touches every member, and none of them is shown any more.
        let touched = match group {
            Some(_) => self.touched_since(guid, since, at_most + 1).await?,
            None => Vec::new(),
        };
        Ok((touched.len() <= at_most).then_some(Catchup { group, seq, events, touched }))
    }

    /// Everybody touched after event `since`, each once: the current member, or `None`.
    async fn touched_since(
        &mut self,
        guid: &Guid,
        since: u64,
        at_most: usize,
    ) -> Result<Vec<(Uid, Option<Arc<Member>>)>, StoreError> {
        static TOUCHED_SINCE: LazyLock<String> = LazyLock::new(|| select_touched("guid = $1 AND seq > $2 LIMIT $3"));
        let rows: Vec<TouchedRow> =
            fetch!(fetch_all, self.tx, TOUCHED_SINCE.as_str(), guid.as_str(), since as i64, at_most as i64)?;
        rows.into_iter().map(|row| decode_touched(row.member)).collect()
    }

    /// The changes of several groups, each after an event of its own. However many groups there are, it takes as many statements
    /// as [`Reader::catchup`] takes for one.
    ///
    /// Left out are groups that [`Reader::catchup`] must read alone: those of which it would return `None`, those that had a sync
    /// of many people, and those that exceed `at_most` events and people in all.
    ///
    /// # Errors
    /// See [`Reader`]. [`StoreError::Inconsistent`] when it is a row of any of the groups.
    pub async fn catchups(
        &mut self,
        places: &[(Guid, u64)],
        at_most: usize,
    ) -> Result<HashMap<Guid, Catchup>, StoreError> {
        self.tx.reborrow().set_on_postgres(JOIN_BY_INDEX).await?;
        let mut heads = self.heads_of(places).await?;
        let mut found: HashMap<Guid, Catchup> = HashMap::with_capacity(places.len());
        let mut missed: Vec<(&Guid, u64)> = Vec::new();
        for (guid, since) in places {
            let Some(head) = heads.remove(guid.as_str()) else { continue };
            let (seq, rewritten_seq) = (head.seq as u64, head.rewritten_seq as u64);
            if rewritten_seq > *since || seq < *since || seq - since > (at_most - missed.len()) as u64 {
                continue;
            }
            let group = if head.deleted_at.is_some() { None } else { Some(head.group.decode()?) };
            missed.extend((since + 1..=seq).map(|seq| (guid, seq)));
            found.insert(guid.clone(), Catchup { group, seq, events: Vec::new(), touched: Vec::new() });
        }
        let mut rows = self.rows_of(&missed).await?;
        for (guid, since) in places {
            let Some(catchup) = found.get_mut(guid) else { continue };
            let mut events = fold(guid, &rows.remove(guid.as_str()).unwrap_or_default())?;
            let mut is_whole = events.len() as u64 == catchup.seq - since;
            for event in events.iter_mut().filter(|event| event.kind == EventKind::MembersSynced) {
                event.touched = self.touched_by_sync(guid, event.seq).await?;
                is_whole &= !event.touched.is_empty();
            }
            if is_whole {
                catchup.events = events;
            } else {
                found.remove(guid);
            }
        }
        // Of a deleted group nobody is a member any more.
        missed.retain(|(guid, _)| found.get(*guid).is_some_and(|catchup| catchup.group.is_some()));
        let touched = self.touched_by(&missed, at_most + 1).await?;
        if touched.len() > at_most {
            // Nobody knows of which group the people beyond the limit are.
            found.retain(|_, catchup| catchup.group.is_none());
            return Ok(found);
        }
        for TouchedRow { guid, member } in touched {
            if let Some(catchup) = found.get_mut(guid.as_str()) {
                catchup.touched.push(decode_touched(member)?);
            }
        }
        Ok(found)
    }

    /// The rows of those of these groups that exist, by guid.
    async fn heads_of(&mut self, places: &[(Guid, u64)]) -> Result<HashMap<String, HeadRow>, StoreError> {
        let guids = padded(places.iter().map(|(guid, _)| guid.as_str()), "");
        let sql = HeadRow::select(&format!("WHERE g.guid IN {}", placeholders(1, guids.len())));
        let rows: Vec<HeadRow> = dynamic!(fetch_all, self.tx, sql, query, {
            for guid in &guids {
                query = query.bind(*guid);
            }
        })?;
        Ok(rows.into_iter().map(|row| (row.group.guid.clone(), row)).collect())
    }

    /// The rows of these events in their order, by group. The events are named one by one: PostgreSQL does not know how few rows
    /// a range of numbers has, and might read the whole table.
    async fn rows_of(&mut self, events: &[(&Guid, u64)]) -> Result<HashMap<String, Vec<EventRow>>, StoreError> {
        const SELECT: &str = event_rows!(
            ", e.guid FROM events e
             LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
               AND e.kind NOT IN ('members_synced', 'group_deleted')
             WHERE (e.guid, e.seq) IN (VALUES "
        );
        let mut by_group: HashMap<String, Vec<EventRow>> = HashMap::new();
        if events.is_empty() {
            return Ok(by_group);
        }
        let keys = keys(events);
        let sql = format!("{SELECT}{}) ORDER BY e.guid, e.seq, t.uid", placeholders(keys.len(), 2));
        let rows: Vec<GroupEventRow> = dynamic!(fetch_all, self.tx, sql, query, {
            for (guid, seq) in &keys {
                query = query.bind(*guid).bind(*seq);
            }
        })?;
        for GroupEventRow { guid, event } in rows {
            by_group.entry(guid).or_default().push(event);
        }
        Ok(by_group)
    }

    /// Everybody touched by one of these events, once for each group, as they are now.
    async fn touched_by(&mut self, events: &[(&Guid, u64)], at_most: usize) -> Result<Vec<TouchedRow>, StoreError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let keys = keys(events);
        let sql = select_touched(&format!("(guid, seq) IN (VALUES {}) LIMIT ?", placeholders(keys.len(), 2)));
        let rows: Vec<TouchedRow> = dynamic!(fetch_all, self.tx, sql, query, {
            for (guid, seq) in &keys {
                query = query.bind(*guid).bind(*seq);
            }
            query = query.bind(at_most as i64);
        })?;
        Ok(rows)
    }
}

/// A statement that selects [`TouchedRow`]s: everybody who was touched by the rows of `touched` that are `chosen`.
fn select_touched(chosen: &str) -> String {
    format!(
        "SELECT t.guid, t.uid, {}, {}, {}, {}
         FROM (SELECT DISTINCT guid, uid FROM touched WHERE {chosen}) t
         LEFT JOIN users u ON u.uid = t.uid
         LEFT JOIN members m ON m.guid = t.guid AND m.uid = t.uid AND m.scope >= 0
         LEFT JOIN temporary_scopes e ON e.guid = t.guid AND e.uid = t.uid AND e.scope = m.scope
         LEFT JOIN mutes mu ON mu.guid = t.guid AND mu.uid = t.uid",
        ProfileRow::columns("u"),
        MembershipRow::columns("m"),
        EndRow::select_list("e"),
        MuteRow::select_list("mu")
    )
}

/// The current member, or `None` for somebody who is no member.
fn decode_touched(row: MemberRow) -> Result<(Uid, Option<Arc<Member>>), StoreError> {
    let person = row.decode()?;
    let member = person.member().map(Arc::new);
    Ok((person.uid, member))
}

/// The keys of these events, as they are bound.
fn keys<'g>(events: &[(&'g Guid, u64)]) -> Vec<(&'g str, i64)> {
    padded(events.iter().map(|(guid, seq)| (guid.as_str(), *seq as i64)), ("", 0))
}

/// These values up to a power of two, so that there are few statements, each prepared once. `nothing` fills up: no row has it.
fn padded<T: Clone>(values: impl Iterator<Item = T>, nothing: T) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.resize(values.len().next_power_of_two(), nothing);
    values
}

/// An event with one of the members it touched, and its group.
#[derive(sqlx::FromRow)]
struct GroupEventRow {
    guid: String,
    #[sqlx(flatten)]
    event: EventRow,
}

/// Somebody whom an event of a group touched, as they are now.
#[derive(sqlx::FromRow)]
struct TouchedRow {
    guid: String,
    #[sqlx(flatten)]
    member: MemberRow,
}

#[cfg(test)]
mod tests {
    use super::padded;

    #[test]
    fn few_numbers_of_values_are_bound() {
        let lengths = |count: usize| padded(std::iter::repeat_n(7, count), 0).len();
        assert_eq!([0, 1, 3, 64, 65].map(lengths), [1, 1, 4, 64, 128]);
        assert_eq!(padded([1, 2, 3].into_iter(), 0), [1, 2, 3, 0]);
    }
}
