//! The path of a database file, and the reason why it cannot be opened. SQLite's own errors name neither the file nor
//! the system's error.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use rustix::fs::{Access, access};
use rustix::io::Errno;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};

use super::header::has_no_log;
use crate::store::error::{StoreError, is_damage, sqlite_code, with_cause_of_disk};

/// Longest wait of a read for a connection, and of a statement for another process that writes (an import).
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The file at `url`.
///
/// # Errors
/// [`StoreError::Unavailable`] when `url` is not the address of a file.
pub(in crate::store) fn parse(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    let wrong = |cause: &str| StoreError::Unavailable(format!("{url} cannot be used: {cause} (--database-url)"));
    let in_memory = url.contains(":memory:") || parameters(url).any(|parameter| parameter == ("mode", "memory"));
    if in_memory {
        return Err(wrong(
            "a database in memory belongs to one connection, and the service has several; give sqlite://FILE",
        ));
    }
    let options = SqliteConnectOptions::from_str(url).map_err(|error| match error {
        sqlx::Error::Configuration(cause) => wrong(&cause.to_string()),
        error => wrong(&error.to_string()),
    })?;
    if options.get_filename().as_os_str().is_empty() {
        return Err(wrong("it names no file; give sqlite://FILE"));
    }
    Ok(options)
}

/// The parameters after the `?` of a URL.
pub(super) fn parameters(url: &str) -> impl Iterator<Item = (&str, &str)> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// A connection to the file.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be opened, with its name and the cause.
pub(in crate::store) async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    check_content(options.get_filename())?;
    options.connect().await.map_err(|error| unopened(options.get_filename(), &error))
}

/// The error about a file, with its name.
pub(in crate::store) fn unusable(path: &Path, cause: &str) -> StoreError {
    StoreError::Unavailable(format!("unable to open database file {}: {cause} (--database-url)", path.display()))
}

/// Checks that the file exists, and that what SQLite would read is its content.
///
/// # Errors
/// [`StoreError::Unavailable`] with its path when there is none, it was emptied, or another file's write-ahead log lies beside it.
pub(in crate::store) fn check_exists(file: &Path) -> Result<(), StoreError> {
    match fs::metadata(file) {
        Ok(_) => no_file(file).map_or_else(|| check_content(file), |cause| Err(unusable(file, cause))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(StoreError::Unavailable(format!("there is no file {}, and none was made", file.display())))
        }
        Err(error) => Err(unusable(file, &error.to_string())),
    }
}

/// Checks that what SQLite would read is the content of the file.
///
/// # Errors
/// [`StoreError::Unavailable`] with what the operator has to do.
pub(super) fn check_content(path: &Path) -> Result<(), StoreError> {
    check_not_emptied(path)?;
    check_log(path)
}

/// Checks that the write-ahead log beside the file is not another file's. SQLite would put the pages in it over those of this one.
///
/// # Errors
/// [`StoreError::Unavailable`] with what the operator has to do.
fn check_log(path: &Path) -> Result<(), StoreError> {
    let log = beside(path, "-wal");
    if fs::metadata(&log).map_or(0, |meta| meta.len()) == 0 || !has_no_log(path) {
        return Ok(());
    }
    let cause = format!(
        "it is a backup, or another file that was put here, and {} is of the file that was here before: {}, and start again",
        log.display(),
        move_log_away(&path.display())
    );
    Err(unusable(path, &cause))
}

/// What an operator does before another file is put in the place of this one.
pub(super) fn move_log_away(path: &impl Display) -> String {
    format!("move {path}-wal and {path}-shm away")
}

/// Checks that the file was not emptied while it was a database. An empty file is a new database to SQLite: whoever first reads it deletes the
/// write-ahead log of the old one, with the acts that only it has.
///
/// # Errors
/// [`StoreError::Unavailable`] with what the operator has to do.
pub(super) fn check_not_emptied(path: &Path) -> Result<(), StoreError> {
    if !is_empty(path) {
        return Ok(());
    }
    let left = ["-wal", "-shm"].map(|suffix| beside(path, suffix)).into_iter().find(|left| left.exists());
    let Some(left) = left else { return Ok(()) };
    let cause = format!(
        "it is empty, and {} shows that it was not: {}, to keep them, and put the last backup in its place; to begin anew, \
         remove all three",
        left.display(),
        move_log_away(&path.display())
    );
    Err(unusable(path, &cause))
}

/// Whether there is a file without content.
pub(super) fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == 0)
}

/// A file that SQLite keeps beside this one.
pub(super) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The kind of object at the path, when it is not a file.
pub(super) fn no_file(path: &Path) -> Option<&'static str> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Some("it is a folder"),
        Ok(meta) if !meta.is_file() => Some("it is no file, but a device, a pipe or a socket"),
        _ => None,
    }
}

/// What an operator does about a damaged file.
pub(super) fn how_to_recover(path: &impl Display) -> String {
    format!(
        "stop this service; without a backup, save what `sqlite3 {path} .recover | sqlite3 new.db` finds; move {path}, \
         {path}-wal and {path}-shm away, to keep them; then put the last backup in its place, or new.db, run `doctor`, and \
         start this service again"
    )
}

/// The error about a file that SQLite could not open.
pub(in crate::store) fn unopened(path: &Path, error: &sqlx::Error) -> StoreError {
    /// The primary result codes READONLY and CANTOPEN of <https://www.sqlite.org/rescode.html>.
    const READ_ONLY: i32 = 8;
    const CANNOT_OPEN: i32 = 14;
    let Some(answer) = error.as_database_error() else { return unusable(path, &error.to_string()) };
    if is_damage(error) {
        let path = path.display();
        let cause = answer.message();
        return StoreError::Unavailable(format!(
            "the file {path} is damaged, or another's ({cause}): {}",
            how_to_recover(&path)
        ));
    }
    match sqlite_code(error) {
        Some(CANNOT_OPEN) => {}
        Some(READ_ONLY) => return unusable(path, &not_writable(path).unwrap_or_else(|| answer.message().into())),
        _ => return unusable(path, &with_cause_of_disk(answer.message(), error)),
    }
    let cause = match (no_file(path), OpenOptions::new().read(true).open(path)) {
        (Some(what), _) => what.into(),
        (None, Err(error)) => error.to_string(),
        (None, Ok(_)) => not_writable(path).unwrap_or_else(|| {
            format!("the files {0}-wal and {0}-shm cannot be opened or made beside it", path.display())
        }),
    };
    unusable(path, &cause)
}

/// What this user may not write, of the file, those beside it, and their folder; `None` when all of it may be written. Nothing is opened
/// for that: closing it would release the locks that other connections of this process hold.
pub(super) fn not_writable(path: &Path) -> Option<String> {
    let refusal = |path: &Path| access(path, Access::WRITE_OK).err().filter(|error| *error != Errno::NOENT);
    let folder = folder(path);
    let in_folder = format!("in the folder {}, where SQLite makes files beside it", folder.display());
    let files = ["", "-wal", "-shm"].map(|suffix| beside(path, suffix));
    let mut refused = files.iter().filter_map(|file| Some((file.display().to_string(), refusal(file)?)));
    let (what, error) = refused.next().or_else(|| Some((in_folder, refusal(folder)?)))?;
    Some(format!("this user may not write {what}: {}", io::Error::from(error)))
}
