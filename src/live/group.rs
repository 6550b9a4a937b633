//! One group in memory on this node: its state and its subscribers.
//!
//! Not here: how it catches up with the log (`catch_up.rs`).

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::Notify;

use super::group_state::GroupState;
use super::pending::Pending;
use super::presence::Presences;
use super::replay_buffer::ReplayBuffer;
use super::scope_messages::ScopeMessages;
use super::subscribers::Subscribers;
use crate::domain::{EventId, EventKind, Guid, LoggedEvent, Uid};
use crate::roster::Roster;
use crate::store::{LogPosition, Snapshot, Store, StoreError};

/// A group in memory.
pub struct LiveGroup {
    guid: Guid,
    epoch: Arc<str>,
    state: RwLock<GroupState>,
    pub(super) subscribers: Mutex<Subscribers>,
    /// Notified when something is pending.
    pub(super) pending_added: Notify,
    pub(super) catch_up_lock: tokio::sync::Mutex<()>,
    /// Whether too many events are missing, so that it is being read again as a whole, which may take seconds.
    pub(super) reloading: AtomicBool,
    /// Whether its viewers were sent last that it is up to date; changed under the lock of `subscribers`.
    pub(super) live: AtomicBool,
    refill_lock: tokio::sync::Mutex<()>,
    /// When it was used last, Unix milliseconds.
    used_at: AtomicI64,
    /// Whether nobody has used it since it was read.
    is_new: AtomicBool,
}

impl LiveGroup {
    /// The group of this snapshot; `scope_events` is what [`Reader::scope_events`](crate::store::Reader::scope_events) reads beside it.
    pub(super) fn new(
        snapshot: Snapshot,
        scope_events: &[LoggedEvent],
        epoch: Arc<str>,
        presences: &Presences,
        now: i64,
    ) -> LiveGroup {
        let (guid, at, rewritten_seq) = (snapshot.group.guid.clone(), snapshot.at, snapshot.rewritten_seq);
        let mut roster = Roster::new(snapshot, now);
        apply_statuses(&mut roster, presences);
        let mut state = GroupState::new(roster, guid.clone(), epoch.clone(), at, rewritten_seq);
        state.scope_messages = ScopeMessages::after(scope_events);
        LiveGroup {
            guid,
            epoch,
            state: RwLock::new(state),
            subscribers: Mutex::default(),
            pending_added: Notify::new(),
            catch_up_lock: tokio::sync::Mutex::default(),
            reloading: AtomicBool::new(false),
            live: AtomicBool::new(true),
            refill_lock: tokio::sync::Mutex::default(),
            used_at: AtomicI64::new(now),
            is_new: AtomicBool::new(true),
        }
    }

    /// The group's id.
    pub fn guid(&self) -> &Guid {
        &self.guid
    }

    /// The members as they are now; held only while something is rendered.
    pub fn state(&self) -> RwLockReadGuard<'_, GroupState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is being read again as a whole.
    pub(super) fn is_reloading(&self) -> bool {
        self.reloading.load(Ordering::Relaxed)
    }

    /// Whether its viewers were sent last that it is up to date.
    pub(super) fn is_live(&self) -> bool {
        self.live.load(Ordering::Relaxed)
    }

    /// Sends its viewers whether it is up to date, unless they know.
    pub(super) fn set_live(&self, live: bool) {
        let mut subscribers = self.subscribers();
        if self.live.swap(live, Ordering::Relaxed) != live {
            subscribers.send_live(live);
        }
    }

    /// The last event it includes.
    pub(super) fn position(&self) -> LogPosition {
        let state = self.state();
        LogPosition { guid: self.guid.clone(), seq: state.roster.seq(), at: state.at }
    }

    /// Whether it belongs to this history of events.
    pub(super) fn is_of_epoch(&self, epoch: &str) -> bool {
        *self.epoch == *epoch
    }

    /// The id of an event of this group.
    pub fn id(&self, seq: u64) -> EventId {
        EventId { epoch: self.epoch.clone(), seq }
    }

    /// Takes the pending changes, with the state they belong to.
    pub(super) fn take_pending(&self, statuses_too: bool) -> (Pending, RwLockReadGuard<'_, GroupState>) {
        let mut state = self.state_mut();
        let mut pending = std::mem::take(&mut state.pending);
        if !statuses_too {
            state.pending.statuses = std::mem::take(&mut pending.statuses);
            state.pending.resend_status = std::mem::take(&mut pending.resend_status);
        }
        if !pending.is_empty() {
            let totals = (state.roster.len(), state.roster.online_len());
            let changed = std::mem::replace(&mut state.sent_totals, totals) != totals;
            // A page rendered by a node that did not know these statuses yet shows an older number of people online, too.
            pending.totals = changed || !pending.resend_status.is_empty();
        }
        (pending, RwLockWriteGuard::downgrade(state))
    }

