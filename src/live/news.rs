//! What a stream is told: never a delta, always who was touched.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domain::{Kind, Logged, PresenceMode, Uid};

/// What happened since the audience was last told.
#[derive(Debug, Clone, Default)]
pub struct News {
    /// Whose membership changed in any way.
    pub touched: BTreeSet<Uid>,
    /// Whose status changed.
    pub statuses: BTreeSet<Uid>,
    /// Whose status is told to screens once more: one may have had its window from a node that did not
    /// know it yet.
    pub again: BTreeSet<Uid>,
    /// How live statuses were when the audience was last told, when that is not how they are now.
    pub mode_was: Option<PresenceMode>,
    /// The events, in order.
    pub events: Vec<Arc<Logged>>,
    /// Whether the group itself changed.
    pub group: bool,
    /// Whether views are drawn in another way than before.
    pub views: bool,
    /// Whether more was touched than can be told: everybody looks again.
    pub everything: bool,
    /// Whether `events` has a gap: more happened than is kept.
    pub gap: bool,
}

impl News {
    /// Above so many touched members, telling them one by one costs more than looking again.
    const MANY: usize = 500;
    /// Above so many statuses, each of them is a word and not a row.
    const FEW: usize = 50;
    /// Events kept for an audience that has yet to be told.
    const KEPT: usize = 1000;

    /// Whether there is anything to tell.
    pub fn is_empty(&self) -> bool {
        !self.is_of_statuses() && !self.is_urgent() && !self.views
    }

    /// Whether the group is as it was, and only views are drawn in another way.
    pub fn is_only_views(&self) -> bool {
        self.views && !self.is_of_statuses() && !self.is_urgent()
    }

    fn is_of_statuses(&self) -> bool {
        !self.statuses.is_empty() || !self.again.is_empty() || self.mode_was.is_some()
    }

    /// Whether anything but statuses is to be told.
    pub fn is_urgent(&self) -> bool {
        !self.touched.is_empty() || !self.events.is_empty() || self.group || self.everything
    }

    /// Whether each status that changed may be told at length.
    pub fn has_few_statuses(&self) -> bool {
        self.statuses.len() + self.again.len() <= News::FEW
    }

    /// Whether they are other bytes for this person than for everybody else: about themselves.
    pub fn is_about(&self, uid: &Uid) -> bool {
        let status = || self.statuses.contains(uid) || self.again.contains(uid);
        self.touched.contains(uid) || (self.has_few_statuses() && status())
    }

    /// Adds an event.
    pub fn add(&mut self, event: Arc<Logged>) {
        self.note(&event);
        if self.events.len() == News::KEPT {
            self.events.clear();
            (self.everything, self.gap) = (true, true);
        }
        self.events.push(event);
    }

    /// What somebody has missed who comes back, as news: every event of it is told.
    pub fn missed(events: Vec<Arc<Logged>>) -> News {
        let mut news = News::default();
        for event in &events {
            news.note(event);
        }
        News { events, ..news }
    }

    fn note(&mut self, event: &Logged) {
        self.touched.extend(event.touched.iter().map(|touched| touched.uid.clone()));
        let untold = event.kind == Kind::MembersSynced && event.touched.is_empty();
        self.everything |= untold || self.touched.len() > News::MANY;
        self.group |= event.kind == Kind::GroupUpdated;
        if self.everything {
            self.touched.clear();
        }
    }
}

/// What a stream that comes (back) has missed.
#[derive(Debug, Clone)]
pub enum Backlog {
    /// It named no id: it begins now.
    Fresh,
    /// These events, gapless, oldest first; none when nothing was missed.
    Events(Vec<Arc<Logged>>),
    /// It cannot be said: look again.
    Unknown,
}
