//! Reading the log of events.

use std::sync::Arc;

use crate::domain::{
    By, EventKind, Guid, LoggedEvent, Member, Membership, Restrictions, RestrictionsChange, Scope, TouchedMember, Uid,
};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::{parse_cause, parse_scope, parse_uid};
use crate::store::sql::event_kinds::listed;
use crate::store::sql::query::{fetch, fetch_scalar};
use crate::store::sql::restrictions_text::parse_end_of_scope;

/// A sync that touched more members is read without them.
const MAX_SYNCED: usize = 500;

/// A statement that selects [`EventRow`]s from what follows. What restricted somebody is read where a scope was changed alone: whether it
/// ends earlier now decides who reads who did it.
macro_rules! event_rows {
    ($from:literal) => {
        concat!(
            "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, e.cause, e.undoes, e.batch, e.message,
               t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at,
               CASE WHEN e.kind = 'member_scope_changed' THEN t.old_restrictions END AS old_restrictions ",
            $from
        )
    };
}
pub(super) use event_rows;

impl Reader {
    /// The events after `since` up to and including `until`, in order and without gaps; `None` when the log
    /// does not hold all of them as they happened (it was pruned, or an erasure rewrote it), one is of a kind that only a later
    /// version knows, or they are more than `at_most`.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn events(
        &mut self,
        guid: &Guid,
        since: u64,
        until: u64,
        at_most: usize,
    ) -> Result<Option<Vec<LoggedEvent>>, StoreError> {
        if until < since || until - since > at_most as u64 {
            return Ok(None);
        }
        let rows: Vec<EventRow> = fetch!(
            fetch_all,
            self.tx,
            event_rows!(
                "FROM groups g
                 JOIN events e ON e.guid = g.guid
                 LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
                   AND e.kind NOT IN ('members_synced', 'group_deleted')
                 WHERE g.guid = $1 AND g.rewritten_seq <= $2 AND e.guid = $1 AND e.seq > $2 AND e.seq <= $3
                 ORDER BY e.seq"
            ),
            guid.as_str(),
            since as i64,
            until as i64
        )?;
        let mut events = fold(guid, &rows)?;
        for event in events.iter_mut().filter(|event| event.kind == EventKind::MembersSynced) {
            event.touched = self.touched_by_sync(guid, event.seq).await?;
        }
        Ok((events.len() as u64 == until - since).then_some(events))
    }

    /// The newest events with numbers below `before` of the group's present life, newest first: where it was deleted and made again,
    /// none from before. A sync comes without its members. For a `participant` without what only staff may see; they see what is about
    /// themselves all the same, where its subject may.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn newest_events(
        &mut self,
        guid: &Guid,
        before: u64,
        at_most: usize,
        participant: Option<&Uid>,
    ) -> Result<Vec<LoggedEvent>, StoreError> {
        let hidden = listed(|kind| participant.is_some() && kind.for_moderators_only());
        let rows: Vec<EventRow> = fetch!(
            fetch_all,
            self.tx,
            event_rows!(
                "FROM (SELECT * FROM events l
                       WHERE l.guid = $1 AND l.seq < $4 AND ($3 NOT LIKE '%,' || l.kind || ',%'
                         OR ($5 LIKE '%,' || l.kind || ',%' AND EXISTS
                           (SELECT 1 FROM touched o WHERE o.guid = l.guid AND o.seq = l.seq AND o.uid = $6)))
                       ORDER BY l.seq DESC LIMIT $2) e
                 LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
                   AND e.kind NOT IN ('members_synced', 'group_deleted')
                 ORDER BY e.seq DESC"
            ),
            guid.as_str(),
            at_most as i64,
            &hidden,
            before as i64,
            listed(EventKind::is_for_its_subject),
            participant.map_or("", Uid::as_str)
        )?;
        let mut events = fold(guid, &rows)?;
        // People who may see the group as it was made again were perhaps not allowed to see it before.
        if let Some(end) = events.iter().position(|event| event.kind == EventKind::GroupDeleted) {
            events.truncate(end);
        }
        Ok(events)
    }

    /// The members that a sync touched; none when they are more than [`MAX_SYNCED`].
    ///
    /// # Errors
    /// See [`Reader`].
    pub(super) async fn touched_by_sync(&mut self, guid: &Guid, seq: u64) -> Result<Vec<TouchedMember>, StoreError> {
        let rows: Vec<(String, Option<i64>, Option<i64>)> = fetch!(
            fetch_all,
            self.tx,
            "SELECT uid, old_scope, new_scope FROM touched WHERE guid = $1 AND seq = $2 LIMIT $3",
            guid.as_str(),
            seq as i64,
            MAX_SYNCED as i64 + 1
        )?;
        if rows.len() > MAX_SYNCED {
            return Ok(Vec::new());
        }
        let touched = |(uid, old, new): &(String, Option<i64>, Option<i64>)| {
            let (old, new) = (old.map(parse_scope).transpose()?, new.map(parse_scope).transpose()?);
            Ok(TouchedMember {
                uid: parse_uid(uid)?,
                name: None,
                old,
                new,
                member: None,
                restrictions: RestrictionsChange::default(),
            })
        };
        rows.iter().map(touched).collect()
    }

    /// The last event that touched this member since the group was made; as for an undo, another name and notes about them do not count.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn last_event_of(&mut self, guid: &Guid, uid: &Uid) -> Result<Option<LoggedEvent>, StoreError> {
        self.last_event_but(guid, uid, |kind: EventKind| !kind.changes_standing()).await
    }

    /// The last event by which this member came, went or changed: neither a note, a mute nor the end of a ban.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn last_membership_event_of(
        &mut self,
        guid: &Guid,
        uid: &Uid,
    ) -> Result<Option<LoggedEvent>, StoreError> {
        self.last_event_but(guid, uid, |kind: EventKind| !kind.is_of_membership()).await
    }

    /// The last event of a note about this person since the group was made.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn last_note_event_of(&mut self, guid: &Guid, uid: &Uid) -> Result<Option<LoggedEvent>, StoreError> {
        self.last_event_but(guid, uid, |kind: EventKind| !kind.is_of_note()).await
    }

    async fn last_event_but(
        &mut self,
        guid: &Guid,
        uid: &Uid,
        is_hidden: fn(EventKind) -> bool,
    ) -> Result<Option<LoggedEvent>, StoreError> {
        let row: Option<EventRow> = fetch!(
            fetch_optional,
            self.tx,
            event_rows!(
                "FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
                 WHERE t.guid = $1 AND t.uid = $2 AND $3 NOT LIKE '%,' || e.kind || ',%'
                 ORDER BY t.seq DESC LIMIT 1"
            ),
            guid.as_str(),
            uid.as_str(),
            &listed(is_hidden)
        )?;
        let event = fold(guid, row.as_slice())?.pop();
        match event {
            Some(event) if is_of_earlier_group(self.tx.reborrow(), guid, event.seq).await? => Ok(None),
            event => Ok(event),
        }
    }
}

