//! Checks the primary every second, and at once when a caller has met an error.

use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::Connection;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::discovery::{DiscoveredServer, Hosts, Patience};
use super::primary::{Inner, Primary};
use crate::clock::Clock;

/// Time between two checks of a primary that is found.
const INTERVAL: Duration = Duration::from_millis(1000);
/// Time between two checks while none is found.
const OUTAGE_INTERVAL: Duration = Duration::from_millis(200);
/// Least time between two checks, however many callers ask for one.
const MIN_INTERVAL: Duration = Duration::from_millis(50);
/// After this long an unanswered test commit is sent again: its connection may be dead.
const TEST_COMMIT_TIMEOUT: Duration = Duration::from_secs(30);

/// Has a clock follow the time of the database, which all nodes share: the clocks of their machines differ.
pub(super) struct DatabaseClock {
    clock: Clock,
    /// The offset that the clock follows, milliseconds.
    ahead: Option<i64>,
}

impl DatabaseClock {
    pub(super) fn new(clock: Clock) -> DatabaseClock {
        DatabaseClock { clock, ahead: None }
    }

    /// Adopts the measured offset, unless it differs by less than it may be wrong.
    pub(super) fn follow(&mut self, found: &DiscoveredServer) {
        let offset = found.clock_offset;
        if self.ahead.is_none_or(|before| (offset.ahead - before).abs() > offset.uncertainty) {
            self.ahead = Some(offset.ahead);
            self.clock.follow(offset.ahead);
        }
    }
}

/// Starts the checks; they end when the last [`Primary`] is dropped.
pub(super) fn start(primary: &Primary, hosts: Hosts, clock: DatabaseClock) {
    tokio::spawn(probe_forever(Arc::downgrade(&primary.0), primary.0.probe_requested.clone(), hosts, clock));
}

async fn probe_forever(primary: Weak<Inner>, requested: Arc<Notify>, mut hosts: Hosts, mut clock: DatabaseClock) {
    // At most one test commit runs, and dropping this aborts it. One that waits for a standby completes when the
    // standby is back.
    let mut test_commit = JoinSet::new();
    let mut interval = INTERVAL;
    loop {
        sleep(MIN_INTERVAL).await;
        let answered = tokio::select! {
            () = sleep(interval) => false,
            () = requested.notified() => false,
            Some(answered) = test_commit.join_next() => answered.unwrap_or(false),
        };
        let found = hosts.find_server(Patience::Node).await;
        let Some(primary) = primary.upgrade().map(Primary) else { return };
        if answered {
            primary.health().set_commits_suspected(false);
        }
        interval = if found.as_ref().is_ok_and(|found| !found.standby) { INTERVAL } else { OUTAGE_INTERVAL };
        let suspected = match found {
            Ok(found) => {
                clock.follow(&found);
                primary.set_found(found)
            }
            Err(why) => {
                primary.health().set_unavailable(&why);
                false
            }
        };
        if !suspected {
            test_commit.abort_all();
        } else if test_commit.is_empty() {
            test_commit.spawn(answers_commit(primary));
        }
    }
}

/// Whether the primary answers a commit, however long it takes.
async fn answers_commit(primary: Primary) -> bool {
    let Ok(mut connection) = primary.connect().await else { return false };
    drop(primary);
    // A message in the write-ahead log and nothing else: a commit without any write does not wait for standbys.
    let sql = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
        SELECT pg_logical_emit_message(true, 'chat-group-members', 'a commit'); COMMIT";
    match timeout(TEST_COMMIT_TIMEOUT, sqlx::raw_sql(sql).execute(&mut connection)).await {
        // An error is an answer as well; acts meet it by themselves.
        Ok(Ok(_) | Err(sqlx::Error::Database(_))) => {
            let _ = connection.close().await;
            true
        }
        _ => false,
    }
}
