//! Following the log, whoever writes it. Words from other nodes make it quick; the look at every
//! group's number each second makes it sure, and tells whether this node knows the present at all.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::fresh::{PATIENCE, in_time};
use super::hub::Hub;
use super::room::Room;
use crate::store::StoreError;

/// How often the log is looked at for what nobody told this node.
const LOOK: Duration = Duration::from_secs(1);
/// Groups that are brought to the present at the same time.
const AT_ONCE: usize = 8;

impl Hub {
    /// Looks at the log at once.
    pub(super) fn look(&self) {
        self.fresh().look.notify_one();
    }

    /// Brings every group in memory to the present.
    async fn look_at_all(&self) -> Result<(), StoreError> {
        let rooms = self.loaded();
        let Some(heads) = self.heads(&rooms).await? else { return Ok(()) };
        let behind = |room: &Arc<Room>| {
            let head = *heads.get(room.guid())?;
            (head > room.state().roster().seq()).then(|| (room.clone(), head))
        };
        let mut behind = rooms.iter().filter_map(behind);
        let (mut running, mut well) = (JoinSet::new(), true);
        loop {
            while running.len() < AT_ONCE
                && let Some((room, head)) = behind.next()
            {
                let hub = self.clone();
                running.spawn(async move { hub.catch_up_loudly(&room, head).await });
            }
            match running.join_next().await {
                Some(caught_up) => well &= caught_up.unwrap_or(false),
                None if well => return Ok(()),
                None => return Err(StoreError::Unavailable("a group could not be brought to the present".into())),
            }
        }
    }

    /// Says to every viewer whether what they see is the present.
    fn tell_live(&self, live: bool) {
        if self.fresh().cut_off.swap(!live, Ordering::Relaxed) == live {
            metrics::gauge!("cut_off").set(if live { 0.0 } else { 1.0 });
            for room in self.loaded() {
                room.audience().say_live(live);
            }
        }
    }
}

/// Follows the log for as long as this node lives.
pub(super) async fn follow(hub: Hub) {
    let mut well = true;
    loop {
        let (begun, comebacks) = (Instant::now(), hub.store().comebacks());
        match in_time(PATIENCE, hub.look_at_all()).await {
            Ok(()) => {
                hub.fresh().note_look(begun, comebacks);
                if !well {
                    tracing::info!("the log can be looked at again");
                }
                hub.tell_live(true);
                well = true;
            }
            Err(error) => {
                if well && !error.was_said() {
                    tracing::warn!(%error, "the log cannot be looked at; trying again");
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
            () = hub.store().comes_back(comebacks) => {}
        }
    }
}
