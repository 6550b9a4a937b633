//! Follows the log, whichever node writes it. Wake messages make it quick; a poll of every group's last
//! event number each second makes it certain, and shows whether this node is up to date.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::time::{Instant, sleep, timeout};

use super::catch_up_many::Behind;
use super::freshness::{POLL_TIMEOUT, in_time};
use super::group::LiveGroup;
use super::hub::{Hub, warn_of_failure};
use crate::domain::LoggedEvent;
use crate::store::{FailureLog, StoreError};

/// Poll interval for events that no wake message announced.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// From this age on, an event found by polling counts as one whose wake message is lost or late. The clocks of nodes may differ by 250 ms.
const LATEST_WAKE: Duration = Duration::from_millis(500);
/// Time that a poll waits for groups to catch up; shorter than its own.
const LONGEST_CATCH_UP: Duration = Duration::from_secs(1);
/// Groups that are read alone at the same time.
const MAX_CONCURRENT: usize = 8;

impl Hub {
    /// Polls the log at once.
    pub(super) fn poll_now(&self) {
        self.freshness().poll_requested.notify_one();
    }

    /// Catches up with logouts and erasures, and with the log of every group in memory.
    async fn poll(&self) -> Result<(), StoreError> {
        self.follow_logouts().await?;
        self.forget_erased_people().await?;
        let groups = self.loaded();
        let Some(heads) = self.heads(&groups).await? else { return Ok(()) };
        let head = |group: &LiveGroup| heads.get(group.guid()).map_or(0, |head| head.seq);
        for group in &groups {
            if let Some(head) = heads.get(group.guid())
                && group.forget_rewritten_events(head.rewritten_seq)
            {
                self.record_erasure();
            }
        }
        // A group that was deleted has nothing more to read.
        let is_current = |group: &LiveGroup| {
            let state = group.state();
            state.is_deleted() || state.roster().seq() >= head(group)
        };
        let behind = groups.iter().filter(|group| !is_current(group)).map(|group| (group.clone(), head(group)));
        self.catch_up_all(behind.collect()).await;
        // A group that takes seconds to read again, or cannot be read, is reported as out of date to its own viewers alone. How far a
        // standby lags behind is unknown.
        let may_be_current = !self.store().reads_standby();
        for group in &groups {
            group.set_live(may_be_current && is_current(group));
        }
        Ok(())
    }

    /// Brings these groups to their heads. A slow one goes on when nobody waits any more.
    async fn catch_up_all(&self, behind: Vec<Behind>) {
        if behind.is_empty() {
            return;
        }
        let hub = self.clone();
        let caught_up = tokio::spawn(async move { hub.read_all(behind).await });
        let _ = timeout(LONGEST_CATCH_UP, caught_up).await;
    }

    /// Reads these groups, together as far as possible, the others some at a time.
    async fn read_all(&self, behind: Vec<Behind>) {
        let due = self.store().clock().now() - LATEST_WAKE.as_millis() as i64;
        let seen: Vec<Behind> = behind.iter().map(|(group, _)| (group.clone(), group.state().roster().seq())).collect();
        let mut alone = self.catch_up_together(behind).await.unwrap_or_else(|error| {
            warn_of_failure(None, &error);
            Vec::new()
        });
        // Those that take longest do not keep the others waiting.
        alone.sort_by_key(|(group, _)| group.is_reloading());
        stream::iter(alone)
            .map(|(group, head)| {
                let hub = self.clone();
                tokio::spawn(async move { hub.catch_up_polled(&group, head).await })
            })
            .buffer_unordered(MAX_CONCURRENT)
            .for_each(async |_| ())
            .await;
        seen.iter().for_each(|(group, since)| self.count_lost_wake(group, *since, due));
    }

    /// Counts a group whose first event after `since` happened before `due`: it should have been announced by now.
    fn count_lost_wake(&self, group: &LiveGroup, since: u64, due: i64) {
        let was_due = |events: Vec<Arc<LoggedEvent>>| events.first().is_some_and(|event| event.at < due);
        if self.wake().is_some() && group.state().since(since).is_some_and(was_due) {
            metrics::counter!("chat_group_members_wakes_lost_total").increment(1);
        }
    }

    /// Sends every viewer whether this node is up to date.
    fn send_live(&self, live: bool) {
        if self.freshness().cut_off.swap(!live, Ordering::Relaxed) == live {
            metrics::gauge!("chat_group_members_cut_off").set(if live { 0.0 } else { 1.0 });
            // That it is up to date again, the poll says of each group once it has read that group's events.
            if !live {
                self.loaded().iter().for_each(|group| group.set_live(false));
            }
        }
    }
}

/// Polls the log until the hub stops.
pub(super) async fn follow(hub: Hub) {
    let failures = FailureLog::new();
    loop {
        let (begun, reconnects) = (Instant::now(), hub.store().reconnects());
        let polled = in_time(POLL_TIMEOUT, hub.poll()).await;
        failures.observe(&polled, "polling the log");
        if polled.is_ok() {
            hub.freshness().record_poll(begun, reconnects);
            hub.send_live(!hub.store().reads_standby());
        } else if !hub.freshness().is_fresh() {
            hub.send_live(false);
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            () = hub.freshness().poll_requested.notified() => {}
            () = hub.store().wait_for_reconnect(reconnects) => {}
        }
    }
}
