//! The other nodes: who is there by their word, and whether they live.
//!
//! A node lives as long as its heartbeat moves, by the watch of whoever looks: neither clocks that
//! disagree nor a database that was away for a while make anybody die.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::freshness::in_time;
use super::hub::Hub;
use super::presence::lease::{AWAY, Source};
use crate::domain::Uid;
use crate::store::{HOST_NODE, Heartbeat, NodePresence, PresenceTable, StoreError};

/// A node whose heartbeat did not move for so long is no more.
const LEASE: Duration = Duration::from_secs(15);
/// How often the others are looked at, when nobody says that there is news.
const LOOK: Duration = Duration::from_secs(1);
/// How often this node says that it lives, when nothing else is to be said.
const BEAT: Duration = Duration::from_secs(3);
/// What changes within so long after a round shares the next one.
const MIN_SYNC_INTERVAL: Duration = Duration::from_millis(200);
/// A round that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(3);
/// Screens are told a status once more between one and two times so long after the first time, while
/// this node hears the others: by then they have heard it, and no screen gets an older one from them.
const RESEND_AFTER: Duration = Duration::from_secs(3);
/// How often what everybody forgot is deleted.
const TIDY: Duration = Duration::from_secs(60);

/// What this node knows of the others.
struct PeerNodes {
    hub: Hub,
    table: PresenceTable,
    name: Arc<str>,
    /// Of this node's own words, the last one's; `None` before the first.
    version: Option<i64>,
    beat_at: Instant,
    known: HashMap<String, PeerNode>,
    last_source: Source,
    /// When the others were last looked at.
    looked_at: Instant,
    tidied_at: Instant,
    /// Whose status this node's viewers are to be told once more.
    told: HashSet<Uid>,
    told_at: Instant,
}

struct PeerNode {
    source: Source,
    version: i64,
    beat_at: i64,
    /// When its heartbeat was last seen to move.
    moved_at: Instant,
    alive: bool,
}

/// Tells the others who is here and hears who is there, for as long as this node lives. A node that
/// goes says no more: its people have until the end of its lease to come elsewhere.
pub(super) async fn sync_presence(hub: Hub, table: PresenceTable, name: Arc<str>) {
    let now = Instant::now();
    let mut peers = PeerNodes {
        hub: hub.clone(),
        table,
        name,
        version: None,
        beat_at: now,
        known: HashMap::new(),
        last_source: Source::HOST,
        looked_at: now,
        tidied_at: now,
        told: HashSet::new(),
        told_at: now,
    };
    let mut well = true;
    loop {
        if hub.is_leaving() {
            return;
        }
        let outcome = peers.round().await;
        if let Err(error) = &outcome
            && well
            && !error.already_logged()
        {
            tracing::warn!(%error, "cannot exchange presence with other nodes; retrying");
        }
        well = outcome.is_ok();
        sleep(MIN_SYNC_INTERVAL).await;
        tokio::select! {
            () = hub.presences().changed.notified() => {}
            () = hub.presence_heard() => {}
            () = sleep(LOOK) => {}
        }
    }
}

impl PeerNodes {
    async fn round(&mut self) -> Result<(), StoreError> {
        self.tell().await?;
        in_time(PATIENCE, self.look()).await?;
        if self.told_at.elapsed() > RESEND_AFTER {
            self.told_at = Instant::now();
            let told = self.hub.presences().take_told();
            self.hub.resend_status(&std::mem::replace(&mut self.told, told));
        }
        if self.tidied_at.elapsed() > TIDY {
            self.tidied_at = Instant::now();
            in_time(PATIENCE, self.table.prune(self.now() - 2 * AWAY)).await?;
        }
        Ok(())
    }

    async fn tell(&mut self) -> Result<(), StoreError> {
        let hosts = self.hub.presences().take_untold(Source::HOST);
        let mine = self.hub.presences().take_untold(Source::HERE);
        let pending = !(hosts.is_empty() && mine.is_empty());
        let told = in_time(PATIENCE, self.tell_these(&hosts, &mine)).await;
        if told.is_err() {
            self.hub.presences().keep_untold(Source::HOST, hosts);
            self.hub.presences().keep_untold(Source::HERE, mine);
        } else if let Some(wake) = self.hub.wake().filter(|_| pending) {
            wake.presence();
        }
        told
    }

    async fn tell_these(&mut self, hosts: &[NodePresence], mine: &[NodePresence]) -> Result<(), StoreError> {
        if !hosts.is_empty() {
            self.table.put_host_presence(hosts, self.now()).await?;
        }
        if mine.is_empty() && self.version.is_some() && self.beat_at.elapsed() < BEAT {
            return Ok(());
        }
        let said = match self.version {
            Some(version) => self.table.heartbeat(&self.name, version, mine, self.now()).await?,
            None => None,
        };
        self.version = match said {
            Some(version) => Some(version),
            // New here, or the database forgot.
            None => {
                let all = self.hub.presences().words_of(Source::HERE);
                Some(self.table.register(&self.name, &all, self.now()).await?)
            }
        };
        self.beat_at = Instant::now();
        Ok(())
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        let heartbeats = self.table.heartbeats().await?;
        if self.looked_at.elapsed() > LEASE / 3 {
            // This node slept, or the database was away: nobody could be seen to live.
            let now = Instant::now();
            self.known.values_mut().filter(|node| node.alive).for_each(|node| node.moved_at = now);
        }
        self.looked_at = Instant::now();
        if !heartbeats.iter().any(|heartbeat| heartbeat.node == HOST_NODE) {
            let words = self.hub.presences().words_of(Source::HOST);
            if !words.is_empty() {
                self.table.put_host_presence(&words, self.now()).await?;
            }
        }
        let name = self.name.clone();
        for heartbeat in heartbeats.iter().filter(|heartbeat| heartbeat.node != *name) {
            self.hear(heartbeat).await?;
        }
        self.bury();
        self.known.retain(|name, node| node.alive || heartbeats.iter().any(|heartbeat| heartbeat.node == *name));
        self.hub.tell_statuses();
        Ok(())
    }

    /// What a node that lives has said since it was last heard.
    async fn hear(&mut self, heartbeat: &Heartbeat) -> Result<(), StoreError> {
        let host = heartbeat.node == HOST_NODE;
        let new = Source(self.last_source.0 + 1);
        let fresh = self.now() - heartbeat.beat_at < LEASE.as_millis() as i64;
        let node = self.known.entry(heartbeat.node.clone()).or_insert_with(|| {
            let source = if host { Source::HOST } else { new };
            self.last_source = new;
            PeerNode { source, version: 0, beat_at: heartbeat.beat_at, moved_at: Instant::now(), alive: host || fresh }
        });
        if node.beat_at != heartbeat.beat_at {
            node.beat_at = heartbeat.beat_at;
            node.moved_at = Instant::now();
            node.alive = true;
        }
        if node.alive && node.version < heartbeat.version {
            let words = self.table.changes_since(&heartbeat.node, node.version).await?;
            node.version = heartbeat.version;
            self.hub.presences().hear(node.source, words);
        }
        Ok(())
    }

    /// Those whose heartbeat does not move are no more. If one comes back, all of its words count again.
    fn bury(&mut self) {
        for (name, node) in &mut self.known {
            if node.alive && node.source != Source::HOST && node.moved_at.elapsed() > LEASE {
                tracing::info!(node = name, "a node has stopped its heartbeat: its presence is dropped");
                (node.alive, node.version) = (false, 0);
                self.hub.presences().forget(node.source);
            }
        }
    }

    fn now(&self) -> i64 {
        self.hub.store().clock().now()
    }
}
