//! Presence that nodes share through PostgreSQL, in the tables `nodes` and `attendance`; never in the log. Each node
//! writes only its own entries, under versions that rise.

use super::dedicated::{DedicatedConnection, DedicatedTx};
use super::primary::Primary;
use crate::domain::Uid;
use crate::store::error::StoreError;
use crate::store::sql::decode::parse_uid;

/// The node name for presence that the host application reports. Any node may write under it.
pub const HOST_NODE: &str = "host";

/// [`NodePresence::closed_at`] in the host's entry about somebody who was deleted: every node forgets the streams that it has counted
/// of them. Versions that do not know it read a time long ago.
pub const DELETED_USER: i64 = -1;

/// A report of the host's that is this much later than another, milliseconds, is from before the clock went back: the other counts.
const REPORTS_APART: i64 = 10 * 60_000;

/// Whether the host reported something at `reported_at` later than something else at `other`, both Unix milliseconds.
pub fn is_later_report(reported_at: i64, other: i64) -> bool {
    (1..REPORTS_APART).contains(&(reported_at - other))
}

/// Presence of one person on one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodePresence {
    /// The person.
    pub uid: Uid,
    /// Whether a stream of theirs is open there, or the host says that they are there.
    pub open: bool,
    /// Whether they are away although `open`.
    pub away: bool,
    /// When `open` ends by itself, Unix milliseconds; `None` when it does not.
    pub until: Option<i64>,
    /// When the last one closed, Unix milliseconds; or [`DELETED_USER`].
    pub closed_at: i64,
    /// When the host reported this, Unix milliseconds; 0 in the entries of nodes.
    pub reported_at: i64,
}

/// The last heartbeat of a node.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Heartbeat {
    /// The node's name.
    pub node: String,
    /// Version of the newest entry it has written.
    pub version: i64,
    /// When it was sent, Unix milliseconds.
    pub heartbeat_at: i64,
}

/// The presence that nodes share. It has a connection of its own, so that it delays no act and waits for no
/// standby.
///
/// Every method fails with [`StoreError::KnownOutage`] while the primary is known to be unavailable, and with
/// [`StoreError::Unavailable`] when it does not do what is asked: then nothing was written.
#[derive(Clone)]
pub struct PresenceTable(DedicatedConnection);

impl PresenceTable {
    pub(in crate::store) fn new(primary: &Primary) -> PresenceTable {
        PresenceTable(DedicatedConnection::new(primary))
    }

