//! The statements of an act: memberships, bans, the log; what is forgotten with time.

use std::sync::LazyLock;

use super::commit::Appended;
use super::connection::{Connection, with_timeout};
use super::error::StoreError;
use super::event_id::new_event_id;
use super::insert::insert;
use super::pseudonym::Pseudonyms;
use super::query::{execute, fetch_scalar};
use super::restrictions_text::restrictions_text;
use super::tables::{EVENTS, EventValues, TOUCHED, TouchedValues};
use crate::domain::{Cause, Guid, LoggedEvent, Member, RestrictionsChange, Scope, TouchedMember, Uid};

/// Most rows of a table that are deleted in one transaction of a sweep.
pub(super) const PRUNED: i64 = 10_000;

/// Rows of the log that are inserted by one statement.
const MOST_AT_ONCE: usize = 100;

/// One act's part of a write transaction, inside a savepoint: committed or rolled back as a whole.
///
/// Every method fails with [`StoreError::Unavailable`] when the database cannot be written now or the
/// connection ends, with [`StoreError::ReadOnly`] when it is a file that is read-only, and with
/// [`StoreError::Inconsistent`] when a stored row it reads breaks an invariant. The act is rolled back then.
pub struct Tx<'c> {
    pub(super) connection: Connection<'c>,
    pub(super) now: i64,
    pub(super) pseudonyms: &'c Pseudonyms,
    logged: Vec<LoggedEvent>,
    pub(super) outbox: bool,
}

impl<'c> Tx<'c> {
    pub(super) fn new(connection: Connection<'c>, now: i64, pseudonyms: &'c Pseudonyms) -> Tx<'c> {
        Tx { connection, now, pseudonyms, logged: Vec::new(), outbox: false }
    }

    /// What was appended.
    pub(super) fn into_appended(self) -> Appended {
        Appended { logged: self.logged, outbox: self.outbox }
    }

    /// The time of this act, milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Changes a setting of PostgreSQL for the rest of the transaction; nothing on SQLite.
    pub(super) async fn set_on_postgres(&mut self, set: &'static str) -> Result<(), StoreError> {
        if let Connection::Postgres(timed) = self.connection.reborrow() {
            with_timeout(timed.timeout, sqlx::raw_sql(set).execute(timed.connection)).await?;
        }
        Ok(())
    }

    /// Ends a membership.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn remove_member(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        execute!(self.connection, "DELETE FROM members WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Appends the event of this act to the group's log, with the members it touched.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append(&mut self, event: LoggedEvent) -> Result<(), StoreError> {
        self.append_all(vec![event]).await
    }

    /// Appends these events, in their order, with the members they touched.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append_all(&mut self, events: Vec<LoggedEvent>) -> Result<(), StoreError> {
        for events in events.chunks(MOST_AT_ONCE) {
            self.insert_events(events).await?;
        }
        self.insert_touched(&events).await?;
        self.logged.extend(events);
        Ok(())
    }

    /// Inserts whom these events touched.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(super) async fn insert_touched(&mut self, events: &[LoggedEvent]) -> Result<(), StoreError> {
        static INSERT: LazyLock<String> = LazyLock::new(|| TOUCHED.insert(1));
        let touched: Vec<_> =
            events.iter().flat_map(|event| event.touched.iter().map(move |touched| (event, touched))).collect();
        for touched in touched.chunks(MOST_AT_ONCE) {
            let texts: Vec<_> = touched.iter().map(|(_, touched)| restrictions_texts(&touched.restrictions)).collect();
            let rows =
                touched.iter().zip(&texts).map(|((event, touched), texts)| touched_values(event, touched, texts));
            match touched.len() {
                1 => insert(self.connection.reborrow(), &INSERT, rows).await?,
                count => insert(self.connection.reborrow(), &TOUCHED.insert(count), rows).await?,
            }
        }
        Ok(())
    }

    /// Appends the event of a bulk sync, whose touched members [`Tx::apply_staged`] has written.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append_sync(&mut self, event: LoggedEvent) -> Result<(), StoreError> {
        self.insert_events(std::slice::from_ref(&event)).await?;
        self.logged.push(event);
        Ok(())
    }

    async fn insert_events(&mut self, events: &[LoggedEvent]) -> Result<(), StoreError> {
        static INSERT: LazyLock<String> = LazyLock::new(|| EVENTS.insert(1));
        let ids: Vec<String> = events.iter().map(|_| new_event_id()).collect();
        let rows = events.iter().zip(&ids).map(|(event, id)| event_values(event, id));
        match events.len() {
            1 => insert(self.connection.reborrow(), &INSERT, rows).await,
            count => insert(self.connection.reborrow(), &EVENTS.insert(count), rows).await,
        }
    }

    /// Deletes idempotency keys older than `age` milliseconds, and events before the last `retention` of each
    /// group; at most [`PRUNED`] rows of each table, to bound the time that others wait: answers whether there may be more. An
    /// event that happened since `dead` stays until every endpoint of webhooks that was seen since `endpoint_seen_after` has it. Times in
    /// milliseconds since the epoch.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prune(
        &mut self,
        age: i64,
        retention: u64,
        dead: i64,
        endpoint_seen_after: i64,
    ) -> Result<bool, StoreError> {
        let keys = "DELETE FROM idempotency WHERE (guid, caller, key) IN (
               SELECT guid, caller, key FROM idempotency WHERE at < $1 LIMIT $2)
             RETURNING CAST(1 AS BIGINT)";
        let keys: Vec<i64> = fetch_scalar!(fetch_all, self.connection, keys, self.now - age, PRUNED)?;
        let events = "DELETE FROM events WHERE (guid, seq) IN (
               SELECT e.guid, e.seq FROM groups g JOIN events e ON e.guid = g.guid AND e.seq <= g.seq - $1
               WHERE e.at < $2 OR NOT EXISTS (SELECT 1 FROM webhook_endpoints w
                 LEFT JOIN webhook_positions p ON p.endpoint = w.id AND p.lane = e.guid
                 WHERE w.seen_at >= $3 AND COALESCE(p.seq, 0) < e.seq)
               ORDER BY e.guid, e.seq LIMIT $4)
             RETURNING CAST(1 AS BIGINT)";
        let retention = retention as i64;
        let events: Vec<i64> =
            fetch_scalar!(fetch_all, self.connection, events, retention, dead, endpoint_seen_after, PRUNED)?;
        // After their events: whom an event touched is not told in part. One sync may have touched a million.
        let touched = "DELETE FROM touched WHERE (guid, seq, uid) IN (
               SELECT t.guid, t.seq, t.uid FROM groups g JOIN touched t ON t.guid = g.guid AND t.seq <= g.seq - $1
               LEFT JOIN events e ON e.guid = t.guid AND e.seq = t.seq
               WHERE e.seq IS NULL LIMIT $2)
             RETURNING CAST(1 AS BIGINT)";
        let touched: Vec<i64> = fetch_scalar!(fetch_all, self.connection, touched, retention, PRUNED)?;
        let is_full = |rows: &Vec<i64>| rows.len() as i64 == PRUNED;
        let webhooks = self.prune_webhooks(dead, endpoint_seen_after).await?;
        Ok(webhooks || [keys, events, touched].iter().any(is_full))
    }
}

