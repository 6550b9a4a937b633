//! The backlog of a webhook endpoint.

use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::query::fetch;

/// How far behind an endpoint is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backlog {
    /// Events that are not delivered yet.
    pub events: u64,
    /// When the oldest of them happened, Unix milliseconds.
    pub oldest: Option<i64>,
    /// Groups (and people of the outbox) whose next event fails.
    pub failing: u64,
    /// Since when the first of them fails, Unix milliseconds.
    pub failing_since: Option<i64>,
    /// When the first of them is tried again, Unix milliseconds.
    pub next_try: Option<i64>,
    /// Events that were given up.
    pub dead: u64,
}

impl Reader {
    /// How far behind an endpoint is.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn backlog(&mut self, endpoint: &str) -> Result<Backlog, StoreError> {
        let (of_groups, oldest): (i64, Option<i64>) = fetch!(
            fetch_one,
            self.tx,
            "SELECT CAST(COALESCE(sum(g.seq - COALESCE(p.seq, 0)), 0) AS BIGINT), min(e.at)
             FROM groups g
             LEFT JOIN webhook_positions p ON p.endpoint = $1 AND p.lane = g.guid
             LEFT JOIN events e ON e.guid = g.guid AND e.seq = COALESCE(p.seq, 0) + 1
             WHERE g.seq > COALESCE(p.seq, 0)",
            endpoint
        )?;
        // Numbers of the outbox have gaps: of a person's statuses only the last one is kept.
        let (of_nobody, oldest_outbox): (i64, Option<i64>) = fetch!(
            fetch_one,
            self.tx,
            "SELECT count(*), min(o.at) FROM outbox o
             LEFT JOIN webhook_positions p ON p.endpoint = $1 AND p.lane = o.lane
             WHERE o.seq > COALESCE(p.seq, 0)",
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
            events: (of_groups + of_nobody) as u64,
            oldest: [oldest, oldest_outbox].into_iter().flatten().min(),
            failing: failing as u64,
            failing_since,
            next_try,
            dead: dead as u64,
        })
    }
}
