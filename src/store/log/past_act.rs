//! An act in the log, as read for an undo.

use std::collections::{BTreeMap, HashMap};

use super::events::is_of_earlier_group;
use crate::domain::{Cause, EventKind, Guid, HeldMembership, PersonState, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::decode::{inconsistent, parse_cause, parse_scope, parse_uid};
use crate::store::sql::event_kinds::listed;
use crate::store::sql::query::{MOST_AT_ONCE, dynamic, fetch, fetch_scalar, placeholders};
use crate::store::sql::restrictions_text::parse_restrictions;
use crate::store::transaction::tx::Tx;

/// The kinds of events that leave the standing of whom they touch as it was.
fn leaving_standing() -> String {
    listed(|kind| !kind.changes_standing())
}

/// An act of the log, and how the person stood whom it was about.
#[derive(Debug, Clone)]
pub struct PastAct {
    /// Its number.
    pub seq: u64,
    /// The kind of the act.
    pub kind: EventKind,
    /// When, Unix milliseconds.
    pub at: i64,
    /// The actor; `None` for the host and for what ended by itself.
    pub by: Option<Uid>,
    /// The cause; `None` when a version of the program before causes wrote it.
    pub cause: Option<Cause>,
    /// The first of the acts of one request that it belongs to.
    pub batch: Option<u64>,
    /// Whether it was undone already. An undo that was itself undone does not count, as that second undo is a later change of the person.
    pub undone: bool,
    /// The person whom it was about.
    pub uid: Uid,
    /// Whether they were a user then.
    pub was_user: bool,
    /// Their state before.
    pub before: PersonState,
    /// Their state afterwards.
    pub after: PersonState,
}

/// A statement that selects [`PastActRow`]s; the condition follows.
macro_rules! past_acts {
    ($condition:literal) => {
        concat!(
            "SELECT e.seq, e.kind, e.at, e.by_uid, e.cause, e.batch, t.uid, t.name, t.old_scope, t.new_scope,
               t.old_joined_at, t.joined_at, t.old_restrictions, t.new_restrictions,
               (SELECT min(u.seq) FROM events u WHERE u.guid = e.guid AND u.undoes = e.seq
                  AND NOT EXISTS (SELECT 1 FROM events r WHERE r.guid = u.guid AND r.undoes = u.seq)) AS undone_by
             FROM events e JOIN touched t ON t.guid = e.guid AND t.seq = e.seq WHERE ",
            $condition
        )
    };
}

impl Tx<'_> {
    /// The event of this number, if the log has one that touched anybody since the group was made. Of several people, such as those of a
    /// synchronization, it is about the first.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn past_act(&mut self, guid: &Guid, seq: u64) -> Result<Option<PastAct>, StoreError> {
        let sql = past_acts!("e.guid = $1 AND e.seq = $2 ORDER BY t.uid LIMIT 1");
        if is_of_earlier_group(self.connection.reborrow(), guid, seq).await? {
            return Ok(None);
        }
        let row: Option<PastActRow> = fetch!(fetch_optional, self.connection, sql, guid.as_str(), seq as i64)?;
        row.map(PastActRow::decode).transpose()
    }

    /// The acts of one request, in their order.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn past_acts_of(&mut self, guid: &Guid, batch: u64) -> Result<Vec<PastAct>, StoreError> {
        let sql = past_acts!("e.guid = $1 AND e.batch = $2 ORDER BY e.seq");
        let rows: Vec<PastActRow> = fetch!(fetch_all, self.connection, sql, guid.as_str(), batch as i64)?;
        rows.into_iter().map(PastActRow::decode).collect()
    }

    /// Whether the log has this event since the group was made, which may be about nobody.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn has_event(&mut self, guid: &Guid, seq: u64) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM events WHERE guid = $1 AND seq = $2";
        let events: i64 = fetch_scalar!(fetch_one, self.connection, sql, guid.as_str(), seq as i64)?;
        Ok(events != 0 && !is_of_earlier_group(self.connection.reborrow(), guid, seq).await?)
    }

    /// The people whom a request touched, by event number; `batch` is its first event. Nobody when the log does not reach back that
    /// far.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people_of_batch(&mut self, guid: &Guid, batch: u64) -> Result<BTreeMap<u64, Uid>, StoreError> {
        let rows: Vec<(i64, String)> = fetch!(
            fetch_all,
            self.connection,
            "SELECT e.seq, t.uid FROM events e JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
             WHERE e.guid = $1 AND e.batch = $2",
            guid.as_str(),
            batch as i64
        )?;
        rows.into_iter().map(|(seq, uid)| Ok((seq as u64, parse_uid(&uid)?))).collect()
    }

    /// The first event of the batch request that this author (`None`: the host) made at `at`, Unix milliseconds: for keys
    /// of the version before, which recorded only the moment. Of two batch requests in that millisecond, the first counts.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn batch_at(&mut self, guid: &Guid, by: Option<&Uid>, at: i64) -> Result<Option<u64>, StoreError> {
        let first: Option<i64> = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT min(batch) FROM events
             WHERE guid = $1 AND batch IS NOT NULL AND at = $3 AND by_uid IS NOT DISTINCT FROM $2",
            guid.as_str(),
            by.map(Uid::as_str),
            at
        )?;
        Ok(first.map(|seq| seq as u64))
    }

    /// The states of these people as of event `seq`; only of those who have changed since.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn states_at(
        &mut self,
        guid: &Guid,
        uids: &[Uid],
        seq: u64,
    ) -> Result<HashMap<Uid, PersonState>, StoreError> {
        let (mut states, others) = (HashMap::new(), leaving_standing());
        for uids in uids.chunks(MOST_AT_ONCE) {
            let places = placeholders(1, uids.len());
            let sql = format!(
                "SELECT t.uid, t.old_scope, t.old_joined_at, t.old_restrictions FROM touched t
                 WHERE t.guid = ? AND t.uid IN {places} AND t.seq =
                   (SELECT min(f.seq) FROM touched f JOIN events e ON e.guid = f.guid AND e.seq = f.seq
                    WHERE f.uid = t.uid AND f.guid = t.guid AND f.seq > ?
                      AND ? NOT LIKE '%,' || e.kind || ',%')"
            );
            let rows: Vec<StateRow> = dynamic!(fetch_all, self.connection, sql, query, {
                query = query.bind(guid.as_str());
                for uid in uids {
                    query = query.bind(uid.as_str());
                }
                query = query.bind(seq as i64).bind(others.as_str());
            })?;
            for row in rows {
                let uid = parse_uid(&row.uid)?;
                let state = state(&uid, row.old_scope, row.old_joined_at, row.old_restrictions.as_deref())?;
                states.insert(uid, state);
            }
        }
        Ok(states)
    }

    /// Whether the standing of the person changed after this act, the group was deleted since, or they are gone: erased, or a user then
    /// and none any more. A user who was made after the act has the id, and is another person. A new name, a note, or a sync that left
    /// them as they were does not count.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn has_changed_since(&mut self, guid: &Guid, act: &PastAct) -> Result<bool, StoreError> {
        // An erasure takes the terms out of the log. An act that has them was done to whoever was erased before.
        let was_rewritten = [&act.before, &act.after].iter().all(|state| state.restrictions.ban.is_none());
        if was_rewritten && act.uid.clone().of_a_person().is_err() {
            return Ok(true);
        }
        let changes: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM (
               SELECT 1 FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
               WHERE t.guid = $1 AND t.uid = $2 AND t.seq > $3 AND $6 NOT LIKE '%,' || e.kind || ',%'
                 AND (e.cause IS NULL OR e.kind <> 'members_synced' OR t.old_scope IS DISTINCT FROM t.new_scope
                   OR t.old_joined_at IS DISTINCT FROM t.joined_at)
               UNION ALL SELECT 1 FROM events WHERE guid = $1 AND seq > $3 AND kind = 'group_deleted'
               UNION ALL SELECT 1 FROM erasures WHERE uid = $2 AND at >= $5
               UNION ALL SELECT 1 WHERE $4 = 1 AND NOT EXISTS (SELECT 1 FROM users WHERE uid = $2 AND created_at <= $5)
               LIMIT 1) AS changes",
            guid.as_str(),
            act.uid.as_str(),
            act.seq as i64,
            i64::from(act.was_user),
            act.at,
            leaving_standing()
        )?;
        Ok(changes != 0)
    }
}

