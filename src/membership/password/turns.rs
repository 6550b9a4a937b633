//! One check of a password at a time for each person: whoever sends many waits for their own, and takes one place in the queue of the
//! hashing threads, however right they are.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// The checks of this process.
pub(super) static TURNS: LazyLock<Turns> = LazyLock::new(Turns::default);

/// The epoch of the database, and a hash of the caller.
type Who = (String, String);

/// The people whose passwords are being checked, or wait to be.
#[derive(Default)]
pub(super) struct Turns(Mutex<HashMap<Who, Arc<AsyncMutex<()>>>>);

/// Somebody's turn, which ends when it is dropped.
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    who: Who,
    lock: Arc<AsyncMutex<()>>,
    held: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// Waits until this person has no other check under way.
    pub(super) async fn take(&self, who: Who) -> Turn<'_> {
        let lock = self.all().entry(who.clone()).or_default().clone();
        // Made before the wait, which may be given up.
        let mut turn = Turn { turns: self, who, lock, held: None };
        turn.held = Some(turn.lock.clone().lock_owned().await);
        turn
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Who, Arc<AsyncMutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.held = None;
        let mut all = self.turns.all();
        // Only the map and this turn hold the lock: nobody waits for it.
        if Arc::strong_count(&self.lock) == 2 {
            all.remove(&self.who);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn each_waits_for_their_own_and_nobody_is_kept_who_is_done() {
        let (turns, who) = (Turns::default(), |name: &str| ("e".to_owned(), name.to_owned()));
        let first = turns.take(who("gus")).await;
        assert!(turns.take(who("gus")).now_or_never().is_none(), "one of Gus at a time");
        let other = turns.take(who("hal")).now_or_never();
        assert!(other.is_some(), "Hal waits for nobody");
        drop(first);
        assert!(turns.take(who("gus")).now_or_never().is_some());
        drop(other);
        assert_eq!(turns.all().len(), 0);
    }
}
