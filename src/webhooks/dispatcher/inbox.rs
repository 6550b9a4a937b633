//! Messages to one dispatcher from the rest of its node.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::store::{Appended, Lane};

/// Lanes that are remembered; a poll finds the others.
pub(super) const MAX_WANTED: usize = 10_000;

/// The lanes with commits since the dispatcher's last poll.
#[derive(Default)]
pub(in crate::webhooks) struct Inbox {
    pub(super) lanes: Mutex<HashSet<Lane>>,
    /// The outbox has new entries, or an operator requested something.
    pub(super) poll: AtomicBool,
    pub(super) changed: Notify,
}

impl Inbox {
    /// These events were committed.
    pub(in crate::webhooks) fn committed(&self, appended: &Appended) {
        if appended.logged.is_empty() && !appended.outbox {
            return;
        }
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        for event in &appended.logged {
            if lanes.len() < MAX_WANTED {
                lanes.insert(Lane::Group(event.guid.clone()));
            }
        }
        drop(lanes);
        if appended.outbox {
            self.poll.store(true, Ordering::Release);
        }
        self.changed.notify_one();
    }

    /// Polls at once.
    pub(in crate::webhooks) fn poll(&self) {
        self.poll.store(true, Ordering::Release);
        self.changed.notify_one();
    }
}
