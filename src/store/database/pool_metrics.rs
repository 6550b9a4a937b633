//! Metrics of the connection pool.

use super::backend::Pool;

/// Updates the gauge `chat_group_members_store_connections`. The connection that writes to a file belongs to no pool: it always exists.
pub(in crate::store) fn measure(pool: &Pool) {
    match pool {
        Pool::Sqlite(file) => set("reads", (file.readers.size() as usize, file.readers.num_idle())),
        Pool::Postgres(primary) => {
            let [reads, writes] = primary.connection_counts();
            set("reads", reads);
            set("writes", writes);
        }
    }
}

fn set(lane: &'static str, (open, idle): (usize, usize)) {
    // Both change while they are read.
    for (state, number) in [("busy", open.saturating_sub(idle)), ("idle", idle)] {
        metrics::gauge!("chat_group_members_store_connections", "lane" => lane, "state" => state).set(number as f64);
    }
}
