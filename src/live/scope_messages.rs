//! The messages that came with people's present scopes. The component shows such a message for some time.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{HOUR, LoggedEvent, Uid};

/// Time for which a message is shown, in milliseconds.
const SHOWN_FOR: i64 = HOUR;

/// For each person, the last events that gave them a scope, with or without a message, or put them out, as long as a message would be
/// shown. Unlike in the replay buffer, events about others do not displace them.
#[derive(Default)]
pub(super) struct ScopeMessages {
    /// Oldest first, without the acts that were undone.
    events: HashMap<Uid, Vec<Arc<LoggedEvent>>>,
    /// When expired events were dropped last, milliseconds since the epoch.
    dropped_at: i64,
}

impl ScopeMessages {
    /// The event whose message this person is shown at `now`, milliseconds since the epoch.
    pub(super) fn of(&self, uid: &Uid, now: i64) -> Option<&Arc<LoggedEvent>> {
        let last = self.events.get(uid)?.last()?;
        (last.kind.gives_scope() && last.message.is_some() && now - last.at < SHOWN_FOR).then_some(last)
    }

    /// Adds the group's next event.
    pub(super) fn add(&mut self, event: &Arc<LoggedEvent>) {
        if event.at - self.dropped_at >= SHOWN_FOR {
            self.events.retain(|_, kept| kept.last().is_some_and(|last| event.at - last.at < SHOWN_FOR));
            self.dropped_at = event.at;
        }
        for touched in &event.touched {
            if let Some(undone) = event.undoes {
                self.put_back(&touched.uid, undone);
            } else if event.kind.gives_scope() {
                keep(self.events.entry(touched.uid.clone()).or_default(), event);
            } else if touched.new.is_none()
                && let Some(kept) = self.events.get_mut(&touched.uid)
                && kept.last().is_some_and(|last| last.kind.gives_scope())
            {
                keep(kept, event);
            }
        }
    }

    /// Adds earlier events, oldest first.
    pub(super) fn add_older(&mut self, events: &[Arc<LoggedEvent>]) {
        let mut older = ScopeMessages::default();
        for event in events {
            older.add(event);
        }
        for (uid, kept) in older.events {
            self.events.entry(uid).or_insert(kept);
        }
    }

    /// Removes the event `undone` of this person, so that the message before it is shown again.
    fn put_back(&mut self, uid: &Uid, undone: u64) {
        if let Some(kept) = self.events.get_mut(uid) {
            kept.retain(|event| event.seq != undone);
            if kept.is_empty() {
                self.events.remove(uid);
            }
        }
    }
}

/// Keeps the event, and the one before it: only the last act on somebody can be undone.
fn keep(kept: &mut Vec<Arc<LoggedEvent>>, event: &Arc<LoggedEvent>) {
    kept.push(event.clone());
    if kept.len() > 2 {
        kept.remove(0);
    }
}
