//! Wake messages: they tell other nodes what has changed, a group's log, presence, or logouts and erasures, so that those read it at
//! once instead of at their next poll, once a second. `Hub::committed` (`live/hub.rs`) and others queue them,
//! `WakeQueue::publish_forever` sends them by `transport.rs`, and `Hub::wake_received` handles those of others; the groups that they
//! announce are `Announced` (`announced.rs`) until `follow_wakes` (`live/catch_up_many.rs`) has read them.
//!
//! Not here: the events. A message that is lost, repeated, late or reordered only changes when a node polls.

mod announced;
mod message;
mod transport;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::domain::Guid;

pub(super) use announced::Announced;
pub(super) use message::WakeMessage;
pub use transport::{Transport, TransportError};

/// Least time between two messages; what happens in between shares the next one.
const MIN_INTERVAL: Duration = Duration::from_millis(10);
/// Time after which a message that cannot be published is dropped.
const PUBLISH_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause after a failed receive.
const RETRY: Duration = Duration::from_millis(500);

/// The messages that this node has yet to publish.
#[derive(Clone, Default)]
pub(super) struct WakeQueue(Arc<Inner>);

#[derive(Default)]
struct Inner {
    unpublished: Mutex<Unpublished>,
    added: Notify,
}

/// Groups with their last event, and whether presence or something about people changed.
#[derive(Default)]
struct Unpublished {
    heads: HashMap<Guid, u64>,
    presence: bool,
    people: bool,
}

impl WakeQueue {
    /// Queues that this group is at this event.
    pub(super) fn announce_group(&self, guid: &Guid, seq: u64) {
        self.add(|unpublished| {
            let head = unpublished.heads.entry(guid.clone()).or_default();
            *head = seq.max(*head);
        });
    }

    /// Queues that presence changed.
    pub(super) fn announce_presence(&self) {
        self.add(|unpublished| unpublished.presence = true);
    }

    /// Queues that somebody was logged out or erased.
    pub(super) fn announce_people(&self) {
        self.add(|unpublished| unpublished.people = true);
    }

    fn add(&self, add: impl FnOnce(&mut Unpublished)) {
        add(&mut self.0.unpublished.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.added.notify_one();
    }

    fn take(&self) -> Unpublished {
        std::mem::take(&mut self.0.unpublished.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes what is queued, until it is dropped.
    pub(super) async fn publish_forever(self, transport: Arc<Transport>, node: Arc<str>) {
        let mut healthy = true;
        loop {
            self.0.added.notified().await;
            let unpublished = self.take();
            for message in WakeMessage::encode(&node, unpublished.heads, unpublished.presence, unpublished.people) {
                let published =
                    timeout(PUBLISH_TIMEOUT, transport.publish(message)).await.unwrap_or(Err(TransportError::Slow));
                metrics::counter!("chat_group_members_wakes_said_total").increment(1);
                log_change(&mut healthy, published.as_ref().err());
            }
            sleep(MIN_INTERVAL).await;
        }
    }
}

/// Receives until it is dropped: `handle` gets every message of another node, `lost` is called when
/// messages may have been lost.
pub(super) async fn receive_forever(
    transport: Arc<Transport>,
    node: Arc<str>,
    handle: impl Fn(WakeMessage<'_>),
    lost: impl Fn(),
) {
    let mut healthy = true;
    loop {
        let received = transport.receive().await;
        log_change(&mut healthy, received.as_ref().err());
        match received {
            Ok(message) => {
                WakeMessage::decode(&message).into_iter().filter(|message| *message.node != *node).for_each(&handle);
            }
            Err(_) => {
                lost();
                sleep(RETRY).await;
            }
        }
    }
}

/// Logs once when the transport fails, and once when it recovers.
fn log_change(healthy: &mut bool, error: Option<&TransportError>) {
    match error {
        Some(error) if *healthy => {
            tracing::warn!(%error, "the wake transport fails; other nodes notice changes by polling, within two seconds");
        }
        None if !*healthy => tracing::info!("the wake transport works again"),
        _ => {}
    }
    *healthy = error.is_none();
}
