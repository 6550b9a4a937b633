//! Errors of the database.

use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

/// The message with which a file that is being moved, or was moved, refuses a write.
pub(super) const READ_ONLY: &str = "read-only: this database moves, or was moved, to PostgreSQL";

/// The database failed, or holds inconsistent data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be used now: busy, gone, out of space. Nothing was done; a later try may succeed.
    #[error("the database cannot be used now: {0}")]
    Unavailable(String),
    /// The database is a SQLite file that is being moved, or was moved, to PostgreSQL: it can be read and not
    /// written.
    #[error("the database is read-only, since it moves or was moved (`move --cancel` makes it writable again)")]
    ReadOnly,
    /// Like [`StoreError::Unavailable`], but not to be logged again: the outage has been logged once.
    #[error("the database cannot be used now; the cause was logged when the outage began")]
    KnownOutage,
    /// Like [`StoreError::KnownOutage`], with the cause, for commands: who reads their last line need not look for it above.
    #[error("the database cannot be used now: {0}")]
    LoggedOutage(String),
    /// A copy of the database could not be written, and why.
    #[error("the copy cannot be written: {0}")]
    CopyUnwritable(String),
    /// A commit was sent and its outcome is unknown. Repeated under the same Idempotency-Key, the act is done
    /// once.
    #[error("the database did not answer whether the commit succeeded")]
    CommitUnknown,
    /// A stored row breaks an invariant; `doctor` reports which.
    #[error("the database holds something impossible: {0}")]
    Inconsistent(String),
}

impl StoreError {
    /// The cause, without a sentence about the database around it.
    pub(in crate::store) fn cause(&self) -> String {
        match self {
            StoreError::Unavailable(cause) | StoreError::LoggedOutage(cause) => cause.clone(),
            error => error.to_string(),
        }
    }

    /// The failure of a transaction in which a statement had failed with `cause`: SQLite may end the transaction then, and the error of its
    /// end says only that there was none.
    #[must_use]
    pub(in crate::store) fn caused_by(self, cause: Option<&StoreError>) -> StoreError {
        match (self, cause) {
            (StoreError::LoggedOutage(_), Some(StoreError::Unavailable(cause))) => {
                StoreError::LoggedOutage(cause.clone())
            }
            (error, _) => error,
        }
    }

    /// The same failure after a change was committed: the answer must not say that nothing was done. An impossible request stays so.
    #[must_use]
    pub fn after_commit(self) -> StoreError {
        if !self.is_failure() {
            return self;
        }
        if !self.already_logged() {
            tracing::warn!(error = %self, "the database cannot be used after a change was committed");
        }
        StoreError::CommitUnknown
    }

    /// Whether the cause is in the log already, so that callers need not log it.
    pub fn already_logged(&self) -> bool {
        matches!(self, StoreError::KnownOutage | StoreError::LoggedOutage(_))
    }

    /// Whether the database did not do what it was asked to. A row that breaks an invariant was read.
    pub(in crate::store) fn is_failure(&self) -> bool {
        !matches!(self, StoreError::Inconsistent(_))
    }
}

/// An error that a write may end with: one of the database, or a refusal of its caller's.
pub trait AsStoreError {
    /// The error of the database, if it is one.
    fn as_store_error(&self) -> Option<&StoreError>;
}

impl AsStoreError for StoreError {
    fn as_store_error(&self) -> Option<&StoreError> {
        Some(self)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let is_damage = is_damage(&error);
        DAMAGE_MET.fetch_add(u64::from(is_damage), Ordering::Relaxed);
        SPOILED.fetch_add(u64::from(is_damage || file_is_read_only(&error)), Ordering::Relaxed);
        match error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::Inconsistent(error.to_string()),
            other if is_read_only(&other) => StoreError::ReadOnly,
            other => StoreError::Unavailable(in_words(&other)),
        }
    }
}

/// The error in words, for operators.
pub(super) fn in_words(error: &sqlx::Error) -> String {
    if is_statement_mode(error) {
        return format!("{STATEMENT_MODE}, which cannot be used: set its pool_mode to session or transaction");
    }
    let from_postgres = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    match from_postgres {
        // Its own text ends in a line of PostgreSQL's source.
        Some(answer) => format!("error returned from database: {}", answer.message()),
        None => with_cause_of_disk(&error.to_string(), error),
    }
}

/// The reason in the error about a pooler that allows no transactions.
pub(super) const STATEMENT_MODE: &str = "a pooler in statement mode is at this address";

/// Whether PgBouncer has refused a transaction, since it is in statement mode.
pub(super) fn is_statement_mode(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains("statement pooling mode"))
}

/// This text about an error, with what may have caused it where SQLite says only that the disk failed.
pub(super) fn with_cause_of_disk(text: &str, error: &sqlx::Error) -> String {
    /// IOERR_WRITE of <https://www.sqlite.org/rescode.html>. A disk without room is FULL, which says so.
    const WRITE_FAILED: i32 = 778;
    /// IOERR_SHMSIZE: the first connection cannot make the index of the write-ahead log. A disk without room is no FULL here.
    const NO_INDEX: i32 = 4874;
    match extended_sqlite_code(error) {
        Some(WRITE_FAILED) => {
            format!("{text}: a quota or the limit of the size of files (`ulimit -f`) is reached, or the disk fails")
        }
        Some(NO_INDEX) => format!(
            "{text}: the disk is full, a quota or the limit of the size of files (`ulimit -f`) is reached, or the disk fails"
        ),
        _ => text.to_owned(),
    }
}

/// Whether a trigger of a read-only file refused the write.
fn is_read_only(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains(READ_ONLY))
}

/// Number of statements of this process that found damage in a SQLite file.
static DAMAGE_MET: AtomicU64 = AtomicU64::new(0);

/// Number of statements of this process that found damage in any SQLite file: a reason to check each.
pub(super) fn damage_met() -> u64 {
    DAMAGE_MET.load(Ordering::Relaxed)
}

/// Number of statements that found a SQLite file damaged or read-only. Their connections remember it, although the file
/// may be sound again.
static SPOILED: AtomicU64 = AtomicU64::new(0);

/// Number of statements of this process after which a connection to a SQLite file has to be replaced.
pub(super) fn spoiled_connections() -> u64 {
    SPOILED.load(Ordering::Relaxed)
}

/// Whether SQLite has found the file damaged, or no database at all (<https://www.sqlite.org/rescode.html>).
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    const CORRUPT: i32 = 11;
    const NOT_A_DATABASE: i32 = 26;
    sqlite_code(error).is_some_and(|code| matches!(code, CORRUPT | NOT_A_DATABASE))
}

/// Whether SQLite may not write to the file.
fn file_is_read_only(error: &sqlx::Error) -> bool {
    const READONLY: i32 = 8;
    sqlite_code(error) == Some(READONLY)
}

/// SQLite's primary result code (<https://www.sqlite.org/rescode.html>).
pub(super) fn sqlite_code(error: &sqlx::Error) -> Option<i32> {
    extended_sqlite_code(error).map(|code| code & 0xff)
}

/// SQLite's extended result code, which says more about what failed.
pub(super) fn extended_sqlite_code(error: &sqlx::Error) -> Option<i32> {
    let error = error.as_database_error().filter(|error| error.try_downcast_ref::<SqliteError>().is_some())?;
    error.code()?.parse().ok()
}
