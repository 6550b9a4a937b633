//! Wrong passwords: after a few, each further try has to wait longer. Each node counts by itself.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::domain::{Guid, HOUR};

/// Tries before anybody has to wait.
const FREE_TRIES: u32 = 5;
/// Longest wait, in milliseconds.
const LONGEST_WAIT: i64 = 300_000;
/// Tries are forgotten this long after the last one, in milliseconds.
const FORGET_AFTER: i64 = HOUR;
/// Most people who are counted. Then the one who tried longest ago is forgotten.
const MAX_COUNTED: usize = 10_000;

/// The wrong passwords that this process counts.
pub(in crate::membership) static TRIES: LazyLock<Tries> = LazyLock::new(Tries::default);

/// The key of a count: the epoch of the database, the group, a hash of the caller.
type Who = (String, Guid, String);

/// Tries that were not right.
#[derive(Default)]
pub(in crate::membership) struct Tries(Mutex<HashMap<Who, Tried>>);

/// The number of wrong passwords, and the time of the last (Unix milliseconds).
#[derive(Clone, Copy)]
struct Tried {
    times: u32,
    at: i64,
}

impl Tried {
    /// When the next try is allowed: after a second, two, four, and so on.
    fn next(self) -> i64 {
        let Some(over) = self.times.checked_sub(FREE_TRIES) else { return self.at };
        self.at + 1000_i64.checked_shl(over.min(20)).map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
    }
}

impl Tries {
    pub(in crate::membership) fn by(epoch: &str, guid: &Guid, caller: &str) -> Who {
        (epoch.to_owned(), guid.clone(), caller.to_owned())
    }

    /// Counts a try; `now` in Unix milliseconds.
    ///
    /// # Errors
    /// When the caller has to wait: the seconds until the next try is allowed.
    pub(in crate::membership) fn count(&self, who: &Who, now: i64) -> Result<(), u32> {
        let mut all = self.all();
        let before = all.get(who).copied().filter(|tried| now - tried.at < FORGET_AFTER);
        if let Some(wait) = before.map(|tried| tried.next() - now).filter(|wait| *wait > 0) {
            return Err(wait.div_euclid(1000) as u32 + 1);
        }
        if all.len() >= MAX_COUNTED && !all.contains_key(who) {
            all.retain(|_, tried| now - tried.at < FORGET_AFTER);
            let oldest = all.iter().min_by_key(|(_, tried)| tried.at).map(|(who, _)| who.clone());
            if let Some(oldest) = oldest.filter(|_| all.len() >= MAX_COUNTED) {
                all.remove(&oldest);
            }
        }
        all.insert(who.clone(), Tried { times: before.map_or(0, |tried| tried.times) + 1, at: now });
        Ok(())
    }

    /// Takes the last try back, since it was not checked.
    pub(in crate::membership) fn take_back(&self, who: &Who) {
        if let Some(tried) = self.all().get_mut(who) {
            tried.times = tried.times.saturating_sub(1);
        }
    }

    /// Forgets a caller who found the right password.
    pub(in crate::membership) fn forget(&self, who: &Who) {
        self.all().remove(who);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Who, Tried>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_five_tries_each_waits_twice_as_long_up_to_five_minutes() {
        let (tries, who) = (Tries::default(), Tries::by("e", &"vault".parse().unwrap(), "gus"));
        let mut now = 0;
        for _ in 0..5 {
            assert_eq!(tries.count(&who, now), Ok(()));
        }
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            assert_eq!(tries.count(&who, now), Err(wait + 1));
            assert!(tries.count(&who, now + i64::from(wait) * 1000 - 1).is_err());
            now += i64::from(wait) * 1000;
            assert_eq!(tries.count(&who, now), Ok(()));
        }
        let other = Tries::by("e", &"vault".parse().unwrap(), "hal");
        assert_eq!(tries.count(&other, now), Ok(()), "each for themselves");
        let elsewhere = Tries::by("e", &"cellar".parse().unwrap(), "gus");
        assert_eq!(tries.count(&elsewhere, now), Ok(()), "each group by itself");
        tries.forget(&who);
        assert_eq!(tries.count(&who, now), Ok(()));
    }

    #[test]
    fn only_so_many_are_counted() {
        let tries = Tries::default();
        for n in 0..=MAX_COUNTED as i64 {
            tries.count(&Tries::by("e", &"vault".parse().unwrap(), &n.to_string()), n).unwrap();
        }
        assert_eq!(tries.all().len(), MAX_COUNTED);
    }
}
