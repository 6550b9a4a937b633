//! Time as a parameter: the real one, or one that a test moves by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

/// What time it is, in milliseconds since the epoch.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Put forward by hand.
    ahead: Arc<AtomicI64>,
    /// How far another clock, which is followed, is before this machine's.
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// Milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        self.own() + self.ahead.load(Ordering::Relaxed) + self.offset.load(Ordering::Relaxed)
    }

    /// What this machine's clock says by itself, in milliseconds since the epoch.
    #[expect(clippy::disallowed_methods, reason = "this is the clock that the rest of the code asks")]
    pub fn own(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond()
    }

    /// Follows a clock that is so many milliseconds before this machine's: nodes that share a
    /// database share its time.
    pub fn follow(&self, offset: i64) {
        self.offset.store(offset, Ordering::Relaxed);
    }

    /// Puts this clock and its clones forward, for tests of what ends by itself.
    pub fn advance(&self, milliseconds: i64) {
        self.ahead.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

/// This machine's time, to be compared with times of its files.
#[expect(clippy::disallowed_methods, reason = "this is the clock that the rest of the code asks")]
pub fn system_time() -> SystemTime {
    SystemTime::now()
}
