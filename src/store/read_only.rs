//! A file that can be read and not written, by whichever process and whichever version of ours has it
//! open: triggers refuse every write, and facts say why.

use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

use super::db::{self, ask, run, scalar};
use super::error::{READ_ONLY, StoreError};
use super::facts::{put_fact, random_name};
use super::reader::Reader;
use super::tables::TABLES;

/// What the triggers' names begin with.
const TRIGGERS: &str = "moving_";
/// Which run of `move` made the file read-only.
const RUN: &str = "moving_run";
/// Where it moves to.
const TO: &str = "moving_to";
/// When the copy was there, milliseconds since the epoch.
const AT: &str = "moved_at";

/// What is known of a file that is read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moving {
    /// Hosts and name of the database.
    pub to: String,
    /// Since when everything is there, milliseconds since the epoch; `None` before.
    pub at: Option<i64>,
}

impl std::fmt::Display for Moving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at.and_then(|at| jiff::Timestamp::from_millisecond(at).ok()) {
            Some(at) => write!(f, "it was moved to {} at {at:.0}", self.to),
            None => write!(f, "a move to {} has begun and not ended", self.to),
        }
    }
}

impl Reader {
    /// Where the file moves, or was moved; `None` for a database that can be written.
    pub async fn moving(&mut self) -> Result<Option<Moving>, StoreError> {
        read(self.view.lend()).await
    }
}

/// The same as [`Reader::moving`] on a connection.
pub(in crate::store) async fn state(file: &mut SqliteConnection) -> Result<Option<Moving>, StoreError> {
    read(db::Connection::Sqlite(file)).await
}

async fn read(mut on: db::Connection<'_>) -> Result<Option<Moving>, StoreError> {
    let to: Option<String> = scalar!(fetch_optional, on, "SELECT value FROM facts WHERE name = $1", TO)?;
    let at: Option<String> = scalar!(fetch_optional, on, "SELECT value FROM facts WHERE name = $1", AT)?;
    Ok(to.map(|to| Moving { to, at: at.and_then(|at| at.parse().ok()) }))
}

/// Makes the file read-only in the name of this run. Whatever was committed before is in it, and nothing
/// is committed afterwards.
pub(super) async fn lock(file: &mut SqliteConnection, run: &str, to: &str) -> Result<(), StoreError> {
    let mut tx = file.begin_with("BEGIN IMMEDIATE").await?;
    open(&mut tx).await?;
    forget(&mut tx).await?;
    for (name, value) in [(RUN, run), (TO, to)] {
        put_fact(db::Connection::Sqlite(&mut tx), name, value).await?;
    }
    close(&mut tx).await?;
    Ok(tx.commit().await?)
}

/// Notes that everything is there, inside a transaction. The file stays read-only.
pub(super) async fn done(tx: &mut SqliteConnection, now: i64) -> Result<(), StoreError> {
    open(tx).await?;
    put_fact(db::Connection::Sqlite(tx), AT, &now.to_string()).await?;
    close(tx).await
}

/// Whether the file is read-only in the name of this run.
pub(super) async fn is_held(on: &mut SqliteConnection, run: &str) -> Result<bool, StoreError> {
    let mut on = db::Connection::Sqlite(on);
    let held: Option<String> = scalar!(fetch_optional, on, "SELECT value FROM facts WHERE name = $1", RUN)?;
    Ok(held.as_deref() == Some(run))
}

/// Makes the file writable again, unless another run than `only` holds it; what it was before.
pub(super) async fn release(file: &mut SqliteConnection, only: Option<&str>) -> Result<Option<Moving>, StoreError> {
    let mut tx = file.begin_with("BEGIN IMMEDIATE").await?;
    if let Some(run) = only
        && !is_held(&mut tx, run).await?
    {
        return Ok(None);
    }
    let moving = state(&mut tx).await?;
    open(&mut tx).await?;
    forget(&mut tx).await?;
    if moving.as_ref().is_some_and(|moving| moving.at.is_some()) {
        put_fact(db::Connection::Sqlite(&mut tx), "epoch", &random_name()).await?;
    }
    tx.commit().await?;
    Ok(moving)
}

async fn close(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    for table in TABLES.iter().map(|table| table.name).chain(["facts"]) {
        for verb in ["INSERT", "UPDATE", "DELETE"] {
            let sql = format!(
                "CREATE TRIGGER {TRIGGERS}{table}_{verb} BEFORE {verb} ON {table}
                 BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END"
            );
            sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
        }
    }
    Ok(())
}

async fn open(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut on = db::Connection::Sqlite(tx);
    let found: Vec<(String,)> = ask!(
        fetch_all,
        on,
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, length($1)) = $1",
        TRIGGERS
    )?;
    for (name,) in &found {
        sqlx::query(AssertSqlSafe(format!("DROP TRIGGER \"{name}\""))).execute(&mut *tx).await?;
    }
    Ok(())
}

async fn forget(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut on = db::Connection::Sqlite(tx);
    Ok(run!(on, "DELETE FROM facts WHERE name IN ($1, $2, $3)", RUN, TO, AT)?)
}

/// Facts of a file that are none of the copy's.
pub(super) const OWN: [&str; 4] = ["file", RUN, TO, AT];
