//! The position of each endpoint of webhooks in each lane, and the node that delivers it.
//!
//! A node delivers a lane to an endpoint while it holds the lease of that position. Its writes carry its
//! token and the epoch that it has read: a node that was paused until another one took over, or that has read
//! another history, changes nothing.

use std::collections::HashSet;

use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{dynamic, execute, fetch_scalar, placeholders};
use crate::store::sql::tables::{WEBHOOK_POSITIONS, WebhookPositionValues};
use crate::store::transaction::tx::Tx;

/// Most lanes of one statement.
const LANES_PER_STATEMENT: usize = 500;

/// A lane that this node may deliver.
#[derive(Debug, Clone)]
pub struct ClaimedLane {
    /// The lane.
    pub lane: Lane,
    /// The last event that the endpoint has.
    pub seq: u64,
    /// Tries of the next event that failed.
    pub attempts: u32,
    /// Since when it fails, Unix milliseconds; 0 when it does not.
    pub failing_since: i64,
    /// When the next event was due, Unix milliseconds; 0 for at once. Whoever gives the lane another schedule changes it.
    pub due_at: i64,
    /// Events up to this number are delivered again.
    pub replay_seq: u64,
    /// Since this time, Unix milliseconds.
    pub replay_at: i64,
}

/// How far a lane was delivered.
#[derive(Debug, Clone)]
pub struct LaneProgress {
    /// The lane.
    pub lane: Lane,
    /// The last event that the endpoint has or that was skipped.
    pub seq: u64,
    /// Events that were given up since the last progress.
    pub dead: u64,
}

/// A try of a lane's next event that failed. Times in Unix milliseconds.
#[derive(Debug, Clone)]
pub struct LaneFailure {
    /// The lane.
    pub lane: Lane,
    /// When the event was due that was tried.
    pub tried_due_at: i64,
    /// Tries of it that failed, this one included.
    pub attempts: u32,
    /// When it is tried again.
    pub due_at: i64,
    /// Since when it fails.
    pub failing_since: i64,
}

impl Reader {
    /// Up to `limit` lanes with events that this endpoint has not got, and whose position no other node holds.
    /// With `ignore_due_at`, also those whose next try is not due yet.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn undelivered_lanes(
        &mut self,
        endpoint: &str,
        token: &str,
        ignore_due_at: bool,
        limit: usize,
    ) -> Result<Vec<Lane>, StoreError> {
        let due = if ignore_due_at { i64::MAX } else { self.now };
        let rows: Vec<String> = fetch_scalar!(
            fetch_all,
            self.tx,
            "SELECT l.lane FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
             LEFT JOIN webhook_positions p ON p.endpoint = $1 AND p.lane = l.lane
             WHERE l.seq > COALESCE(p.seq, 0) AND COALESCE(p.due_at, 0) <= $4
               AND (p.token IS NULL OR p.token = '' OR p.token = $2 OR p.lease_until < $3)
             ORDER BY COALESCE(p.due_at, 0) LIMIT $5",
            endpoint,
            token,
            self.now,
            due,
            limit as i64
        )?;
        rows.iter().map(|lane| Lane::decode(lane)).collect()
    }
}

