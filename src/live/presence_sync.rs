//! Exchanges presence with the other nodes through the database: writes this node's heartbeat and what
//! changed here, reads what changed elsewhere.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::freshness::in_time;
use super::hub::Hub;
use super::presence::peer_nodes::PeerNodes;
use super::presence::record::{AWAY, Source};
use crate::domain::Uid;
use crate::store::{FailureLog, HOST_NODE, NodePresence, PresenceTable, StoreError};

/// Interval of reading heartbeats when no other node wakes this one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of writing this node's heartbeat when there are no entries to write.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);
/// Least time between two rounds: changes after a round share the next one.
const MIN_SYNC_INTERVAL: Duration = Duration::from_millis(200);
/// A statement that takes longer is given up, and with it the round.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Statuses that were reported, read or sent in one interval of this length are sent to viewers again at the end of the next: by then
/// the other nodes have read them, and none of them answers with an older one. An interval ends with the first round after this long.
/// Rounds are up to 1.2 s apart ([`MIN_SYNC_INTERVAL`] and [`POLL_INTERVAL`]), so a status is sent again 3 to about 8.4 s later.
const RESEND_AFTER: Duration = Duration::from_secs(3);
/// Interval of deleting entries that no node needs any more.
const PRUNE_INTERVAL: Duration = Duration::from_secs(60);

/// The task's own state.
struct PresenceSync {
    hub: Hub,
    table: PresenceTable,
    name: Arc<str>,
    peers: PeerNodes,
    /// The version of this node's last heartbeat; `None` before the first.
    version: Option<i64>,
    heartbeat_at: Instant,
    pruned_at: Instant,
    /// The people whose status was reported, read or sent since [`Self::resent_at`], and written by the last round that succeeded.
    unsettled: HashSet<Uid>,
    /// The people whose status is to be sent again to this node's viewers.
    to_resend: HashSet<Uid>,
    resent_at: Instant,
}

/// Runs until the process ends. A draining node keeps reading, since it still answers requests, and writes only what the host reports:
/// its viewers have until its record expires to connect to another node.
pub(super) async fn sync_presence(hub: Hub, table: PresenceTable, name: Arc<str>) {
    let now = Instant::now();
    let mut sync = PresenceSync {
        hub: hub.clone(),
        table,
        peers: PeerNodes::new(&name, now),
        name,
        version: None,
        heartbeat_at: now,
        pruned_at: now,
        unsettled: HashSet::new(),
        to_resend: HashSet::new(),
        resent_at: now,
    };
    let failures = FailureLog::new();
    loop {
        failures.observe(&sync.round(hub.is_draining()).await, "exchanging presence with other nodes");
        hub.presences().set_known();
        sleep(MIN_SYNC_INTERVAL).await;
        tokio::select! {
            () = hub.presences().changed.notified() => {}
            () = hub.presence_changed_elsewhere() => {}
            () = sleep(POLL_INTERVAL) => {}
        }
    }
}

impl PresenceSync {
    async fn round(&mut self, is_draining: bool) -> Result<(), StoreError> {
        // Before they are written: what changes meanwhile belongs to the next round, which writes it.
        self.unsettled.extend(self.hub.presences().take_unsettled());
        let written = self.write(is_draining).await;
        // A database that takes no writes can be read.
        self.read().await?;
        written?;
        if self.resent_at.elapsed() > RESEND_AFTER {
            self.resent_at = Instant::now();
            let unsettled = std::mem::take(&mut self.unsettled);
            self.hub.resend_status(&std::mem::replace(&mut self.to_resend, unsettled));
        }
        if !is_draining && self.pruned_at.elapsed() > PRUNE_INTERVAL {
            self.pruned_at = Instant::now();
            in_time(TIMEOUT, self.table.prune(self.time() - 2 * AWAY)).await?;
        }
        Ok(())
    }

