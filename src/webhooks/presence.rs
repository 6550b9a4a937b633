//! Reports presence to webhooks: one node at a time compares the current statuses with those reported last.
//!
//! Every node knows the presence on all of them, so it does not matter which one reports. Reported statuses are
//! stored with the events, so that nothing is reported twice and nothing is lost when another node takes over, or the
//! same one after a restart. Somebody who comes and goes between two rounds is not reported.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::clock::every;
use crate::domain::{Status, Uid, rfc3339};
use crate::live::Presences;
use crate::store::{Decision, FailureLog, PresenceLease, StatusChange, Store, StoreError};

/// Time between two rounds. Each round reports at most one status for each person.
const ROUND_INTERVAL: Duration = Duration::from_secs(3);
/// Most statuses of a round; the others wait for the next ones.
const MAX_CHANGES: usize = 1_000;
/// Statuses of one transaction, so that acts wait for it for milliseconds only.
const CHANGES_PER_WRITE: usize = 200;
/// Time that the lease holds without being renewed, in milliseconds.
const LEASE_MS: i64 = 15_000;
/// Time after the start of this node that people who were online before have to connect again before they are
/// reported offline, in milliseconds.
const RECONNECT_TIME_MS: i64 = 30_000;
/// Longest time of giving the lease back when the process ends.
const STOP_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Tells webhooks of presence.
pub(super) struct PresenceReporter {
    store: Store,
    presences: Presences,
    /// Names this run of this node.
    token: String,
    /// When this node began to report, Unix milliseconds.
    started_at: i64,
    /// The end of this node's lease, Unix milliseconds; 0 when it holds none.
    lease_until: i64,
    /// The last reported status of everybody who is not offline, while this node holds the lease.
    reported: HashMap<Uid, Status>,
    /// People whose status was read from the database instead of seen: they may be on their way to connect again.
    inherited: HashSet<Uid>,
}

impl PresenceReporter {
    /// `token` names this run of this node.
    pub(super) fn new(store: Store, presences: Presences, token: String) -> PresenceReporter {
        let started_at = store.clock().now();
        PresenceReporter {
            store,
            presences,
            token,
            started_at,
            lease_until: 0,
            reported: HashMap::new(),
            inherited: HashSet::new(),
        }
    }

    /// Tells webhooks until `stop` is cancelled.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        let mut tick = every(ROUND_INTERVAL);
        let failures = FailureLog::new();
        while stop.run_until_cancelled(tick.tick()).await.is_some() {
            let reported = self.round().await;
            failures.observe(&reported, "reporting presence to webhooks");
            if reported.is_err() {
                // Whether it was written is unknown: the statuses are read again.
                self.lease_until = 0;
            }
        }
        if let Ok(Err(error)) = timeout(STOP_TIMEOUT, self.release()).await {
            tracing::debug!(%error, "the lease of presence was not given back");
        }
    }

    async fn round(&mut self) -> Result<(), StoreError> {
        let now = self.store.clock().now();
        if self.lease_until - now < LEASE_MS * 2 / 3 {
            self.write(Vec::new()).await?;
        }
        if self.lease_until == 0 {
            return Ok(());
        }
        let mut changes = self.changes(now);
        changes.truncate(MAX_CHANGES);
        while !changes.is_empty() {
            let rest = changes.split_off(changes.len().min(CHANGES_PER_WRITE));
            if !self.write(std::mem::replace(&mut changes, rest)).await? {
                break;
            }
        }
        Ok(())
    }

    /// The changes of status to report.
    fn changes(&self, now: i64) -> Vec<StatusChange> {
        let is_new = now - self.started_at < RECONNECT_TIME_MS;
        let at = rfc3339(now);
        let change = |(uid, new): (Uid, Option<Status>)| {
            let may_reconnect = is_new && self.inherited.contains(&uid);
            let new = new.or((!may_reconnect).then_some(Status::Offline))?;
            let old = self.reported.get(&uid).copied().unwrap_or_default();
            let data = json!({"uid": uid.as_str(), "status": new.as_str(), "at": at}).to_string();
            Some(StatusChange { uid, old, new, data })
        };
        self.presences.differences(&self.reported).into_iter().filter_map(change).collect()
    }

    /// Renews or takes the lease, and writes these changes if this node held it before; `true` when all were written.
    async fn write(&mut self, changes: Vec<StatusChange>) -> Result<bool, StoreError> {
        let lease_until = self.store.clock().now() + LEASE_MS;
        let (token, written) = (self.token.clone(), changes.clone());
        let is_new = self.lease_until == 0;
        let (lease, reported) = self
            .store
            .write(None, move |tx| {
                Box::pin(async move {
                    let lease = tx.lease_presence(&token, lease_until).await?;
                    let reported = match lease {
                        PresenceLease::Renewed => tx.report_presence(&written).await?,
                        PresenceLease::Taken | PresenceLease::HeldElsewhere => Default::default(),
                    };
                    Ok::<_, StoreError>(Decision::Commit((lease, reported)))
                })
            })
            .await?;
        match lease {
            PresenceLease::HeldElsewhere => {
                self.lease_until = 0;
                Ok(false)
            }
            PresenceLease::Renewed if !is_new && reported.len() == changes.len() => {
                self.lease_until = lease_until;
                self.record(changes);
                Ok(true)
            }
            // Another node has reported in the meantime, or somebody is being erased.
            PresenceLease::Renewed | PresenceLease::Taken => {
                self.reported = self.store.read().await?.reported_presence().await?;
                self.inherited = self.reported.keys().cloned().collect();
                self.lease_until = lease_until;
                Ok(false)
            }
        }
    }

    fn record(&mut self, reported: Vec<StatusChange>) {
        for StatusChange { uid, new, .. } in reported {
            self.inherited.remove(&uid);
            if new.counts_as_online() {
                self.reported.insert(uid, new);
            } else {
                self.reported.remove(&uid);
            }
        }
    }

    async fn release(&self) -> Result<(), StoreError> {
        let token = self.token.clone();
        self.store
            .write(None, move |tx| Box::pin(async move { tx.release_presence(&token).await.map(Decision::Commit) }))
            .await
    }
}
