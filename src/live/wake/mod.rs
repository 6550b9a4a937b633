//! Tells other nodes that there is news, never what it is: a word that is lost, doubled, late or out
//! of order changes when a node looks, and nothing else. The node that hears none looks each second.

mod carrier;
mod word;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::domain::Guid;

pub use carrier::{Carrier, CarrierError};
pub(super) use word::Word;

/// What happens within so long after a word shares the next one.
const BREATH: Duration = Duration::from_millis(10);
/// A word that cannot be said by then is dropped.
const PATIENCE: Duration = Duration::from_secs(1);
/// Before it is tried again to hear, after that failed.
const RETRY: Duration = Duration::from_millis(500);

/// What this node has to tell the others.
#[derive(Clone, Default)]
pub struct Wake(Arc<Inner>);

#[derive(Default)]
struct Inner {
    untold: Mutex<Untold>,
    told: Notify,
}

/// Groups with their last event, and whether it is another matter who is there.
#[derive(Default)]
struct Untold {
    heads: HashMap<Guid, u64>,
    presence: bool,
}

impl Wake {
    /// This group is at this event.
    pub(super) fn group(&self, guid: &Guid, seq: u64) {
        self.add(|untold| {
            let head = untold.heads.entry(guid.clone()).or_default();
            *head = seq.max(*head);
        });
    }

    /// Other people are there than before.
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

    /// Carries what this node has to tell, for as long as it lives.
    pub(super) async fn speak(self, carrier: Arc<Carrier>, node: Arc<str>) {
        let mut well = true;
        loop {
            self.0.told.notified().await;
            let untold = self.take();
            for word in Word::all(&node, untold.heads, untold.presence) {
                let said = timeout(PATIENCE, carrier.say(word)).await.unwrap_or(Err(CarrierError::Slow));
                metrics::counter!("wakes_said_total").increment(1);
                note(&mut well, said.as_ref().err());
            }
            sleep(BREATH).await;
        }
    }
}

/// Hears what other nodes tell, for as long as this one lives: `heard` is given every word of theirs,
/// `lost` is called when some may have been lost.
pub(super) async fn listen(carrier: Arc<Carrier>, node: Arc<str>, heard: impl Fn(Word<'_>), lost: impl Fn()) {
    let mut well = true;
    loop {
        let said = carrier.hear().await;
        note(&mut well, said.as_ref().err());
        match said {
            Ok(word) => Word::read(&word).into_iter().filter(|word| *word.node != *node).for_each(&heard),
            Err(_) => {
                lost();
                sleep(RETRY).await;
            }
        }
    }
}

/// Logs when the carrier fails and when it is well again, once each.
fn note(well: &mut bool, error: Option<&CarrierError>) {
    match error {
        Some(error) if *well => {
            tracing::warn!(%error, "the carrier of wakes fails; other nodes see what happens within a second or two")
        }
        None if !*well => tracing::info!("the carrier of wakes is well again"),
        _ => {}
    }
    *well = error.is_none();
}
