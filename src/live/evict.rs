//! What is kept in memory, and what is not.

use super::hub::Hub;

/// A group nobody streams stays in memory at least so long, milliseconds.
const IDLE: i64 = 30_000;

impl Hub {
    /// Drops deleted groups, and those nobody streams, least recently used first, until the rest
    /// fit the budget, bytes.
    pub(super) fn evict(&self, budget: u64) {
        let now = self.store().clock().now();
        let mut rooms = self.loaded();
        rooms.sort_by_key(|room| room.used_at());
        let mut bytes: u64 = rooms.iter().map(|room| room.state().roster().bytes() as u64).sum();
        metrics::gauge!("roster_bytes").set(bytes as f64);
        metrics::gauge!("rosters").set(rooms.len() as f64);
        for room in rooms {
            let mut audience = room.audience();
            let deleted = room.state().is_deleted();
            let idle = audience.len() == 0 && room.used_at() + IDLE < now;
            if deleted || (idle && bytes > budget) {
                bytes = bytes.saturating_sub(room.state().roster().bytes() as u64);
                self.retire(&room, &mut audience);
            }
        }
    }
}
