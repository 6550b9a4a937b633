//! Finds lanes with undelivered events, takes their leases, and begins to deliver them.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::inbox::MAX_WANTED;
use super::{Dispatcher, HeldLane, LEASE_MS, POLL_INTERVAL, WRITE_INTERVAL};
use crate::store::{ClaimedLane, EndpointState, Lane, Reader, StoreError, StoredEndpoint};

/// Lanes that are delivered at the same time.
const MAX_RUNNING: usize = 64;
/// Lanes that a poll finds.
const LANES_PER_POLL: usize = 1_000;
/// Polling uses at most one part in this many of the time.
const POLL_SHARE: u32 = 20;
/// Time between two records that the endpoint is configured, in milliseconds.
const SEEN_INTERVAL_MS: i64 = 60_000;
/// Time between two readings of the backlog for the metrics.
const METRICS_INTERVAL: Duration = Duration::from_secs(10);

impl Dispatcher {
    /// Queues the lanes that the rest of the node has announced, and polls at once when an operator requested something.
    pub(super) fn take_inbox(&mut self) {
        let lanes = std::mem::take(&mut *self.inbox.lanes.lock().unwrap_or_else(PoisonError::into_inner));
        for lane in lanes {
            self.want(lane);
        }
        if self.inbox.poll.swap(false, Ordering::AcqRel) {
            self.poll_at = Instant::now();
        }
    }

    /// Queues a lane that has something to deliver; one that is being delivered is checked again when its task ends.
    pub(super) fn want(&mut self, lane: Lane) {
        match self.held.get_mut(&lane) {
            Some(held) if held.is_running => held.is_wanted_again = true,
            Some(_) | None => {
                if self.wanted.len() < MAX_WANTED && self.queued.insert(lane.clone()) {
                    self.wanted.push_back(lane);
                }
            }
        }
    }

    /// Reads the state of the endpoint, queues the lanes with undelivered events, and renews the registration when it is due.
    ///
    /// # Errors
    /// When the database cannot be read, or the endpoint not be registered.
    pub(super) async fn poll(&mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        let mut reader = self.store().read().await?;
        self.stored = reader.endpoints().await?.into_iter().find(|stored| stored.id == self.endpoint.id);
        let now = self.now();
        // If the last stored answer is a success, some node has delivered: reset the count. A failure is stored as the last answer
        // before it is counted.
        if self.stored.as_ref().is_some_and(StoredEndpoint::last_succeeded) {
            self.failed_lanes.clear();
        }
        if self.is_open() {
            self.queue_undelivered(&mut reader).await?;
        }
        if self.metrics_at <= begun {
            self.metrics_at = begun + METRICS_INTERVAL;
            self.report_backlog(&mut reader, now).await?;
        }
        drop(reader);
        let registered_recently = self.stored.as_ref().is_some_and(|stored| now - stored.seen_at < SEEN_INTERVAL_MS);
        if !registered_recently {
            self.renew_registration().await?;
        }
        // Leases that ran out are taken again when there is something to deliver.
        self.held.retain(|_, held| held.is_running || held.cursor.is_held(now) || held.is_unwritten(held.cursor.seq()));
        self.poll_at = Instant::now() + POLL_INTERVAL.max(begun.elapsed() * POLL_SHARE);
        Ok(())
    }

    /// Queues the lanes with undelivered events.
    async fn queue_undelivered(&mut self, reader: &mut Reader) -> Result<(), StoreError> {
        let ignore_due_at = self.is_probing();
        let lanes = reader.undelivered_lanes(&self.endpoint.id, &self.token, ignore_due_at, LANES_PER_POLL).await?;
        for lane in lanes {
            // An operator may have moved the position back, which takes the lease away.
            if self.held.get(&lane).is_some_and(|held| !held.is_running && held.written_seq == Some(held.cursor.seq()))
            {
                self.held.remove(&lane);
            }
            self.want(lane);
        }
        Ok(())
    }

