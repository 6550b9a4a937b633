//! The file itself: made for its owner alone, and named with the cause when it cannot be used.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;

use crate::store::error::StoreError;

/// Members are nobody else's business.
const MODE: u32 = 0o600;

/// Makes the file if there is none, readable and writable by its owner alone. SQLite gives the files beside it the same mode.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be made, with its name and the cause.
pub(super) fn create(options: &SqliteConnectOptions) -> Result<(), StoreError> {
    let path = options.get_filename();
    if is_in_memory(path) {
        return Ok(());
    }
    // A file that exists is not opened here: closing it would release the locks that other connections of this process hold.
    let cause = match OpenOptions::new().write(true).create_new(true).mode(MODE).open(path) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => "it is a folder".into(),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => match folder(path) {
            folder if fs::exists(folder).is_ok_and(|exists| !exists) => {
                format!("there is no folder {}", folder.display())
            }
            folder => format!("it cannot be made in {}: {error}", folder.display()),
        },
    };
    Err(unusable(path, &cause))
}

/// The error about a file, with its name.
pub(super) fn unusable(path: &Path, cause: &str) -> StoreError {
    StoreError::Unavailable(format!("unable to open database file {}: {cause} (--database-url)", path.display()))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether SQLite keeps it in memory, under a name that is no path.
fn is_in_memory(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(":memory:") || path.starts_with("file:"))
}
