//! Opening a SQLite file for reading alone: nothing is created, not even a write-ahead log.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::place::{BUSY_TIMEOUT, beside, check_exists, parse};
use crate::store::error::StoreError;

/// A file that is opened for reading alone.
pub(in crate::store) struct ReadOnlyFile {
    options: SqliteConnectOptions,
    /// When it was last written and how long it was, if nobody has it open: it is then read without locks, which would
    /// create files beside it.
    alone: Option<(SystemTime, u64)>,
}

impl ReadOnlyFile {
    /// The file at `url`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when `url` is not the address of a file, or there is none.
    pub(in crate::store) fn find(url: &str) -> Result<ReadOnlyFile, StoreError> {
        let options =
            parse(url)?.create_if_missing(false).read_only(true).busy_timeout(BUSY_TIMEOUT).disable_statement_logging();
        check_exists(options.get_filename())?;
        let alone = if log_of(options.get_filename()).exists() { None } else { state(options.get_filename()) };
        Ok(ReadOnlyFile { options: options.immutable(alone.is_some()), alone })
    }

    /// The file.
    pub(in crate::store) fn file(&self) -> &Path {
        self.options.get_filename()
    }

    /// The options to connect to it.
    pub(in crate::store) fn options(&self) -> SqliteConnectOptions {
        self.options.clone()
    }

    /// Whether nobody has written a file that was read without locks.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when somebody has.
    pub(in crate::store) fn check_untouched(&self) -> Result<(), StoreError> {
        let now_open = || log_of(self.file()).metadata().is_ok_and(|log| log.len() > 0);
        if self.alone.is_some() && (self.alone != state(self.file()) || now_open()) {
            let file = self.file().display();
            return Err(StoreError::Unavailable(format!("{file} was written while it was read: look again")));
        }
        Ok(())
    }
}

/// The write-ahead log beside a file. It is there while a process has the file open, and after a crash.
fn log_of(file: &Path) -> PathBuf {
    beside(file, "-wal")
}

fn state(file: &Path) -> Option<(SystemTime, u64)> {
    let meta = file.metadata().ok()?;
    Some((meta.modified().ok()?, meta.len()))
}
