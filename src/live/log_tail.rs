//! Follows the log, whichever node writes it. Wake messages make it quick; a poll of every group's last
//! event number each second makes it certain, and shows whether this node is up to date.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::freshness::{PATIENCE, in_time};
use super::group::LiveGroup;
use super::hub::Hub;
use crate::store::StoreError;

/// Poll interval for events that no wake message announced.
const LOOK: Duration = Duration::from_secs(1);
/// Groups that catch up at the same time.
const AT_ONCE: usize = 8;

impl Hub {
    /// Polls the log at once.
    pub(super) fn look(&self) {
        self.fresh().look.notify_one();
    }

    /// Catches up every group in memory.
    async fn look_at_all(&self) -> Result<(), StoreError> {
        let groups = self.loaded();
        let Some(heads) = self.heads(&groups).await? else { return Ok(()) };
        let behind = |group: &Arc<LiveGroup>| {
            let head = *heads.get(group.guid())?;
            (head > group.state().roster().seq()).then(|| (group.clone(), head))
        };
        let mut behind = groups.iter().filter_map(behind);
        let (mut running, mut well) = (JoinSet::new(), true);
        loop {
            while running.len() < AT_ONCE
                && let Some((group, head)) = behind.next()
            {
                let hub = self.clone();
                running.spawn(async move { hub.catch_up_loudly(&group, head).await });
            }
            match running.join_next().await {
                Some(caught_up) => well &= caught_up.unwrap_or(false),
                None if well => return Ok(()),
                None => return Err(StoreError::Unavailable("a group could not be brought to the present".into())),
            }
        }
    }

    /// Tells every viewer whether this node is up to date.
    fn tell_live(&self, live: bool) {
        if self.fresh().cut_off.swap(!live, Ordering::Relaxed) == live {
            metrics::gauge!("cut_off").set(if live { 0.0 } else { 1.0 });
            for group in self.loaded() {
                group.subscribers().send_live(live);
            }
        }
    }
}

/// Polls the log until the hub stops.
pub(super) async fn follow(hub: Hub) {
    let mut well = true;
    loop {
        let (begun, reconnects) = (Instant::now(), hub.store().reconnects());
        match in_time(PATIENCE, hub.look_at_all()).await {
            Ok(()) => {
                hub.fresh().note_look(begun, reconnects);
                if !well {
                    tracing::info!("the log can be polled again");
                }
                hub.tell_live(true);
                well = true;
            }
            Err(error) => {
                if well && !error.already_logged() {
                    tracing::warn!(%error, "cannot poll the log; retrying");
                }
                if !hub.fresh().is_known() {
                    hub.tell_live(false);
                }
                well = false;
            }
        }
        tokio::select! {
            () = sleep(LOOK) => {}
            () = hub.fresh().look.notified() => {}
            () = hub.store().wait_for_reconnect(reconnects) => {}
        }
    }
}
