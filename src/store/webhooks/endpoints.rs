//! The endpoints of webhooks, and whether each gets events.

use std::sync::LazyLock;

use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::decode::inconsistent;
use crate::store::sql::insert::insert_returning;
use crate::store::sql::query::{dynamic, execute, fetch, fetch_scalar};
use crate::store::sql::tables::{WEBHOOK_ENDPOINTS, WEBHOOK_POSITIONS, WebhookEndpointValues};
use crate::store::transaction::tx::Tx;

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

/// An endpoint as stored. Times in Unix milliseconds; 0 for never.
#[derive(Debug, Clone)]
pub struct StoredEndpoint {
    /// A hash of its URL without user and password.
    pub id: String,
    /// Its URL without secrets.
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

impl StoredEndpoint {
    /// Whether its last answer to any node was a success (2xx).
    pub fn last_succeeded(&self) -> bool {
        self.answer.parse::<u16>().is_ok_and(|status| (200..300).contains(&status))
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
}

impl Tx<'_> {
    /// Gives an endpoint a second id, with its positions, unless there is an endpoint of that id: nodes of the version before go on under
    /// the former one. When `alone`, no node does, and the former one is deleted.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn copy_endpoint(&mut self, former_id: &str, id: &str, alone: bool) -> Result<(), StoreError> {
        let copied: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "INSERT INTO webhook_endpoints
               (id, location, state, seen_at, attempts, due_at, failing_since, answer, answered_at)
             SELECT $2, location, state, seen_at, attempts, due_at, failing_since, answer, answered_at
             FROM webhook_endpoints WHERE id = $1 ON CONFLICT (id) DO NOTHING RETURNING id",
            former_id,
            id
        )?;
        if copied.is_none() {
            return Ok(());
        }
        // An endpoint of that id may have been forgotten: its positions are deleted after it.
        execute!(self.connection, "DELETE FROM webhook_positions WHERE endpoint = $1", id)?;
        execute!(
            self.connection,
            "INSERT INTO webhook_positions
               (endpoint, lane, seq, token, lease_until, attempts, due_at, failing_since, dead, replay_seq, replay_at)
             SELECT $2, lane, seq, '', 0, attempts, due_at, failing_since, dead, replay_seq, replay_at
             FROM webhook_positions WHERE endpoint = $1",
            former_id,
            id
        )?;
        if alone {
            execute!(self.connection, "DELETE FROM webhook_positions WHERE endpoint = $1", former_id)?;
            execute!(self.connection, "DELETE FROM webhook_endpoints WHERE id = $1", former_id)?;
        }
        Ok(())
    }

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

    /// Records the last answer of an endpoint. Times in Unix milliseconds.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_answer(&mut self, endpoint: &str, answer: &str, answered_at: i64) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE webhook_endpoints SET answer = $2, answered_at = $3 WHERE id = $1 AND answered_at <= $3",
            endpoint,
            answer,
            answered_at
        )?;
        Ok(())
    }

    /// Leaves an endpoint alone until `due_at`, unless its tries have changed since it was `read`: another node may have
    /// delivered to it meanwhile. Answers whether it is left alone. Times in Unix milliseconds.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn back_off_endpoint(
        &mut self,
        read: &StoredEndpoint,
        attempts: u32,
        due_at: i64,
        failing_since: i64,
    ) -> Result<bool, StoreError> {
        let left_alone: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "UPDATE webhook_endpoints SET attempts = $2, due_at = $3, failing_since = $4
             WHERE id = $1 AND attempts = $5 AND due_at = $6 RETURNING id",
            &read.id,
            i64::from(attempts),
            due_at,
            failing_since,
            i64::from(read.attempts),
            read.due_at
        )?;
        Ok(left_alone.is_some())
    }

    /// Delivers again to an endpoint that failed for every group. Lanes that failed are tried at once, except those whose next
    /// try is further away than the schedule puts it: the receiver has asked for that time. `longest_waits` is the schedule: the
    /// longest time from a lane's first failure to its next try, from its second, and so on, in milliseconds; the last one
    /// repeats. The request itself is not stored, so one whose rest is within the schedule's time is not kept.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn reopen_endpoint(&mut self, endpoint: &str, longest_waits: &[i64]) -> Result<(), StoreError> {
        if let Some((last, earlier)) = longest_waits.split_last() {
            let cases: String = (1..=earlier.len()).map(|attempts| format!("WHEN {attempts} THEN ? ")).collect();
            let sql = format!(
                "UPDATE webhook_positions SET due_at = 0 WHERE endpoint = ? AND attempts > 0 AND due_at > ?
                   AND due_at <= CASE attempts {cases} ELSE ? END"
            );
            let now = self.now;
            dynamic!(execute, self.connection, sql, query, {
                query = query.bind(endpoint).bind(now);
                for wait in earlier {
                    query = query.bind(now + wait);
                }
                query = query.bind(now + last);
            })?;
        }
        self.end_back_off(endpoint).await
    }

    async fn end_back_off(&mut self, endpoint: &str) -> Result<(), StoreError> {
        let sql = "UPDATE webhook_endpoints SET attempts = 0, due_at = 0, failing_since = 0 WHERE id = $1";
        execute!(self.connection, sql, endpoint)?;
        Ok(())
    }

    /// The state of an endpoint; `None` when there is no such endpoint.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn endpoint_state(&mut self, endpoint: &str) -> Result<Option<EndpointState>, StoreError> {
        let sql = "SELECT state FROM webhook_endpoints WHERE id = $1";
        let state: Option<String> = fetch_scalar!(fetch_optional, self.connection, sql, endpoint)?;
        state.map(|state| state.parse().map_err(|_| inconsistent("state of an endpoint", &state))).transpose()
    }

    /// Pauses an endpoint, stops it, or lets it have what it missed at once, whatever time it asked for; `false` when there
    /// is none of this id.
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
            // A lane that is being tried gets another time too, by which the outcome of that try is known to be of before.
            let due = "UPDATE webhook_positions SET due_at = $2 WHERE endpoint = $1 AND (due_at > $2 OR token <> '')";
            execute!(self.connection, due, endpoint, self.now)?;
            self.end_back_off(endpoint).await?;
        }
        Ok(known.is_some())
    }
}

/// An endpoint as stored. Times in Unix milliseconds.
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
