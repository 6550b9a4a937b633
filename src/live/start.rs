//! What runs for as long as a node lives.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::log_tail::follow;
use super::peer_nodes::sync_presence;
use super::wake::{self, Transport, Wake};
use crate::store::{Store, random_name};

/// How often leases are looked at.
const LEASES: Duration = Duration::from_millis(500);
/// How often memory is looked at.
const MEMORY: Duration = Duration::from_secs(10);

impl Hub {
    /// A hub over this store, which tells it of every commit, and over what carries words between
    /// nodes. `memory` is the budget for groups nobody streams, in bytes. Its tasks end when `stop`
    /// is cancelled.
    pub fn new(store: Store, transport: Option<Transport>, memory: u64, stop: CancellationToken) -> Hub {
        let board = store.board();
        let wake = transport.is_some().then(Wake::default);
        let hub = Hub::of(store, wake, board.is_some(), stop);
        let told = hub.clone();
        hub.store().on_commit(move |events| told.committed(events));
        // Tells this run of this node from every other.
        let node: Arc<str> = random_name().into();
        hub.spawn(follow(hub.clone()));
        if let Some(board) = board {
            hub.spawn(sync_presence(hub.clone(), board, node.clone()));
        }
        if let (Some(transport), Some(wake)) = (transport.map(Arc::new), hub.wake()) {
            hub.spawn(wake.clone().speak(transport.clone(), node.clone()));
            let (hearing, looking) = (hub.clone(), hub.clone());
            hub.spawn(wake::listen(transport, node, move |message| hearing.heard(message), move || looking.look()));
        }
        hub.every(LEASES, |hub| async move { hub.tell_statuses() });
        hub.every(MEMORY, move |hub| async move { hub.evict(memory) });
        hub
    }
}