    /// Applies a committed event. `false` when events before it are missing, or when it does not hold all
    /// that changed: then [`LiveGroup::catch_up_to`] is needed.
    pub(super) fn apply_event(&self, event: &Arc<LoggedEvent>, presences: &Presences) -> bool {
        let mut state = self.state_mut();
        let seq = state.roster.seq();
        if event.seq <= seq {
            return true;
        }
        if event.seq != seq + 1 || !event.kind.holds_all_changes() {
            return false;
        }
        let touched = event.touched.iter().filter(|_| !event.kind.is_of_note());
        let touched: Vec<_> = touched.map(|t| (t.uid.clone(), t.new.and(t.member.clone()))).collect();
        let uids: Vec<Uid> = touched.iter().map(|(uid, _)| uid.clone()).collect();
        state.roster.apply(event.seq, touched);
        for uid in uids {
            state.take_status(&uid, presences);
        }
        state.remember(event.clone());
        state.choose_presence_mode();
        drop(state);
        self.pending_added.notify_one();
        true
    }

    /// Notes what the statuses of these people are now. Read under the lock of the group, so that of two changes at the same
    /// moment none is overwritten by the older.
    pub(super) fn renew_statuses<'u>(&self, uids: impl IntoIterator<Item = &'u Uid>, presences: &Presences) {
        let mut state = self.state_mut();
        let mut changed = false;
        for uid in uids {
            if state.take_status(uid, presences) {
                state.pending.statuses.insert(uid.clone());
                changed = true;
            }
        }
        if changed {
            state.choose_presence_mode();
            drop(state);
            self.pending_added.notify_one();
        }
    }

    /// Notes which statuses changed while it was read: from its first use on, changes reach it by themselves.
    pub(super) fn settle_statuses(&self, presences: &Presences) {
        let known = presences.all().into_iter().map(|(uid, _)| uid);
        let online: Vec<Uid> = self.state().roster.online().map(|member| member.checked_uid()).collect();
        let uids: HashSet<Uid> = known.chain(online).collect();
        self.renew_statuses(&uids, presences);
    }

    /// Sends these statuses again.
    pub(super) fn resend_status(&self, uids: &HashSet<Uid>) {
        let mut state = self.state_mut();
        let GroupState { roster, pending, .. } = &mut *state;
        pending.resend_status.extend(uids.iter().filter(|uid| roster.get(uid.as_str()).is_some()).cloned());
        if !pending.resend_status.is_empty() {
            drop(state);
            self.pending_added.notify_one();
        }
    }

    /// Notes that templates changed.
    pub(super) fn templates_changed(&self) {
        self.state_mut().pending.templates = true;
        self.pending_added.notify_one();
    }

    /// Forgets the events that an erasure has rewritten in the log, up to this one. `false` when that was done before, or when
    /// this group has not read that far: then [`LiveGroup::catch_up_to`] does it.
    pub(super) fn forget_rewritten_events(&self, rewritten_seq: u64) -> bool {
        let mut state = self.state_mut();
        if rewritten_seq <= state.rewritten_seq || rewritten_seq > state.roster.seq() {
            return false;
        }
        state.rewritten_seq = rewritten_seq;
        state.replay_buffer = ReplayBuffer::default();
        // Whoever is erased has left before.
        let GroupState { roster, scope_messages, .. } = &mut *state;
        scope_messages.forget_others(|uid| roster.get(uid.as_str()).map(|member| member.scope));
        roster.forget_statuses_of_others();
        true
    }

    /// The events after `since`, if no more than the buffer holds and the log has them. The first stream
    /// that asks reads them from the log for all others.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn buffered_events(
        &self,
        since: u64,
        store: &Store,
    ) -> Result<Option<Vec<Arc<LoggedEvent>>>, StoreError> {
        let buffered = || {
            let state = self.state();
            (state.since(since), state.roster.seq())
        };
        if let (Some(events), _) = buffered() {
            return Ok(Some(events));
        }
        let _one_refills = self.refill_lock.lock().await;
        let (events, head) = buffered();
        let oldest = head.saturating_sub(ReplayBuffer::MAX_EVENTS as u64).max(self.state().rewritten_seq);
        if events.is_some() || since < oldest || since > head {
            return Ok(events);
        }
        let Some(events) = store.read().await?.events(&self.guid, oldest, head, ReplayBuffer::MAX_EVENTS).await? else {
            return Ok(None);
        };
        let mut events: Vec<_> = events.into_iter().map(Arc::new).collect();
        // For a group that was deleted and made again, only the events since are kept.
        if let Some(end) = events.iter().rposition(|event| event.kind == EventKind::GroupDeleted) {
            if since < events[end].seq {
                return Ok(None);
            }
            events.drain(..=end);
        }
        let mut state = self.state_mut();
        let now = state.roster.seq();
        state.replay_buffer.prepend(&events, now);
        events.retain(|event| event.seq > since);
        Ok(Some(events))
    }

    pub(super) fn subscribers(&self) -> MutexGuard<'_, Subscribers> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is its first use.
    pub(super) fn mark_used(&self, now: i64) -> bool {
        self.used_at.store(now, Ordering::Relaxed);
        self.is_new.swap(false, Ordering::Relaxed)
    }

    pub(super) fn used_at(&self) -> i64 {
        self.used_at.load(Ordering::Relaxed)
    }

    pub(super) fn state_mut(&self) -> RwLockWriteGuard<'_, GroupState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn apply_statuses(roster: &mut Roster, presences: &Presences) {
    for (uid, presence) in presences.all() {
        roster.set_status(&uid, presence);
    }
}
