//! Readiness for acts. Only trying shows it: a database that answers may lack the right, the room or the connection
//! for a write. So once a second, unless an act has just succeeded, a small write is made the way that acts are
//! written. After an act has failed, and from time to time, a row of each table that acts write is tried as well, and as
//! much room as acts need.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::backend::Pool;
use super::failure_log::FailureLog;
use super::pool_metrics;
use super::store::Store;
use crate::store::error::StoreError;
use crate::store::metadata::{WRITE_PROBE, random_id};
use crate::store::sql::connection::{Connection, with_timeout};
use crate::store::sql::query::execute;
use crate::store::transaction::commit::Readiness;
use crate::store::transaction::job::Decision;
use crate::store::transaction::tx::Tx;

/// Time between two tries.
const INTERVAL: Duration = Duration::from_secs(1);
/// Longest time between two tries of the rows of acts while no act fails. They are rolled back, and PostgreSQL has to
/// remove what is rolled back.
const ROWS_INTERVAL: Duration = Duration::from_secs(30);
/// Longest wait for a try: acts wait as long behind a large sync of a file.
const TRY_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes that are written to a file when the rows of acts are tried: those are rolled back, and take no room on a disk that has some for a small
/// write and none for an act.
const ROOM: usize = 64 * 1024;
/// A group with one member and one event, and each change that acts make: a role may lack the right to one table alone,
/// and an index of one table may be damaged. `$1` is an id that nothing has.
const ROWS: [&str; 23] = [
    "INSERT INTO users (uid, name, sort_key, created_at, updated_at) VALUES ($1, '', '', 0, 0)",
    "UPDATE users SET name = name WHERE uid = $1",
    "INSERT INTO groups (guid, name, type, seq, created_at, updated_at) VALUES ($1, '', 'private', 0, 0, 0)",
    "UPDATE groups SET seq = seq + 1 WHERE guid = $1",
    "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ($1, $1, 3, 0, 1)",
    "UPDATE members SET scope = 1 WHERE guid = $1",
    "INSERT INTO temporary_scopes (guid, uid, scope, lasting_scope, until_at) VALUES ($1, $1, 1, 0, 0)",
    "INSERT INTO bans (guid, uid, at) VALUES ($1, $1, 0)",
    "INSERT INTO mutes (guid, uid, until_at, at) VALUES ($1, $1, 0, 0)",
    "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ($1, $1, 1, '', '', 0)",
    "UPDATE bans SET at = at WHERE guid = $1",
    "UPDATE mutes SET at = at WHERE guid = $1",
    "UPDATE notes SET at = at WHERE guid = $1",
    "UPDATE temporary_scopes SET until_at = until_at WHERE guid = $1",
    "DELETE FROM bans WHERE guid = $1",
    "DELETE FROM mutes WHERE guid = $1",
    "DELETE FROM notes WHERE guid = $1",
    "INSERT INTO events (guid, seq, kind, at) VALUES ($1, 1, 'member_kicked', 0)",
    "INSERT INTO touched (guid, seq, uid) VALUES ($1, 1, $1)",
    "INSERT INTO idempotency (guid, caller, key, act, at) VALUES ($1, '', '', '', 0)",
    "UPDATE idempotency SET batch = 0, left_out = '' WHERE guid = $1",
    "DELETE FROM temporary_scopes WHERE guid = $1",
    "DELETE FROM members WHERE guid = $1",
];

impl Store {
    /// Whether acts can be done, as the last try has found.
    ///
    /// # Errors
    /// Why not, in words for operators.
    pub fn check_acts(&self) -> Result<(), Arc<str>> {
        let known = match &self.pool {
            Pool::Postgres(primary) => primary.health().outage(),
            // An act may have met a fault of the file or the disk since the last try.
            Pool::Sqlite(file) => {
                file.check_writable().map_err(|error| error.cause()).err().or_else(|| self.listeners.outcomes.failure())
            }
        };
        let refused = match known {
            Some(why) => Err(why.into()),
            None => self.readiness.borrow().clone(),
        };
        match &self.pool {
            Pool::Postgres(_) => refused,
            Pool::Sqlite(file) => refused.map_err(|why| file.explain(&why).into()),
        }
    }

    /// Tries once whether acts can be done.
    pub async fn try_acts(&self) {
        self.try_writes(true).await;
    }

    /// Tries once whether acts can be done, with `rows` also each table that they write.
    async fn try_writes(&self, rows: bool) {
        let written = self.write_as_acts_do(rows);
        tokio::pin!(written);
        let written = match timeout(TRY_TIMEOUT, &mut written).await {
            Ok(written) => written,
            Err(_) => {
                let seconds = TRY_TIMEOUT.as_secs();
                self.set_readiness(Err(format!("acts have waited for {seconds} s to be written").into()));
                written.await
            }
        };
        self.set_readiness(match written {
            Ok(()) => Ok(()),
            Err(error) => Err(self.cause(error).await.into()),
        });
    }

