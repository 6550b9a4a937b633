//! Files that can be read and not written, by any process and any version of this program: triggers refuse
//! every write, and its metadata says why.

use sqlx::{AssertSqlSafe, Connection as _, Sqlite, SqliteConnection, Transaction};

use crate::clock::Clock;
use crate::store::error::{READ_ONLY, StoreError};
use crate::store::metadata::{WRITE_PROBE, metadata, random_id, upsert_metadata};
use crate::store::sql::connection::Connection;
use crate::store::sql::query::{execute, fetch};
use crate::store::sql::tables::{FACTS, TABLES};
use crate::store::transaction::outbox::announce_epoch;

/// Prefix of the triggers' names.
const TRIGGER_PREFIX: &str = "moving_";
/// Fact: the run of `move` that made the file read-only.
const RUN: &str = "moving_run";
/// Fact: where the file is moved to.
const TARGET: &str = "moving_to";
/// Fact: when the copy was complete, Unix milliseconds.
const MOVED_AT: &str = "moved_at";

/// Facts that describe the file itself and are not copied.
pub(in crate::store) const FILE_METADATA: [&str; 5] = ["file", RUN, TARGET, MOVED_AT, WRITE_PROBE];

/// Why a file is read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveState {
    /// Hosts and name of the database it is moved to.
    pub to: String,
    /// When the copy was complete, Unix milliseconds; `None` before.
    pub at: Option<i64>,
}

impl std::fmt::Display for MoveState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at.and_then(|at| jiff::Timestamp::from_millisecond(at).ok()) {
            Some(at) => write!(f, "it was moved to {} at {at:.0}", self.to),
            None => write!(f, "a move to {} has begun and not ended", self.to),
        }
    }
}

/// Why the file is read-only; `None` for a database that can be written.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be read.
pub(in crate::store) async fn state(mut on: Connection<'_>) -> Result<Option<MoveState>, StoreError> {
    let to = metadata(on.reborrow(), TARGET).await?;
    let at = metadata(on.reborrow(), MOVED_AT).await?;
    Ok(to.map(|to| MoveState { to, at: at.and_then(|at| at.parse().ok()) }))
}

/// Makes the file read-only for this run, by a writing transaction, which it commits. The file then contains every write
/// committed before, and none is committed afterwards.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be written: then it is as it was.
pub(in crate::store) async fn lock(mut tx: Transaction<'_, Sqlite>, run: &str, to: &str) -> Result<(), StoreError> {
    drop_triggers(&mut tx).await?;
    delete_move_metadata(&mut tx).await?;
    for (name, value) in [(RUN, run), (TARGET, to)] {
        upsert_metadata(Connection::Sqlite(&mut tx), name, value).await?;
    }
    create_triggers(&mut tx).await?;
    Ok(tx.commit().await?)
}

/// Records, inside a transaction, that the copy is complete. The file stays read-only. `now` in Unix milliseconds.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be written.
pub(in crate::store) async fn mark_moved(tx: &mut SqliteConnection, now: i64) -> Result<(), StoreError> {
    drop_triggers(tx).await?;
    upsert_metadata(Connection::Sqlite(tx), MOVED_AT, &now.to_string()).await?;
    create_triggers(tx).await
}

/// Whether this run made the file read-only, and no other since.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be read.
pub(in crate::store) async fn is_locked_by(file: &mut SqliteConnection, run: &str) -> Result<bool, StoreError> {
    let mut on = Connection::Sqlite(file);
    let holder = metadata(on.reborrow(), RUN).await?;
    Ok(holder.as_deref() == Some(run))
}

/// Makes the file writable again, with `only` if this run made it read-only; answers the state before. A file
/// that was moved gets a new epoch: nodes may have continued the old one elsewhere.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file stays busy or cannot be written: then it is as it was.
pub(in crate::store) async fn unlock(
    file: &mut SqliteConnection,
    only: Option<&str>,
) -> Result<Option<MoveState>, StoreError> {
    let mut tx = file.begin_with("BEGIN IMMEDIATE").await?;
    if let Some(run) = only
        && !is_locked_by(&mut tx, run).await?
    {
        return Ok(None);
    }
    let before = state(Connection::Sqlite(&mut tx)).await?;
    drop_triggers(&mut tx).await?;
    delete_move_metadata(&mut tx).await?;
    if before.as_ref().is_some_and(|before| before.at.is_some()) {
        let epoch = random_id();
        upsert_metadata(Connection::Sqlite(&mut tx), "epoch", &epoch).await?;
        if knows_webhooks(&mut tx).await? {
            announce_epoch(Connection::Sqlite(&mut tx), &epoch, Clock::default().now()).await?;
        }
    }
    tx.commit().await?;
    Ok(before)
}

/// Makes a copy of the file writable: a move does not concern it. It keeps the epoch, since another one begins when a copy is opened.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be written.
pub(super) async fn make_writable(copy: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut tx = copy.begin_with("BEGIN IMMEDIATE").await?;
    drop_triggers(&mut tx).await?;
    delete_move_metadata(&mut tx).await?;
    Ok(tx.commit().await?)
}

/// Whether the file has the tables of webhooks: a move is also cancelled before the schema is the newest.
async fn knows_webhooks(tx: &mut SqliteConnection) -> Result<bool, StoreError> {
    let table: Option<String> = sqlx::query_scalar("SELECT name FROM sqlite_master WHERE name = 'webhook_positions'")
        .fetch_optional(tx)
        .await?;
    Ok(table.is_some())
}

async fn create_triggers(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    for table in TABLES.iter().map(|table| table.name).chain([FACTS]) {
        for verb in ["INSERT", "UPDATE", "DELETE"] {
            let sql = format!(
                "CREATE TRIGGER {TRIGGER_PREFIX}{table}_{verb} BEFORE {verb} ON {table}
                 BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END"
            );
            sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
        }
    }
    Ok(())
}

async fn drop_triggers(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut on = Connection::Sqlite(tx);
    let found: Vec<(String,)> = fetch!(
        fetch_all,
        on,
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, length($1)) = $1",
        TRIGGER_PREFIX
    )?;
    for (name,) in &found {
        sqlx::query(AssertSqlSafe(format!("DROP TRIGGER \"{name}\""))).execute(&mut *tx).await?;
    }
    Ok(())
}

async fn delete_move_metadata(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut on = Connection::Sqlite(tx);
    Ok(execute!(on, "DELETE FROM facts WHERE name IN ($1, $2, $3)", RUN, TARGET, MOVED_AT)?)
}
