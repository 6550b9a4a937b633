//! Opening the database: its address says which of the two it is.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{ConnectOptions, SqlSafeStr};
use tokio::sync::watch;

use super::db::{Connection, Limited, ask, run};
use super::{Store, StoreError, address, postgres, sqlite};
use crate::clock::Clock;

/// How long a read of SQLite waits for a connection, and a statement for another process (an import)
/// that is writing.
pub(super) const BUSY: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the database at `url` (`sqlite://FILE` or `postgres://…`), creates a file that is not
    /// there, brings the schema to the newest, and makes ready for writing.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be opened.
    pub async fn open(url: &str, clock: Clock) -> Result<Store, StoreError> {
        let committed = Arc::new(OnceLock::new());
        let (writer, readers, epoch) = if is_postgres(url) {
            postgres::open(url, &clock, committed.clone()).await?
        } else {
            sqlite::open(url, &clock, committed.clone()).await?
        };
        Ok(Store { writer, readers, committed, epoch: watch::Sender::new(epoch.into()), clock })
    }

    /// Whether `url` can be the address of a database, as far as its text tells.
    ///
    /// # Errors
    /// A sentence about what is wrong, which does not repeat the address: it may hold a password.
    pub fn check_address(url: &str) -> Result<(), String> {
        if is_postgres(url) {
            address::hosts(url).map(drop)
        } else if url.starts_with("sqlite:") {
            Ok(())
        } else {
            Err("this is not a database address; give sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME".into())
        }
    }

    /// Where the PostgreSQL at `url` is, for people: hosts and name, and no password.
    pub fn place(url: &str) -> String {
        address::place(url)
    }

    /// Starts another history: streams that come back start afresh. For restored backups.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database cannot be opened.
    pub async fn renew_epoch(url: &str) -> Result<(), StoreError> {
        if is_postgres(url) {
            let mut connection = postgres::connect(url).await?;
            put_fact(Connection::Postgres(Limited::patiently(&mut connection)), "epoch", &random_name()).await?;
            Ok(connection.close().await?)
        } else {
            let mut connection = sqlite::options(url)?.connect().await?;
            put_fact(Connection::Sqlite(&mut connection), "epoch", &random_name()).await?;
            Ok(connection.close().await?)
        }
    }
}

pub(super) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres:") || url.starts_with("postgresql:")
}

/// The steps of a schema, oldest first. Both databases have the same steps under the same names.
/// Steps that a newer version has taken are none of ours to judge: it took none that we cannot live
/// with (docs/migrations.md), since in a rolling deploy we run beside it.
pub(super) fn steps(steps: &[(i64, &'static str, &'static str)]) -> Migrator {
    let step = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let mut migrator = Migrator::with_migrations(steps.iter().map(step).collect());
    migrator.set_ignore_missing(true);
    migrator
}

/// The history's name. Another one begins when this (`here`) is not the database it was written to:
/// a backup that was put in its place tells another story under the same numbers.
pub(super) async fn epoch(mut on: Connection<'_>, here: &str) -> Result<String, StoreError> {
    let stored: Option<(String, String)> = ask!(
        fetch_optional,
        on,
        "SELECT e.value, f.value FROM facts e, facts f WHERE e.name = 'epoch' AND f.name = 'file'"
    )?;
    // Nothing is written when nothing is new: a file that is read-only opens as well.
    let epoch = match stored {
        Some((epoch, known)) if known == here => return Ok(epoch),
        _ => random_name(),
    };
    for (name, value) in [("epoch", epoch.as_str()), ("file", here)] {
        put_fact(on.lend(), name, value).await?;
    }
    Ok(epoch)
}

/// Writes a fact, in place of the one of that name.
pub(super) async fn put_fact(mut on: Connection<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    run!(
        on,
        "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value
    )?;
    Ok(())
}

/// Sixteen random characters out of `0-9a-f`.
pub fn random_name() -> String {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
