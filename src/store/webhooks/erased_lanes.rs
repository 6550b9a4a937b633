//! Deletes lanes of erasures. Each erasure has a lane of its own in the outbox, which is named by the pseudonym.
//!
//! Erased again, a person of the same uid has a lane of the same name, which counts from 1. So a position in the deleted lane must
//! not be left, neither in the table nor with a node that delivers.

use crate::store::error::StoreError;
use crate::store::sql::query::{dynamic, execute, placeholders};
use crate::store::transaction::tx::Tx;

/// Lanes that are deleted in one transaction.
const LANES: usize = 500;

/// Whether a lane (`l`) is needed no more: the outbox holds nothing of it, every endpoint has all of it, and no node holds a position
/// in it at the time of the one placeholder. A lane in which an event was given up stays, since its position counts that.
const FINISHED: &str = "NOT EXISTS (SELECT 1 FROM outbox o WHERE o.lane = l.lane)
       AND NOT EXISTS (SELECT 1 FROM webhook_endpoints w
                       LEFT JOIN webhook_positions p ON p.endpoint = w.id AND p.lane = l.lane
                       WHERE COALESCE(p.seq, 0) < l.seq OR p.dead > 0 OR (p.token <> '' AND p.lease_until >= ?))";

impl Tx<'_> {
    /// Deletes lanes of erasures that nobody needs any more, with the positions in them: some of them; answers whether there may be
    /// more.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prune_erased_lanes(&mut self) -> Result<bool, StoreError> {
        // A node that had found the lane before it was deleted may have taken a position in it since.
        execute!(
            self.connection,
            "DELETE FROM webhook_positions
             WHERE endpoint IN (SELECT id FROM webhook_endpoints) AND lane >= '@erased-' AND lane < '@erased.'
               AND (token = '' OR lease_until < $1)
               AND NOT EXISTS (SELECT 1 FROM outbox_lanes l WHERE l.lane = webhook_positions.lane)",
            self.now
        )?;
        let lanes = self.lock_finished_lanes().await?;
        if lanes.is_empty() {
            return Ok(false);
        }
        let deleted = self.delete_finished_lanes(&lanes).await?;
        Ok(deleted == LANES)
    }

    /// Locks lanes that seem to be needed no more, and the positions in them: from now on nothing is appended there, and no node takes
    /// a position.
    async fn lock_finished_lanes(&mut self) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "UPDATE outbox_lanes SET seq = seq WHERE lane IN (
               SELECT l.lane FROM outbox_lanes l WHERE l.lane >= '@erased-' AND l.lane < '@erased.' AND {FINISHED}
               ORDER BY l.lane LIMIT ?)
             RETURNING lane"
        );
        let now = self.now;
        let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
            query = query.bind(now).bind(LANES as i64);
        })?;
        let lanes: Vec<String> = rows.into_iter().map(|(lane,)| lane).collect();
        if !lanes.is_empty() {
            self.for_positions_in("UPDATE webhook_positions SET seq = seq", &lanes).await?;
        }
        Ok(lanes)
    }

    /// Deletes those of these locked lanes, one or more, that are needed no more; answers how many. A statement of PostgreSQL that
    /// waits for a lock does not see what the others have written meanwhile, so that this is another one.
    async fn delete_finished_lanes(&mut self, lanes: &[String]) -> Result<usize, StoreError> {
        let sql = format!(
            "DELETE FROM outbox_lanes WHERE lane IN (
               SELECT l.lane FROM outbox_lanes l WHERE l.lane IN {} AND {FINISHED})
             RETURNING lane",
            placeholders(1, lanes.len())
        );
        let now = self.now;
        let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
            for lane in lanes {
                query = query.bind(lane.as_str());
            }
            query = query.bind(now);
        })?;
        let deleted: Vec<String> = rows.into_iter().map(|(lane,)| lane).collect();
        if !deleted.is_empty() {
            self.for_positions_in("DELETE FROM webhook_positions", &deleted).await?;
        }
        Ok(deleted.len())
    }

    /// Does this to the positions of all endpoints in these lanes.
    async fn for_positions_in(&mut self, statement: &str, lanes: &[String]) -> Result<(), StoreError> {
        let sql = format!(
            "{statement} WHERE endpoint IN (SELECT id FROM webhook_endpoints) AND lane IN {}",
            placeholders(1, lanes.len())
        );
        dynamic!(execute, self.connection, sql, query, {
            for lane in lanes {
                query = query.bind(lane.as_str());
            }
        })?;
        Ok(())
    }
}
