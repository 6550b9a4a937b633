//! Deletes what webhooks need no more.

use crate::store::error::StoreError;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::transaction::tx::{PRUNED, Tx};

impl Tx<'_> {
    /// Deletes what webhooks need no more: endpoints that no node has had in its configuration since `dead` (Unix milliseconds),
    /// and events of the outbox that every other endpoint has or that happened before then; at most [`PRUNED`]
    /// rows of each table: answers whether there may be more. No log keeps events of the outbox, so that they wait for every
    /// endpoint that is stored.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prune_webhooks(&mut self, dead: i64) -> Result<bool, StoreError> {
        execute!(self.connection, "DELETE FROM webhook_endpoints WHERE seen_at < $1", dead)?;
        let naming = self.outbox_naming_erased().await?;
        let outbox = "DELETE FROM outbox WHERE (lane, seq) IN (
               SELECT o.lane, o.seq FROM outbox o WHERE o.at < $1 OR NOT EXISTS (
                 SELECT 1 FROM webhook_endpoints w
                 LEFT JOIN webhook_positions p ON p.endpoint = w.id AND p.lane = o.lane
                 WHERE COALESCE(p.seq, 0) < o.seq)
               ORDER BY o.lane, o.seq LIMIT $2)
             RETURNING CAST(1 AS BIGINT)";
        let outbox: Vec<i64> = fetch_scalar!(fetch_all, self.connection, outbox, dead, PRUNED)?;
        if self.outbox_naming_erased().await? < naming {
            self.record_scrub_due().await?;
        }
        let orphans = "DELETE FROM webhook_positions WHERE (endpoint, lane) IN (
               SELECT endpoint, lane FROM webhook_positions
               WHERE endpoint NOT IN (SELECT id FROM webhook_endpoints) LIMIT $1)
             RETURNING CAST(1 AS BIGINT)";
        let orphans: Vec<i64> = fetch_scalar!(fetch_all, self.connection, orphans, PRUNED)?;
        Ok([outbox, orphans].iter().any(|rows| rows.len() as i64 == PRUNED))
    }
}
