//! Delivers to one endpoint: finds lanes with undelivered events and takes their leases (`claims.rs`), runs a task for
//! each of some of them and sees how it ends (`outcomes.rs`), and writes the positions of all together (`progress.rs`).
//!
//! A commit of this node is announced to it (`inbox.rs`); what other nodes and processes commit is found by a poll.
//!
//! Not here: the delivery of one lane (`deliver.rs`), and the statements (`store/webhooks`).

mod claims;
mod inbox;
mod outcomes;
mod progress;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

pub(super) use self::inbox::Inbox;
use super::deliver::{Endpoint, LaneOutcome};
use super::lane::HeldLane;
use crate::store::{Decision, FailureLog, Lane, Store, StoreError, StoredEndpoint, Tx};

/// Least time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two writes of positions. After a crash, deliveries since the last write are made again.
const WRITE_INTERVAL: Duration = Duration::from_millis(200);
/// Time that a position is held without being renewed, in milliseconds.
const LEASE: i64 = 6_000;
/// Time that deliveries have to end when the process does.
const STOP_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A lane that this node holds.
struct LaneTask {
    lane: Arc<HeldLane>,
    /// The position that was written last.
    written: u64,
    is_running: bool,
    /// Whether something was committed since its task began.
    again: bool,
}

/// Delivers to one endpoint.
pub(in crate::webhooks) struct Dispatcher {
    endpoint: Arc<Endpoint>,
    inbox: Arc<Inbox>,
    /// Names this run of this node.
    token: String,
    /// The endpoint as it was read or written last.
    stored: Option<StoredEndpoint>,
    held: HashMap<Lane, LaneTask>,
    wanted: VecDeque<Lane>,
    /// The lanes in `wanted`.
    queued: HashSet<Lane>,
    running: JoinSet<(Lane, LaneOutcome)>,
    lanes_of_tasks: HashMap<Id, Lane>,
    /// Lanes that failed since the last delivery, as far as this node knows of deliveries by others.
    failed: HashSet<Lane>,
    /// The number of delivered messages at the last check.
    delivered: u64,
    /// When the answer came that was written last, milliseconds since the epoch.
    answered_at: i64,
    poll_at: Instant,
    write_at: Option<Instant>,
    metrics_at: Instant,
    failures: FailureLog,
    /// Failures to read events, in all lanes.
    unreadable: FailureLog,
    is_registered: bool,
}

impl Dispatcher {
    pub(in crate::webhooks) fn new(endpoint: Arc<Endpoint>, inbox: Arc<Inbox>, token: String) -> Dispatcher {
        let now = Instant::now();
        Dispatcher {
            endpoint,
            inbox,
            token,
            stored: None,
            held: HashMap::new(),
            wanted: VecDeque::new(),
            queued: HashSet::new(),
            running: JoinSet::new(),
            lanes_of_tasks: HashMap::new(),
            failed: HashSet::new(),
            delivered: 0,
            answered_at: 0,
            poll_at: now,
            write_at: None,
            metrics_at: now,
            failures: FailureLog::new(),
            unreadable: FailureLog::new(),
            is_registered: false,
        }
    }

    /// Delivers until `stop` is cancelled; then writes how far it came.
    pub(in crate::webhooks) async fn run(mut self, stop: CancellationToken) {
        loop {
            let worked = self.work().await;
            self.failures.observe(&worked, format_args!("reading what the webhook {} is to be told", self.endpoint.id));
            if worked.is_err() {
                self.poll_at = Instant::now() + POLL_INTERVAL;
                self.write_at = self.write_at.map(|_| Instant::now() + POLL_INTERVAL);
                tokio::select! {
                    () = sleep_until(self.poll_at) => {}
                    () = stop.cancelled() => break,
                }
                continue;
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
    async fn work(&mut self) -> Result<(), StoreError> {
        self.begin().await?;
        self.take_inbox();
        if self.poll_at <= Instant::now() {
            self.poll().await?;
        }
        if self.write_at.is_some_and(|at| at <= Instant::now()) {
            self.write().await?;
        }
        self.start().await
    }

    /// Stores the endpoint, if that was not done since the start.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(in crate::webhooks) async fn begin(&mut self) -> Result<(), StoreError> {
        if !self.is_registered {
            self.register(true).await?;
            self.is_registered = true;
        }
        Ok(())
    }

    async fn register(&mut self, is_first: bool) -> Result<(), StoreError> {
        // Without a table of presence, as with a SQLite file, there are no other nodes.
        let alone = is_first && self.store().presence_table().is_none();
        let (id, webhook) = (self.endpoint.id.clone(), &self.endpoint.webhook);
        let (former_id, location) = (webhook.former_id(), webhook.location());
        self.write_by(move |tx| {
            Box::pin(async move {
                if let Some(former_id) = former_id {
                    tx.copy_endpoint(&former_id, &id, alone).await?;
                }
                tx.register_endpoint(&id, &location, alone).await
            })
        })
        .await
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
        self.store().write(None, move |tx| Box::pin(async move { work(tx).await.map(Decision::Commit) })).await
    }

    fn store(&self) -> &Store {
        &self.endpoint.store
    }

    fn now(&self) -> i64 {
        self.store().clock().now()
    }
}
