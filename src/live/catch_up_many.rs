//! How groups in memory catch up with the log together: what wake messages or a poll show to be missing of many is read in one
//! snapshot, so that following costs the database about the same however many groups were acted on.
//!
//! The head of a group, its events and the members they touched must be of one snapshot: members of a later one would be shown
//! under the number of an event that does not include what they are. One snapshot of all groups is one of each.

use std::collections::HashMap;
use std::sync::Arc;

use super::group::LiveGroup;
use super::hub::{Hub, warn_of_failure};
use crate::domain::Guid;
use crate::store::StoreError;

/// Most groups of one read.
const MAX_GROUPS: usize = 256;
/// Most events of one read, and most people whom they touch, of all its groups. Every text of an event has a limit, so that this
/// bounds the bytes too.
const MAX_CHANGES: usize = 1000;

/// A group, and an event up to which it is to be brought.
pub(super) type Behind = (Arc<LiveGroup>, u64);

impl Hub {
    /// Brings these groups up to the log as far as they can be read together, and returns the others, which
    /// `LiveGroup::catch_up_to` has to bring there one by one. The log must have the same history as memory.
    ///
    /// Unlike that, it does not wait for whoever reads one of the groups already: of two who have read the same, the second
    /// changes nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn catch_up_together(&self, behind: Vec<Behind>) -> Result<Vec<Behind>, StoreError> {
        let mut alone = Vec::new();
        for groups in behind.chunks(MAX_GROUPS) {
            // Boxed: inlined in every handler, the queries would exceed the compiler's limit of nested types.
            alone.extend(Box::pin(self.read_together(groups)).await?);
        }
        Ok(alone)
    }

    async fn read_together(&self, groups: &[Behind]) -> Result<Vec<Behind>, StoreError> {
        let (mut alone, mut together) = (Vec::new(), Vec::new());
        for (group, seq) in groups {
            let since = group.state().roster().seq();
            // A group that is being read as a whole misses more than fits here.
            if group.is_reloading() {
                alone.push((group.clone(), *seq));
            } else if since < *seq {
                together.push((group, *seq, since));
            }
        }
        if together.is_empty() {
            return Ok(alone);
        }
        let reconnects = self.store().reconnects();
        let places: Vec<(Guid, u64)> =
            together.iter().map(|(group, _, since)| (group.guid().clone(), *since)).collect();
        let read = self.store().read().await?.catchups(&places, MAX_CHANGES).await;
        let mut found = match read {
            // A row of one group that breaks an invariant keeps no other group back: each is read alone.
            Err(StoreError::Inconsistent(_)) => HashMap::new(),
            read => read?,
        };
        for (group, seq, since) in together {
            let is_read = match found.remove(group.guid()) {
                Some(found) => group.apply_read(since, found, (self.store(), reconnects), self.presences())?,
                None => false,
            };
            if is_read {
                group.pending_added.notify_one();
            } else {
                alone.push((group.clone(), seq));
            }
        }
        Ok(alone)
    }
}

/// Reads what other nodes announce, until it is dropped: at any time one read is on its way for all groups that can be read
/// together, and what is announced meanwhile shares the next one.
pub(super) async fn follow_wakes(hub: Hub) {
    loop {
        let announced = hub.announced().next().await;
        let behind = announced.into_iter().filter_map(|(guid, seq)| Some((hub.in_memory(&guid)?, seq))).collect();
        match catch_up_announced(&hub, behind).await {
            Ok(alone) => alone.into_iter().for_each(|(group, seq)| hub.catch_up_aside(group, seq)),
            Err(error) => warn_of_failure(None, &error),
        }
    }
}

async fn catch_up_announced(hub: &Hub, behind: Vec<Behind>) -> Result<Vec<Behind>, StoreError> {
    // As in `Hub::catch_up_to`.
    hub.freshness().until_same_server().await?;
    hub.catch_up_together(behind).await
}
