//! The announcement of a commit, and the results of the last write transactions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::domain::LoggedEvent;
use crate::store::lane::Lane;

/// The events that a transaction appended.
#[derive(Default)]
pub struct Appended {
    /// Events of groups.
    pub logged: Vec<Arc<LoggedEvent>>,
    /// The lanes of the outbox to which anything was appended.
    pub outbox: Vec<Lane>,
}

impl Appended {
    /// Adds what another act of the transaction appended.
    pub(in crate::store) fn add(&mut self, mut other: Appended) {
        self.logged.append(&mut other.logged);
        self.outbox.append(&mut other.outbox);
    }
}

type CommitListener = Box<dyn Fn(&Appended) + Send + Sync>;

/// Called with the committed events, in the order of commits, before the acts are answered.
#[derive(Default)]
pub(in crate::store) struct CommitListeners {
    listeners: RwLock<Vec<CommitListener>>,
    pub(in crate::store) outcomes: WriteOutcomes,
}

impl CommitListeners {
    /// Adds a listener.
    pub(in crate::store) fn add(&self, listener: CommitListener) {
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Calls every listener.
    pub(in crate::store) fn call(&self, appended: &Appended) {
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner);
        listeners.iter().for_each(|listener| listener(appended));
    }
}

/// The results of the last write transactions.
#[derive(Default)]
pub(in crate::store) struct WriteOutcomes {
    commits: AtomicU64,
    failures: AtomicU64,
    /// Why the last one failed; `None` after a success.
    failure: Mutex<Option<String>>,
}

/// Whether acts can be done, or lists be read, as was last tried; if not, why, in words for operators.
pub(in crate::store) type Readiness = Result<(), Arc<str>>;

impl WriteOutcomes {
    /// Records that a transaction has ended well, and whether it wrote anything; answers whether the one before failed.
    pub(in crate::store) fn succeeded(&self, committed: bool) -> bool {
        self.commits.fetch_add(u64::from(committed), Ordering::Relaxed);
        self.last_failure().take().is_some()
    }

    /// Records why a transaction failed; answers whether the one before did not.
    pub(in crate::store) fn failed(&self, why: String) -> bool {
        self.last_failure().replace(why).is_none()
    }

    /// The number of committed transactions.
    pub(in crate::store) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Counts transactions that failed, and acts that failed in one that went on.
    pub(in crate::store) fn count_failures(&self, number: u64) {
        self.failures.fetch_add(number, Ordering::Relaxed);
    }

    /// The number of transactions that failed, and of acts that failed in one that went on.
    pub(in crate::store) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Why the last transaction failed; `None` after a success.
    pub(in crate::store) fn failure(&self) -> Option<String> {
        self.last_failure().clone()
    }

    fn last_failure(&self) -> MutexGuard<'_, Option<String>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
