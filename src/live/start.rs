//! What runs for as long as a node lives.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::follow::follow;
use super::hub::Hub;
use super::neighbours::exchange;
use super::wake::{self, Carrier, Wake};
use crate::store::{Store, random_name};

/// How often leases are looked at.
const LEASES: Duration = Duration::from_millis(500);
/// How often memory is looked at.
const MEMORY: Duration = Duration::from_secs(10);

impl Hub {
    /// A hub over this store, which tells it of every commit, and over what carries words between
    /// nodes. `memory` is the budget for groups nobody streams, in bytes. Its tasks end when `stop`
    /// is cancelled.
    pub fn new(store: Store, carrier: Option<Carrier>, memory: u64, stop: CancellationToken) -> Hub {
        let board = store.board();
        let wake = carrier.is_some().then(Wake::default);
        let hub = Hub::of(store, wake, board.is_some(), stop);
        let told = hub.clone();
        hub.store().on_commit(move |events| told.committed(events));
        // Tells this run of this node from every other.
        let node: Arc<str> = random_name().into();
        hub.spawn(follow(hub.clone()));
        if let Some(board) = board {
            hub.spawn(exchange(hub.clone(), board, node.clone()));
        }
        if let (Some(carrier), Some(wake)) = (carrier.map(Arc::new), hub.wake()) {
            hub.spawn(wake.clone().speak(carrier.clone(), node.clone()));
            let (hearing, looking) = (hub.clone(), hub.clone());
            hub.spawn(wake::listen(carrier, node, move |word| hearing.heard(word), move || looking.look()));
        }
        hub.every(LEASES, |hub| async move { hub.tell_statuses() });
        hub.every(MEMORY, move |hub| async move { hub.evict(memory) });
        hub
    }
}
