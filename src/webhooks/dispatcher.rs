//! Delivers to one endpoint: finds lanes with undelivered events, takes their leases, runs a task for each of
//! some of them, and writes the positions of all together.
//!
//! A commit of this node is announced to it; what other nodes and processes commit is found by a poll.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::deliver::{End, Endpoint};
use super::lane::HeldLane;
use super::schedule::delay;
use crate::store::{
    Appended, ClaimedLane, Decision, EndpointState, Lane, LaneProgress, Store, StoreError, StoredEndpoint, Tx,
};

/// Lanes that are delivered at the same time.
const MAX_RUNNING: usize = 64;
/// Lanes that are remembered; a poll finds the others.
const MAX_WANTED: usize = 10_000;
/// Lanes that a poll finds.
const LANES_PER_POLL: usize = 1_000;
/// Least time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Polls take at most one part in so many of the time.
const POLL_SHARE: u32 = 20;
/// Time between two writes of positions. After a crash, what was delivered since the last one is delivered again.
const WRITE_INTERVAL: Duration = Duration::from_millis(200);
/// How long a position is held without being renewed, in milliseconds.
const LEASE: i64 = 6_000;
/// Time between two notes that the endpoint is configured, in milliseconds.
const SEEN_INTERVAL: i64 = 60_000;
/// Time between two readings of the backlog for the metrics.
const METRICS_INTERVAL: Duration = Duration::from_secs(10);
/// After so many lanes failed in a row, the endpoint fails as one.
const FAILURES_IN_A_ROW: usize = 5;
/// How long deliveries may take to end when the process does.
const STOP_TIMEOUT: Duration = Duration::from_millis(1_500);

/// What was committed since the dispatcher looked last.
#[derive(Default)]
pub(super) struct Inbox {
    lanes: Mutex<HashSet<Lane>>,
    /// Something was appended to the outbox, or an operator asked for something.
    poll: AtomicBool,
    changed: Notify,
}

impl Inbox {
    /// These events were committed.
    pub(super) fn committed(&self, appended: &Appended) {
        if appended.logged.is_empty() && !appended.outbox {
            return;
        }
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        for event in &appended.logged {
            if lanes.len() < MAX_WANTED {
                lanes.insert(Lane::Group(event.guid.clone()));
            }
        }
        drop(lanes);
        if appended.outbox {
            self.poll.store(true, Ordering::Release);
        }
        self.changed.notify_one();
    }

    /// Polls at once.
    pub(super) fn poll(&self) {
        self.poll.store(true, Ordering::Release);
        self.changed.notify_one();
    }
}

/// A lane that this node holds.
struct Held {
    lane: Arc<HeldLane>,
    /// The position that was written last.
    written: u64,
    is_running: bool,
    /// Something was committed since its task began.
    again: bool,
}

/// Delivers to one endpoint.
pub(super) struct Dispatcher {
    endpoint: Arc<Endpoint>,
    inbox: Arc<Inbox>,
    /// Names this run of this node.
    token: String,
    /// The endpoint as it was read or written last.
    stored: Option<StoredEndpoint>,
    held: HashMap<Lane, Held>,
    wanted: VecDeque<Lane>,
    is_wanted: HashSet<Lane>,
    running: JoinSet<(Lane, End)>,
    lanes_of_tasks: HashMap<Id, Lane>,
    /// Lanes that failed since the last delivery.
    failed: HashSet<Lane>,
    /// How many messages were delivered when that was looked at last.
    delivered: u64,
    /// When the answer that was written last came.
    answered_at: i64,
    poll_at: Instant,
    write_at: Option<Instant>,
    metrics_at: Instant,
    is_failing: bool,
}

impl Dispatcher {
    pub(super) fn new(endpoint: Arc<Endpoint>, inbox: Arc<Inbox>, token: String) -> Dispatcher {
        let now = Instant::now();
        Dispatcher {
            endpoint,
            inbox,
            token,
            stored: None,
            held: HashMap::new(),
            wanted: VecDeque::new(),
            is_wanted: HashSet::new(),
            running: JoinSet::new(),
            lanes_of_tasks: HashMap::new(),
            failed: HashSet::new(),
            delivered: 0,
            answered_at: 0,
            poll_at: now,
            write_at: None,
            metrics_at: now,
            is_failing: false,
        }
    }