impl Tx<'_> {
    /// Takes the leases of these lanes until `lease_until`, Unix milliseconds. Returns the lanes that no other node
    /// holds and whose next try is due; with `ignore_due_at`, also those whose next try is not due yet.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn claim_lanes(
        &mut self,
        endpoint: &str,
        token: &str,
        lanes: &[Lane],
        ignore_due_at: bool,
        lease_until: i64,
    ) -> Result<Vec<ClaimedLane>, StoreError> {
        let mut claimed = Vec::with_capacity(lanes.len());
        let mut lanes: Vec<String> = lanes.iter().map(Lane::to_string).collect();
        // Nodes lock rows in one order.
        lanes.sort();
        for lanes in lanes.chunks(LANES_PER_STATEMENT) {
            let new = lanes.iter().map(|lane| WebhookPositionValues {
                endpoint,
                lane,
                seq: 0,
                token: "",
                lease_until: 0,
                attempts: 0,
                due_at: 0,
                failing_since: 0,
                dead: 0,
                replay_seq: 0,
                replay_at: 0,
            });
            let sql = WEBHOOK_POSITIONS.insert(lanes.len()) + " ON CONFLICT (endpoint, lane) DO NOTHING";
            insert(self.connection.reborrow(), &sql, new).await?;
            let sql = format!(
                "UPDATE webhook_positions SET token = ?, lease_until = ?
                 WHERE endpoint = ? AND due_at <= ? AND (token = '' OR token = ? OR lease_until < ?) AND lane IN {}
                 RETURNING lane, seq, attempts, failing_since, due_at, replay_seq, replay_at",
                placeholders(1, lanes.len())
            );
            let (now, due) = (self.now, if ignore_due_at { i64::MAX } else { self.now });
            let rows: Vec<ClaimedRow> = dynamic!(fetch_all, self.connection, sql, query, {
                query = query.bind(token).bind(lease_until).bind(endpoint).bind(due).bind(token).bind(now);
                for lane in lanes {
                    query = query.bind(lane);
                }
            })?;
            for row in rows {
                claimed.push(row.decode()?);
            }
        }
        Ok(claimed)
    }

    /// Moves positions forward, and renews their leases until `lease_until`, Unix milliseconds; answers the lanes
    /// whose positions this node still holds.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn advance_lanes(
        &mut self,
        endpoint: &str,
        token: &str,
        epoch: &str,
        progress: &[LaneProgress],
        lease_until: i64,
    ) -> Result<HashSet<Lane>, StoreError> {
        let mut held = HashSet::with_capacity(progress.len());
        let mut progress: Vec<&LaneProgress> = progress.iter().collect();
        progress.sort_by(|one, other| one.lane.cmp(&other.lane));
        for progress in progress.chunks(LANES_PER_STATEMENT) {
            let sql = format!(
                "UPDATE webhook_positions SET seq = v.column2, dead = dead + v.column3, lease_until = ?,
                   attempts = CASE WHEN seq < v.column2 THEN 0 ELSE attempts END,
                   due_at = CASE WHEN seq < v.column2 THEN 0 ELSE due_at END,
                   failing_since = CASE WHEN seq < v.column2 THEN 0 ELSE failing_since END
                 FROM (VALUES {}) AS v
                 WHERE endpoint = ? AND token = ? AND lane = v.column1 AND seq <= v.column2
                   AND EXISTS (SELECT 1 FROM facts WHERE name = 'epoch' AND value = ?)
                 RETURNING lane",
                placeholders(progress.len(), 3)
            );
            let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
                query = query.bind(lease_until);
                for LaneProgress { lane, seq, dead } in progress {
                    query = query.bind(lane.to_string()).bind(*seq as i64).bind(*dead as i64);
                }
                query = query.bind(endpoint).bind(token).bind(epoch);
            })?;
            for (lane,) in rows {
                held.insert(Lane::decode(&lane)?);
            }
        }
        Ok(held)
    }

    /// Gives a lane back whose next event failed, and notes that, unless the lane has got another schedule since the try began: an operator
    /// has resumed the endpoint, and it is not to wait for what failed before. Answers whether it was noted.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn fail_lane(&mut self, endpoint: &str, token: &str, failure: &LaneFailure) -> Result<bool, StoreError> {
        let due_at: Option<i64> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "UPDATE webhook_positions SET token = '', lease_until = 0,
               attempts = CASE WHEN due_at = $4 THEN $5 ELSE attempts END,
               failing_since = CASE WHEN due_at = $4 THEN $6 ELSE failing_since END,
               due_at = CASE WHEN due_at = $4 THEN $7 ELSE due_at END
             WHERE endpoint = $1 AND lane = $2 AND token = $3 RETURNING due_at",
            endpoint,
            failure.lane.to_string(),
            token,
            failure.tried_due_at,
            i64::from(failure.attempts),
            failure.failing_since,
            failure.due_at
        )?;
        Ok(due_at == Some(failure.due_at))
    }

    /// Gives back every position that this node holds.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn release_lanes(&mut self, endpoint: &str, token: &str) -> Result<(), StoreError> {
        let free = "UPDATE webhook_positions SET token = '', lease_until = 0 WHERE endpoint = $1 AND token = $2";
        execute!(self.connection, free, endpoint, token)?;
        Ok(())
    }
}

#[derive(sqlx::FromRow)]
struct ClaimedRow {
    lane: String,
    seq: i64,
    attempts: i64,
    failing_since: i64,
    due_at: i64,
    replay_seq: i64,
    replay_at: i64,
}

impl ClaimedRow {
    fn decode(self) -> Result<ClaimedLane, StoreError> {
        let ClaimedRow { lane, seq, attempts, failing_since, due_at, replay_seq, replay_at } = self;
        let (seq, attempts, replay_seq) = (seq as u64, attempts as u32, replay_seq as u64);
        let lane = Lane::decode(&lane)?;
        Ok(ClaimedLane { lane, seq, attempts, failing_since, due_at, replay_seq, replay_at })
    }
}
