//! Reads the outbox, lane by lane.

use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::sql::query::{fetch, fetch_scalar};

/// An event of the outbox.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct OutboxEvent {
    /// The id it is delivered under.
    pub id: String,
    seq: i64,
    /// The type that receivers see.
    pub kind: String,
    /// JSON.
    pub data: String,
    /// When it happened, Unix milliseconds.
    pub at: i64,
}

impl OutboxEvent {
    /// Its number in its lane.
    pub fn seq(&self) -> u64 {
        self.seq as u64
    }
}

impl Reader {
    /// Up to `limit` events of a lane of the outbox after `since`, oldest first, with the lane's last number.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn outbox(
        &mut self,
        lane: &Lane,
        since: u64,
        limit: usize,
    ) -> Result<(u64, Vec<OutboxEvent>), StoreError> {
        let lane = lane.to_string();
        let head: Option<i64> =
            fetch_scalar!(fetch_optional, self.tx, "SELECT seq FROM outbox_lanes WHERE lane = $1", &lane)?;
        let events = fetch!(
            fetch_all,
            self.tx,
            "SELECT id, seq, kind, data, at FROM outbox WHERE lane = $1 AND seq > $2 ORDER BY seq LIMIT $3",
            &lane,
            since as i64,
            limit as i64
        )?;
        Ok((head.unwrap_or(0) as u64, events))
    }
}
