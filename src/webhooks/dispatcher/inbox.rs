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
    /// An operator requested something.
    pub(super) poll: AtomicBool,
    pub(super) changed: Notify,
}

impl Inbox {
    /// These events were committed.
    pub(in crate::webhooks) fn committed(&self, appended: &Appended) {
        if appended.logged.is_empty() && appended.outbox.is_empty() {
            return;
        }
        let of_groups = appended.logged.iter().map(|event| Lane::Group(event.guid.clone()));
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        for lane in of_groups.chain(appended.outbox.iter().cloned()) {
            if lanes.len() < MAX_WANTED {
                lanes.insert(lane);
            }
        }
        drop(lanes);
        self.changed.notify_one();
    }

    /// Polls at once.
    pub(in crate::webhooks) fn poll(&self) {
        self.poll.store(true, Ordering::Release);
        self.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_to_the_outbox_names_its_lanes_so_that_no_poll_is_needed() {
        let inbox = Inbox::default();
        let lanes = [Lane::Outbox(None), Lane::Presence(3)];
        inbox.committed(&Appended { logged: Vec::new(), outbox: lanes.to_vec() });
        assert_eq!(*inbox.lanes.lock().unwrap(), HashSet::from(lanes));
        assert!(!inbox.poll.load(Ordering::Acquire), "a poll reads every lane, whenever somebody comes or goes");
    }
}
