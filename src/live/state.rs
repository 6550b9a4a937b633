//! What is known of a group in memory: its roster, what was not told yet, and its last events.

use std::sync::Arc;

use super::news::News;
use super::recent::Recent;
use crate::domain::{EventId, Guid, Logged, PresenceMode};
use crate::roster::Roster;

/// The roster with what was not told yet: moved together, so that nobody claims an event that was
/// not delivered.
pub struct State {
    guid: Guid,
    epoch: Arc<str>,
    pub(super) roster: Roster,
    pub(super) news: News,
    pub(super) recent: Recent,
    pub(super) presence_mode: PresenceMode,
    /// When the roster's last event happened.
    pub(super) at: i64,
    pub(super) deleted: bool,
}

impl State {
    pub(super) fn new(roster: Roster, guid: Guid, epoch: Arc<str>, at: i64) -> State {
        State {
            guid,
            epoch,
            presence_mode: PresenceMode::Rows.with_online(roster.online_len()),
            roster,
            news: News::default(),
            recent: Recent::default(),
            at,
            deleted: false,
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

    /// The id of the last event that is included.
    pub fn last_id(&self) -> EventId {
        self.id(self.roster.seq())
    }

    /// The members.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Whether the group is no more.
    pub fn is_deleted(&self) -> bool {
        self.deleted
    }

    /// How live statuses are at the moment.
    pub fn presence_mode(&self) -> PresenceMode {
        self.presence_mode
    }

    /// What happened last, when it is still at hand.
    pub fn last_event(&self) -> Option<&Arc<Logged>> {
        self.recent.last()
    }

    /// The events after `since`, when they are all still at hand.
    pub(super) fn since(&self, since: u64) -> Option<Vec<Arc<Logged>>> {
        self.recent.since(since, self.roster.seq())
    }

    /// Chooses the mode anew: whenever the number of people online may be another one.
    pub(super) fn choose_presence_mode(&mut self) {
        let mode = self.presence_mode.with_online(self.roster.online_len());
        if mode != self.presence_mode {
            self.news.mode_was.get_or_insert(self.presence_mode);
            self.presence_mode = mode;
        }
    }

    pub(super) fn remember(&mut self, event: Arc<Logged>) {
        self.at = event.at;
        self.recent.add(event.clone());
        self.news.add(event);
    }
}
