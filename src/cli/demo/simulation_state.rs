//! Whether the simulation runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::Uid;

/// Whether the simulation runs, and the people of the demo.
pub(super) struct SimulationState {
    pub(super) uids: Vec<Uid>,
    caption: Mutex<Option<&'static str>>,
}

impl SimulationState {
    /// No simulation runs yet. `uids` are those of all people, the cast first.
    pub(super) fn new(uids: Vec<Uid>) -> SimulationState {
        SimulationState { uids, caption: Mutex::default() }
    }

    /// The caption of the current step; `None` when no simulation runs.
    pub(super) fn caption(&self) -> Option<&'static str> {
        *self.lock()
    }

    pub(super) fn set_caption(&self, caption: Option<&'static str>) {
        *self.lock() = caption;
    }

    /// Starts a simulation; `false` when one runs already.
    pub(super) fn try_start(&self) -> bool {
        let mut caption = self.lock();
        let is_free = caption.is_none();
        caption.get_or_insert("Curtain up");
        is_free
    }

    fn lock(&self) -> MutexGuard<'_, Option<&'static str>> {
        self.caption.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
