//! Decides when a continuing failure is logged: what is tried every second would otherwise fill the log with one
//! line.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::store::error::{AsStoreError, StoreError};
use crate::store::transaction::commit::Readiness;

/// Least time before a failure is logged again; it doubles from line to line.
const FIRST_INTERVAL: Duration = Duration::from_secs(60);
/// Longest time before a failure that goes on is logged again.
const LONGEST_INTERVAL: Duration = Duration::from_secs(3600);
/// Least time before another cause is logged, for those that take turns.
const CHANGE_INTERVAL: Duration = Duration::from_secs(10);
/// After this long without a failure, the next one counts as new.
const LAPSE: Duration = Duration::from_secs(300);

/// The log state of one operation that fails and is retried: its first failure is logged, then one at growing
/// intervals or with another cause, and its end.
#[derive(Default)]
pub struct FailureLog(Mutex<Option<FailureState>>);

struct FailureState {
    /// The last logged cause.
    cause: String,
    logged_at: Instant,
    seen_at: Instant,
    interval: Duration,
    /// The time since which it succeeds.
    over_since: Option<Instant>,
    /// Whether it was logged that it is over.
    is_over_logged: bool,
}

impl FailureLog {
    /// A log without any failure.
    pub const fn new() -> FailureLog {
        FailureLog(Mutex::new(None))
    }

    /// Logs what came of `work`, which is tried again and again: that it fails, and that it succeeds again. Not logged is an outage that
    /// is in the log already, nor a database that takes no writes, which the command that moves it or the check of readiness logs.
    pub fn observe<E: AsStoreError + Display>(&self, outcome: &Result<(), E>, work: impl Display) {
        let is_logged = |error: &StoreError| error.already_logged() || matches!(error, StoreError::ReadOnly);
        match outcome {
            Ok(()) if self.succeeded(Instant::now()) => tracing::info!("{work} succeeds again"),
            Err(error) if error.as_store_error().is_some_and(is_logged) => {}
            Err(error) if self.failed(&error.to_string(), Instant::now()) => {
                tracing::warn!(%error, "{work} fails; trying again");
            }
            Ok(()) | Err(_) => {}
        }
    }

    /// Logs when a readiness that is polled is lost, with the reason, and when it is back, in these words.
    pub(super) fn observe_readiness(&self, readiness: &Readiness, lost: &str, back: &str) {
        match readiness {
            Ok(()) if self.succeeded(Instant::now()) => tracing::info!("{back}"),
            Err(why) if self.failed(why, Instant::now()) => tracing::error!(%why, "{lost}"),
            Ok(()) | Err(_) => {}
        }
    }

    /// Records a failure at `now`: whether it is to be logged.
    pub fn failed(&self, cause: &str, now: Instant) -> bool {
        let mut failure = self.failure();
        // Alternating failures and successes count as one failure.
        let is_over = |before: &FailureState| before.over_since.is_some_and(|since| now - since >= CHANGE_INTERVAL);
        let Some(before) = failure.as_mut().filter(|before| now - before.seen_at < LAPSE && !is_over(before)) else {
            *failure = Some(FailureState {
                cause: cause.to_owned(),
                logged_at: now,
                seen_at: now,
                interval: FIRST_INTERVAL,
                over_since: None,
                is_over_logged: false,
            });
            return true;
        };
        (before.seen_at, before.over_since) = (now, None);
        let is_same = before.cause == cause;
        if now - before.logged_at < if is_same { before.interval } else { CHANGE_INTERVAL } {
            return false;
        }
        before.interval = if is_same { (before.interval * 2).min(LONGEST_INTERVAL) } else { FIRST_INTERVAL };
        cause.clone_into(&mut before.cause);
        (before.logged_at, before.is_over_logged) = (now, false);
        true
    }

    /// Records a success at `now`: whether it is to be logged that a failure is over.
    pub fn succeeded(&self, now: Instant) -> bool {
        let mut failure = self.failure();
        let Some(failure) = failure.as_mut() else { return false };
        failure.over_since.get_or_insert(now);
        !std::mem::replace(&mut failure.is_over_logged, true)
    }

    fn failure(&self) -> MutexGuard<'_, Option<FailureState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_every_second_is_logged_at_growing_intervals_and_its_end_once() {
        let (log, begun) = (FailureLog::new(), Instant::now());
        let logged: Vec<u64> = (0..1000).filter(|&s| log.failed("full", begun + Duration::from_secs(s))).collect();
        assert_eq!(logged, [0, 60, 180, 420, 900]);
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert!(log.succeeded(at(1000)));
        assert!(!log.succeeded(at(1001)));
        assert!(log.failed("full", at(1010)), "the next one is another");
    }

    #[test]
    fn what_fails_in_turns_with_succeeding_is_logged_as_one_failure() {
        let (log, begun) = (FailureLog::new(), Instant::now());
        let mut lines = 0;
        for second in (0..60).step_by(2) {
            let at = |seconds| begun + Duration::from_secs(seconds);
            lines += u8::from(log.failed("full", at(second))) + u8::from(log.succeeded(at(second + 1)));
        }
        assert_eq!(lines, 2, "that it failed, and that it was over");
    }

    #[test]
    fn another_cause_is_logged_but_not_two_in_turns() {
        let (log, begun) = (FailureLog::new(), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert!(log.failed("full", at(0)));
        assert!(log.failed("damaged", at(11)));
        assert!(!log.failed("damaged", at(12)));
        let turns = (12..42).filter(|&s| log.failed(if s % 2 == 0 { "full" } else { "damaged" }, at(s))).count();
        assert!(turns <= 3, "{turns}");
        assert!(log.failed("damaged", at(1000)), "nothing failed for so long");
    }
}
