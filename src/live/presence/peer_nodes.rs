//! The other nodes: which are alive, and which of their entries have been read.
//! A node is alive as long as its heartbeat changes, measured by the monotonic clock of this node: a record outlives clocks that
//! disagree, and an outage of the database.
//!
//! Not here: reading and writing heartbeats (`presence_sync`). This is a state that is given what was read.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::record::Source;
use crate::store::{HOST_NODE, Heartbeat};

/// A node whose heartbeat has not moved for this long counts as dead.
const NODE_TIMEOUT: Duration = Duration::from_secs(15);

/// This node's knowledge of the other nodes.
pub(in crate::live) struct PeerNodes {
    /// This node's name: its own heartbeat is skipped.
    own: String,
    nodes: HashMap<String, PeerNode>,
    last_source: Source,
    observed_at: Instant,
}

struct PeerNode {
    source: Source,
    /// Entries up to this version were read.
    version: i64,
    /// The time of its last heartbeat, Unix milliseconds.
    heartbeat_at: i64,
    /// When its heartbeat was last seen to move.
    moved_at: Instant,
    alive: bool,
}

/// Entries of a node that are to be read.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::live) struct Unread {
    /// The node's name.
    pub(in crate::live) node: String,
    /// The source that its entries belong to.
    pub(in crate::live) source: Source,
    /// The version up to which entries have been read.
    pub(in crate::live) after: i64,
    /// The version to record once they are read.
    pub(in crate::live) version: i64,
}

impl PeerNodes {
    /// A state without any other node.
    pub(in crate::live) fn new(own: &str, now: Instant) -> PeerNodes {
        PeerNodes { own: own.into(), nodes: HashMap::new(), last_source: Source::HOST, observed_at: now }
    }

    /// Records the heartbeats of all nodes; returns the nodes whose entries are to be read. `time` is the wall clock,
    /// milliseconds since 1970.
    pub(in crate::live) fn observe(&mut self, heartbeats: &[Heartbeat], time: i64, now: Instant) -> Vec<Unread> {
        if now - self.observed_at > NODE_TIMEOUT / 3 {
            // This node slept, or the database was away: no heartbeat could be seen to move.
            self.nodes.values_mut().filter(|node| node.alive).for_each(|node| node.moved_at = now);
        }
        self.observed_at = now;
        self.nodes.retain(|name, node| node.alive || heartbeats.iter().any(|heartbeat| heartbeat.node == *name));
        heartbeats.iter().filter_map(|heartbeat| self.observe_one(heartbeat, time, now)).collect()
    }

    fn observe_one(&mut self, heartbeat: &Heartbeat, time: i64, now: Instant) -> Option<Unread> {
        if heartbeat.node == self.own {
            return None;
        }
        if !self.nodes.contains_key(&heartbeat.node) {
            self.insert(heartbeat, time, now);
        }
        let node = self.nodes.get_mut(&heartbeat.node)?;
        if node.heartbeat_at != heartbeat.heartbeat_at {
            node.heartbeat_at = heartbeat.heartbeat_at;
            node.moved_at = now;
            node.alive = true;
        }
        (node.alive && node.version < heartbeat.version).then(|| Unread {
            node: heartbeat.node.clone(),
            source: node.source,
            after: node.version,
            version: heartbeat.version,
        })
    }

    fn insert(&mut self, heartbeat: &Heartbeat, time: i64, now: Instant) {
        let host = heartbeat.node == HOST_NODE;
        let source = if host { Source::HOST } else { self.last_source.next() };
        self.last_source = self.last_source.max(source);
        let alive = host || time - heartbeat.heartbeat_at < NODE_TIMEOUT.as_millis() as i64;
        let node = PeerNode { source, version: 0, heartbeat_at: heartbeat.heartbeat_at, moved_at: now, alive };
        self.nodes.insert(heartbeat.node.clone(), node);
    }

    /// Records that these entries were read.
    pub(in crate::live) fn mark_read(&mut self, read: &Unread) {
        if let Some(node) = self.nodes.get_mut(&read.node) {
            node.version = read.version;
        }
    }

    /// The nodes whose heartbeats have stopped since the last call. If one returns, all of its entries are read again.
    pub(in crate::live) fn expire(&mut self, now: Instant) -> Vec<(String, Source)> {
        let mut expired = Vec::new();
        for (name, node) in &mut self.nodes {
            if node.alive && node.source != Source::HOST && now - node.moved_at > NODE_TIMEOUT {
                (node.alive, node.version) = (false, 0);
                expired.push((name.clone(), node.source));
            }
        }
        expired
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wall clock of the tests, milliseconds.
    const TIME: i64 = 1_000_000;

    fn beat(node: &str, version: i64, heartbeat_at: i64) -> Heartbeat {
        Heartbeat { node: node.into(), version, heartbeat_at }
    }

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn of_each_node_what_is_new_is_read_once() {
        let start = Instant::now();
        let mut peers = PeerNodes::new("a", start);
        let beats = [beat("a", 9, TIME), beat("b", 3, TIME)];
        let unread = peers.observe(&beats, TIME, start);
        assert_eq!(unread, [Unread { node: "b".into(), source: Source::HOST.next(), after: 0, version: 3 }]);
        assert_eq!(peers.observe(&beats, TIME, start).len(), 1, "it could not be read yet");
        peers.mark_read(&unread[0]);
        assert_eq!(peers.observe(&beats, TIME, start), []);
        assert_eq!(peers.observe(&[beat("b", 4, TIME + 1)], TIME, start)[0].after, 3);
    }

    #[test]
    fn a_node_whose_heartbeat_stands_still_dies_once_and_is_read_anew_when_it_comes_back() {
        let start = Instant::now();
        let mut peers = PeerNodes::new("a", start);
        let unread = peers.observe(&[beat("b", 3, TIME)], TIME, start);
        peers.mark_read(&unread[0]);
        for second in 1..=15 {
            peers.observe(&[beat("b", 3, TIME)], TIME, after(start, second));
        }
        assert_eq!(peers.expire(after(start, 15)), []);
        assert_eq!(peers.expire(after(start, 16)), [("b".to_owned(), unread[0].source)]);
        assert_eq!(peers.expire(after(start, 17)), []);
        let again = peers.observe(&[beat("b", 3, TIME + 1)], TIME, after(start, 18));
        assert_eq!((again[0].after, again[0].source), (0, unread[0].source));
    }

    #[test]
    fn nobody_dies_of_a_pause_of_the_one_who_looks() {
        let start = Instant::now();
        let mut peers = PeerNodes::new("a", start);
        peers.observe(&[beat("b", 3, TIME)], TIME, start);
        peers.observe(&[beat("b", 3, TIME)], TIME, after(start, 60));
        assert_eq!(peers.expire(after(start, 60)), []);
    }

    #[test]
    fn a_node_that_was_dead_before_it_was_known_says_nothing_and_the_host_never_dies() {
        let start = Instant::now();
        let mut peers = PeerNodes::new("a", start);
        let beats = [beat("b", 3, TIME - 60_000), beat(HOST_NODE, 7, TIME - 60_000)];
        let unread = peers.observe(&beats, TIME, start);
        assert_eq!(unread.iter().map(|unread| unread.source).collect::<Vec<_>>(), [Source::HOST]);
        for second in 1..=60 {
            peers.observe(&beats, TIME, after(start, second));
        }
        assert_eq!(peers.expire(after(start, 60)), []);
    }
}
