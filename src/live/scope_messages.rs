//! The messages that came with people's present scopes. The component shows such a message for some time.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{EventKind, LoggedEvent, Uid};

/// Time for which a message is shown, in milliseconds.
const SHOWN: i64 = 3_600_000;

/// The event that gave each person their present scope, with or without a message, as long as a message would be shown.
/// Unlike in the replay buffer, later events do not displace it.
#[derive(Default)]
pub(super) struct ScopeMessages {
    events: HashMap<Uid, Arc<LoggedEvent>>,
    /// When expired events were dropped last, milliseconds since the epoch.
    dropped_at: i64,
}

impl ScopeMessages {
    /// The event whose message this person is shown at `now`, milliseconds since the epoch.
    pub(super) fn of(&self, uid: &Uid, now: i64) -> Option<&Arc<LoggedEvent>> {
        self.events.get(uid).filter(|event| event.message.is_some() && now - event.at < SHOWN)
    }

    /// Adds the group's next event.
    pub(super) fn add(&mut self, event: &Arc<LoggedEvent>) {
        if event.at - self.dropped_at >= SHOWN {
            self.events.retain(|_, kept| event.at - kept.at < SHOWN);
            self.dropped_at = event.at;
        }
        for touched in &event.touched {
            if gives_scope(event) {
                self.events.insert(touched.uid.clone(), event.clone());
            } else if touched.new.is_none() {
                self.events.remove(&touched.uid);
            }
        }
    }

    /// Adds earlier events, oldest first.
    pub(super) fn add_older(&mut self, events: &[Arc<LoggedEvent>]) {
        for event in events.iter().rev().filter(|event| gives_scope(event)) {
            for touched in &event.touched {
                self.events.entry(touched.uid.clone()).or_insert_with(|| event.clone());
            }
        }
    }
}

fn gives_scope(event: &LoggedEvent) -> bool {
    matches!(event.kind, EventKind::MemberScopeChanged | EventKind::OwnerTransferred)
}
