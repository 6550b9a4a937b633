//! Endpoints of webhooks and their positions.
//!
//! A node delivers a lane to an endpoint while it holds the lease of that position. What it writes carries its
//! token and the epoch that it has read: a node that was paused until another one took over, or that has read
//! another history, changes nothing.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::decode::inconsistent;
use super::error::StoreError;
use super::insert::{insert, insert_returning};
use super::lane::Lane;
use super::query::{bulk, execute, fetch, fetch_scalar, placeholders};
use super::reader::Reader;
use super::tables::{WEBHOOK_ENDPOINTS, WEBHOOK_POSITIONS, WebhookEndpointValues, WebhookPositionValues};
use super::tx::Tx;

/// How long after its commit an event is delivered, in milliseconds; then it is dead.
pub const DELIVERY_LIFETIME: i64 = 3 * 24 * 3600 * 1000;
/// Most lanes of one statement.
const LANES_PER_STATEMENT: usize = 500;

/// Whether an endpoint gets events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum EndpointState {
    /// It does.
    Active,
    /// An operator has paused it.
    Paused,
    /// It answered 410 (Gone), and gets nothing until it is resumed.
    Gone,
}

impl EndpointState {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An endpoint as stored. Times in milliseconds since the epoch; 0 for never.
#[derive(Debug, Clone)]
pub struct StoredEndpoint {
    /// A hash of its URL.
    pub id: String,
    /// Its URL without what is secret in it.
    pub location: String,
    /// Whether it gets events.
    pub state: EndpointState,
    /// When a node last had it in its configuration.
    pub seen_at: i64,
    /// Tries in a row that failed while it failed for every group.
    pub attempts: u32,
    /// Until when it is left alone.
    pub due_at: i64,
    /// Since when it fails for every group.
    pub failing_since: i64,
    /// Its last answer, in words.
    pub answer: String,
    /// When that came.
    pub answered_at: i64,
}

/// How far behind an endpoint is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backlog {
    /// Events that are not delivered yet.
    pub events: u64,
    /// When the oldest of them happened, milliseconds since the epoch.
    pub oldest: Option<i64>,
    /// Groups (and people of the outbox) whose next event fails.
    pub failing: u64,
    /// Since when the first of them fails, milliseconds since the epoch.
    pub failing_since: Option<i64>,
    /// When the first of them is tried again, milliseconds since the epoch.
    pub next_try: Option<i64>,
    /// Events that were given up.
    pub dead: u64,
}

/// A lane that this node may deliver.
#[derive(Debug, Clone)]
pub struct ClaimedLane {
    /// The lane.
    pub lane: Lane,
    /// The last event that the endpoint has.
    pub seq: u64,
    /// Tries of the next event that failed.
    pub attempts: u32,
    /// Since when it fails, milliseconds since the epoch; 0 when it does not.
    pub failing_since: i64,
    /// Events up to this number are delivered again.
    pub replay_seq: u64,
    /// Since this time, milliseconds since the epoch.
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
    /// When it happened, milliseconds since the epoch.
    pub at: i64,
}

impl OutboxEvent {
    /// Its number in its lane.
    pub fn seq(&self) -> u64 {
        self.seq as u64
    }
}

impl Reader {
    /// Every endpoint that is stored.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn endpoints(&mut self) -> Result<Vec<StoredEndpoint>, StoreError> {
        static SELECT: LazyLock<String> =
            LazyLock::new(|| format!("SELECT {} FROM webhook_endpoints ORDER BY id", WEBHOOK_ENDPOINTS.column_list()));
        let rows: Vec<EndpointRow> = fetch!(fetch_all, self.tx, SELECT.as_str())?;
        rows.into_iter().map(EndpointRow::decode).collect()
    }

    /// Up to `limit` lanes with events that this endpoint has not got, and whose position no other node holds.
    /// `overdue` includes those whose next try is not due yet.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn undelivered_lanes(
        &mut self,
        endpoint: &str,
        token: &str,
        overdue: bool,
        limit: usize,
    ) -> Result<Vec<Lane>, StoreError> {
        let due = if overdue { i64::MAX } else { self.now };
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

    /// How far behind an endpoint is.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn backlog(&mut self, endpoint: &str) -> Result<Backlog, StoreError> {
        let (events, oldest, oldest_outbox): (i64, Option<i64>, Option<i64>) = fetch!(
            fetch_one,
            self.tx,
            "SELECT CAST(COALESCE(sum(l.seq - COALESCE(p.seq, 0)), 0) AS BIGINT), min(e.at), min(o.at)
             FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
             LEFT JOIN webhook_positions p ON p.endpoint = $1 AND p.lane = l.lane
             LEFT JOIN events e ON e.guid = l.lane AND e.seq = COALESCE(p.seq, 0) + 1
             LEFT JOIN outbox o ON o.lane = l.lane AND o.seq = COALESCE(p.seq, 0) + 1
             WHERE l.seq > COALESCE(p.seq, 0)",
            endpoint
        )?;
        let (dead, failing, failing_since, next_try): (i64, i64, Option<i64>, Option<i64>) = fetch!(
            fetch_one,
            self.tx,
            "SELECT CAST(COALESCE(sum(dead), 0) AS BIGINT), count(CASE WHEN attempts > 0 THEN 1 END),
               min(CASE WHEN attempts > 0 THEN failing_since END), min(CASE WHEN attempts > 0 THEN due_at END)
             FROM webhook_positions WHERE endpoint = $1",
            endpoint
        )?;
        Ok(Backlog {
            events: events as u64,
            oldest: [oldest, oldest_outbox].into_iter().flatten().min(),
            failing: failing as u64,
            failing_since,
            next_try,
            dead: dead as u64,
        })
    }

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

