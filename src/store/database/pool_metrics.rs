//! Metrics of the connection pool.

use sqlx::Pool as Connections;

use super::backend::Pool;

/// Updates the gauge `chat_group_members_store_connections`. The connection that writes to a file belongs to no pool: it always exists.
pub(in crate::store) fn measure(pool: &Pool) {
    match pool {
        Pool::Sqlite(file) => set("reads", &file.readers),
        Pool::Postgres(primary) => {
            let (readers, writers) = primary.pools();
            set("reads", readers);
            set("writes", writers);
        }
    }
}

fn set<D: sqlx::Database>(lane: &'static str, connections: &Connections<D>) {
    // Both change while they are read.
    let (open, idle) = (connections.size() as usize, connections.num_idle());
    for (state, number) in [("busy", open.saturating_sub(idle)), ("idle", idle)] {
        metrics::gauge!("chat_group_members_store_connections", "lane" => lane, "state" => state).set(number as f64);
    }
}
