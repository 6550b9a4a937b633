//! Writes how far each lane is delivered, for all lanes together.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;

use tokio::time::Instant;

use super::{Dispatcher, LEASE, WRITE_INTERVAL};
use crate::store::{LaneProgress, StoreError};

impl Dispatcher {
    /// Writes how far each lane is, renews the leases of those that run, and records the last answer.
    ///
    /// # Errors
    /// When the database cannot be written; it is tried again after [`WRITE_INTERVAL`].
    pub(super) async fn write(&mut self) -> Result<(), StoreError> {
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
        let (progress, recorded) = (by_epoch.clone(), answer.clone());
        let written = self
            .write_by(move |tx| {
                Box::pin(async move {
                    let mut held = HashSet::new();
                    for (epoch, progress) in &progress {
                        held.extend(tx.advance_lanes(&id, &token, epoch, progress, lease_until).await?);
                    }
                    if let Some((answer, at)) = recorded {
                        tx.record_answer(&id, &answer, at).await?;
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
}
