//! Deletes what webhooks need no more.

use crate::store::error::StoreError;
use crate::store::query::execute;
use crate::store::tx::Tx;

impl Tx<'_> {
    /// Deletes what webhooks need no more: events of the outbox that every endpoint has or that happened before
    /// `dead` (milliseconds since the epoch), and endpoints that no node has had in its configuration since
    /// then. Endpoints not seen since `endpoint_seen_after` hold nothing back.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prune_webhooks(&mut self, dead: i64, endpoint_seen_after: i64) -> Result<(), StoreError> {
        let naming = self.outbox_naming_erased().await?;
        execute!(
            self.connection,
            "DELETE FROM outbox WHERE at < $1 OR NOT EXISTS (
               SELECT 1 FROM webhook_endpoints w
               LEFT JOIN webhook_positions p ON p.endpoint = w.id AND p.lane = outbox.lane
               WHERE w.seen_at >= $2 AND COALESCE(p.seq, 0) < outbox.seq)",
            dead,
            endpoint_seen_after
        )?;
        if self.outbox_naming_erased().await? < naming {
            self.note_scrub_due().await?;
        }
        execute!(self.connection, "DELETE FROM webhook_endpoints WHERE seen_at < $1", dead)?;
        let orphans = "DELETE FROM webhook_positions WHERE endpoint NOT IN (SELECT id FROM webhook_endpoints)";
        execute!(self.connection, orphans)?;
        Ok(())
    }
}
