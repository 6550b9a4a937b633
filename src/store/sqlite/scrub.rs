//! Removes deleted content from a file. A deleted row leaves its bytes in free space of pages, and in the write-ahead
//! log; `secure_delete` does not reach copies that a split of a page left behind. So the file is written anew
//! (`VACUUM`), and the write-ahead log is emptied.

use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::Mutex;

use super::file::FileWatch;
use super::place::BUSY_TIMEOUT;
use crate::store::error::StoreError;

/// Attempts to empty the write-ahead log, which readers of older states keep full.
const ATTEMPTS: u32 = 20;
/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(500);
/// Time that each of them waits for readers. Acts wait as long.
const PATIENCE: Duration = Duration::from_millis(200);

/// Rewrites a file.
pub(in crate::store) struct Scrubber {
    options: SqliteConnectOptions,
    watch: Arc<FileWatch>,
    /// Held during each write: acts wait for the rewriting instead of failing.
    turn: Arc<Mutex<()>>,
    /// For which [`Scrubber::run`] the file was rewritten last.
    rewritten_for: Mutex<String>,
}

impl Scrubber {
    pub(super) fn new(options: SqliteConnectOptions, watch: Arc<FileWatch>) -> Scrubber {
        // The new file is put together on the disk, whatever its size.
        let options = options.pragma("temp_store", "FILE").pragma("wal_autocheckpoint", "0");
        Scrubber { options, watch, turn: Arc::default(), rewritten_for: Mutex::default() }
    }

    /// A lock to hold while something is written.
    pub(super) fn turn(&self) -> Arc<Mutex<()>> {
        self.turn.clone()
    }

    /// Rewrites the file, unless that was done for this same `due`, and empties its write-ahead log. Acts wait meanwhile, about a second
    /// for each 100 MB.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when another process writes, reads an old state for long, the disk is full, or the
    /// file is not there any more.
    pub(in crate::store) async fn run(&self, due: &str) -> Result<(), StoreError> {
        self.watch.check_writable()?;
        let mut connection = self.options.connect().await?;
        let mut rewritten_for = self.rewritten_for.lock().await;
        if *rewritten_for != due {
            // While somebody reads an old state, each rewriting would leave another copy of the file in the log.
            if !self.is_log_emptied(&mut connection).await? {
                return Err(log_stays_full());
            }
            let _turn = self.turn.lock().await;
            set_busy_timeout(&mut connection, BUSY_TIMEOUT).await?;
            sqlx::query("VACUUM").execute(&mut connection).await?;
            due.clone_into(&mut rewritten_for);
        }
        // Most of the copying is done while acts go on.
        sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut connection).await?;
        for _ in 0..ATTEMPTS {
            if self.is_log_emptied(&mut connection).await? {
                return Ok(connection.close().await?);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(log_stays_full())
    }

    /// Empties the write-ahead log, unless somebody reads an older state.
    async fn is_log_emptied(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        set_busy_timeout(connection, PATIENCE).await?;
        let _turn = self.turn.lock().await;
        let busy: i64 = sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await?;
        Ok(busy == 0)
    }
}

/// Sets how long each statement of this connection waits for other processes.
///
/// # Errors
/// [`StoreError::Unavailable`] when the connection has ended.
pub(super) async fn set_busy_timeout(connection: &mut SqliteConnection, timeout: Duration) -> Result<(), StoreError> {
    let sql = format!("PRAGMA busy_timeout = {}", timeout.as_millis());
    sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

fn log_stays_full() -> StoreError {
    StoreError::Unavailable("the write-ahead log cannot be emptied: somebody reads an old state of it".into())
}
