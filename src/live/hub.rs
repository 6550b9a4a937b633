//! All groups that are in memory on this node.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OnceCell, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::freshness::Freshness;
use super::group::LiveGroup;
use super::logouts::Logouts;
use super::presence::Presences;
use super::scope_messages::SHOWN_FOR;
use super::subscribers::Subscribers;
use super::wake::{self, Announced, WakeQueue};
use crate::clock::every;
use crate::domain::{Guid, LoggedEvent, Uid};
use crate::store::{FailureLog, MembersAfter, Store, StoreError};

/// The groups in memory, and who is there. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    store: Store,
    presences: Presences,
    /// Whether other nodes may write to the same database.
    on_many_nodes: bool,
    logouts: Logouts,
    /// Counts what this node noticed of erasures.
    erasures: watch::Sender<u64>,
    /// The people who are being erased, as polled last.
    erased_people: watch::Sender<Vec<Uid>>,
    groups: Mutex<HashMap<Guid, Arc<OnceCell<Arc<LiveGroup>>>>>,
    /// Wake messages to the other nodes, where there is a transport.
    wake: Option<WakeQueue>,
    announced: Announced,
    freshness: Freshness,
    /// Another node announced that presence changed there.
    presence_changed_elsewhere: Notify,
    draining: AtomicBool,
    stop: CancellationToken,
}

impl Hub {
    /// A hub over this store that runs nothing yet.
    pub(super) fn idle(store: Store, wake: Option<WakeQueue>, on_many_nodes: bool, stop: CancellationToken) -> Hub {
        Hub(Arc::new(Inner {
            presences: Presences::new(store.clock().clone(), on_many_nodes),
            on_many_nodes,
            logouts: Logouts::new(store.pseudonyms().clone()),
            erasures: watch::Sender::new(0),
            erased_people: watch::Sender::new(Vec::new()),
            freshness: Freshness::new(store.clone()),
            store,
            groups: Mutex::default(),
            wake,
            announced: Announced::default(),
            presence_changed_elsewhere: Notify::new(),
            draining: AtomicBool::new(false),
            stop,
        }))
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The presence of everybody.
    pub fn presences(&self) -> &Presences {
        &self.0.presences
    }

    /// The people who were logged out everywhere.
    pub fn logouts(&self) -> &Logouts {
        &self.0.logouts
    }

    /// The group, loaded if it is not in memory; `None` when there is no such group.
    ///
    /// # Errors
    /// When the group has to be loaded and the database cannot be read.
    pub async fn group(&self, guid: &Guid) -> Result<Option<Arc<LiveGroup>>, StoreError> {
        loop {
            let cell = self.groups().entry(guid.clone()).or_default().clone();
            // Boxed: inlined in every handler, the queries would exceed the compiler's limit of nested types.
            let loaded = cell.get_or_try_init(|| Box::pin(self.load(guid))).await;
            let same = self.groups().get(guid).is_some_and(|now| Arc::ptr_eq(now, &cell));
            match loaded {
                Ok(group) if same && (group.state().is_deleted() || !group.is_of_epoch(&self.store().epoch())) => {
                    // A group of this id may have been created since, or the epoch may be another: the database decides.
                    self.retire(group, &mut group.subscribers());
                }
                Ok(group) if same => {
                    if group.mark_used(self.store().clock().now()) {
                        self.take_what_was_missed(group);
                    }
                    return Ok(Some(group.clone()));
                }
                // It was evicted meanwhile: this copy receives no events any more.
                Ok(_) => {}
                Err(missing) => {
                    if same {
                        self.groups().remove(guid);
                    }
                    return missing.map_or(Ok(None), Err);
                }
            }
        }
    }

    /// Whether any group is in memory, which can be shown without the database.
    pub fn has_groups_in_memory(&self) -> bool {
        self.loaded().iter().any(|group| !group.state().is_deleted())
    }

    /// Whether this person is in the group as far as this node has it in memory.
    pub fn has_in_memory(&self, guid: &Guid, uid: &Uid) -> bool {
        self.in_memory(guid).is_some_and(|group| {
            let state = group.state();
            !state.is_deleted() && state.roster().get(uid.as_str()).is_some()
        })
    }

    /// The number of members of this group after the last event that it includes; `None` when it is not in memory.
    pub fn members_in_memory(&self, guid: &Guid) -> Option<MembersAfter> {
        let group = self.in_memory(guid)?;
        let state = group.state();
        (!state.is_deleted()).then(|| MembersAfter { event: state.last_id(), members: state.roster().len() as u64 })
    }

    /// The number of members of this group who are online or away; `None` when it is not in memory.
    pub fn online_in_memory(&self, guid: &Guid) -> Option<usize> {
        let group = self.in_memory(guid)?;
        let state = group.state();
        (!state.is_deleted()).then(|| state.roster().online_len())
    }

    /// Reads the log until the group includes this event, if it exists.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn catch_up_to(&self, group: &LiveGroup, seq: u64) -> Result<(), StoreError> {
        // The log of a server that has just taken over may be another history under the same numbers: a poll finds out.
        self.freshness().until_same_server().await?;
        group.catch_up_to(seq, self.store(), self.presences()).await
    }

