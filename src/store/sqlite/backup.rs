//! A copy of a file while it is used.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection as _};

use super::foreign::check_ours;
use super::place::{BUSY_TIMEOUT, check_exists, connect, parse, unopened};
use super::read_only;
use crate::store::error::{StoreError, extended_sqlite_code, with_cause_of_disk};
use crate::store::metadata::upsert_metadata;
use crate::store::sql::connection::Connection;

/// The identity of a copy, so that a database made from it begins a new epoch.
const NO_IDENTITY: &str = "a backup";

/// Writes the state of the file at `url` as of now to `copy`, an empty file, without what was deleted. Acts go on meanwhile.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file is not there, is none of ours or cannot be read, the copy cannot be written, or what is in
/// it is damaged; [`StoreError::CopyUnwritable`] when its disk is full, or it reaches a limit of size.
pub(in crate::store) async fn backup(url: &str, copy: &Path) -> Result<(), StoreError> {
    let file = parse(url)?.read_only(true).busy_timeout(BUSY_TIMEOUT).disable_statement_logging();
    let path = file.get_filename();
    check_exists(path)?;
    let name = copy.to_str().ok_or_else(|| StoreError::Unavailable("the name of the copy is not UTF-8".into()))?;
    let mut connection = connect(&file).await?;
    check_ours(&mut connection, path).await?;
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await;
    copied.map_err(|error| unwritable(&error).unwrap_or_else(|| unopened(path, &error)))?;
    connection.close().await?;

    let copied = SqliteConnectOptions::new().filename(copy).journal_mode(SqliteJournalMode::Delete);
    let mut copied = copied.disable_statement_logging().connect().await?;
    let fault: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copied).await?;
    if fault != "ok" {
        return Err(StoreError::Unavailable(format!("the file is damaged, and so is its copy: {fault}")));
    }
    // The copy of a file that moves, or was moved, is a database of its own.
    read_only::make_writable(&mut copied).await?;
    upsert_metadata(Connection::Sqlite(&mut copied), "file", NO_IDENTITY).await?;
    Ok(copied.close().await?)
}

/// The error about the copy, if this is one: of the file itself nothing is written.
fn unwritable(error: &sqlx::Error) -> Option<StoreError> {
    /// FULL and IOERR_WRITE of <https://www.sqlite.org/rescode.html>.
    const WRITE_FAILURES: [i32; 2] = [13, 778];
    let answer = error
        .as_database_error()
        .filter(|_| extended_sqlite_code(error).is_some_and(|code| WRITE_FAILURES.contains(&code)))?;
    Some(StoreError::CopyUnwritable(with_cause_of_disk(answer.message(), error)))
}
