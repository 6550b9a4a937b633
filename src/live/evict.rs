//! Eviction of groups from memory.

use super::hub::Hub;

/// A group without streams stays in memory at least this long, milliseconds.
const IDLE: i64 = 30_000;

impl Hub {
    /// Drops deleted groups, and those nobody streams, least recently used first, until the rest
    /// fit the budget, bytes.
    pub(super) fn evict(&self, budget: u64) {
        let now = self.store().clock().now();
        let mut groups = self.loaded();
        groups.sort_by_key(|group| group.used_at());
        let mut bytes: u64 = groups.iter().map(|group| group.state().roster().bytes() as u64).sum();
        metrics::gauge!("chat_group_members_roster_bytes").set(bytes as f64);
        metrics::gauge!("chat_group_members_rosters").set(groups.len() as f64);
        for group in groups {
            let mut subscribers = group.subscribers();
            let deleted = group.state().is_deleted();
            let idle = subscribers.len() == 0 && group.used_at() + IDLE < now;
            // Without a broadcast task pending changes have no receiver: a stream that is opened later starts from the present state.
            if !subscribers.is_broadcasting {
                drop(group.take_pending(true));
            }
            if deleted || (idle && bytes > budget) {
                bytes = bytes.saturating_sub(group.state().roster().bytes() as u64);
                self.retire(&group, &mut subscribers);
            }
        }
    }
}
