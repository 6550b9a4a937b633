//! Delivers to one endpoint: finds lanes with undelivered events and takes their leases (`claims.rs`), runs a task for
//! each of some of them and sees how it ends (`outcomes.rs`), and writes the positions of all together (`progress.rs`).
//!
//! A lane is a sequence of events that are delivered in order, with a position of its own, as a partition of Kafka is: the events of one
//! group, those of one person in the outbox, or the statuses of some people (`store/lane.rs`).
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
use super::lane_cursor::LaneCursor;
use crate::store::{ClaimedLane, Decision, FailureLog, Lane, Store, StoreError, StoredEndpoint, Tx};

/// Least time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two writes of positions. After a crash, deliveries since the last write are made again.
const WRITE_INTERVAL: Duration = Duration::from_millis(200);
/// Time that a position is held without being renewed, in milliseconds.
const LEASE_MS: i64 = 6_000;
/// Time that deliveries have to end when the process does.
const STOP_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A lane whose position this node holds, or that it delivered until it lost the position.
struct HeldLane {
    cursor: Arc<LaneCursor>,
    /// The position that was written last; `None` once another node may hold it, so that nothing more is written.
    written_seq: Option<u64>,
    /// Whether a task delivers it.
    is_running: bool,
    /// Whether something was committed since its task began.
    is_wanted_again: bool,
}

impl HeldLane {
    fn new(claimed: ClaimedLane, lease_until: i64) -> HeldLane {
        let written_seq = Some(claimed.seq);
        let cursor = Arc::new(LaneCursor::new(claimed, lease_until));
        HeldLane { cursor, written_seq, is_running: false, is_wanted_again: false }
    }

    /// Whether `seq` is further than the position that was written last.
    fn is_unwritten(&self, seq: u64) -> bool {
        self.written_seq.is_some_and(|written| seq > written)
    }
}

/// Delivers to one endpoint.
pub(in crate::webhooks) struct Dispatcher {
    endpoint: Arc<Endpoint>,
    inbox: Arc<Inbox>,
    /// Names this run of this node.
    token: String,
    /// The endpoint as it was read or written last.
    stored: Option<StoredEndpoint>,
    held: HashMap<Lane, HeldLane>,
    /// Lanes with something to deliver, whose delivery has not begun.
    wanted: VecDeque<Lane>,
    /// The lanes in `wanted`.
    queued: HashSet<Lane>,
    running: JoinSet<(Lane, LaneOutcome)>,
    lanes_of_tasks: HashMap<Id, Lane>,
    /// Lanes that failed since the last delivery, as far as this node knows of deliveries by others.
    failed_lanes: HashSet<Lane>,
    /// The number of delivered messages at the last check.
    delivered: u64,
    /// When the answer came that was written last, Unix milliseconds.
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
            failed_lanes: HashSet::new(),
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
                    if let Err(error) = self.on_ended(ended).await {
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

    /// Does what is due now: registers the endpoint, polls, writes positions and begins deliveries.
    async fn work(&mut self) -> Result<(), StoreError> {
        self.ensure_registered().await?;
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
    pub(in crate::webhooks) async fn ensure_registered(&mut self) -> Result<(), StoreError> {
        if !self.is_registered {
            // Without a table of presence, as with a SQLite file, there are no other nodes.
            let alone = self.store().presence_table().is_none();
            self.register(alone).await?;
            self.is_registered = true;
        }
        Ok(())
    }

    /// Records that the endpoint is still configured.
    async fn renew_registration(&self) -> Result<(), StoreError> {
        self.register(false).await
    }

    /// Stores the endpoint. `alone` when no other node can hold a position of it: those of an earlier run are free then.
    async fn register(&self, alone: bool) -> Result<(), StoreError> {
        let (id, webhook) = (self.endpoint.id.clone(), &self.endpoint.webhook);
        let (former_id, location) = (webhook.former_id(), webhook.location());
        self.transact(move |tx| {
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
            self.transact(move |tx| Box::pin(async move { tx.release_lanes(&id, &token).await })).await
        };
        match timeout(STOP_TIMEOUT, written).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "positions of webhooks were not written at the end"),
            Err(_) => tracing::debug!("positions of webhooks were not written in time"),
        }
    }

    /// Runs `work` in a transaction and commits it.
    async fn transact<T, W>(&self, work: W) -> Result<T, StoreError>
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
