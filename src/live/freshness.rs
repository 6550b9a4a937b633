//! Whether this node is up to date with the log.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::store::{Store, StoreError};

/// Time after which a poll has failed.
pub(super) const POLL_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without a successful poll after which this node may have missed events.
const STALE: Duration = Duration::from_secs(3);

/// Whether this node is up to date with the log.
pub(super) struct Freshness {
    store: Store,
    polled_at: Mutex<Instant>,
    /// The number of reconnects to the database before the last poll.
    reconnects: AtomicU32,
    /// Whether viewers were last sent that this node is not up to date.
    pub(super) cut_off: AtomicBool,
    polled: Notify,
    pub(super) poll_requested: Notify,
}

impl Freshness {
    pub(super) fn new(store: Store) -> Freshness {
        Freshness {
            reconnects: AtomicU32::new(store.reconnects()),
            store,
            polled_at: Mutex::new(Instant::now()),
            cut_off: AtomicBool::new(false),
            polled: Notify::new(),
            poll_requested: Notify::new(),
        }
    }

    /// Whether the last poll is recent, and the server still the one that was polled.
    pub(super) fn is_fresh(&self) -> bool {
        self.polled_at().elapsed() < STALE && self.is_same_server()
    }

    /// Whether the database is certainly the server that was polled.
    pub(super) fn is_same_server(&self) -> bool {
        self.store.reconnects() == self.reconnects.load(Ordering::Relaxed)
    }

    /// Completes when this node is up to date.
    pub(super) async fn until_fresh(&self) {
        self.after_poll(Freshness::is_fresh).await;
    }

    /// Completes when the database is certainly the server that was polled.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when no poll succeeds soon.
    pub(super) async fn until_same_server(&self) -> Result<(), StoreError> {
        let work = async {
            self.after_poll(Freshness::is_same_server).await;
            Ok(())
        };
        in_time(POLL_TIMEOUT, work).await
    }

    async fn after_poll(&self, holds: fn(&Freshness) -> bool) {
        loop {
            let polled = self.polled.notified();
            tokio::pin!(polled);
            polled.as_mut().enable();
            if holds(self) {
                return;
            }
            polled.await;
        }
    }

    /// Whether viewers were sent that this node is not up to date.
    pub(super) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed)
    }

    pub(super) fn record_poll(&self, begun: Instant, reconnects: u32) {
        self.reconnects.store(reconnects, Ordering::Relaxed);
        *self.polled_at.lock().unwrap_or_else(PoisonError::into_inner) = begun;
        self.polled.notify_waiters();
    }

    fn polled_at(&self) -> Instant {
        *self.polled_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends work that takes longer than `limit` with an error; the caller tries again.
///
/// # Errors
/// The error of the work; [`StoreError::Unavailable`] when it takes too long.
pub(super) async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(StoreError::Unavailable("it takes too long".into())))
}
