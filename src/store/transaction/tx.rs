//! The statements of an act: memberships, bans, the log; and the deletion of old keys and events.

use std::sync::Arc;

use super::append::{insert_events, insert_log};
use super::commit::Appended;
use crate::clock::Clock;
use crate::domain::{Guid, LoggedEvent, Uid};
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::{execute, fetch_scalar};

/// Most rows of a table that are deleted in one transaction of a sweep.
pub(in crate::store) const PRUNED: i64 = 10_000;
/// How long an event that is dead stays for endpoints that have not passed it over, in milliseconds. A group whose delivery fails is
/// tried about hourly; the try after an event's lifetime reads its type, and counts it as dead only where the endpoint asks for it.
const PASSED_OVER_WITHIN: i64 = 2 * 3600 * 1000;

/// An act's use of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogAccess {
    /// It may read it, including the events that it appended, and those of earlier acts in the same transaction.
    ReadWrite,
    /// It only appends. Its events are inserted together with those of other acts, before the commit.
    Append,
}

/// One act's part of a write transaction, inside a savepoint: committed or rolled back as a whole.
///
/// Every method fails with [`StoreError::Unavailable`] when the database cannot be written now or the
/// connection ends, with [`StoreError::ReadOnly`] when it is a file that is read-only, and with
/// [`StoreError::Inconsistent`] when a stored row it reads breaks an invariant. The act is rolled back then.
pub struct Tx<'c> {
    pub(in crate::store) connection: Connection<'c>,
    clock: &'c Clock,
    /// See [`Tx::now`].
    pub(in crate::store) now: i64,
    /// See [`Tx::event_time`].
    pub(in crate::store) event_time: i64,
    pub(in crate::store) pseudonyms: &'c Pseudonyms,
    log: LogAccess,
    /// Events that acts before this one appended and that are not inserted yet.
    earlier: &'c [Arc<LoggedEvent>],
    logged: Vec<Arc<LoggedEvent>>,
    /// The lanes of the outbox that it appended to.
    pub(in crate::store) outbox: Vec<Lane>,
}

impl<'c> Tx<'c> {
    pub(in crate::store) fn new(
        connection: Connection<'c>,
        (clock, pseudonyms): (&'c Clock, &'c Pseudonyms),
        log: LogAccess,
        earlier: &'c [Arc<LoggedEvent>],
    ) -> Tx<'c> {
        let now = clock.now();
        Tx { connection, clock, now, event_time: now, pseudonyms, log, earlier, logged: Vec::new(), outbox: Vec::new() }
    }

    /// When the last event of a group was that is not inserted yet, Unix milliseconds.
    pub(in crate::store) fn last_uninserted_at(&self, guid: &Guid) -> Option<i64> {
        self.earlier.iter().rfind(|event| event.guid == *guid).map(|event| event.at)
    }

    /// The events that were appended.
    pub(in crate::store) fn into_appended(self) -> Appended {
        Appended { logged: self.logged, outbox: self.outbox }
    }

    /// The time at which this act is decided, Unix milliseconds: bans, mutes and scopes that end until then have ended, as for
    /// reads.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The time that is recorded for what this act does, Unix milliseconds: [`Tx::now`], and not before the last event of
    /// its group, though a clock went back or another node's is ahead.
    pub fn event_time(&self) -> i64 {
        self.event_time
    }

    /// The present time, Unix milliseconds.
    pub(in crate::store) fn read_clock(&self) -> i64 {
        self.clock.now()
    }

    /// The act has a group since `now`, for which it may have waited, and whose last event was at `last_at`. With several
    /// groups the latest counts.
    pub(in crate::store) fn begin_in_group(&mut self, now: i64, last_at: Option<i64>) {
        self.now = now;
        self.event_time = self.event_time.max(now).max(last_at.unwrap_or(0));
    }

    /// Changes a setting of PostgreSQL for the rest of the transaction; nothing on SQLite.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn set_on_postgres(&mut self, set: &'static str) -> Result<(), StoreError> {
        Ok(self.connection.reborrow().set_on_postgres(set).await?)
    }

    /// Ends a membership.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn remove_member(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        execute!(self.connection, "DELETE FROM members WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Appends the event of this act to the group's log, with the members it touched. Returns the event as it is announced after
    /// the commit.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append(&mut self, event: LoggedEvent) -> Result<Arc<LoggedEvent>, StoreError> {
        let event = Arc::new(event);
        self.append_shared(std::slice::from_ref(&event)).await?;
        Ok(event)
    }

    /// Appends these events, in their order, with the members they touched.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append_all(&mut self, events: Vec<LoggedEvent>) -> Result<(), StoreError> {
        let events: Vec<_> = events.into_iter().map(Arc::new).collect();
        self.append_shared(&events).await
    }

    async fn append_shared(&mut self, events: &[Arc<LoggedEvent>]) -> Result<(), StoreError> {
        if self.log == LogAccess::ReadWrite {
            insert_log(self.connection.reborrow(), events).await?;
        }
        self.logged.extend_from_slice(events);
        Ok(())
    }

    /// Appends the event of a sync, whose touched members [`Tx::apply_staged`] has written.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append_sync(&mut self, event: LoggedEvent) -> Result<(), StoreError> {
        let event = Arc::new(event);
        insert_events(self.connection.reborrow(), std::slice::from_ref(&event)).await?;
        self.logged.push(event);
        Ok(())
    }

    /// Deletes idempotency keys older than `age` milliseconds, and events before the last `retention` of each
    /// group; at most [`PRUNED`] rows of each table, to bound the time that others wait: answers whether there may be more. An
    /// event that happened since `dead` stays until every endpoint of webhooks that was seen since `endpoint_seen_after` has it, and
    /// for [`PASSED_OVER_WITHIN`] more. Times in Unix milliseconds.
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
        let (retention, passed_over) = (retention as i64, dead - PASSED_OVER_WITHIN);
        let events: Vec<i64> =
            fetch_scalar!(fetch_all, self.connection, events, retention, passed_over, endpoint_seen_after, PRUNED)?;
        // Deleted after their events, so that an event is never read with a part of the people it touched. One sync
        // may have touched a million.
        let touched = "DELETE FROM touched WHERE (guid, seq, uid) IN (
               SELECT t.guid, t.seq, t.uid FROM groups g JOIN touched t ON t.guid = g.guid AND t.seq <= g.seq - $1
               LEFT JOIN events e ON e.guid = t.guid AND e.seq = t.seq
               WHERE e.seq IS NULL LIMIT $2)
             RETURNING CAST(1 AS BIGINT)";
        let touched: Vec<i64> = fetch_scalar!(fetch_all, self.connection, touched, retention, PRUNED)?;
        let is_full = |rows: &Vec<i64>| rows.len() as i64 == PRUNED;
        let webhooks = self.prune_webhooks(dead).await?;
        Ok(webhooks || [keys, events, touched].iter().any(is_full))
    }
}
