//! Wake messages: they tell other nodes that a group's log has grown, so that those read it at once instead of at their
//! next poll, once a second.
//!
//! Not here: the events. A message that is lost, repeated, late or reordered only changes when a node polls.

mod message;
mod transport;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::domain::Guid;

pub(super) use message::WakeMessage;
pub use transport::{Transport, TransportError};

/// Least time between two messages; what happens in between shares the next one.
const BREATH: Duration = Duration::from_millis(10);
/// Time after which a message that cannot be published is dropped.
const PATIENCE: Duration = Duration::from_secs(1);
/// Pause after a failed receive.
const RETRY: Duration = Duration::from_millis(500);

/// What this node has yet to publish.
#[derive(Clone, Default)]
pub(super) struct Wake(Arc<Inner>);

#[derive(Default)]
struct Inner {
    untold: Mutex<Untold>,
    told: Notify,
}

/// Groups with their last event, and whether presence changed.
#[derive(Default)]
struct Untold {
    heads: HashMap<Guid, u64>,
    presence: bool,
}

impl Wake {
    /// Publishes that this group is at this event.
    pub(super) fn group(&self, guid: &Guid, seq: u64) {
        self.add(|untold| {
            let head = untold.heads.entry(guid.clone()).or_default();
            *head = seq.max(*head);
        });
    }

    /// Publishes that presence changed.
    pub(super) fn presence(&self) {
        self.add(|untold| untold.presence = true);
    }

    fn add(&self, add: impl FnOnce(&mut Untold)) {
        add(&mut self.0.untold.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.told.notify_one();
    }

    fn take(&self) -> Untold {
        std::mem::take(&mut self.0.untold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes what this node notes, until it is dropped.
    pub(super) async fn speak(self, transport: Arc<Transport>, node: Arc<str>) {
        let mut well = true;
        loop {
            self.0.told.notified().await;
            let untold = self.take();
            for message in WakeMessage::all(&node, untold.heads, untold.presence) {
                let said = timeout(PATIENCE, transport.publish(message)).await.unwrap_or(Err(TransportError::Slow));
                metrics::counter!("wakes_said_total").increment(1);
                note(&mut well, said.as_ref().err());
            }
            sleep(BREATH).await;
        }
    }
}

/// Receives until it is dropped: `heard` gets every message of another node, `lost` is called when
/// messages may have been lost.
pub(super) async fn listen(
    transport: Arc<Transport>,
    node: Arc<str>,
    heard: impl Fn(WakeMessage<'_>),
    lost: impl Fn(),
) {
    let mut well = true;
    loop {
        let said = transport.receive().await;
        note(&mut well, said.as_ref().err());
        match said {
            Ok(message) => {
                WakeMessage::read(&message).into_iter().filter(|message| *message.node != *node).for_each(&heard);
            }
            Err(_) => {
                lost();
                sleep(RETRY).await;
            }
        }
    }
}

/// Logs once when the transport fails, and once when it recovers.
fn note(well: &mut bool, error: Option<&TransportError>) {
    match error {
        Some(error) if *well => {
            tracing::warn!(%error, "the wake transport fails; other nodes notice changes by polling, within two seconds");
        }
        None if !*well => tracing::info!("the wake transport works again"),
        _ => {}
    }
    *well = error.is_none();
}
