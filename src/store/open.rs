//! Opening the database: settings, schema, epoch.

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqlSafeStr, SqliteConnection};

use super::{Store, StoreError, writer};
use crate::clock::Clock;

/// The schema's steps, oldest first. Their twins for PostgreSQL have the same names.
const STEPS: [(i64, &str, &str); 1] = [(1, "groups", include_str!("../../migrations/sqlite/0001_groups.sql"))];

/// How long a statement waits for another process (an import) that is writing.
const BUSY: Duration = Duration::from_secs(5);
/// Connections that read.
const READERS: u32 = 4;

impl Store {
    /// Opens the database at `url` (`sqlite://FILE`), creates it if it is not there, brings its
    /// schema to the newest, and starts the writing task.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be opened or is not a SQLite URL.
    pub async fn open(url: &str, clock: Clock) -> Result<Store, StoreError> {
        let options = options(url)?;
        let mut connection = options.clone().connect().await?;
        migrate(&mut connection).await?;
        let epoch = epoch(&mut connection, options.get_filename()).await?;
        connection.close().await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .min_connections(1)
            .acquire_timeout(BUSY)
            .connect_with(options.clone().pragma("query_only", "ON"))
            .await?;
        let committed = Arc::new(OnceLock::new());
        let jobs = writer::start(options, clock.clone(), committed.clone()).await?;
        Ok(Store { jobs, readers, committed, epoch: epoch.into(), clock })
    }

    /// Starts another history: streams that come back start afresh. For restored backups.
    pub async fn renew_epoch(url: &str) -> Result<(), StoreError> {
        let mut connection = options(url)?.connect().await?;
        sqlx::query("UPDATE facts SET value = $1 WHERE name = 'epoch'")
            .bind(random_name())
            .execute(&mut connection)
            .await?;
        Ok(connection.close().await?)
    }
}

fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    if !url.starts_with("sqlite:") {
        return Err(StoreError::Unavailable(format!("this build opens sqlite:// databases, not {}", scheme(url))));
    }
    Ok(SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .statement_cache_capacity(200)
        .pragma("cache_size", "-65536")
        .pragma("mmap_size", "1073741824")
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging())
}

fn scheme(url: &str) -> &str {
    url.split_once(':').map_or("something else", |(scheme, _)| scheme)
}

async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let steps = STEPS
        .iter()
        .map(|&(version, name, sql)| {
            Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
        })
        .collect();
    Migrator::with_migrations(steps).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// Reads the epoch, and starts another one when the file is not the one it was written to: a
/// backup that was put in its place tells another story under the same numbers.
async fn epoch(connection: &mut SqliteConnection, file: &Path) -> Result<String, StoreError> {
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let file = identity(file);
    let stored: Option<(String, String)> =
        sqlx::query_as("SELECT e.value, f.value FROM facts e, facts f WHERE e.name = 'epoch' AND f.name = 'file'")
            .fetch_optional(&mut *tx)
            .await?;
    let epoch = match stored {
        Some((epoch, known)) if known == file => epoch,
        _ => random_name(),
    };
    for (name, value) in [("epoch", &epoch), ("file", &file)] {
        sqlx::query(
            "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(epoch)
}

/// Device and inode of the database file.
fn identity(file: &Path) -> String {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).map_or_else(|_| "memory".into(), |meta| format!("{}:{}", meta.dev(), meta.ino()))
}

/// Sixteen random characters out of `0-9a-f`.
fn random_name() -> String {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
