//! The state of a group in memory: the roster, pending changes, and the last events.

use std::sync::Arc;

use super::pending::Pending;
use super::presence::Presences;
use super::replay_buffer::ReplayBuffer;
use super::scope_messages::ScopeMessages;
use crate::domain::{EventId, EventKind, Guid, LoggedEvent, PresenceMode, Standing, Uid};
use crate::roster::Roster;

/// The roster and the pending changes, changed under one lock: no stream claims an event that was not delivered.
pub struct GroupState {
    guid: Guid,
    epoch: Arc<str>,
    pub(super) roster: Roster,
    pub(super) pending: Pending,
    pub(super) replay_buffer: ReplayBuffer,
    pub(super) scope_messages: ScopeMessages,
    pub(super) presence_mode: PresenceMode,
    /// The numbers of members and of people online at the last broadcast.
    pub(super) sent_totals: (usize, usize),
    /// When the roster's last event happened, Unix milliseconds.
    pub(super) at: i64,
    pub(super) deleted: bool,
    /// The last event when an erasure rewrote the log: streams from before it cannot resume.
    pub(super) rewritten_seq: u64,
}

impl GroupState {
    pub(super) fn new(roster: Roster, guid: Guid, epoch: Arc<str>, at: i64, rewritten_seq: u64) -> GroupState {
        GroupState {
            guid,
            epoch,
            presence_mode: PresenceMode::Rows.with_online(roster.online_len()),
            sent_totals: (roster.len(), roster.online_len()),
            roster,
            pending: Pending::default(),
            replay_buffer: ReplayBuffer::default(),
            scope_messages: ScopeMessages::default(),
            at,
            deleted: false,
            rewritten_seq,
        }
    }

    /// The group's id.
    pub fn guid(&self) -> &Guid {
        &self.guid
    }

    /// The id of an event of this group.
    pub fn id(&self, seq: u64) -> EventId {
        EventId { epoch: self.epoch.clone(), seq }
    }

    /// The number of the last event that an erasure has rewritten.
    pub fn rewritten_seq(&self) -> u64 {
        self.rewritten_seq
    }

    /// The id of the last event that is included.
    pub fn last_id(&self) -> EventId {
        self.id(self.roster.seq())
    }

    /// The members.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The person's standing in the group at `now`, Unix milliseconds. A scope for a time that ran out counts as ended also before
    /// the sweep takes it back. Everybody who is no member is outside, also the banned, who are not in memory.
    pub fn standing_at(&self, uid: &Uid, now: i64) -> Standing {
        let member = self.roster.get(uid.as_str());
        member.map_or(Standing::Outside, |member| Standing::Member(member.scope_at(now)))
    }

    /// Whether the group is no more.
    pub fn is_deleted(&self) -> bool {
        self.deleted
    }

    /// How live statuses currently are.
    pub fn presence_mode(&self) -> PresenceMode {
        self.presence_mode
    }

    /// The last event, if the buffer holds it.
    pub fn last_event(&self) -> Option<&Arc<LoggedEvent>> {
        self.replay_buffer.last()
    }

    /// The number and the message of the event that gave this member their scope, if the message is shown still at `now`, Unix milliseconds.
    pub fn scope_message(&self, uid: &Uid, now: i64) -> Option<(u64, &str)> {
        let scope = self.roster.get(uid.as_str())?.scope;
        self.scope_messages.of(uid, scope, now)
    }

    /// When the last event happened, Unix milliseconds.
    pub fn changed_at(&self) -> i64 {
        self.at
    }

    /// The events after `since`, if the buffer holds them all and no erasure has rewritten any of them.
    pub(super) fn since(&self, since: u64) -> Option<Vec<Arc<LoggedEvent>>> {
        if since < self.rewritten_seq { None } else { self.replay_buffer.since(since, self.roster.seq()) }
    }

    /// Chooses the mode again, after the number of people online may have changed.
    pub(super) fn choose_presence_mode(&mut self) {
        let mode = self.presence_mode.with_online(self.roster.online_len());
        if mode != self.presence_mode {
            self.pending.mode_was.get_or_insert(self.presence_mode);
            self.presence_mode = mode;
        }
    }

    /// Takes over what somebody's status is now, if they are a member; whether it changes something.
    pub(super) fn take_status(&mut self, uid: &Uid, presences: &Presences) -> bool {
        self.roster.get(uid.as_str()).is_some() && self.roster.set_status(uid, presences.last_sent_or_offline(uid))
    }

    pub(super) fn remember(&mut self, event: Arc<LoggedEvent>) {
        self.at = event.at;
        if event.kind == EventKind::GroupCreated {
            self.discard_events_before_recreation();
        }
        self.scope_messages.add(&event);
        self.replay_buffer.add(event.clone());
        self.pending.add(event);
    }

    /// The group was deleted and made again before this node read either: what is left of before is not sent, since its members of now may
    /// not have seen it.
    fn discard_events_before_recreation(&mut self) {
        self.scope_messages = ScopeMessages::default();
        self.replay_buffer = ReplayBuffer::default();
        self.pending.events.clear();
        (self.pending.resync, self.pending.truncated) = (true, true);
    }
}
