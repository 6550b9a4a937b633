//! Writes how far each lane is delivered, for all lanes together.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;

use tokio::time::Instant;

use super::{Dispatcher, LEASE_MS, WRITE_INTERVAL};
use crate::store::{Lane, LaneProgress, StoreError};

/// What is to be written of each lane, by the epoch of the events that were delivered.
type ProgressByEpoch = HashMap<String, Vec<LaneProgress>>;

/// An answer in words, and when it came, Unix milliseconds.
type Answer = (String, i64);

impl Dispatcher {
    /// Writes how far each lane is, renews the leases of those that run, and records the last answer.
    ///
    /// # Errors
    /// When the database cannot be written; it is tried again after [`WRITE_INTERVAL`].
    pub(super) async fn write(&mut self) -> Result<(), StoreError> {
        let now = self.now();
        let (progress, answer) = (self.unwritten_progress(now), self.unwritten_answer());
        self.write_at = (!self.running.is_empty()).then(|| Instant::now() + WRITE_INTERVAL);
        if progress.is_empty() && answer.is_none() {
            return Ok(());
        }
        let lease_until = now + LEASE_MS;
        let written = self.write_progress(progress.clone(), answer.clone(), lease_until).await;
        let still_held = written.inspect_err(|_| self.write_at = Some(Instant::now() + WRITE_INTERVAL))?;
        self.answered_at = answer.map_or(self.answered_at, |(_, at)| at);
        for progress in progress.into_values().flatten() {
            if still_held.contains(&progress.lane) {
                self.on_written(&progress, lease_until);
            } else {
                self.on_lease_lost(&progress.lane);
            }
        }
        Ok(())
    }

    /// The lanes that were delivered further than is written, or whose lease is to be renewed.
    fn unwritten_progress(&self, now: i64) -> ProgressByEpoch {
        let mut by_epoch = ProgressByEpoch::new();
        for held in self.held.values() {
            let progress = held.cursor.progress();
            let is_due = held.is_running && held.cursor.lease_until() - now < LEASE_MS * 2 / 3;
            if held.is_unwritten(progress.seq) || progress.dead > 0 || is_due {
                // Lanes of the outbox belong to no history, and are written under that of the database.
                let epoch = held.cursor.epoch().unwrap_or_else(|| self.store().epoch().to_string());
                by_epoch.entry(epoch).or_default().push(progress);
            }
        }
        by_epoch
    }

    /// The endpoint's last answer, if it came after the one that was written last.
    fn unwritten_answer(&self) -> Option<Answer> {
        let answer = self.endpoint.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        answer.filter(|(_, at)| *at > self.answered_at)
    }

    /// Writes this in one transaction; returns the lanes whose positions this node still holds.
    async fn write_progress(
        &self,
        progress: ProgressByEpoch,
        answer: Option<Answer>,
        lease_until: i64,
    ) -> Result<HashSet<Lane>, StoreError> {
        let (id, token) = (self.endpoint.id.clone(), self.token.clone());
        self.transact(move |tx| {
            Box::pin(async move {
                let mut held = HashSet::new();
                for (epoch, progress) in &progress {
                    held.extend(tx.advance_lanes(&id, &token, epoch, progress, lease_until).await?);
                }
                if let Some((answer, at)) = answer {
                    tx.record_answer(&id, &answer, at).await?;
                }
                Ok(held)
            })
        })
        .await
    }

    fn on_written(&mut self, progress: &LaneProgress, lease_until: i64) {
        let Some(held) = self.held.get_mut(&progress.lane) else { return };
        held.cursor.progress_written(progress);
        held.cursor.set_lease(lease_until);
        held.written_seq = Some(progress.seq);
    }

    /// Another node may deliver this lane now. A task that delivers it stops before its next request.
    fn on_lease_lost(&mut self, lane: &Lane) {
        let Some(held) = self.held.get_mut(lane) else { return };
        if held.is_running {
            held.cursor.set_lease(0);
            held.written_seq = None;
        } else {
            self.held.remove(lane);
        }
    }
}
