//! The rate limit: requests are counted for each caller.

use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::config::RateLimit;

/// Requests by caller. The middleware also returns how many are left.
type KeyedLimiter = RateLimiter<String, DefaultKeyedStateStore<String>, DefaultClock, StateInformationMiddleware>;

/// Counts the requests of each caller against a limit.
pub(crate) struct Limiter(KeyedLimiter);

impl Limiter {
    /// Callers may use up their allowance at once; it comes back request by request.
    pub(crate) fn new(RateLimit { count, per }: RateLimit) -> Limiter {
        let each = (per / count.get()).max(Duration::from_nanos(1));
        let quota = Quota::with_period(each).expect("a period is never zero").allow_burst(count);
        Limiter(RateLimiter::keyed(quota).with_middleware())
    }

    /// Counts a request of this caller, and returns how many are left.
    ///
    /// # Errors
    /// When none is left: the seconds until the next is allowed.
    pub(crate) fn count(&self, caller: &str) -> Result<u32, u32> {
        let counted = self.0.check_key(&caller.to_owned());
        counted.map(|state| state.remaining_burst_capacity()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            wait.as_secs() as u32 + 1
        })
    }

    /// Forgets callers whose whole allowance is back.
    pub(crate) fn forget_idle(&self) {
        self.0.retain_recent();
    }
}
