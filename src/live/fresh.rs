//! Whether this node knows the present.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::store::{Store, StoreError};

/// A look that takes longer has failed.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// After so long without a look this node may have missed something: a pause, a lost database.
const STALE: Duration = Duration::from_secs(3);

/// Whether this node knows the present.
pub(super) struct Fresh {
    store: Store,
    looked_at: Mutex<Instant>,
    /// The comebacks of the database before the last look.
    comebacks: AtomicU32,
    /// Viewers were told that it does not.
    pub(super) cut_off: AtomicBool,
    looked: Notify,
    pub(super) look: Notify,
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

    pub(super) fn note_look(&self, begun: Instant, comebacks: u32) {
        self.comebacks.store(comebacks, Ordering::Relaxed);
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner) = begun;
        self.looked.notify_waiters();
    }

    fn looked_at(&self) -> Instant {
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives up what takes longer than `limit`: it is tried again.
pub(super) async fn in_time(
    limit: Duration,
    work: impl Future<Output = Result<(), StoreError>>,
) -> Result<(), StoreError> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(StoreError::Unavailable("it takes too long".into())))
}
