//! Starts the tasks of a hub.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::catch_up_many::follow_wakes;
use super::hub::Hub;
use super::log_tail::follow;
use super::presence_sync::sync_presence;
use super::wake::{self, Transport, WakeQueue};
use crate::store::{Store, random_id};

/// Interval of the check for statuses that changed with time.
const STATUS_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Interval of the check of the memory budget.
const EVICTION_INTERVAL: Duration = Duration::from_secs(10);

impl Hub {
    /// A running hub over this store and this transport between nodes. `memory` is the budget for groups
    /// without streams, in bytes. Its tasks end when `stop` is cancelled.
    pub fn start(store: Store, transport: Option<Transport>, memory: u64, stop: CancellationToken) -> Hub {
        let presence = store.presence_table();
        let wake = transport.is_some().then(WakeQueue::default);
        let hub = Hub::idle(store, wake, presence.is_some(), stop);
        let committer = hub.clone();
        hub.store().on_commit(move |appended| committer.committed(&appended.logged));
        // Unique to this run of this node.
        let node: Arc<str> = random_id().into();
        hub.spawn(follow(hub.clone()));
        if let Some(presence) = presence {
            hub.spawn(sync_presence(hub.clone(), presence, node.clone()));
        }
        if let (Some(transport), Some(wake)) = (transport.map(Arc::new), hub.wake()) {
            hub.spawn(wake.clone().publish_forever(transport.clone(), node.clone()));
            hub.spawn(follow_wakes(hub.clone()));
            let (receiver, poller) = (hub.clone(), hub.clone());
            hub.spawn(wake::receive_forever(
                transport,
                node,
                move |message| receiver.wake_received(message),
                move || poller.poll_now(),
            ));
        }
        hub.every(STATUS_CHECK_INTERVAL, |hub| async move { hub.note_status_changes() });
        hub.every(EVICTION_INTERVAL, move |hub| async move { hub.evict(memory) });
        hub
    }
}
