//! Retries: the consequence of a delivery's end, which is more of the lane, another try later, or an endpoint that fails as a whole.

use std::sync::atomic::Ordering;

use tokio::task::{Id, JoinError};
use tokio::time::Instant;

use super::{Dispatcher, POLL_INTERVAL};
use crate::store::{EndpointState, Lane, LaneFailure, StoreError, StoredEndpoint};
use crate::webhooks::backoff::{longest_waits, retry_delay};
use crate::webhooks::deliver::LaneOutcome;

/// After this many failed lanes in a row, the whole endpoint counts as failing.
const FAILURES_IN_A_ROW: usize = 5;

impl Dispatcher {
    /// Draws the consequences of a task's end.
    ///
    /// # Errors
    /// When the database cannot be written. A lane that failed is given back all the same; its lease runs out.
    pub(super) async fn on_ended(
        &mut self,
        ended: Result<(Id, (Lane, LaneOutcome)), JoinError>,
    ) -> Result<(), StoreError> {
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
        let is_wanted_again = std::mem::take(&mut held.is_wanted_again);
        // The consequences do not depend on whether this could be written.
        let recorded = self.record_deliveries().await;
        match end {
            LaneOutcome::Drained if !is_wanted_again => {}
            LaneOutcome::Drained | LaneOutcome::More => self.want(lane),
            LaneOutcome::LeaseLost => {
                self.held.remove(&lane);
                self.want(lane);
            }
            LaneOutcome::Unreadable(error) => {
                if !error.already_logged() && self.unreadable.failed(&error.to_string(), Instant::now()) {
                    tracing::warn!(%error, endpoint = self.endpoint.id, %lane, "events cannot be read for a webhook; retrying");
                }
            }
            LaneOutcome::HistoryLost(position) => {
                self.held.remove(&lane);
                self.store().replace_epoch(&position).await?;
                self.poll_at = self.poll_at.min(Instant::now() + POLL_INTERVAL);
            }
            LaneOutcome::Gone => {
                self.write().await?;
                tracing::warn!(
                    endpoint = self.endpoint.id,
                    "an endpoint of webhooks answered 410 (Gone) and gets nothing until it is resumed"
                );
                self.set_state(EndpointState::Gone).await?;
            }
            LaneOutcome::Failed(answer, retry_after) => self.on_failed(lane, &answer, retry_after).await?,
        }
        recorded
    }

    /// Notes deliveries: one ends a run of consecutive failures.
    async fn record_deliveries(&mut self) -> Result<(), StoreError> {
        let delivered = self.endpoint.delivered.load(Ordering::Acquire);
        if std::mem::replace(&mut self.delivered, delivered) == delivered {
            return Ok(());
        }
        self.failed_lanes.clear();
        if self.is_probing() {
            tracing::info!(endpoint = self.endpoint.id, "an endpoint of webhooks takes deliveries again");
            self.reopen().await?;
            self.poll_at = Instant::now();
        }
        Ok(())
    }

    /// Gives a lane back whose next event failed, until it is tried again; backs off the endpoint when too many lanes have failed.
    async fn on_failed(&mut self, lane: Lane, answer: &str, retry_after: Option<i64>) -> Result<(), StoreError> {
        // The position is written first: the events before the failed one are delivered.
        self.write().await?;
        let Some(held) = self.held.remove(&lane) else { return Ok(()) };
        let now = self.now();
        let attempts = held.cursor.attempts.load(Ordering::Acquire) + 1;
        let failing_since = if attempts == 1 { now } else { held.cursor.failing_since };
        if attempts == 1 {
            tracing::warn!(
                endpoint = self.endpoint.id, %lane, seq = held.cursor.seq() + 1, answer,
                "a webhook could not be delivered; retrying"
            );
        }
        let failure = LaneFailure {
            lane: lane.clone(),
            tried_due_at: held.cursor.tried_due_at(),
            attempts,
            due_at: now + retry_delay(attempts, retry_after),
            failing_since,
        };
        let (id, token) = (self.endpoint.id.clone(), self.token.clone());
        let is_noted =
            self.transact(move |tx| Box::pin(async move { tx.fail_lane(&id, &token, &failure).await })).await?;
        if !is_noted {
            // Resumed or replayed meanwhile, or another node's: it says nothing about a try that begins now.
            self.want(lane);
            return Ok(());
        }
        self.failed_lanes.insert(lane);
        let Some(read) = self.stored.clone() else { return Ok(()) };
        let is_failing = read.attempts > 0 || self.failed_lanes.len() >= FAILURES_IN_A_ROW;
        let is_first = read.attempts == 0;
        if read.due_at <= now && is_failing && self.back_off_endpoint(read, now, retry_after).await? && is_first {
            tracing::warn!(
                endpoint = self.endpoint.id,
                answer,
                "an endpoint of webhooks fails for one group after the other; everything waits for it"
            );
        }
        Ok(())
    }

    /// Leaves the endpoint alone for a while after it failed at `now`, Unix milliseconds; `false` when another node
    /// has changed its state since it was `read`: then it is read again.
    async fn back_off_endpoint(
        &mut self,
        read: StoredEndpoint,
        now: i64,
        retry_after: Option<i64>,
    ) -> Result<bool, StoreError> {
        let attempts = read.attempts + 1;
        let due_at = now + retry_delay(attempts, retry_after);
        let failing_since = if read.attempts == 0 { now } else { read.failing_since };
        let left_alone = StoredEndpoint { attempts, due_at, failing_since, ..read.clone() };
        let is_written = self
            .transact(move |tx| {
                Box::pin(async move { tx.back_off_endpoint(&read, attempts, due_at, failing_since).await })
            })
            .await?;
        if is_written {
            self.stored = Some(left_alone);
        } else {
            self.poll_at = Instant::now();
        }
        Ok(is_written)
    }

    /// The endpoint takes deliveries: everything is due, except what it has asked to get later.
    async fn reopen(&mut self) -> Result<(), StoreError> {
        if let Some(stored) = &mut self.stored {
            (stored.attempts, stored.due_at, stored.failing_since) = (0, 0, 0);
        }
        let id = self.endpoint.id.clone();
        self.transact(move |tx| Box::pin(async move { tx.reopen_endpoint(&id, &longest_waits()).await })).await
    }

    async fn set_state(&mut self, state: EndpointState) -> Result<(), StoreError> {
        if let Some(stored) = &mut self.stored {
            stored.state = state;
        }
        let id = self.endpoint.id.clone();
        self.transact(move |tx| Box::pin(async move { tx.set_endpoint_state(&id, state).await.map(drop) })).await
    }
}
