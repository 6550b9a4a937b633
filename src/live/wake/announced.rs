//! What wake messages of other nodes announced, until it is read.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::domain::Guid;

/// Groups with their last event, as other nodes announced them. What is announced while the log is read waits here for the next
/// read.
#[derive(Default)]
pub(crate) struct Announced {
    heads: Mutex<HashMap<Guid, u64>>,
    added: Notify,
}

impl Announced {
    /// Adds that this group is at this event.
    pub(crate) fn add(&self, guid: Guid, seq: u64) {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        let head = heads.entry(guid).or_default();
        *head = seq.max(*head);
        drop(heads);
        self.added.notify_one();
    }

    /// Waits until something is announced, and takes all of it.
    pub(crate) async fn next(&self) -> HashMap<Guid, u64> {
        self.added.notified().await;
        std::mem::take(&mut *self.heads.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