    async fn write_as_acts_do(&self, rows: bool) -> Result<(), StoreError> {
        let room = if rows { ROOM } else { 0 };
        self.write(None, move |tx| Box::pin(async move { tx.write_probe(room).await.map(Decision::Commit) })).await?;
        if rows {
            self.write(None, |tx| Box::pin(async move { tx.try_rows().await.map(Decision::Rollback) })).await?;
        }
        Ok(())
    }

    /// Tries every second, and logs when acts begin to fail, why, and when they are done again.
    pub async fn try_acts_forever(self) {
        let outcomes = &self.listeners.outcomes;
        let (mut commits, mut failed, mut rows_tried_at) = (0, outcomes.failures(), Instant::now());
        let failures = FailureLog::new();
        loop {
            if let Pool::Sqlite(file) = &self.pool {
                file.check_damage().await;
                // PostgreSQL's gauge is set by its probe.
                metrics::gauge!("chat_group_members_store_up").set(u8::from(file.try_read().await.is_ok()));
            }
            // A failure of an act during this try causes another try of the rows in the next round.
            let failed_before = std::mem::replace(&mut failed, outcomes.failures());
            let is_refused = self.check_acts().is_err();
            let rows = is_refused || failed != failed_before || rows_tried_at.elapsed() >= ROWS_INTERVAL;
            if rows || outcomes.commits() == commits {
                self.try_writes(rows).await;
            }
            if rows {
                rows_tried_at = Instant::now();
            }
            commits = outcomes.commits();
            self.measure_writable();
            pool_metrics::measure(&self.pool);
            failures.observe_readiness(&self.check_acts(), "acts are refused", "acts can be done again");
            sleep(INTERVAL).await;
        }
    }

    fn set_readiness(&self, readiness: Readiness) {
        drop(self.readiness.send_replace(readiness));
        self.measure_writable();
    }

    /// Updates the gauge that alarms read: it says what `/readyz` says.
    fn measure_writable(&self) {
        metrics::gauge!("chat_group_members_store_writable").set(u8::from(self.check_acts().is_ok()));
    }

    /// Why a write has failed with this error, in words for operators.
    async fn cause(&self, error: StoreError) -> String {
        let known = match error {
            StoreError::KnownOutage | StoreError::LoggedOutage(_) | StoreError::CommitUnknown => {
                self.listeners.outcomes.failure()
            }
            StoreError::Unavailable(cause) => return cause,
            error => return error.to_string(),
        };
        match &self.pool {
            Pool::Sqlite(_) => known.unwrap_or_else(|| error.to_string()),
            Pool::Postgres(primary) => primary.cause(known).await,
        }
    }
}

impl Tx<'_> {
    /// Writes when it is tried whether acts can be done; to a file, with so many bytes beside.
    async fn write_probe(&mut self, room: usize) -> Result<(), StoreError> {
        let mut now = self.now.to_string();
        if matches!(self.connection, Connection::Sqlite(_)) {
            now.push_str(&" ".repeat(room));
        }
        // Another node may hold the row for as long as its network is gone: it is not waited for.
        let update = match self.connection.reborrow() {
            Connection::Sqlite(_) => "UPDATE facts SET value = $2 WHERE name = $1",
            Connection::Postgres(_) => {
                "UPDATE facts SET value = $2
                 WHERE name = (SELECT name FROM facts WHERE name = $1 FOR UPDATE SKIP LOCKED)"
            }
        };
        execute!(self.connection, update, WRITE_PROBE, &now)?;
        // `ON CONFLICT` alone waits for whoever changes the row.
        let insert = "INSERT INTO facts (name, value)
            SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM facts WHERE name = $1) ON CONFLICT (name) DO NOTHING";
        execute!(self.connection, insert, WRITE_PROBE, &now)?;
        if let Connection::Postgres(timed) = self.connection.reborrow() {
            // A commit without any write does not wait for standbys.
            let message = sqlx::raw_sql("SELECT pg_logical_emit_message(true, 'chat-group-members', 'a try')");
            with_timeout(timed.timeout, message.execute(timed.connection)).await?;
        }
        Ok(())
    }

    /// Writes a row of each table that acts write, to be rolled back.
    async fn try_rows(&mut self) -> Result<(), StoreError> {
        let nobody = format!("probe-{}", random_id());
        for sql in ROWS {
            execute!(self.connection, sql, &nobody)?;
        }
        Ok(())
    }
}