    /// Sets the metrics of the endpoint's backlog; `now` in Unix milliseconds.
    async fn report_backlog(&self, reader: &mut Reader, now: i64) -> Result<(), StoreError> {
        let backlog = reader.backlog(&self.endpoint.id).await?;
        let oldest = backlog.oldest.map_or(0, |at| (now - at).max(0) / 1000);
        metrics::gauge!("chat_group_members_webhook_backlog", "endpoint" => self.endpoint.id.clone())
            .set(backlog.events as f64);
        metrics::gauge!("chat_group_members_webhook_oldest_seconds", "endpoint" => self.endpoint.id.clone())
            .set(oldest as f64);
        Ok(())
    }

    /// Whether the endpoint gets anything now.
    fn is_open(&self) -> bool {
        let now = self.now();
        self.stored.as_ref().is_some_and(|stored| stored.state == EndpointState::Active && stored.due_at <= now)
    }

    /// Whether the endpoint has failed as one, so that one lane is tried alone.
    pub(super) fn is_probing(&self) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.attempts > 0)
    }

    /// Begins to deliver lanes that are wanted, as many as may run.
    ///
    /// # Errors
    /// When the database cannot be written: the lanes stay queued.
    pub(super) async fn start(&mut self) -> Result<(), StoreError> {
        if !self.is_open() {
            self.wanted.clear();
            self.queued.clear();
            return Ok(());
        }
        let now = self.now();
        let to_claim = self.start_held(now);
        if to_claim.is_empty() {
            return Ok(());
        }
        // Deliveries made under an expired lease are written first, since the claim reads the lane's position.
        if to_claim.iter().any(|lane| self.held.contains_key(lane)) {
            self.write().await?;
        }
        let lease_until = now + LEASE_MS;
        let claimed = match self.claim(to_claim.clone(), lease_until).await {
            Ok(claimed) => claimed,
            Err(error) => {
                to_claim.into_iter().for_each(|lane| self.want(lane));
                return Err(error);
            }
        };
        for claimed in claimed {
            let lane = claimed.lane.clone();
            self.held.insert(lane.clone(), HeldLane::new(claimed, lease_until));
            self.spawn(&lane);
        }
        Ok(())
    }

    /// Takes as many lanes from the queue as may run, and begins to deliver those whose position is held; returns the others, which
    /// are to be claimed first.
    fn start_held(&mut self, now: i64) -> Vec<Lane> {
        let most = if self.is_probing() { 1 } else { MAX_RUNNING };
        let mut to_claim = Vec::new();
        while self.running.len() + to_claim.len() < most
            && let Some(lane) = self.wanted.pop_front()
        {
            self.queued.remove(&lane);
            match self.held.get(&lane) {
                Some(held) if held.is_running => {}
                Some(held) if held.cursor.is_held(now) => self.spawn(&lane),
                Some(_) | None => to_claim.push(lane),
            }
        }
        to_claim
    }

    /// Takes the leases of these lanes; returns those that this node may deliver now.
    async fn claim(&self, lanes: Vec<Lane>, lease_until: i64) -> Result<Vec<ClaimedLane>, StoreError> {
        let (id, token, ignore_due_at) = (self.endpoint.id.clone(), self.token.clone(), self.is_probing());
        self.transact(move |tx| {
            Box::pin(async move { tx.claim_lanes(&id, &token, &lanes, ignore_due_at, lease_until).await })
        })
        .await
    }

    fn spawn(&mut self, lane: &Lane) {
        let Some(held) = self.held.get_mut(lane) else { return };
        held.is_running = true;
        held.is_wanted_again = false;
        let (endpoint, name, cursor) = (self.endpoint.clone(), lane.clone(), held.cursor.clone());
        let ended = name.clone();
        let task = self.running.spawn(async move { (ended, endpoint.deliver(&cursor).await) });
        self.lanes_of_tasks.insert(task.id(), name);
        self.write_at.get_or_insert_with(|| Instant::now() + WRITE_INTERVAL);
    }
}