    /// The same after a commit of this request. A log that cannot be read is then reported as [`StoreError::CommitUnknown`]: the act
    /// did happen.
    ///
    /// # Errors
    /// [`StoreError::CommitUnknown`] when the log cannot be read; when it holds something impossible.
    pub async fn catch_up_after_commit(&self, group: &LiveGroup, seq: u64) -> Result<(), StoreError> {
        self.catch_up_to(group, seq).await.map_err(StoreError::after_commit)
    }

    /// Reads the log up to its end. Used before a viewer is refused because of the state in memory.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn refresh(&self, group: &LiveGroup) -> Result<(), StoreError> {
        self.catch_up_to(group, u64::MAX).await
    }

    /// The same when one of these people is no member in memory: memory may be behind, so nobody is called a non-member before.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn refresh_unless_members<'u>(
        &self,
        group: &LiveGroup,
        uids: impl IntoIterator<Item = &'u str>,
    ) -> Result<(), StoreError> {
        let is_missing = |uid: &str| group.state().roster().get(uid).is_none();
        if uids.into_iter().any(is_missing) { self.refresh(group).await } else { Ok(()) }
    }

    pub(super) fn erasures_recorded(&self) -> &watch::Sender<u64> {
        &self.0.erasures
    }

    pub(super) fn erased_people(&self) -> &watch::Sender<Vec<Uid>> {
        &self.0.erased_people
    }

    /// Wake messages to the other nodes; `None` where there is no transport.
    pub(super) fn wake(&self) -> Option<&WakeQueue> {
        self.0.wake.as_ref()
    }

    /// What wake messages of other nodes announced.
    pub(super) fn announced(&self) -> &Announced {
        &self.0.announced
    }

    /// Whether this node is up to date.
    pub(super) fn freshness(&self) -> &Freshness {
        &self.0.freshness
    }

    /// Whether other nodes may write to the same database.
    pub(super) fn is_on_many_nodes(&self) -> bool {
        self.0.on_many_nodes
    }

    /// Completes when another node announces that presence changed there.
    pub(super) async fn presence_changed_elsewhere(&self) {
        self.0.presence_changed_elsewhere.notified().await;
    }

    /// This node drains: the disconnections of its viewers are not written for the others.
    pub(super) fn begin_drain(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Whether this node drains.
    pub(super) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// Handles a wake message: what it announces is read from the log.
    pub(super) fn wake_received(&self, message: wake::WakeMessage<'_>) {
        for (guid, seq) in message.heads {
            if self.in_memory(&guid).is_some_and(|group| group.state().roster().seq() < seq) {
                self.announced().add(guid, seq);
            }
        }
        if message.presence {
            self.0.presence_changed_elsewhere.notify_one();
        }
        if message.people {
            self.poll_now();
        }
    }

    /// The number of open streams.
    pub fn streams(&self) -> usize {
        self.loaded().iter().map(|group| group.subscribers().len()).sum()
    }

    /// Applies events that this node has committed to the groups in memory, and queues the messages that wake the other nodes. Runs in the
    /// writing task, in the order of commits, before the acts are answered.
    pub(super) fn committed(&self, events: &[Arc<LoggedEvent>]) {
        for event in events {
            metrics::counter!("chat_group_members_events_total", "kind" => event.kind.as_str()).increment(1);
            if let Some(wake) = self.wake() {
                wake.announce_group(&event.guid, event.seq);
            }
            let Some(group) = self.in_memory(&event.guid) else { continue };
            // As in `catch_up_to`: on a server with another history, applying the event would hide the difference.
            if !self.freshness().is_same_server() || !group.apply_event(event, self.presences()) {
                self.catch_up_aside(group, event.seq);
            }
        }
    }

    async fn load(&self, guid: &Guid) -> Result<Arc<LiveGroup>, Option<StoreError>> {
        let mut reader = self.store().read().await.map_err(Some)?;
        let snapshot = reader.snapshot(guid).await.map_err(Some)?.ok_or(None)?;
        let scope_events = reader.scope_events(guid, snapshot.seq, SHOWN_FOR).await.map_err(Some)?;
        drop(reader);
        let now = self.store().clock().now();
        Ok(Arc::new(LiveGroup::new(snapshot, &scope_events, self.store().epoch(), self.presences(), now)))
    }

    /// Catches up with the events and statuses that changed while the group was read.
    fn take_what_was_missed(&self, group: &Arc<LiveGroup>) {
        group.settle_statuses(self.presences());
        self.catch_up_aside(group.clone(), u64::MAX);
    }

    /// Like `catch_up_to`, in a task of its own.
    pub(super) fn catch_up_aside(&self, group: Arc<LiveGroup>, seq: u64) {
        let hub = self.clone();
        tokio::spawn(async move {
            if let Err(error) = hub.catch_up_to(&group, seq).await {
                warn_of_failure(Some(group.guid()), &error);
            }
        });
    }

    /// Like `catch_up_to`, for a poll, which knows that the log has the same history.
    pub(super) async fn catch_up_polled(&self, group: &LiveGroup, seq: u64) {
        if let Err(error) = group.catch_up_to(seq, self.store(), self.presences()).await {
            warn_of_failure(Some(group.guid()), &error);
        }
    }

    /// Takes a group out of memory: its next use loads it again.
    pub(super) fn retire(&self, group: &Arc<LiveGroup>, subscribers: &mut Subscribers) {
        subscribers.retired = true;
        let mut groups = self.groups();
        if groups.get(group.guid()).and_then(|cell| cell.get()).is_some_and(|now| Arc::ptr_eq(now, group)) {
            groups.remove(group.guid());
        }
    }

    pub(super) fn every<F, Fut>(&self, period: Duration, work: F)
    where
        F: Fn(Hub) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send,
    {
        let hub = self.clone();
        self.spawn(async move {
            let mut tick = every(period);
            loop {
                tick.tick().await;
                work(hub.clone()).await;
            }
        });
    }

    /// Runs until it ends or the hub is stopped.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.0.stop.clone();
        tokio::spawn(async move { stop.run_until_cancelled(work).await });
    }

    /// The group, if it is in memory.
    pub(super) fn in_memory(&self, guid: &Guid) -> Option<Arc<LiveGroup>> {
        self.groups().get(guid).and_then(|cell| cell.get().cloned())
    }

    pub(super) fn loaded(&self) -> Vec<Arc<LiveGroup>> {
        self.groups().values().filter_map(|cell| cell.get().cloned()).collect()
    }

    fn groups(&self) -> MutexGuard<'_, HashMap<Guid, Arc<OnceCell<Arc<LiveGroup>>>>> {
        self.0.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Logs that new events could not be read and applied: of this group, or of several.
pub(super) fn warn_of_failure(group: Option<&Guid>, error: &StoreError) {
    // Shared by all groups: a failure to read one usually affects the others too.
    static FAILURES: FailureLog = FailureLog::new();
    if !error.already_logged() && FAILURES.failed(&error.to_string(), Instant::now()) {
        tracing::warn!(%error, group = group.map(Guid::as_str), "cannot apply new events; retrying");
    }
}
