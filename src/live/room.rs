//! One group in memory on this node: its roster, what its audience has not been told yet, and its
//! last events.

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::Notify;

use super::audience::Audience;
use super::news::News;
use super::presence::Presences;
use super::recent::Recent;
use super::state::State;
use crate::domain::{EventId, Guid, Kind, Logged, Uid};
use crate::roster::{Presence, Roster};
use crate::store::{Mark, Snapshot, Store, StoreError};

/// Members that are caught up one by one; more are loaded afresh.
const CATCH_UP: usize = 2000;

/// A group in memory.
pub struct Room {
    guid: Guid,
    epoch: Arc<str>,
    state: RwLock<State>,
    pub(super) audience: Mutex<Audience>,
    /// There are news.
    pub(super) wake: Notify,
    catching_up: tokio::sync::Mutex<()>,
    recalling: tokio::sync::Mutex<()>,
    used_at: AtomicI64,
}

impl Room {
    pub(super) fn new(snapshot: Snapshot, epoch: Arc<str>, presences: &Presences, now: i64) -> Room {
        let (guid, at) = (snapshot.group.guid.clone(), snapshot.at);
        let mut roster = Roster::new(snapshot, now);
        tell_statuses(&mut roster, presences);
        let state = State::new(roster, guid.clone(), epoch.clone(), at);
        Room {
            guid,
            epoch,
            state: RwLock::new(state),
            audience: Mutex::default(),
            wake: Notify::new(),
            catching_up: tokio::sync::Mutex::default(),
            recalling: tokio::sync::Mutex::default(),
            used_at: AtomicI64::new(now),
        }
    }

    /// The group's id.
    pub fn guid(&self) -> &Guid {
        &self.guid
    }

    /// The members as they are now; held only while something is rendered.
    pub fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last event it includes.
    pub(super) fn mark(&self) -> Mark {
        let state = self.state();
        Mark { guid: self.guid.clone(), seq: state.roster.seq(), at: state.at }
    }

    /// Whether it tells this history.
    pub(super) fn tells(&self, epoch: &str) -> bool {
        *self.epoch == *epoch
    }

    /// The id of an event of this group.
    pub fn id(&self, seq: u64) -> EventId {
        EventId { epoch: self.epoch.clone(), seq }
    }

    /// Takes what is to be told, with the state it belongs to.
    pub(super) fn take_news(&self, statuses_too: bool) -> (News, RwLockReadGuard<'_, State>) {
        let mut state = self.state_mut();
        let mut news = std::mem::take(&mut state.news);
        if !statuses_too {
            state.news.statuses = std::mem::take(&mut news.statuses);
            state.news.again = std::mem::take(&mut news.again);
        }
        (news, RwLockWriteGuard::downgrade(state))
    }

    /// Takes a committed event, in order. `false` when events before it are missing, or it says
    /// too little by itself: then [`Room::catch_up`] is needed.
    pub(super) fn take(&self, event: &Logged, presences: &Presences) -> bool {
        let mut state = self.state_mut();
        let seq = state.roster.seq();
        if event.seq <= seq {
            return true;
        }
        if event.seq != seq + 1 || matches!(event.kind, Kind::MembersSynced | Kind::GroupUpdated | Kind::GroupDeleted) {
            return false;
        }
        let touched: Vec<_> = event.touched.iter().map(|t| (t.uid.clone(), t.new.and(t.member.clone()))).collect();
        let uids: Vec<Uid> = touched.iter().map(|(uid, _)| uid.clone()).collect();
        state.roster.apply(event.seq, touched);
        for uid in uids {
            if let Some(presence) = presences.of(&uid) {
                state.roster.set_status(&uid, presence);
            }
        }
        state.remember(Arc::new(event.clone()));
        state.choose_presence_mode();
        drop(state);
        self.wake.notify_one();
        true
    }

    /// Notes a status.
    pub(super) fn set_status(&self, uid: &Uid, presence: Presence) {
        let mut state = self.state_mut();
        if state.roster.set_status(uid, presence) {
            state.news.statuses.insert(uid.clone());
            state.choose_presence_mode();
            drop(state);
            self.wake.notify_one();
        }
    }

