//! PostgreSQL's statistics quote values of rows: after an erasure they quote nothing of the person.

use chat_group_members::config::Secret;

use super::zora::{UID, bring_zora, erase};
use crate::peer_nodes::first;
use crate::support::eventually;
use crate::v3::KEY;

/// How many columns quote Zora's uid or name.
const QUOTING: &str = "SELECT count(*) FROM pg_stats
    WHERE tablename IN ('users', 'members', 'bans', 'events', 'touched')
      AND concat(most_common_vals::text, histogram_bounds::text) ~ 'zora-4711|Quillfeather'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statistics_of_postgresql_quote_nobody_who_was_erased() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    bring_zora(&world).await;
    cluster.sql("chat", "ANALYZE");
    assert_ne!(cluster.sql("chat", QUOTING), "0");
    erase(&world, UID).await.ok();
    eventually("they do not quote her", async || cluster.sql("chat", QUOTING) == "0").await;
}
