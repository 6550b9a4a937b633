//! The clock: real, or advanced by a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use tokio::time::{Interval, MissedTickBehavior, interval};

/// A clock with Unix milliseconds. Clones share their offsets.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Advance by a test, in milliseconds.
    advance: Arc<AtomicI64>,
    /// Offset of the followed clock from this machine's, in milliseconds.
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// The current time, in Unix milliseconds.
    pub fn now(&self) -> i64 {
        self.own() + self.advance.load(Ordering::Relaxed) + self.offset.load(Ordering::Relaxed)
    }

    /// The time of this machine's own clock, in Unix milliseconds.
    #[expect(clippy::disallowed_methods, reason = "this is the one module that may")]
    pub fn own(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond()
    }

    /// Follows a clock that is `offset` milliseconds ahead of this machine's: nodes that share a database use its time.
    pub fn follow(&self, offset: i64) {
        self.offset.store(offset, Ordering::Relaxed);
    }

    /// Advances this clock and its clones, for tests of what expires.
    pub fn advance(&self, milliseconds: i64) {
        self.advance.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

/// The rounds of a task: one now, and one in each period. A round that is late delays those after it.
pub fn every(period: Duration) -> Interval {
    let mut rounds = interval(period);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    rounds
}

/// This machine's time, for comparison with file times.
#[expect(clippy::disallowed_methods, reason = "this is the one module that may")]
pub fn system_time() -> SystemTime {
    SystemTime::now()
}