    /// Writes a heartbeat of this node and its changed entries; answers their version. `last` is the version
    /// that the previous call answered. `None` when the database does not hold that one: then all entries have
    /// to be written, by [`PresenceTable::register`]. `now` in Unix milliseconds.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn heartbeat(
        &self,
        node: &str,
        last: i64,
        changed: &[NodePresence],
        now: i64,
    ) -> Result<Option<i64>, StoreError> {
        let mut tx = self.0.write().await?;
        let version: Option<i64> = sqlx::query_scalar(
            "UPDATE nodes SET version = greatest(version + 1, $3), beat_at = $3 WHERE node = $1 AND version = $2
             RETURNING version",
        )
        .bind(node)
        .bind(last)
        .bind(now)
        .persistent(tx.persistent())
        .fetch_optional(tx.connection())
        .await?;
        if let Some(version) = version {
            write_entries(&mut tx, node, changed, version, true).await?;
            tx.commit().await?;
        } else {
            tx.rollback().await?;
        }
        Ok(version)
    }

    /// Writes a heartbeat of this node and replaces all of its entries; answers their version. `now` in
    /// Unix milliseconds.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn register(&self, node: &str, all: &[NodePresence], now: i64) -> Result<i64, StoreError> {
        let mut tx = self.0.write().await?;
        let version = next_version(&mut tx, node, now).await?;
        sqlx::query("DELETE FROM attendance WHERE node = $1")
            .bind(node)
            .persistent(tx.persistent())
            .execute(tx.connection())
            .await?;
        write_entries(&mut tx, node, all, version, true).await?;
        tx.commit().await?;
        Ok(version)
    }

    /// Writes what the host application reported before the table was lost; what was reported since stays. `now` in Unix milliseconds.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn restore_host_presence(&self, known: &[NodePresence], now: i64) -> Result<(), StoreError> {
        let mut tx = self.0.write().await?;
        let version = next_version(&mut tx, HOST_NODE, now).await?;
        write_entries(&mut tx, HOST_NODE, known, version, false).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Writes presence that the host application reported. `now` in Unix milliseconds.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn put_host_presence(&self, changed: &[NodePresence], now: i64) -> Result<(), StoreError> {
        let mut tx = self.0.write().await?;
        let version = next_version(&mut tx, HOST_NODE, now).await?;
        write_entries(&mut tx, HOST_NODE, changed, version, true).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The last heartbeat of every node that was not pruned.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn heartbeats(&self) -> Result<Vec<Heartbeat>, StoreError> {
        let mut tx = self.0.read().await?;
        let heartbeats = sqlx::query_as("SELECT node, version, beat_at AS heartbeat_at FROM nodes")
            .persistent(tx.persistent())
            .fetch_all(tx.connection())
            .await?;
        tx.commit().await?;
        Ok(heartbeats)
    }

    /// The entries that a node wrote after this version.
    ///
    /// # Errors
    /// See [`PresenceTable`]; [`StoreError::Inconsistent`] when an entry names nobody.
    pub async fn changes_since(&self, node: &str, version: i64) -> Result<Vec<NodePresence>, StoreError> {
        let mut tx = self.0.read().await?;
        type EntryRow = (String, bool, bool, Option<i64>, i64, i64);
        let rows: Vec<EntryRow> = sqlx::query_as(
            "SELECT uid, is_open, is_away, until_at, closed_at, reported_at FROM attendance
             WHERE node = $1 AND version > $2",
        )
        .bind(node)
        .bind(version)
        .persistent(tx.persistent())
        .fetch_all(tx.connection())
        .await?;
        tx.commit().await?;
        let decode = |(uid, open, away, until, closed_at, reported_at): EntryRow| {
            Ok(NodePresence { uid: parse_uid(&uid)?, open, away, until, closed_at, reported_at })
        };
        rows.into_iter().map(decode).collect()
    }

    /// Deletes all entries of somebody who is erased.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn forget(&self, uid: &Uid) -> Result<(), StoreError> {
        let mut tx = self.0.write().await?;
        sqlx::query("DELETE FROM attendance WHERE uid = $1")
            .bind(uid.as_str())
            .persistent(tx.persistent())
            .execute(tx.connection())
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Deletes nodes whose last heartbeat is older than `time`, the entries of nodes that are gone, and those
    /// of people who left, or whose presence ended, before it, once every node has had the time since to read them: a version is at
    /// least the time at which its entries were written. `time` in Unix milliseconds.
    ///
    /// # Errors
    /// See [`PresenceTable`].
    pub async fn prune(&self, time: i64) -> Result<(), StoreError> {
        let mut tx = self.0.write().await?;
        sqlx::query("DELETE FROM nodes WHERE beat_at < $1 AND node <> $2")
            .bind(time)
            .bind(HOST_NODE)
            .persistent(tx.persistent())
            .execute(tx.connection())
            .await?;
        sqlx::query(
            "DELETE FROM attendance
             WHERE version < $1 AND (NOT is_open AND closed_at < $1 OR until_at < $1)
               OR node NOT IN (SELECT node FROM nodes)",
        )
        .bind(time)
        .persistent(tx.persistent())
        .execute(tx.connection())
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Raises the version of a node's entries. It is at least the time, so that it rises even when the database
/// has lost the one before.
async fn next_version(tx: &mut DedicatedTx<'_>, node: &str, now: i64) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(
        "INSERT INTO nodes (node, version, beat_at) VALUES ($1, $2, $2)
         ON CONFLICT (node) DO UPDATE SET version = greatest(nodes.version + 1, excluded.version),
         beat_at = excluded.beat_at RETURNING version",
    )
    .bind(node)
    .bind(now)
    .persistent(tx.persistent())
    .fetch_one(tx.connection())
    .await?)
}

/// Writes entries; one that is there is replaced only if it shall be, and none that is a later report of the host's ([`is_later_report`]).
async fn write_entries(
    tx: &mut DedicatedTx<'_>,
    node: &str,
    entries: &[NodePresence],
    version: i64,
    replace: bool,
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO attendance (node, uid, is_open, is_away, until_at, closed_at, reported_at, version)
         SELECT $1, entry.uid, entry.is_open, entry.is_away, entry.until_at, entry.closed_at, entry.reported_at, $2
         FROM unnest($3::text[], $4::boolean[], $5::boolean[], $6::bigint[], $7::bigint[], $8::bigint[])
           AS entry (uid, is_open, is_away, until_at, closed_at, reported_at)
         ON CONFLICT (node, uid) DO UPDATE SET is_open = excluded.is_open, is_away = excluded.is_away,
         until_at = excluded.until_at, closed_at = excluded.closed_at, reported_at = excluded.reported_at,
         version = excluded.version
         WHERE $9 AND attendance.reported_at - excluded.reported_at NOT BETWEEN 1 AND $10 - 1",
    )
    .bind(node)
    .bind(version)
    .bind(entries.iter().map(|entry| entry.uid.as_str()).collect::<Vec<_>>())
    .bind(entries.iter().map(|entry| entry.open).collect::<Vec<_>>())
    .bind(entries.iter().map(|entry| entry.away).collect::<Vec<_>>())
    .bind(entries.iter().map(|entry| entry.until).collect::<Vec<_>>())
    .bind(entries.iter().map(|entry| entry.closed_at).collect::<Vec<_>>())
    .bind(entries.iter().map(|entry| entry.reported_at).collect::<Vec<_>>())
    .bind(replace)
    .bind(REPORTS_APART)
    .persistent(tx.persistent())
    .execute(tx.connection())
    .await?;
    Ok(())
}
