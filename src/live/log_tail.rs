//! Follows the log, whichever node writes it. Wake messages make it quick; a poll of every group's last
//! event number each second makes it certain, and shows whether this node is up to date.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::freshness::{POLL_TIMEOUT, in_time};
use super::group::LiveGroup;
use super::hub::Hub;
use crate::domain::LoggedEvent;
use crate::store::{FailureLog, StoreError};

/// Poll interval for events that no wake message announced.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// From this age on, an event found by polling counts as one whose wake message is lost or late. The clocks of nodes may differ by half of it.
const LATEST_WAKE: Duration = Duration::from_millis(500);
/// Groups that catch up at the same time.
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
        let behind = |group: &Arc<LiveGroup>| {
            let head = heads.get(group.guid())?.seq;
            (head > group.state().roster().seq()).then(|| (group.clone(), head))
        };
        for group in &groups {
            if let Some(head) = heads.get(group.guid())
                && group.forget_rewritten_events(head.rewritten_seq)
            {
                self.record_erasure();
            }
        }
        let mut behind = groups.iter().filter_map(behind);
        let (mut running, mut healthy) = (JoinSet::new(), true);
        loop {
            while running.len() < MAX_CONCURRENT
                && let Some((group, head)) = behind.next()
            {
                let hub = self.clone();
                running.spawn(async move {
                    let since = group.state().roster().seq();
                    let caught_up = hub.catch_up_polled(&group, head).await;
                    hub.count_lost_wake(&group, since);
                    caught_up
                });
            }
            match running.join_next().await {
                Some(caught_up) => healthy &= caught_up.unwrap_or(false),
                None if healthy => return Ok(()),
                None => return Err(StoreError::Unavailable("a group could not be brought to the present".into())),
            }
        }
    }

    /// Counts a group whose first event after `since` should have been announced long ago.
    fn count_lost_wake(&self, group: &LiveGroup, since: u64) {
        let due = self.store().clock().now() - LATEST_WAKE.as_millis() as i64;
        let was_due = |events: Vec<Arc<LoggedEvent>>| events.first().is_some_and(|event| event.at < due);
        if self.wake().is_some() && group.state().since(since).is_some_and(was_due) {
            metrics::counter!("chat_group_members_wakes_lost_total").increment(1);
        }
    }

    /// Sends every viewer whether this node is up to date.
    fn send_live(&self, live: bool) {
        if self.freshness().cut_off.swap(!live, Ordering::Relaxed) == live {
            metrics::gauge!("chat_group_members_cut_off").set(if live { 0.0 } else { 1.0 });
            for group in self.loaded() {
                group.subscribers().send_live(live);
            }
        }
    }
}

/// Polls the log until the hub stops.
pub(super) async fn follow(hub: Hub) {
    let failures = FailureLog::new();
    loop {
        let (begun, reconnects) = (Instant::now(), hub.store().reconnects());
        match in_time(POLL_TIMEOUT, hub.poll()).await {
            Ok(()) => {
                hub.freshness().record_poll(begun, reconnects);
                if failures.succeeded(Instant::now()) {
                    tracing::info!("the log can be polled again");
                }
                hub.send_live(true);
            }
            Err(error) => {
                if !error.already_logged() && failures.failed(&error.to_string(), Instant::now()) {
                    tracing::warn!(%error, "cannot poll the log; retrying");
                }
                if !hub.freshness().is_fresh() {
                    hub.send_live(false);
                }
            }
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            () = hub.freshness().poll_requested.notified() => {}
            () = hub.store().wait_for_reconnect(reconnects) => {}
        }
    }
}