    /// Delivers until `stop` is cancelled; then writes how far it came.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        let mut is_first = true;
        loop {
            match self.work(is_first).await {
                Ok(()) => {
                    if std::mem::replace(&mut self.is_failing, false) {
                        tracing::info!(endpoint = self.endpoint.id, "webhooks are delivered again: the database answers");
                    }
                    is_first = false;
                }
                Err(error) => {
                    // A file that moves is read-only, which is logged by whoever moves it.
                    let is_known = error.already_logged() || matches!(error, StoreError::ReadOnly);
                    if !std::mem::replace(&mut self.is_failing, true) && !is_known {
                        tracing::warn!(%error, endpoint = self.endpoint.id, "webhooks wait for the database");
                    }
                    self.poll_at = Instant::now() + POLL_INTERVAL;
                    self.write_at = self.write_at.map(|_| Instant::now() + POLL_INTERVAL);
                    tokio::select! {
                        () = sleep_until(self.poll_at) => {}
                        () = stop.cancelled() => break,
                    }
                    continue;
                }
            }
            let next = self.write_at.map_or(self.poll_at, |write_at| write_at.min(self.poll_at));
            tokio::select! {
                Some(ended) = self.running.join_next_with_id() => {
                    if let Err(error) = self.ended(ended).await {
                        tracing::debug!(%error, endpoint = self.endpoint.id, "a failure could not be written");
                    }
                }
                () = self.inbox.changed.notified() => {}
                () = sleep_until(next) => {}
                () = stop.cancelled() => break,
            }
        }
        self.stop().await;
    }

    /// One round.
    async fn work(&mut self, is_first: bool) -> Result<(), StoreError> {
        if is_first {
            self.register(true).await?;
        }
        self.take_inbox();
        if self.poll_at <= Instant::now() {
            self.poll().await?;
        }
        if self.write_at.is_some_and(|at| at <= Instant::now()) {
            self.write().await?;
        }
        self.start().await
    }

    async fn register(&mut self, is_first: bool) -> Result<(), StoreError> {
        // Other nodes share a database that they can be told of presence through.
        let alone = is_first && self.store().presence_table().is_none();
        let (id, location) = (self.endpoint.id.clone(), self.endpoint.webhook.location());
        self.write_by(move |tx| {
            Box::pin(async move { tx.register_endpoint(&id, &location, alone).await })
        })
        .await
    }

    fn take_inbox(&mut self) {
        let lanes = std::mem::take(&mut *self.inbox.lanes.lock().unwrap_or_else(PoisonError::into_inner));
        for lane in lanes {
            self.want(lane);
        }
        if self.inbox.poll.swap(false, Ordering::AcqRel) {
            self.poll_at = Instant::now();
        }
    }

    fn want(&mut self, lane: Lane) {
        match self.held.get_mut(&lane) {
            Some(held) if held.is_running => held.again = true,
            Some(_) | None => {
                if self.wanted.len() < MAX_WANTED && self.is_wanted.insert(lane.clone()) {
                    self.wanted.push_back(lane);
                }
            }
        }
    }

    async fn poll(&mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        let mut reader = self.store().read().await?;
        let stored = reader.endpoints().await?.into_iter().find(|stored| stored.id == self.endpoint.id);
        let now = self.now();
        let is_seen = stored.as_ref().is_some_and(|stored| now - stored.seen_at < SEEN_INTERVAL);
        self.stored = stored;
        if self.is_open() {
            let probing = self.is_probing();
            let lanes =
                reader.undelivered_lanes(&self.endpoint.id, &self.token, probing, LANES_PER_POLL).await?;
            for lane in lanes {
                // An operator may have moved the position back, which takes the lease away.
                if self.held.get(&lane).is_some_and(|held| !held.is_running && held.lane.seq() == held.written) {
                    self.held.remove(&lane);
                }
                self.want(lane);
            }
        }
        if self.metrics_at <= begun {
            self.metrics_at = begun + METRICS_INTERVAL;
            let backlog = reader.backlog(&self.endpoint.id).await?;
            let oldest = backlog.oldest.map_or(0, |at| (now - at).max(0) / 1000);
            metrics::gauge!("webhook_backlog", "endpoint" => self.endpoint.id.clone()).set(backlog.events as f64);
            metrics::gauge!("webhook_oldest_seconds", "endpoint" => self.endpoint.id.clone()).set(oldest as f64);
        }
        drop(reader);
        if !is_seen {
            self.register(false).await?;
        }
        // Leases that ran out are taken again when there is something to deliver.
        self.held.retain(|_, held| held.is_running || held.lane.is_held(now) || held.lane.seq() > held.written);
        self.poll_at = Instant::now() + POLL_INTERVAL.max(begun.elapsed() * POLL_SHARE);
        Ok(())
    }

    /// Whether the endpoint gets anything now.
    fn is_open(&self) -> bool {
        let now = self.now();
        self.stored.as_ref().is_some_and(|stored| stored.state == EndpointState::Active && stored.due_at <= now)
    }

    /// Whether the endpoint has failed as one, so that one lane is tried alone.
    fn is_probing(&self) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.attempts > 0)
    }

    /// Begins to deliver lanes that are wanted, as many as may run.
    async fn start(&mut self) -> Result<(), StoreError> {
        if !self.is_open() {
            self.wanted.clear();
            self.is_wanted.clear();
            return Ok(());
        }
        let most = if self.is_probing() { 1 } else { MAX_RUNNING };
        let now = self.now();
        let mut to_claim = Vec::new();
        while self.running.len() + to_claim.len() < most
            && let Some(lane) = self.wanted.pop_front()
        {
            self.is_wanted.remove(&lane);
            match self.held.get(&lane) {
                Some(held) if held.is_running => {}
                Some(held) if held.lane.is_held(now) => self.spawn(&lane),
                Some(_) | None => to_claim.push(lane),
            }
        }
        if to_claim.is_empty() {
            return Ok(());
        }
        // What was delivered under a lease that ran out is written first: the claim answers where the lane is.
        if to_claim.iter().any(|lane| self.held.contains_key(lane)) {
            self.write().await?;
        }
        let (id, token, lease_until) = (self.endpoint.id.clone(), self.token.clone(), now + LEASE);
        let (lanes, overdue) = (to_claim.clone(), self.is_probing());
        let claimed: Result<Vec<ClaimedLane>, _> = self
            .write_by(move |tx| Box::pin(async move { tx.claim_lanes(&id, &token, &lanes, overdue, lease_until).await }))
            .await;
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(error) => {
                to_claim.into_iter().for_each(|lane| self.want(lane));
                return Err(error);
            }
        };
        for lane in claimed {
            let name = lane.lane.clone();
            let held = Held {
                written: lane.seq,
                lane: Arc::new(HeldLane::new(lane, lease_until)),
                is_running: false,
                again: false,
            };
            self.held.insert(name.clone(), held);
            self.spawn(&name);
        }
        Ok(())
    }

    fn spawn(&mut self, lane: &Lane) {
        let Some(held) = self.held.get_mut(lane) else { return };
        held.is_running = true;
        held.again = false;
        let (endpoint, name, lane) = (self.endpoint.clone(), lane.clone(), held.lane.clone());
        let ended = name.clone();
        let task = self.running.spawn(async move { (ended, endpoint.deliver(&lane).await) });
        self.lanes_of_tasks.insert(task.id(), name);
        self.write_at.get_or_insert_with(|| Instant::now() + WRITE_INTERVAL);
    }

    /// A task has ended.
    async fn ended(&mut self, ended: Result<(Id, (Lane, End)), JoinError>) -> Result<(), StoreError> {
        let (lane, end) = match ended {
            Ok((task, ended)) => {
                self.lanes_of_tasks.remove(&task);
                ended
            }
            Err(error) => {
                tracing::error!(%error, endpoint = self.endpoint.id, "a delivery panicked");
                if let Some(lane) = self.lanes_of_tasks.remove(&error.id()) {
                    self.held.remove(&lane);
                }
                return Ok(());
            }
        };
        let Some(held) = self.held.get_mut(&lane) else { return Ok(()) };
        held.is_running = false;
        let again = std::mem::take(&mut held.again);
        self.note_deliveries().await?;
        match end {
            End::Drained if !again => {}
            End::Drained | End::More => self.want(lane),
            End::LeaseLost => {
                self.held.remove(&lane);
                self.want(lane);
            }
            End::Unreadable(error) => {
                if !error.already_logged() {
                    tracing::warn!(%error, endpoint = self.endpoint.id, %lane, "events cannot be read for a webhook; retrying");
                }
            }
            End::HistoryLost(position) => {
                self.held.remove(&lane);
                self.store().replace_epoch(&position).await?;
                self.poll_at = self.poll_at.min(Instant::now() + POLL_INTERVAL);
            }
            End::Gone => {
                self.write().await?;
                tracing::warn!(endpoint = self.endpoint.id, "an endpoint of webhooks answered 410 (Gone) and gets nothing until it is resumed");
                self.set_state(EndpointState::Gone).await?;
            }
            End::Failed(answer, retry_after) => self.failed(lane, &answer, retry_after).await?,
        }
        Ok(())
    }

    /// A delivery ends a row of failures.
    async fn note_deliveries(&mut self) -> Result<(), StoreError> {
        let delivered = self.endpoint.delivered.load(Ordering::Acquire);
        if std::mem::replace(&mut self.delivered, delivered) == delivered {
            return Ok(());
        }
        self.failed.clear();
        if self.is_probing() {
            tracing::info!(endpoint = self.endpoint.id, "an endpoint of webhooks takes deliveries again");
            self.back_off(0, 0, 0).await?;
            self.poll_at = Instant::now();
        }
        Ok(())
    }

    async fn failed(&mut self, lane: Lane, answer: &str, retry_after: Option<i64>) -> Result<(), StoreError> {
        // The position first: what came before the event that failed is delivered.
        self.write().await?;
        let Some(held) = self.held.remove(&lane) else { return Ok(()) };
        let now = self.now();
        let attempts = held.lane.attempts.load(Ordering::Acquire) + 1;
        let failing_since = if attempts == 1 { now } else { held.lane.failing_since };
        if attempts == 1 {
            tracing::warn!(
                endpoint = self.endpoint.id, %lane, seq = held.lane.seq() + 1, answer,
                "a webhook could not be delivered; retrying"
            );
        }
        let (id, token, due_at) = (self.endpoint.id.clone(), self.token.clone(), now + delay(attempts, retry_after));
        let failed = lane.clone();
        self.write_by(move |tx| {
            Box::pin(async move { tx.fail_lane(&id, &token, &failed, attempts, due_at, failing_since).await })
        })
        .await?;
        self.failed.insert(lane);
        let (attempts, since, is_open) = match &self.stored {
            Some(stored) => (stored.attempts, stored.failing_since, stored.due_at <= now),
            None => (0, 0, true),
        };
        if is_open && (attempts > 0 || self.failed.len() >= FAILURES_IN_A_ROW) {
            if attempts == 0 {
                tracing::warn!(
                    endpoint = self.endpoint.id, answer,
                    "an endpoint of webhooks fails for one group after the other; everything waits for it"
                );
            }
            let since = if attempts == 0 { now } else { since };
            self.back_off(attempts + 1, now + delay(attempts + 1, retry_after), since).await?;
        }
        Ok(())
    }

    async fn back_off(&mut self, attempts: u32, due_at: i64, since: i64) -> Result<(), StoreError> {
        if let Some(stored) = &mut self.stored {
            (stored.attempts, stored.due_at, stored.failing_since) = (attempts, due_at, since);
        }
        let id = self.endpoint.id.clone();
        self.write_by(move |tx| Box::pin(async move { tx.back_off_endpoint(&id, attempts, due_at, since).await })).await
    }

    async fn set_state(&mut self, state: EndpointState) -> Result<(), StoreError> {
        if let Some(stored) = &mut self.stored {
            stored.state = state;
        }
        let id = self.endpoint.id.clone();
        self.write_by(move |tx| Box::pin(async move { tx.set_endpoint_state(&id, state).await.map(drop) })).await
    }

    /// Writes how far each lane is, renews the leases of those that run, and notes the last answer.
    async fn write(&mut self) -> Result<(), StoreError> {
        let now = self.now();
        let mut by_epoch: HashMap<String, Vec<LaneProgress>> = HashMap::new();
        for held in self.held.values() {
            let progress = held.lane.progress();
            let is_due = held.is_running && held.lane.lease_until() - now < LEASE * 2 / 3;
            if progress.seq > held.written || progress.dead > 0 || is_due {
                // Lanes of the outbox belong to no history, and are written under that of the database.
                let epoch = held.lane.epoch().unwrap_or_else(|| self.store().epoch().to_string());
                by_epoch.entry(epoch).or_default().push(progress);
            }
        }
        let answer = self.endpoint.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let answer = answer.filter(|(_, at)| *at > self.answered_at);
        self.write_at = (!self.running.is_empty()).then(|| Instant::now() + WRITE_INTERVAL);
        if by_epoch.is_empty() && answer.is_none() {
            return Ok(());
        }
        let (id, token, lease_until) = (self.endpoint.id.clone(), self.token.clone(), now + LEASE);
        let (progress, noted) = (by_epoch.clone(), answer.clone());
        let written = self
            .write_by(move |tx| {
                Box::pin(async move {
                    let mut held = HashSet::new();
                    for (epoch, progress) in &progress {
                        held.extend(tx.advance_lanes(&id, &token, epoch, progress, lease_until).await?);
                    }
                    if let Some((answer, at)) = noted {
                        tx.note_answer(&id, &answer, at).await?;
                    }
                    Ok(held)
                })
            })
            .await;
        let still_held = written.inspect_err(|_| self.write_at = Some(Instant::now() + WRITE_INTERVAL))?;
        self.answered_at = answer.map_or(self.answered_at, |(_, at)| at);
        for progress in by_epoch.into_values().flatten() {
            let Some(held) = self.held.get_mut(&progress.lane) else { continue };
            if still_held.contains(&progress.lane) {
                held.lane.written(&progress);
                held.lane.set_lease(lease_until);
                held.written = progress.seq;
            } else if held.is_running {
                // Its task stops before the next request.
                held.lane.set_lease(0);
                held.written = u64::MAX;
            } else {
                self.held.remove(&progress.lane);
            }
        }
        Ok(())
    }

    /// Lets deliveries end, writes how far they came, and gives the positions to other nodes.
    async fn stop(mut self) {
        let ended = async { while self.running.join_next().await.is_some() {} };
        let _ = timeout(STOP_TIMEOUT, ended).await;
        let written = async {
            self.write().await?;
            let (id, token) = (self.endpoint.id.clone(), self.token.clone());
            self.write_by(move |tx| Box::pin(async move { tx.release_lanes(&id, &token).await })).await
        };
        match timeout(STOP_TIMEOUT, written).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "positions of webhooks were not written at the end"),
            Err(_) => tracing::debug!("positions of webhooks were not written in time"),
        }
    }

    async fn write_by<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        W: for<'t> FnOnce(&'t mut Tx<'_>) -> std::pin::Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 't>>
            + Send
            + 'static,
        T: Send + 'static,
    {
        self.store()
            .write(None, move |tx| Box::pin(async move { work(tx).await.map(Decision::Commit) }))
            .await
    }

    fn store(&self) -> &Store {
        &self.endpoint.store
    }

    fn now(&self) -> i64 {
        self.store().clock().now()
    }
}