/// Whether the group was deleted by this event or after it, and made again since: whoever may see it now may not have seen it before.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn is_of_earlier_group(mut on: Connection<'_>, guid: &Guid, seq: u64) -> Result<bool, StoreError> {
    let sql = "SELECT seq FROM events WHERE guid = $1 AND seq >= $2 AND kind = 'group_deleted' LIMIT 1";
    let deletion: Option<i64> = fetch_scalar!(fetch_optional, on, sql, guid.as_str(), seq as i64)?;
    Ok(deletion.is_some())
}

/// Folds rows, each an event with one of the members it touched, into events. Events of a kind that this version does
/// not know, since a later version wrote them, are left out: a caller who needs every event reads the group again.
///
/// # Errors
/// [`StoreError::Inconsistent`] when the domain refuses a column.
pub(super) fn fold(guid: &Guid, rows: &[EventRow]) -> Result<Vec<LoggedEvent>, StoreError> {
    let mut events: Vec<LoggedEvent> = Vec::new();
    for row in rows {
        let Ok(kind) = row.kind.parse() else { continue };
        if events.last().is_none_or(|last| last.seq != row.seq as u64) {
            events.push(row.event(guid, kind)?);
        }
        if let (Some(touched), Some(event)) = (row.touched()?, events.last_mut()) {
            event.touched.push(touched);
        }
    }
    // The new owner comes first, as when the event was appended; rows are sorted by uid.
    for event in events.iter_mut().filter(|event| event.kind == EventKind::OwnerTransferred) {
        event.touched.sort_by_key(|touched| touched.new != Some(Scope::Owner));
    }
    Ok(events)
}