impl Reader {
    /// The number of acts of one request that were not undone, or whose undo was itself undone; `batch` is its first event.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn acts_not_undone(&mut self, guid: &Guid, batch: u64) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM events e WHERE e.guid = $1 AND e.batch = $2
             AND NOT EXISTS (SELECT 1 FROM events u WHERE u.guid = e.guid AND u.undoes = e.seq
               AND NOT EXISTS (SELECT 1 FROM events r WHERE r.guid = u.guid AND r.undoes = u.seq))";
        let count: i64 = fetch_scalar!(fetch_one, self.tx, sql, guid.as_str(), batch as i64)?;
        Ok(count as usize)
    }
}

/// An event with a person whom it touched. `at` in Unix milliseconds, times of joining in seconds.
#[derive(sqlx::FromRow)]
struct PastActRow {
    seq: i64,
    kind: String,
    at: i64,
    by_uid: Option<String>,
    cause: Option<String>,
    batch: Option<i64>,
    uid: String,
    /// `None` of somebody who was no user.
    name: Option<String>,
    old_scope: Option<i64>,
    new_scope: Option<i64>,
    old_joined_at: Option<i64>,
    joined_at: Option<i64>,
    old_restrictions: Option<String>,
    new_restrictions: Option<String>,
    undone_by: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct StateRow {
    uid: String,
    old_scope: Option<i64>,
    old_joined_at: Option<i64>,
    old_restrictions: Option<String>,
}

impl PastActRow {
    fn decode(self) -> Result<PastAct, StoreError> {
        let uid = parse_uid(&self.uid)?;
        let before = state(&uid, self.old_scope, self.old_joined_at, self.old_restrictions.as_deref())?;
        let after = state(&uid, self.new_scope, self.joined_at, self.new_restrictions.as_deref())?;
        Ok(PastAct {
            seq: self.seq as u64,
            kind: self.kind.parse().map_err(|_| inconsistent("kind of event", &self.kind))?,
            at: self.at,
            by: self.by_uid.as_deref().map(parse_uid).transpose()?,
            cause: self.cause.as_deref().map(parse_cause).transpose()?,
            batch: self.batch.map(|seq| seq as u64),
            undone: self.undone_by.is_some(),
            uid,
            was_user: self.name.is_some() || before.held.is_some(),
            before,
            after,
        })
    }
}

/// A person's state, as the log holds it.
fn state(
    uid: &Uid,
    scope: Option<i64>,
    joined_at: Option<i64>,
    restrictions: Option<&str>,
) -> Result<PersonState, StoreError> {
    let scope = scope.map(parse_scope).transpose()?;
    let held = scope.zip(joined_at).map(|(scope, joined_at)| HeldMembership { scope, joined_at });
    Ok(PersonState { held, restrictions: parse_restrictions(restrictions, uid)? })
}
