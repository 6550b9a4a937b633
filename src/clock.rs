//! Time as a parameter: the real one, or one that a test moves by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// What time it is, in milliseconds since the epoch.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// Milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond() + self.ahead.load(Ordering::Relaxed)
    }

    /// Puts this clock and its clones forward, for tests of what ends by itself.
    pub fn advance(&self, milliseconds: i64) {
        self.ahead.fetch_add(milliseconds, Ordering::Relaxed);
    }
}
