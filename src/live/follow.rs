//! Following the log, whoever writes it. Words from other nodes make it quick; the look at every
//! group's number each second makes it sure, and tells whether this node knows the present at all.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::hub::Hub;
use super::room::Room;
use crate::store::{Store, StoreError};

/// How often the log is looked at for what nobody told this node.
const LOOK: Duration = Duration::from_secs(1);
/// A look that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(2);
/// After so long without a look this node may have missed something: a pause, a lost database.
const STALE: Duration = Duration::from_secs(3);
/// Groups that are brought to the present at the same time.
const AT_ONCE: usize = 8;

/// Whether this node knows the present.
pub(super) struct Fresh {
    store: Store,
    looked_at: Mutex<Instant>,
    /// The comebacks of the database before the last look.
    comebacks: AtomicU32,
    /// Viewers were told that it does not.
    cut_off: AtomicBool,
    looked: Notify,
    look: Notify,
}

impl Fresh {
    pub(super) fn new(store: Store) -> Fresh {
        Fresh {
            comebacks: AtomicU32::new(store.comebacks()),
            store,
            looked_at: Mutex::new(Instant::now()),
            cut_off: AtomicBool::new(false),
            looked: Notify::new(),
            look: Notify::new(),
        }
    }

    /// Whether the last look is recent, and the server still the one that was looked at.
    pub(super) fn is_known(&self) -> bool {
        self.looked_at().elapsed() < STALE && self.is_same_server()
    }

    /// Whether the database is for certain the server that was looked at.
    pub(super) fn is_same_server(&self) -> bool {
        self.store.comebacks() == self.comebacks.load(Ordering::Relaxed)
    }

    /// Completes when the present is known.
    pub(super) async fn known(&self) {
        self.after_a_look(Fresh::is_known).await;
    }

    /// Completes when the database is for certain the server that was looked at.
    ///
    /// # Errors
    /// When that cannot be found out soon.
    pub(super) async fn same_server(&self) -> Result<(), StoreError> {
        let work = async {
            self.after_a_look(Fresh::is_same_server).await;
            Ok(())
        };
        in_time(PATIENCE, work).await
    }

    async fn after_a_look(&self, holds: fn(&Fresh) -> bool) {
        loop {
            let looked = self.looked.notified();
            tokio::pin!(looked);
            looked.as_mut().enable();
            if holds(self) {
                return;
            }
            looked.await;
        }
    }

    /// Whether viewers were told that this node does not know the present.
    pub(super) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed)
    }

    fn note_look(&self, begun: Instant, comebacks: u32) {
        self.comebacks.store(comebacks, Ordering::Relaxed);
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner) = begun;
        self.looked.notify_waiters();
    }

    fn looked_at(&self) -> Instant {
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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

/// Gives up what takes longer than `limit`: it is tried again.
pub(super) async fn in_time(
    limit: Duration,
    work: impl Future<Output = Result<(), StoreError>>,
) -> Result<(), StoreError> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(StoreError::Unavailable("it takes too long".into())))
}