/// An event as it is stored, under this id for deliveries.
fn event_values<'r>(event: &'r LoggedEvent, id: &'r str) -> EventValues<'r> {
    EventValues {
        guid: event.guid.as_str(),
        seq: event.seq as i64,
        kind: event.kind.as_str(),
        at: event.at,
        by_uid: event.by.as_ref().map(|by| by.uid.as_str()),
        by_name: event.by.as_ref().map(|by| by.name.as_str()),
        reason: event.reason.as_deref(),
        until_at: event.until,
        id,
        cause: event.cause.map(Cause::as_str),
        undoes: event.undoes.map(|seq| seq as i64),
        batch: event.batch.map(|seq| seq as i64),
        message: event.message.as_deref(),
    }
}

/// Somebody whom an event touched, as they are stored; `restrictions` limited them before and after.
fn touched_values<'r>(
    event: &'r LoggedEvent,
    touched: &'r TouchedMember,
    restrictions: &'r [Option<String>; 2],
) -> TouchedValues<'r> {
    let joined_at = touched.member.as_deref().map(|member| member.joined_at);
    TouchedValues {
        guid: event.guid.as_str(),
        seq: event.seq as i64,
        uid: touched.uid.as_str(),
        old_scope: touched.old.map(Scope::number),
        new_scope: touched.new.map(Scope::number),
        name: touched.name.as_deref(),
        avatar: touched.member.as_deref().and_then(Member::avatar),
        joined_at,
        // No event but a bulk sync gives a member another date.
        old_joined_at: touched.old.and(joined_at),
        old_restrictions: restrictions[0].as_deref(),
        new_restrictions: restrictions[1].as_deref(),
    }
}

/// What limited somebody before and after, as it is stored.
fn restrictions_texts(change: &RestrictionsChange) -> [Option<String>; 2] {
    [&change.old, &change.new].map(|restrictions| restrictions.as_deref().map(restrictions_text))
}
