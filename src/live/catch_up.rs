//! How a group in memory catches up with the log: event by event, or by being loaded again.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLockWriteGuard};

use super::group::{LiveGroup, apply_statuses};
use super::group_state::GroupState;
use super::presence::Presences;
use super::replay_buffer::ReplayBuffer;
use super::scope_messages::{SHOWN_FOR, ScopeMessages};
use crate::domain::{Ending, LoggedEvent, Member, Uid};
use crate::roster::Roster;
use crate::store::{Catchup, Reader, Store, StoreError};

/// Most missing events, and most people whom they touch; with more, the group is read as a whole.
const MAX_MISSED: usize = 2000;

impl LiveGroup {
    /// Reads missing events from the log, unless this event is included already. The log must have the same history
    /// as memory.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn catch_up_to(&self, seq: u64, store: &Store, presences: &Presences) -> Result<(), StoreError> {
        if self.state().roster().seq() >= seq {
            return Ok(());
        }
        // Boxed: inlined in every handler, the queries would exceed the compiler's limit of nested types.
        Box::pin(self.read_log_to(seq, store, presences)).await
    }

    async fn read_log_to(&self, seq: u64, store: &Store, presences: &Presences) -> Result<(), StoreError> {
        let _one_at_a_time = self.catch_up_lock.lock().await;
        while self.state().roster().seq() < seq {
            let since = self.state().roster.seq();
            let reconnects = store.reconnects();
            let mut reader = store.read().await?;
            let is_read = match reader.catchup(self.guid(), since, MAX_MISSED).await? {
                Some(found) => self.apply_read(since, found, (store, reconnects), presences)?,
                None => self.reload(since, &mut reader, (store, reconnects), presences).await?,
            };
            if is_read {
                self.pending_added.notify_one();
                // One read covers every event committed before this call.
                break;
            }
        }
        Ok(())
    }

    /// Applies what was read of the log after event `since`; `false` when this node acted meanwhile. The caller wakes the broadcast.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there are more reconnects by now.
    pub(super) fn apply_read(
        &self,
        since: u64,
        found: Catchup,
        (store, reconnects): (&Store, u32),
        presences: &Presences,
    ) -> Result<bool, StoreError> {
        if found.seq == since {
            return Ok(true);
        }
        let state = self.state_at(since, store, reconnects)?;
        Ok(state.map(|state| apply_found(state, found, presences)).is_some())
    }

    /// Reads the group as a whole, which may take seconds; `false` when this node acted meanwhile.
    async fn reload(
        &self,
        since: u64,
        reader: &mut Reader,
        (store, reconnects): (&Store, u32),
        presences: &Presences,
    ) -> Result<bool, StoreError> {
        let _reloading = Reloading::begin(&self.reloading);
        let Some(snapshot) = reader.snapshot(self.guid()).await? else {
            let state = self.state_at(since, store, reconnects)?;
            return Ok(state.map(|mut state| state.deleted = true).is_some());
        };
        let events = reader.events(self.guid(), since, snapshot.seq, ReplayBuffer::MAX_EVENTS).await?;
        let scope_events = reader.scope_events(self.guid(), snapshot.seq, SHOWN_FOR).await?;
        let (at, rewritten_seq) = (snapshot.at, snapshot.rewritten_seq);
        let mut roster = Roster::new(snapshot, store.clock().now());
        let departed = if events.is_none() { self.departed(&roster, reader).await? } else { Vec::new() };
        let Some(mut state) = self.state_at(since, store, reconnects)? else { return Ok(false) };
        apply_statuses(&mut roster, presences);
        tracing::info!(group = %self.guid(), since, seq = roster.seq(), "too many new events: loading the group again");
        (state.roster, state.at, state.rewritten_seq) = (roster, at, rewritten_seq);
        state.pending.resync = true;
        if events.is_none() {
            state.pending.truncated = true;
            // The buffer holds only events from before the gap.
            state.replay_buffer = ReplayBuffer::default();
        }
        state.pending.departed.extend(departed);
        for event in events.into_iter().flatten() {
            state.remember(Arc::new(event));
        }
        // Also of events that are not among these.
        state.scope_messages = ScopeMessages::after(&scope_events);
        state.choose_presence_mode();
        Ok(true)
    }

    /// The state, to be changed by what was read since there were so many reconnects; `None` when this node acted meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there are more reconnects by now: another server may have answered, which may have another
    /// history.
    fn state_at(
        &self,
        seq: u64,
        store: &Store,
        reconnects: u32,
    ) -> Result<Option<RwLockWriteGuard<'_, GroupState>>, StoreError> {
        let state = self.state_mut();
        if state.roster.seq() != seq {
            return Ok(None);
        }
        if store.reconnects() != reconnects {
            return Err(StoreError::Unavailable("the connection to it was made anew meanwhile".into()));
        }
        Ok(Some(state))
    }

    /// Viewers with an open stream who are no longer members, each with the reason. The end of their stream reports it, also when
    /// there are more events than are read.
    async fn departed(&self, roster: &Roster, reader: &mut Reader) -> Result<Vec<(Uid, Ending)>, StoreError> {
        let viewers = self.subscribers().viewers();
        let mut departed = Vec::new();
        for uid in viewers.into_iter().filter(|uid| roster.get(uid.as_str()).is_none()) {
            if let Some(event) = reader.last_membership_event_of(self.guid(), &uid).await? {
                let ending = Ending::of(&event);
                let is_banned = reader.person(self.guid(), &uid).await?.ban.is_some();
                departed.push((uid, if is_banned { ending } else { ending.without_ban() }));
            }
        }
        Ok(departed)
    }
}

/// Applies what the log has that the state has not.
fn apply_found(mut state: RwLockWriteGuard<'_, GroupState>, found: Catchup, presences: &Presences) {
    let touched = match found.group {
        Some(_) => found.touched,
        // The log of a deleted group has its events and no members: people touched before its end are none any more.
        None => touched_by(&found.events),
    };
    let uids: Vec<Uid> = touched.iter().map(|(uid, _)| uid.clone()).collect();
    state.roster.apply(found.seq, touched);
    match found.group {
        Some(group) => state.roster.set_group(group),
        None => state.deleted = true,
    }
    for uid in uids {
        state.take_status(&uid, presences);
    }
    for event in found.events {
        state.remember(Arc::new(event));
    }
    state.choose_presence_mode();
}

/// The people whom these events touched, as no members.
fn touched_by(events: &[LoggedEvent]) -> Vec<(Uid, Option<Arc<Member>>)> {
    let touched = events.iter().filter(|event| !event.kind.is_of_note()).flat_map(|event| &event.touched);
    let uids: BTreeSet<&Uid> = touched.map(|touched| &touched.uid).collect();
    uids.into_iter().map(|uid| (uid.clone(), None)).collect()
}

/// Says that a group is being read again, until it is dropped: also when whoever reads it gives up.
struct Reloading<'g>(&'g AtomicBool);

impl<'g> Reloading<'g> {
    fn begin(flag: &'g AtomicBool) -> Reloading<'g> {
        flag.store(true, Ordering::Relaxed);
        Reloading(flag)
    }
}

impl Drop for Reloading<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