    async fn write(&mut self, is_draining: bool) -> Result<(), StoreError> {
        self.write_reports().await?;
        if is_draining {
            return Ok(());
        }
        let own = self.hub.presences().take_unsynced(Source::HERE);
        let written = in_time(TIMEOUT, self.write_own(&own)).await;
        self.conclude(Source::HERE, own, written)
    }

    /// Writes what the host has reported on this node.
    async fn write_reports(&self) -> Result<(), StoreError> {
        let presences = self.hub.presences();
        let made = presences.reports_made();
        let reports = presences.take_unsynced(Source::HOST);
        if !reports.is_empty() {
            let written = in_time(TIMEOUT, self.table.put_host_presence(&reports, self.time())).await;
            self.conclude(Source::HOST, reports, written)?;
        }
        presences.record_written(made);
        Ok(())
    }

    /// Announces what was written to the other nodes, or keeps it for the next round.
    fn conclude(
        &self,
        source: Source,
        entries: Vec<NodePresence>,
        written: Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if written.is_err() {
            self.hub.presences().requeue(source, entries);
        } else if let Some(wake) = self.hub.wake().filter(|_| !entries.is_empty()) {
            wake.announce_presence();
        }
        written
    }

    async fn write_own(&mut self, changed: &[NodePresence]) -> Result<(), StoreError> {
        if changed.is_empty() && self.version.is_some() && self.heartbeat_at.elapsed() < HEARTBEAT_INTERVAL {
            return Ok(());
        }
        let version = match self.version {
            Some(last) => self.table.heartbeat(&self.name, last, changed, self.time()).await?,
            None => None,
        };
        self.version = match version {
            Some(version) => Some(version),
            None => {
                // An older version was pruned while this node was cut off.
                let is_lost = self.version.is_some_and(|last| self.time() - last < 2 * AWAY);
                Some(self.register(changed, is_lost).await?)
            }
        };
        self.heartbeat_at = Instant::now();
        Ok(())
    }

    /// Writes everything that this node knows: it is new, was cut off for long, or (`is_lost`) the database was restored and has nothing
    /// of it.
    async fn register(&self, changed: &[NodePresence], is_lost: bool) -> Result<i64, StoreError> {
        let mut all = self.hub.presences().entries_of(Source::HERE);
        // People who went offline long ago are not known here any more, but perhaps to the other nodes.
        let known: HashSet<Uid> = all.iter().map(|entry| entry.uid.clone()).collect();
        all.extend(changed.iter().filter(|entry| !known.contains(&entry.uid)).cloned());
        if is_lost {
            self.restore_reports().await?;
        }
        self.table.register(&self.name, &all, self.time()).await
    }

    /// Writes what the host is known to have reported, where the database has nothing of it.
    async fn restore_reports(&self) -> Result<(), StoreError> {
        let reports = self.hub.presences().entries_of(Source::HOST);
        if reports.is_empty() {
            return Ok(());
        }
        self.table.restore_host_presence(&reports, self.time()).await
    }

    async fn read(&mut self) -> Result<(), StoreError> {
        let heartbeats = in_time(TIMEOUT, self.table.heartbeats()).await?;
        if !heartbeats.iter().any(|heartbeat| heartbeat.node == HOST_NODE) {
            in_time(TIMEOUT, self.restore_reports()).await?;
        }
        let mut found = Vec::new();
        for unread in self.peers.observe(&heartbeats, self.time(), Instant::now()) {
            let entries = in_time(TIMEOUT, self.table.changes_since(&unread.node, unread.after)).await?;
            found.push((unread, entries));
        }
        // Only once all are read: what one node says of somebody may be outdated by what the next one says.
        for (unread, entries) in found {
            self.peers.mark_read(&unread);
            self.hub.presences().merge(unread.source, entries);
        }
        for (node, source) in self.peers.expire(Instant::now()) {
            tracing::info!(node, "a node has stopped its heartbeat: its presence is dropped");
            self.hub.presences().drop_source(source);
        }
        self.hub.note_status_changes();
        Ok(())
    }

    /// The wall clock, milliseconds since 1970.
    fn time(&self) -> i64 {
        self.hub.store().clock().now()
    }
}
