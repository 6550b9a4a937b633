//! What people were told with the scope that they have now, which they read on the screen that they are looking at.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{EventKind, LoggedEvent, Uid};

/// So long it is shown, milliseconds.
const SHOWN: i64 = 3_600_000;

/// The events that gave people the scopes that they have, with or without a message, as far as one would still be shown. Unlike
/// the buffer of events it keeps each of them for its time, however much else happens.
#[derive(Default)]
pub(super) struct ScopeMessages {
    events: HashMap<Uid, Arc<LoggedEvent>>,
    /// When those that are over were dropped last.
    dropped_at: i64,
}

impl ScopeMessages {
    /// What this person was told with their scope, if that is shown still at `now`, milliseconds since the epoch.
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

    /// Adds what came before, oldest first.
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
