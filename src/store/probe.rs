//! Looks every second how the primary is, and at once when somebody has met with an error.

use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::Connection;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::hosts::{Found, Hosts};
use super::primary::{Inner, Primary};
use crate::clock::Clock;

/// Between two looks at a server that is well, and at one that is not.
const CALM: Duration = Duration::from_millis(1000);
const ALARMED: Duration = Duration::from_millis(200);
/// Between two looks however many ask for one.
const AT_LEAST: Duration = Duration::from_millis(50);
/// A trial that takes so long is begun again: its connection may be dead.
const TRIAL: Duration = Duration::from_secs(30);

/// The time of the database, which is the time of all nodes: their own clocks disagree.
pub(super) struct Time {
    clock: Clock,
    ahead: Option<i64>,
}

impl Time {
    pub(super) fn new(clock: Clock) -> Time {
        Time { clock, ahead: None }
    }

    /// Follows it, unless the answer took so long that it tells nothing new.
    pub(super) fn follow(&mut self, found: &Found) {
        let (ahead, exact) = found.ahead;
        if self.ahead.is_none_or(|before| (ahead - before).abs() > exact) {
            self.ahead = Some(ahead);
            self.clock.follow(ahead);
        }
    }
}

/// Starts looking; ends when the last [`Primary`] is gone.
pub(super) fn start(primary: &Primary, hosts: Hosts, time: Time) {
    tokio::spawn(look_forever(Arc::downgrade(&primary.0), primary.0.look.clone(), hosts, time));
}

async fn look_forever(primary: Weak<Inner>, look: Arc<Notify>, mut hosts: Hosts, mut time: Time) {
    // One at most, ended when it is dropped. One that waits for a standby is answered when that is back.
    let mut trial = JoinSet::new();
    let mut pause = CALM;
    loop {
        sleep(AT_LEAST).await;
        let answered = tokio::select! {
            () = sleep(pause) => false,
            () = look.notified() => false,
            Some(answered) = trial.join_next() => answered.unwrap_or(false),
        };
        let found = hosts.primary().await;
        let Some(primary) = primary.upgrade().map(Primary) else { return };
        if answered {
            primary.trust_commits();
        }
        pause = if found.is_ok() { CALM } else { ALARMED };
        let doubt = match found {
            Ok(found) => {
                time.follow(&found);
                primary.is_there(found)
            }
            Err(why) => {
                primary.is_away(&why);
                false
            }
        };
        if !doubt {
            trial.abort_all();
        } else if trial.is_empty() {
            trial.spawn(try_commit(primary));
        }
    }
}

/// Whether the primary answers a commit, however long that takes.
async fn try_commit(primary: Primary) -> bool {
    let Ok(mut connection) = primary.connect().await else { return false };
    drop(primary);
    // Nothing is written but that something was: a commit of a transaction without writes waits for nobody.
    let words = "SELECT pg_logical_emit_message(true, 'chat-group-members', 'a commit')";
    match timeout(TRIAL, sqlx::query(words).execute(&mut connection)).await {
        // Whatever is wrong, acts are told of it by themselves.
        Ok(Ok(_) | Err(sqlx::Error::Database(_))) => {
            let _ = connection.close().await;
            true
        }
        _ => false,
    }
}
