//! What a commit is announced by.

use std::sync::{PoisonError, RwLock};

use crate::domain::LoggedEvent;

/// What a transaction appended.
#[derive(Default)]
pub struct Appended {
    /// Events of groups.
    pub logged: Vec<LoggedEvent>,
    /// Whether anything was appended to the outbox.
    pub outbox: bool,
}

impl Appended {
    /// Adds what another act of the transaction appended.
    pub(super) fn add(&mut self, mut other: Appended) {
        self.logged.append(&mut other.logged);
        self.outbox |= other.outbox;
    }
}

type CommitListener = Box<dyn Fn(&Appended) + Send + Sync>;

/// Called with what was committed, in the order of commits, before the acts are answered.
#[derive(Default)]
pub(super) struct CommitListeners(RwLock<Vec<CommitListener>>);

impl CommitListeners {
    /// Adds a listener.
    pub(super) fn add(&self, listener: CommitListener) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Calls every listener.
    pub(super) fn call(&self, appended: &Appended) {
        let listeners = self.0.read().unwrap_or_else(PoisonError::into_inner);
        listeners.iter().for_each(|listener| listener(appended));
    }
}