    /// Has screens told these statuses once more.
    pub(super) fn tell_again(&self, uids: &HashSet<Uid>) {
        let mut state = self.state_mut();
        let State { roster, news, .. } = &mut *state;
        news.again.extend(uids.iter().filter(|uid| roster.get(uid.as_str()).is_some()).cloned());
        if !news.again.is_empty() {
            drop(state);
            self.wake.notify_one();
        }
    }

    /// Notes that views are drawn in another way than before.
    pub(super) fn views_changed(&self) {
        self.state_mut().news.views = true;
        self.wake.notify_one();
    }

    /// Reads from the log what is missing.
    pub(super) async fn catch_up(&self, store: &Store, presences: &Presences) -> Result<(), StoreError> {
        self.catch_up_to(u64::MAX, store, presences).await
    }

    /// The same, unless this event is included already.
    pub(super) async fn catch_up_to(&self, seq: u64, store: &Store, presences: &Presences) -> Result<(), StoreError> {
        let included = || self.state().roster().seq() >= seq;
        if included() {
            return Ok(());
        }
        let _one_at_a_time = self.catching_up.lock().await;
        while !included() {
            let since = self.state().roster.seq();
            let mut reader = store.read().await?;
            if let Some(found) = reader.catchup(&self.guid, since, CATCH_UP).await? {
                if found.seq == since {
                    break;
                }
                let mut state = self.state_mut();
                // This node acted while the log was read.
                if state.roster.seq() != since {
                    continue;
                }
                let uids: Vec<Uid> = found.touched.iter().map(|(uid, _)| uid.clone()).collect();
                state.roster.apply(found.seq, found.touched);
                match found.group {
                    Some(group) => state.roster.set_group(group),
                    None => state.deleted = true,
                }
                for uid in uids {
                    if let Some(presence) = presences.of(&uid) {
                        state.roster.set_status(&uid, presence);
                    }
                }
                for event in found.events {
                    state.remember(Arc::new(event));
                }
                state.choose_presence_mode();
            } else if let Some(snapshot) = reader.snapshot(&self.guid).await? {
                let events = reader.events(&self.guid, since, snapshot.seq, Recent::KEPT).await?;
                let at = snapshot.at;
                let mut roster = Roster::new(snapshot, store.clock().now());
                tell_statuses(&mut roster, presences);
                let mut state = self.state_mut();
                if state.roster.seq() != since {
                    continue;
                }
                tracing::info!(group = %self.guid, since, seq = roster.seq(), "too much has happened: a group is loaded anew");
                (state.roster, state.at) = (roster, at);
                state.news.everything = true;
                state.news.gap |= events.is_none();
                for event in events.into_iter().flatten() {
                    state.remember(Arc::new(event));
                }
                state.choose_presence_mode();
            } else {
                self.state_mut().deleted = true;
            }
            // What was committed before it was asked for, one look has.
            self.wake.notify_one();
            break;
        }
        Ok(())
    }

    /// The events after `since`, when they are no more than are kept in memory and the log has them:
    /// whoever is the first to come back reads them for all.
    pub(super) async fn recent(&self, since: u64, store: &Store) -> Result<Option<Vec<Arc<Logged>>>, StoreError> {
        let at_hand = || {
            let state = self.state();
            (state.since(since), state.roster.seq())
        };
        if let (Some(recent), _) = at_hand() {
            return Ok(Some(recent));
        }
        let _one_reads = self.recalling.lock().await;
        let (recent, head) = at_hand();
        let oldest = head.saturating_sub(Recent::KEPT as u64);
        if recent.is_some() || since < oldest || since > head {
            return Ok(recent);
        }
        let Some(events) = store.read().await?.events(&self.guid, oldest, head, Recent::KEPT).await? else {
            return Ok(None);
        };
        let mut events: Vec<_> = events.into_iter().map(Arc::new).collect();
        let mut state = self.state_mut();
        let now = state.roster.seq();
        state.recent.recall(&events, now);
        events.retain(|event| event.seq > since);
        Ok(Some(events))
    }

    pub(super) fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn used(&self, now: i64) {
        self.used_at.store(now, Ordering::Relaxed);
    }

    pub(super) fn used_at(&self) -> i64 {
        self.used_at.load(Ordering::Relaxed)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tell_statuses(roster: &mut Roster, presences: &Presences) {
    for (uid, presence) in presences.all() {
        roster.set_status(&uid, presence);
    }
}
