//! The messages that came with people's present scopes. The component shows such a message for some time.

use std::collections::HashMap;

use crate::domain::{HOUR, LoggedEvent, Scope, Uid};

/// Time for which a message is shown, in milliseconds.
pub(super) const SHOWN_FOR: i64 = HOUR;

/// For each person, the last events that gave them a scope, with or without a message, or put them out, as long as a message would be
/// shown. Unlike in the replay buffer, events about others do not displace them.
#[derive(Default)]
pub(super) struct ScopeMessages {
    /// Oldest first.
    events: HashMap<Uid, Vec<ScopeEvent>>,
    /// When expired events were dropped last, Unix milliseconds.
    dropped_at: i64,
}

/// What is kept of an event for one person. It names nobody, so that an erasure has only that person to forget.
struct ScopeEvent {
    seq: u64,
    /// Unix time, in milliseconds.
    at: i64,
    /// The scope that it gave them; `None` when it put them out.
    scope: Option<Scope>,
    message: Option<String>,
    /// Whether it was undone. The undo can be undone too.
    is_undone: bool,
    /// The event that undid it or put it in force last; its own at first.
    changed_by: u64,
}

impl ScopeMessages {
    /// The messages after these events, oldest first.
    pub(super) fn after(events: &[LoggedEvent]) -> ScopeMessages {
        let mut messages = ScopeMessages::default();
        for event in events {
            messages.add(event);
        }
        messages
    }

    /// The message that this person, who has this scope, is shown at `now`, with the number of its event.
    pub(super) fn of(&self, uid: &Uid, scope: Scope, now: i64) -> Option<(u64, &str)> {
        let last = in_force(self.events.get(uid)?)?;
        let is_shown = last.scope == Some(scope) && now - last.at < SHOWN_FOR;
        last.message.as_deref().filter(|_| is_shown).map(|message| (last.seq, message))
    }

    /// Adds the group's next event.
    pub(super) fn add(&mut self, event: &LoggedEvent) {
        if event.at - self.dropped_at >= SHOWN_FOR {
            self.events.retain(|_, kept| kept.last().is_some_and(|last| event.at - last.at < SHOWN_FOR));
            self.dropped_at = event.at;
        }
        for touched in &event.touched {
            let of_event = |scope, message| ScopeEvent {
                seq: event.seq,
                at: event.at,
                scope,
                message,
                is_undone: false,
                changed_by: event.seq,
            };
            if let Some(undone) = event.undoes {
                self.toggle(&touched.uid, undone, event.seq);
            } else if event.kind.gives_scope() {
                let kept = self.events.entry(touched.uid.clone()).or_default();
                keep(kept, of_event(touched.new, event.message.clone()));
            } else if touched.new.is_none()
                && let Some(kept) = self.events.get_mut(&touched.uid)
                && in_force(kept).is_some_and(|last| last.scope.is_some())
            {
                keep(kept, of_event(None, None));
            }
        }
    }

    /// Forgets everybody but the members who still have the scope that came last.
    pub(super) fn forget_others(&mut self, scope_of: impl Fn(&Uid) -> Option<Scope>) {
        self.events.retain(|uid, kept| {
            let scope = in_force(kept).and_then(|last| last.scope);
            scope.is_some() && scope == scope_of(uid)
        });
    }

    /// Puts out of force what the event `undone` did to this person, so that the message before it is shown again; or puts that in
    /// force again, if `undone` was an undo itself. `by` is the event that did so.
    fn toggle(&mut self, uid: &Uid, undone: u64, by: u64) {
        for event in self.events.get_mut(uid).into_iter().flatten().filter(|event| event.changed_by == undone) {
            event.is_undone = !event.is_undone;
            event.changed_by = by;
        }
    }
}

/// The last event that is not undone.
fn in_force(kept: &[ScopeEvent]) -> Option<&ScopeEvent> {
    kept.iter().rev().find(|event| !event.is_undone)
}

/// Keeps the event, and the one before it: only the last act on somebody can be undone, and after it no earlier undo.
fn keep(kept: &mut Vec<ScopeEvent>, event: ScopeEvent) {
    kept.retain(|event| !event.is_undone);
    kept.push(event);
    if kept.len() > 2 {
        kept.remove(0);
    }
}
