//! The file itself: made for its owner alone, and never in the place of one that was lost.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::place::{check_not_emptied, folder, is_empty, move_log_away, no_file, unusable};
use crate::store::error::StoreError;

/// Other users of the machine may not read about members.
const MODE: u32 = 0o600;

/// Makes the file if there is none, readable and writable by its owner alone. SQLite gives the files beside it the same mode.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be made, or has lost its content, with its name and the cause.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    // A file that exists is not opened here: closing it would release the locks that other connections of this process hold.
    let cause = match OpenOptions::new().write(true).create_new(true).mode(MODE).open(path) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match no_file(path) {
            Some(what) => what.into(),
            None => return check_content(path),
        },
        Err(error) => match folder(path) {
            folder if fs::exists(folder).is_ok_and(|exists| !exists) => {
                format!("there is no folder {}", folder.display())
            }
            folder => format!("it cannot be made in {}: {error}", folder.display()),
        },
    };
    Err(unusable(path, &cause))
}

/// Warns that an empty file becomes a database.
fn check_content(path: &Path) -> Result<(), StoreError> {
    check_not_emptied(path)?;
    if is_empty(path) {
        tracing::warn!(
            "the file {} was there and is empty: a new database begins in it; if it was one before, stop, {}, and put the \
             last backup in its place",
            path.display(),
            move_log_away(&path.display())
        );
    }
    Ok(())
}
