//! The epoch: the name of the database's history of events. The history changes under the same numbers after a
//! failover to a standby that did not have all of it, or when a backup is restored; then a new epoch begins.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::Guid;
use crate::store::database::backend::Pool;
use crate::store::database::reader::Reader;
use crate::store::database::store::Store;
use crate::store::error::StoreError;
use crate::store::groups::group::happened_at;
use crate::store::metadata::{random_id, upsert_metadata};
use crate::store::sql::connection::{Connection, TimedConnection, WRITE_TIMEOUT, with_timeout};
use crate::store::sql::query::{dynamic, fetch, fetch_scalar, placeholders};
use crate::store::transaction::outbox::announce_epoch;

/// Events that are compared in one statement.
const EVENTS_PER_STATEMENT: usize = 500;
/// Events whose times are read in one statement: at least as many as one request asks for.
const TIMES_PER_STATEMENT: usize = 1000;

/// A position in a group's log: the last event that somebody has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPosition {
    /// The group.
    pub guid: Guid,
    /// The event's number.
    pub seq: u64,
    /// When it happened, Unix milliseconds; or [`LogPosition::TIME_UNKNOWN`] or [`LogPosition::REPLACED`].
    pub at: i64,
}

impl LogPosition {
    /// The time of `at` is not known: an event of this number counts as the same one.
    pub const TIME_UNKNOWN: i64 = 0;
    /// Used in place of a time: an event of this number then proves that the log is another one.
    pub const REPLACED: i64 = -1;

    /// Whether the event is missing from a log that ends at `head` and whose event of this number happened at
    /// `at`, or was replaced in it. An event that was pruned counts as present.
    fn is_lost(&self, head: Option<u64>, at: Option<i64>) -> bool {
        head.is_none_or(|head| head < self.seq)
            || (self.at != LogPosition::TIME_UNKNOWN && at.is_some_and(|at| at != self.at))
    }
}

impl Reader {
    /// The epoch in the database now.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be read.
    pub async fn epoch(&mut self) -> Result<String, StoreError> {
        Ok(fetch_scalar!(fetch_one, self.tx, "SELECT value FROM facts WHERE name = 'epoch'")?)
    }

    /// When an event happened, Unix milliseconds; `None` when the log does not have it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be read.
    pub async fn happened_at(&mut self, guid: &Guid, seq: u64) -> Result<Option<i64>, StoreError> {
        happened_at(self.tx.reborrow(), guid, seq).await
    }

    /// When these events of a group happened, Unix milliseconds, by their numbers. Events that the log does not have are
    /// left out.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when they cannot be read.
    pub async fn times_of(&mut self, guid: &Guid, seqs: &[u64]) -> Result<BTreeMap<u64, i64>, StoreError> {
        let mut times = BTreeMap::new();
        for seqs in seqs.chunks(TIMES_PER_STATEMENT) {
            let sql = format!("SELECT seq, at FROM events WHERE guid = ? AND seq IN {}", placeholders(1, seqs.len()));
            let rows: Vec<(i64, i64)> = dynamic!(fetch_all, self.tx, sql, query, {
                query = query.bind(guid.as_str());
                for seq in seqs {
                    query = query.bind(*seq as i64);
                }
            })?;
            times.extend(rows.into_iter().map(|(seq, at)| (seq as u64, at)));
        }
        Ok(times)
    }

    /// The first of these positions at which the log now has another event.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the log cannot be read.
    pub async fn first_lost<'m>(&mut self, seen: &'m [LogPosition]) -> Result<Option<&'m LogPosition>, StoreError> {
        for seen in seen.chunks(EVENTS_PER_STATEMENT) {
            let sql =
                format!("SELECT guid, at FROM events WHERE (guid, seq) IN (VALUES {})", placeholders(seen.len(), 2));
            let stored: Vec<(String, i64)> = dynamic!(fetch_all, self.tx, sql, query, {
                for position in seen {
                    query = query.bind(position.guid.as_str()).bind(position.seq as i64);
                }
            })?;
            let is_lost = |position: &&LogPosition| {
                let same_group = |(guid, _): &&(String, i64)| guid == position.guid.as_str();
                position.is_lost(Some(position.seq), stored.iter().find(same_group).map(|&(_, at)| at))
            };
            if let Some(lost) = seen.iter().find(is_lost) {
                return Ok(Some(lost));
            }
        }
        Ok(None)
    }
}

impl Store {
    /// The epoch as this node knows it. Stored in the database, shared by all nodes.
    pub fn epoch(&self) -> Arc<str> {
        self.epoch.borrow().clone()
    }

    /// Adopts the epoch that was read from the database.
    pub fn set_epoch(&self, epoch: &str) {
        self.epoch.send_replace(epoch.into());
    }

    /// Waits until the epoch is another one than this.
    pub async fn wait_for_epoch_change(&self, epoch: &str) {
        let _ = self.epoch.subscribe().wait_for(|current| **current != *epoch).await;
    }

    /// Number of reconnects to the database. Each may have reached another server, which may lack events that this
    /// node has applied.
    pub fn reconnects(&self) -> u32 {
        match &self.pool {
            Pool::Sqlite(_) => 0,
            Pool::Postgres(primary) => primary.health().reconnects(),
        }
    }

    /// Whether what is read is a standby's, which may lag behind: no primary was found so far.
    pub fn reads_standby(&self) -> bool {
        match &self.pool {
            Pool::Sqlite(_) => false,
            Pool::Postgres(primary) => primary.health().is_standby(),
        }
    }

    /// Waits until there are more reconnects than this.
    pub async fn wait_for_reconnect(&self, reconnects: u32) {
        match &self.pool {
            Pool::Sqlite(_) => std::future::pending().await,
            Pool::Postgres(primary) => primary.health().wait_for_reconnect(reconnects).await,
        }
    }

    /// Starts a new epoch if the event at this position is lost; answers the epoch that the database then has.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be written.
    pub async fn replace_epoch(&self, lost: &LogPosition) -> Result<String, StoreError> {
        let Pool::Postgres(primary) = &self.pool else { return Ok(self.epoch().to_string()) };
        let mut transaction = primary.write().await?;
        let mut on = Connection::Postgres(TimedConnection::for_writes(transaction.parts()));
        // Nodes that notice at the same time agree on the epoch of the first.
        let stored: String = fetch_scalar!(fetch_one, on, "SELECT value FROM facts WHERE name = 'epoch' FOR UPDATE")?;
        if *stored != *self.epoch() {
            return Ok(stored);
        }
        let row: Option<(i64, Option<i64>)> = fetch!(
            fetch_optional,
            on,
            "SELECT g.seq, e.at FROM groups g LEFT JOIN events e ON e.guid = g.guid AND e.seq = $2 WHERE g.guid = $1",
            lost.guid.as_str(),
            lost.seq as i64
        )?;
        let (head, at) = row.map_or((None, None), |(head, at)| (Some(head as u64), at));
        if !lost.is_lost(head, at) {
            return Ok(stored);
        }
        let epoch = random_id();
        upsert_metadata(on.reborrow(), "epoch", &epoch).await?;
        announce_epoch(on.reborrow(), &epoch, self.clock.now()).await?;
        with_timeout(WRITE_TIMEOUT, transaction.commit()).await?;
        tracing::error!(
            group = %lost.guid, seen = lost.seq, head, epoch,
            "the database lost events that were already sent: a new epoch begins, every viewer reloads"
        );
        Ok(epoch)
    }
}