/// Like [`fold`], without the events that the domain refuses: they are logged, for callers that can do without one.
pub(super) fn fold_readable(guid: &Guid, rows: &[EventRow]) -> Vec<LoggedEvent> {
    let mut events = Vec::new();
    for of_one in rows.chunk_by(|row, next| row.seq == next.seq) {
        match fold(guid, of_one) {
            Ok(read) => events.extend(read),
            Err(error) => {
                tracing::error!(group = %guid, seq = of_one[0].seq, %error, "an event that cannot be read is left out");
            }
        }
    }
    events
}

/// An event, with one of the members it touched. Times in Unix milliseconds, `joined_at` in seconds.
#[derive(sqlx::FromRow)]
pub(super) struct EventRow {
    seq: i64,
    kind: String,
    at: i64,
    by_uid: Option<String>,
    by_name: Option<String>,
    reason: Option<String>,
    until_at: Option<i64>,
    cause: Option<String>,
    undoes: Option<i64>,
    batch: Option<i64>,
    message: Option<String>,
    uid: Option<String>,
    old_scope: Option<i64>,
    new_scope: Option<i64>,
    name: Option<String>,
    avatar: Option<String>,
    joined_at: Option<i64>,
    /// Of a change of scope.
    old_restrictions: Option<String>,
}

impl EventRow {
    fn event(&self, guid: &Guid, kind: EventKind) -> Result<LoggedEvent, StoreError> {
        let by = match &self.by_uid {
            Some(uid) => Some(By { uid: parse_uid(uid)?, name: self.by_name.clone().unwrap_or_else(|| uid.clone()) }),
            None => None,
        };
        Ok(LoggedEvent {
            guid: guid.clone(),
            seq: self.seq as u64,
            at: self.at,
            kind,
            by,
            touched: Vec::new(),
            reason: self.reason.clone(),
            until: self.until_at,
            cause: self.cause.as_deref().map(parse_cause).transpose()?,
            undoes: self.undoes.map(|seq| seq as u64),
            batch: self.batch.map(|seq| seq as u64),
            message: self.message.clone(),
        })
    }

    fn touched(&self) -> Result<Option<TouchedMember>, StoreError> {
        let Some(uid) = &self.uid else { return Ok(None) };
        let uid = parse_uid(uid)?;
        let (old, new) = (self.old_scope.map(parse_scope).transpose()?, self.new_scope.map(parse_scope).transpose()?);
        let member = match (new.or(old), &self.name, self.joined_at) {
            (Some(scope), Some(name), Some(joined_at)) => {
                let avatar = self.avatar.as_deref();
                let membership = Membership::new(scope, joined_at, self.seq as u64);
                Some(Arc::new(Member::new(&uid, name, "", avatar, membership)))
            }
            _ => None,
        };
        let temporary = self.old_restrictions.as_deref().and_then(parse_end_of_scope);
        let before = Restrictions { temporary, ..Restrictions::default() };
        Ok(Some(TouchedMember {
            uid,
            name: self.name.clone(),
            old,
            new,
            member,
            restrictions: RestrictionsChange::new(before, Restrictions::default()),
        }))
    }
}
