//! When a failed delivery is tried again.

use crate::domain::DAY;
use crate::random;

/// Time before each further try, in milliseconds; the last one repeats.
const DELAYS: [i64; 6] = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];
/// Longest time that a receiver may ask for by `Retry-After`, in milliseconds.
const MAX_RETRY_AFTER: i64 = DAY;

/// The time before the next try, after `attempts` that failed: as the schedule says, or as long as the receiver
/// asks for (`retry_after`, in milliseconds), and up to a tenth more, so that failures spread; a day at the most. In milliseconds.
pub(super) fn retry_delay(attempts: u32, retry_after: Option<i64>) -> i64 {
    let usual = DELAYS[(attempts.saturating_sub(1) as usize).min(DELAYS.len() - 1)];
    let wait = retry_after.map_or(usual, |asked| asked.clamp(usual, MAX_RETRY_AFTER));
    let spread = wait / 10 * i64::from(u16::from_be_bytes(random::bytes())) / i64::from(u16::MAX);
    (wait + spread).min(MAX_RETRY_AFTER)
}

/// The longest time before each further try that a receiver has not asked for, in milliseconds; the last one repeats.
pub(super) fn longest_waits() -> [i64; DELAYS.len()] {
    DELAYS.map(|usual| usual + usual / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_grow_rarer_and_stay_hourly() {
        for (attempts, seconds) in [(1, 5), (2, 30), (3, 120), (4, 600), (5, 1800), (6, 3600), (7, 3600), (90, 3600)] {
            let usual = seconds * 1000;
            assert!((usual..=usual + usual / 10).contains(&retry_delay(attempts, None)), "{attempts}");
        }
    }

    #[test]
    fn no_try_is_later_than_the_longest_wait_and_each_wait_is_longer_than_the_one_before() {
        let waits = longest_waits();
        for (attempts, longest) in (1..).zip(waits) {
            assert!((0..100).all(|_| retry_delay(attempts, None) <= longest), "{attempts}");
        }
        assert!(waits.is_sorted());
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_up_to_a_day() {
        assert!((60_000..=66_000).contains(&retry_delay(1, Some(60_000))));
        assert!((5_000..=5_500).contains(&retry_delay(1, Some(1))));
        assert_eq!(retry_delay(1, Some(i64::MAX)), 86_400_000);
        assert!((0..100).all(|_| retry_delay(1, Some(86_000_000)) <= 86_400_000));
    }
}
