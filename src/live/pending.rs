//! Changes that subscribers have not been sent yet. Rows are always rendered anew from the roster; events are kept for those who follow
//! them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::domain::{Ending, EventKind, LoggedEvent, PresenceMode, TouchedMember, Uid};

/// Everything that happened since the last broadcast.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    /// Members whose membership changed in any way.
    pub dirty: BTreeSet<Uid>,
    /// The people of `dirty` whose change is visible only to moderators and up, and to themselves.
    pub hidden_from_participants: BTreeSet<Uid>,
    /// Members whose own component is rendered again, since their rights, or until when they have them, have changed.
    pub renewed: BTreeSet<Uid>,
    /// Members whose status changed.
    pub statuses: BTreeSet<Uid>,
    /// Members whose status is sent again: a screen may have its window from a node that did not know it
    /// yet.
    pub resend_status: BTreeSet<Uid>,
    /// The presence mode of the last broadcast, when it differs from the present one.
    pub mode_was: Option<PresenceMode>,
    /// The events, in order.
    pub events: Vec<Arc<LoggedEvent>>,
    /// Everybody whom an event has put out, each with what the last such event says to them; also people who are members again.
    /// Complete even when more happened than `events` keeps.
    pub departed: HashMap<Uid, Ending>,
    /// Whether the totals are sent: they differ from those of the last broadcast, or statuses are sent again.
    pub totals: bool,
    /// Whether the group itself changed.
    pub group: bool,
    /// Whether templates changed.
    pub templates: bool,
    /// Whether too much changed to send it: every screen fetches its window again.
    pub resync: bool,
    /// Like `resync`, for moderators and up alone: participants do not see the changes that are too many.
    pub staff_resync: bool,
    /// Whether `events` has a gap, because more happened than is kept.
    pub truncated: bool,
    /// The number of the first event that was dropped from `events` and that only its subject and moderators and up may see, if any
    /// was. The last event is always there.
    pub hidden_from: Option<u64>,
}

impl Pending {
    /// Above this number of members, fetching a window again is cheaper than sending each.
    const MAX_CHANGES: usize = 500;
    /// Above this number of statuses, a status is sent as a patch of a few bytes instead of a row.
    const MAX_STATUS_ROWS: usize = 50;
    /// Events kept until the next broadcast.
    const MAX_EVENTS: usize = 1000;

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        !self.is_of_statuses() && !self.is_urgent() && !self.templates
    }

    /// Whether only templates changed.
    pub fn is_only_templates(&self) -> bool {
        self.templates && !self.is_of_statuses() && !self.is_urgent()
    }

    fn is_of_statuses(&self) -> bool {
        !self.statuses.is_empty() || !self.resend_status.is_empty() || self.mode_was.is_some()
    }

    /// Whether there is anything to send besides statuses.
    pub fn is_urgent(&self) -> bool {
        !self.dirty.is_empty() || !self.events.is_empty() || self.group || self.resync
    }

    /// Whether statuses are few enough to be sent as rows.
    pub fn has_few_statuses(&self) -> bool {
        self.statuses.len() + self.resend_status.len() <= Pending::MAX_STATUS_ROWS
    }

    /// Whether this person gets other bytes than everybody else, because their own row is among them.
    pub fn is_about(&self, uid: &Uid) -> bool {
        let status = || self.statuses.contains(uid) || self.resend_status.contains(uid);
        self.dirty.contains(uid) || (self.has_few_statuses() && status())
    }

    /// Adds an event.
    pub fn add(&mut self, event: Arc<LoggedEvent>) {
        self.record(&event);
        for TouchedMember { uid, .. } in event.touched.iter().filter(|touched| touched.new.is_none()) {
            if event.kind == EventKind::MemberUnbanned {
                // Why they are out is the ban, though it is over.
                if let Some(ending) = self.departed.get_mut(uid) {
                    *ending = ending.clone().without_ban();
                }
            } else if event.kind.is_of_membership() {
                self.departed.insert(uid.clone(), Ending::of(&event));
            }
        }
        if self.events.len() == Pending::MAX_EVENTS {
            self.drop_events();
        }
        self.events.push(event);
    }

    /// Drops the events that participants may not see, so that participants miss nothing; or all events, when the others are many.
    fn drop_events(&mut self) {
        self.hidden_from = self.hidden_from.or(self.events.first().map(|event| event.seq));
        self.staff_resync = true;
        self.events.retain(|event| !event.kind.for_moderators_only());
        // At least half of the room is freed: otherwise every further event would scan the remaining ones again.
        if self.events.len() > Pending::MAX_EVENTS / 2 {
            self.events.clear();
            (self.resync, self.truncated) = (true, true);
        }
    }

    /// The events before the group was deleted; `None` when there are none, or more than are kept: nobody can fetch a window of that
    /// group any more.
    pub(super) fn before_deletion(mut self) -> Option<Pending> {
        self.events.retain(|event| event.kind != EventKind::GroupDeleted);
        if self.events.is_empty() || self.resync || self.truncated || self.hidden_from.is_some() {
            return None;
        }
        Some(Pending { staff_resync: false, templates: false, mode_was: None, ..self })
    }

    /// The events that a resuming stream has missed; all of them are sent.
    pub fn missed(events: Vec<Arc<LoggedEvent>>) -> Pending {
        let mut pending = Pending::default();
        for event in &events {
            pending.record(event);
        }
        Pending { events, ..pending }
    }

    fn record(&mut self, event: &LoggedEvent) {
        // No row shows that there are notes.
        for TouchedMember { uid, .. } in event.touched.iter().filter(|_| !event.kind.is_of_note()) {
            let is_first = self.dirty.insert(uid.clone());
            // The notice that says until when they have a scope, or are muted, changes also when the scope stays.
            if event.kind == EventKind::MemberScopeChanged || event.kind.is_for_its_subject() {
                self.renewed.insert(uid.clone());
            }
            if !event.kind.for_moderators_only() {
                self.hidden_from_participants.remove(uid);
            } else if is_first {
                self.hidden_from_participants.insert(uid.clone());
            }
        }
        let unnamed = event.kind == EventKind::MembersSynced && event.touched.is_empty();
        // Participants are not sent the members of `hidden_from_participants`, so only the others count towards their limit.
        self.resync |= unnamed || self.dirty.len() - self.hidden_from_participants.len() > Pending::MAX_CHANGES;
        self.staff_resync |= self.dirty.len() > Pending::MAX_CHANGES;
        self.group |= event.kind == EventKind::GroupUpdated;
        if self.resync {
            self.dirty.clear();
            self.hidden_from_participants.clear();
        }
    }
}

/// The first content of a new stream: the missed events, if it resumes.
#[derive(Debug, Clone)]
pub enum Replay {
    /// It does not resume: it begins with the present state.
    FromNow,
    /// These events, gapless, oldest first; none when nothing was missed.
    Events(Vec<Arc<LoggedEvent>>),
    /// The missed events are unknown: the stream begins with a resync.
    Resync,
}