impl Tx<'_> {
    /// Notes that an endpoint is configured. A new one begins now: it has every event up to this one.
    /// `alone` when no other node can hold a position, so that those of an earlier run are free.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn register_endpoint(&mut self, id: &str, location: &str, alone: bool) -> Result<(), StoreError> {
        static INSERT: LazyLock<String> =
            LazyLock::new(|| WEBHOOK_ENDPOINTS.insert(1) + " ON CONFLICT (id) DO NOTHING RETURNING seen_at");
        static BASELINE: LazyLock<String> = LazyLock::new(|| {
            format!(
                "INSERT INTO webhook_positions ({}) SELECT $1, l.lane, l.seq, '', 0, 0, 0, 0, 0, 0, 0
                 FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
                 WHERE l.seq > 0 ON CONFLICT (endpoint, lane) DO NOTHING",
                WEBHOOK_POSITIONS.column_list()
            )
        });
        let row = WebhookEndpointValues {
            id,
            location,
            state: EndpointState::Active.as_str(),
            seen_at: self.now,
            attempts: 0,
            due_at: 0,
            failing_since: 0,
            answer: "",
            answered_at: 0,
        };
        if insert_returning(self.connection.reborrow(), &INSERT, row).await?.is_some() {
            execute!(self.connection, BASELINE.as_str(), id)?;
            return Ok(());
        }
        execute!(
            self.connection,
            "UPDATE webhook_endpoints SET seen_at = $2, location = $3 WHERE id = $1 AND seen_at < $2",
            id,
            self.now,
            location
        )?;
        if alone {
            let free = "UPDATE webhook_positions SET token = '', lease_until = 0 WHERE endpoint = $1 AND token <> ''";
            execute!(self.connection, free, id)?;
        }
        Ok(())
    }

    /// Takes the leases of these lanes until `lease_until`; answers those that no other node holds and whose next try
    /// is due. `overdue` includes those whose next try is not.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn claim_lanes(
        &mut self,
        endpoint: &str,
        token: &str,
        lanes: &[Lane],
        overdue: bool,
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
                 RETURNING lane, seq, attempts, failing_since, replay_seq, replay_at",
                placeholders(1, lanes.len())
            );
            let (now, due) = (self.now, if overdue { i64::MAX } else { self.now });
            let rows: Vec<ClaimedRow> = bulk!(fetch_all, self.connection, sql, query, {
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

    /// Moves positions forward, and renews their leases; answers the lanes whose positions this node still holds.
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
            let rows: Vec<(String,)> = bulk!(fetch_all, self.connection, sql, query, {
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

    /// Notes that the next event of a lane failed, and gives the lane back. Times in milliseconds since the epoch.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn fail_lane(
        &mut self,
        endpoint: &str,
        token: &str,
        lane: &Lane,
        attempts: u32,
        due_at: i64,
        failing_since: i64,
    ) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE webhook_positions SET attempts = $4, due_at = $5, failing_since = $6, token = '', lease_until = 0
             WHERE endpoint = $1 AND lane = $2 AND token = $3",
            endpoint,
            lane.to_string(),
            token,
            i64::from(attempts),
            due_at,
            failing_since
        )?;
        Ok(())
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

    /// Notes the last answer of an endpoint. Times in milliseconds since the epoch.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn note_answer(
        &mut self,
        endpoint: &str,
        answer: &str,
        answered_at: i64,
    ) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE webhook_endpoints SET answer = $2, answered_at = $3 WHERE id = $1 AND answered_at <= $3",
            endpoint,
            answer,
            answered_at
        )?;
        Ok(())
    }

    /// Leaves an endpoint alone until `due_at`, or with `attempts` 0 delivers everything to it at once. Times in
    /// milliseconds since the epoch.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn back_off_endpoint(
        &mut self,
        endpoint: &str,
        attempts: u32,
        due_at: i64,
        failing_since: i64,
    ) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE webhook_endpoints SET attempts = $2, due_at = $3, failing_since = $4 WHERE id = $1",
            endpoint,
            i64::from(attempts),
            due_at,
            failing_since
        )?;
        if attempts == 0 {
            let due = "UPDATE webhook_positions SET due_at = 0 WHERE endpoint = $1 AND due_at > 0";
            execute!(self.connection, due, endpoint)?;
        }
        Ok(())
    }

    /// Pauses an endpoint, stops it, or lets it have what it missed; `false` when there is none of this id.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn set_endpoint_state(&mut self, endpoint: &str, state: EndpointState) -> Result<bool, StoreError> {
        let known: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "UPDATE webhook_endpoints SET state = $2 WHERE id = $1 RETURNING id",
            endpoint,
            state.as_str()
        )?;
        if known.is_some() && state == EndpointState::Active {
            self.back_off_endpoint(endpoint, 0, 0, 0).await?;
        }
        Ok(known.is_some())
    }

    /// Moves an endpoint's positions back, so that it gets again everything that happened at `from` (milliseconds
    /// since the epoch) or later and that the log keeps; answers how many events that are, `None` when there is
    /// no such endpoint. Positions behind that stay where they are.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn replay_endpoint(&mut self, endpoint: &str, from: i64) -> Result<Option<u64>, StoreError> {
        let known: Option<String> =
            fetch_scalar!(fetch_optional, self.connection, "SELECT id FROM webhook_endpoints WHERE id = $1", endpoint)?;
        if known.is_none() {
            return Ok(None);
        }
        // A node that delivers one of these lanes loses its lease, and begins anew from where it stands then.
        let again: Vec<i64> = fetch_scalar!(
            fetch_all,
            self.connection,
            "UPDATE webhook_positions SET seq = v.first - 1, token = '', lease_until = 0, attempts = 0, due_at = 0,
               failing_since = 0, replay_seq = v.head, replay_at = $3
             FROM (SELECT l.lane, l.seq AS head, min(e.seq) AS first
                   FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
                   JOIN (SELECT guid AS lane, seq, at FROM events UNION ALL SELECT lane, seq, at FROM outbox) e
                     ON e.lane = l.lane AND e.at >= $2
                   GROUP BY l.lane, l.seq) AS v
             WHERE endpoint = $1 AND webhook_positions.lane = v.lane AND webhook_positions.seq >= v.first
             RETURNING replay_seq - seq",
            endpoint,
            from,
            self.now
        )?;
        Ok(Some(again.iter().map(|count| *count as u64).sum()))
    }

    /// Deletes what webhooks need no more: events of the outbox that every endpoint has or that happened before
    /// `dead` (milliseconds since the epoch), and endpoints that no node has had in its configuration since
    /// then. Endpoints not seen since `present` hold nothing back.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn prune_webhooks(&mut self, dead: i64, present: i64) -> Result<(), StoreError> {
        let naming = self.outbox_naming_erased().await?;
        execute!(
            self.connection,
            "DELETE FROM outbox WHERE at < $1 OR NOT EXISTS (
               SELECT 1 FROM webhook_endpoints w
               LEFT JOIN webhook_positions p ON p.endpoint = w.id AND p.lane = outbox.lane
               WHERE w.seen_at >= $2 AND COALESCE(p.seq, 0) < outbox.seq)",
            dead,
            present
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

