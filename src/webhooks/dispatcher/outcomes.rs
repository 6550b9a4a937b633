//! The consequence of a delivery's end: more of the lane, a retry later, or an endpoint that fails as a whole.

use std::sync::atomic::Ordering;

use tokio::task::{Id, JoinError};
use tokio::time::Instant;

use super::{Dispatcher, POLL_INTERVAL};
use crate::store::{EndpointState, Lane, StoreError};
use crate::webhooks::backoff::backoff;
use crate::webhooks::deliver::LaneOutcome;

/// After this many failed lanes in a row, the whole endpoint counts as failing.
const FAILURES_IN_A_ROW: usize = 5;

impl Dispatcher {
    /// A task has ended.
    pub(super) async fn ended(
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
        let again = std::mem::take(&mut held.again);
        // The consequences do not depend on whether this could be written.
        let recorded = self.record_deliveries().await;
        match end {
            LaneOutcome::Drained if !again => {}
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
            LaneOutcome::Failed(answer, retry_after) => self.failed(lane, &answer, retry_after).await?,
        }
        recorded
    }

    /// A delivery ends a row of failures.
    async fn record_deliveries(&mut self) -> Result<(), StoreError> {
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
        // The position is written first: the events before the failed one are delivered.
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
        let (id, token, due_at) = (self.endpoint.id.clone(), self.token.clone(), now + backoff(attempts, retry_after));
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
                    endpoint = self.endpoint.id,
                    answer,
                    "an endpoint of webhooks fails for one group after the other; everything waits for it"
                );
            }
            let since = if attempts == 0 { now } else { since };
            self.back_off(attempts + 1, now + backoff(attempts + 1, retry_after), since).await?;
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
}
