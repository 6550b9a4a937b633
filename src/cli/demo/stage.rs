//! Whether a play is on.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::Uid;

/// Whether a play is on.
pub(super) struct Stage {
    pub(super) uids: Vec<Uid>,
    line: Mutex<Option<&'static str>>,
}

impl Stage {
    /// An empty stage, and everybody's uid, the cast first.
    pub(super) fn new(uids: Vec<Uid>) -> Stage {
        Stage { uids, line: Mutex::default() }
    }

    /// The line of the play that is on.
    pub(super) fn line(&self) -> Option<&'static str> {
        *self.now()
    }

    /// Whether this play may begin: one at a time.
    pub(super) fn claim(&self) -> bool {
        let mut line = self.now();
        let free = line.is_none();
        line.get_or_insert("Curtain up");
        free
    }

    pub(super) fn now(&self) -> MutexGuard<'_, Option<&'static str>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