#[derive(sqlx::FromRow)]
struct EndpointRow {
    id: String,
    location: String,
    state: String,
    seen_at: i64,
    attempts: i64,
    due_at: i64,
    failing_since: i64,
    answer: String,
    answered_at: i64,
}

impl EndpointRow {
    fn decode(self) -> Result<StoredEndpoint, StoreError> {
        let state = self.state.parse().map_err(|_| inconsistent("state of an endpoint", &self.state))?;
        let EndpointRow { id, location, seen_at, attempts, due_at, failing_since, answer, answered_at, .. } = self;
        let attempts = attempts as u32;
        Ok(StoredEndpoint { id, location, state, seen_at, attempts, due_at, failing_since, answer, answered_at })
    }
}

#[derive(sqlx::FromRow)]
struct ClaimedRow {
    lane: String,
    seq: i64,
    attempts: i64,
    failing_since: i64,
    replay_seq: i64,
    replay_at: i64,
}

impl ClaimedRow {
    fn decode(self) -> Result<ClaimedLane, StoreError> {
        let ClaimedRow { lane, seq, attempts, failing_since, replay_seq, replay_at } = self;
        let (seq, attempts, replay_seq) = (seq as u64, attempts as u32, replay_seq as u64);
        Ok(ClaimedLane { lane: Lane::decode(&lane)?, seq, attempts, failing_since, replay_seq, replay_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_state_is_read_back() {
        for state in [EndpointState::Active, EndpointState::Paused, EndpointState::Gone] {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
    }
}
