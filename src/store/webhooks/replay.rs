//! The replay: an endpoint's positions are moved back, those of some lanes in each transaction, since others wait for
//! the writer of a SQLite file meanwhile.

use super::DELIVERY_LIFETIME;
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::query::{dynamic, fetch, placeholders};
use crate::store::transaction::tx::Tx;

/// Lanes that are read, and moved back, at a time: bounds how long the log is searched, and how long others wait.
const LANES: usize = 100;

/// Some of an endpoint's lanes, in their order.
#[derive(Debug, Clone)]
pub struct ReplayPart {
    /// The lanes with events to be delivered again.
    lanes: Vec<ReplayedLane>,
    /// The last lane that was read; `None` when there are no more lanes.
    pub last: Option<String>,
}

/// A lane with events to be delivered again.
#[derive(Debug, Clone)]
struct ReplayedLane {
    lane: String,
    /// The number of the first of these events.
    first: i64,
    /// How many of them are old enough to have been given up, delivered ones included; 0 where none of the lane was.
    given_up: i64,
}

impl ReplayPart {
    /// Whether nothing is to be delivered again in these lanes.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }
}

impl Reader {
    /// The next lanes of an endpoint after one (`""` for the first), with what happened there at `from` (Unix milliseconds)
    /// or later. The log of a group is searched from its end: its times never decrease.
    ///
    /// Which events were given up is not stored, but each of them is older than [`DELIVERY_LIFETIME`]. The outbox keeps none that
    /// is.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn lanes_to_replay(&mut self, endpoint: &str, from: i64, after: &str) -> Result<ReplayPart, StoreError> {
        let given_up_until = self.now - DELIVERY_LIFETIME;
        let rows: Vec<(String, Option<i64>, Option<i64>, i64)> = fetch!(
            fetch_all,
            self.tx,
            "SELECT p.lane,
               (SELECT min(e.seq) FROM events e WHERE e.guid = p.lane AND e.seq > COALESCE(
                  (SELECT b.seq FROM events b WHERE b.guid = p.lane AND b.at < $3 ORDER BY b.seq DESC LIMIT 1), 0)),
               (SELECT min(o.seq) FROM outbox o WHERE o.lane = p.lane AND o.at >= $3),
               CASE WHEN p.dead > 0 THEN (SELECT count(*) FROM events d
                 WHERE d.guid = p.lane AND d.seq <= p.seq AND d.at >= $3 AND d.at <= $5) ELSE 0 END
             FROM webhook_positions p WHERE p.endpoint = $1 AND p.lane > $2 ORDER BY p.lane LIMIT $4",
            endpoint,
            after,
            from,
            LANES as i64,
            given_up_until
        )?;
        let last = rows.last().map(|(lane, ..)| lane.clone());
        let lanes = rows.into_iter().filter_map(|(lane, event, outbox, given_up)| {
            Some(ReplayedLane { lane, first: event.or(outbox)?, given_up })
        });
        Ok(ReplayPart { lanes: lanes.collect(), last })
    }
}

impl Tx<'_> {
    /// Moves an endpoint's positions in these lanes, one or more, back before the events that are to be delivered again; answers
    /// how many events that are. Positions before that stay where they are, and what waits there is not given up because of its age.
    /// Events that were given up are no longer counted as such when they are delivered again.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn replay_lanes(&mut self, endpoint: &str, part: &ReplayPart) -> Result<u64, StoreError> {
        // A node that delivers one of these lanes loses its lease, and starts again from the new position.
        let sql = format!(
            "UPDATE webhook_positions SET seq = CASE WHEN seq >= v.column2 THEN v.column2 - 1 ELSE seq END,
               dead = CASE WHEN dead > v.column3 THEN dead - v.column3 ELSE 0 END,
               token = '', lease_until = 0, attempts = 0, due_at = 0, failing_since = 0, replay_at = ?, replay_seq = COALESCE(
                 (SELECT g.seq FROM groups g WHERE g.guid = v.column1),
                 (SELECT l.seq FROM outbox_lanes l WHERE l.lane = v.column1), webhook_positions.seq)
             FROM (VALUES {}) AS v
             WHERE endpoint = ? AND lane = v.column1
             RETURNING replay_seq - seq",
            placeholders(part.lanes.len(), 3)
        );
        let now = self.now;
        let again: Vec<(i64,)> = dynamic!(fetch_all, self.connection, sql, query, {
            query = query.bind(now);
            for ReplayedLane { lane, first, given_up } in &part.lanes {
                query = query.bind(lane).bind(first).bind(given_up);
            }
            query = query.bind(endpoint);
        })?;
        Ok(again.into_iter().map(|(events,)| events as u64).sum())
    }
}
