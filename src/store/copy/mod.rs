//! Moves a SQLite file to PostgreSQL while the service runs, read-only for the time it takes. Ids, event numbers and
//! the epoch are copied, so that viewers resume by their last id.
//!
//! This file has the order of the steps, and what is undone when one fails. `rows.rs` reads the file, `target.rs`
//! writes and reads back the copy.
//!
//! Not here: the tables and their columns, which are listed in `store/sql/tables.rs`, and the command line
//! (`cli/move.rs`).

mod report;
mod rows;
mod target;

use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection as _, Sqlite, SqliteConnection, Transaction};

pub use self::report::{MoveError, MoveProgress, MoveReport};
use self::target::{Content, CopyTarget, newer_version};
use super::address::DatabaseAddress;
use super::error::StoreError;
use super::metadata::random_id;
use super::migrations::newest_step;
use super::sqlite::{self, MoveState, read_only};
use super::url::is_postgres;
use crate::clock::Clock;
use crate::store::sql::connection::Connection;
use crate::store::sql::tables::TABLES;

/// How long another process that writes to the file (an import) is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// Moves the file at `from` to the empty database at `to`, past a pooler before it. When `interrupted` completes before the copy is
/// complete, the move ends, and what it has done is undone.
///
/// # Errors
/// Why the file was not moved, and whether it can be written now: see [`MoveError`].
pub async fn move_to(
    from: &str,
    to: &DatabaseAddress,
    interrupted: impl Future<Output = ()>,
    mut on_progress: impl FnMut(MoveProgress) + Send,
) -> Result<MoveReport, MoveError> {
    const INTERRUPTED: &str = "interrupted";
    tokio::pin!(interrupted);
    let prepared = tokio::select! {
        prepared = prepare(from, to) => prepared?,
        () = &mut interrupted => return Err(MoveError::Refused(INTERRUPTED.into())),
    };
    let Prepared { mut file, mut target, was_read_only, is_moved } = prepared;
    if is_moved {
        return tokio::select! {
            confirmed = confirm(file, target, &mut on_progress) => confirmed,
            () = &mut interrupted => Err(MoveError::OutcomeUnknown(INTERRUPTED.into())),
        };
    }
    let run = random_id();
    // Another process that writes may be waited for. Until then there is nothing to undo.
    let begun = tokio::select! {
        begun = file.begin_with("BEGIN IMMEDIATE") => begun,
        () = &mut interrupted => return Err(MoveError::Refused(INTERRUPTED.into())),
    };
    let lock = begun.map_err(|error| refuse(error.into()))?;
    let begun = Instant::now();
    let copied = match read_only::lock(lock, &run, &target.location).await {
        Ok(()) => tokio::select! {
            copied = copy(&mut file, &mut target, &mut on_progress) => copied,
            () = &mut interrupted => Err(INTERRUPTED.into()),
        },
        Err(error) => Err(error.to_string()),
    };
    let content = match copied {
        Ok(content) => content,
        Err(reason) => {
            drop(target);
            return Err(undo(file, &run, was_read_only, reason).await);
        }
    };
    match commit(&mut file, &mut target, &run).await {
        Ok(()) => {}
        Err(CommitFailure::NotCommitted(reason)) => {
            drop(target);
            return Err(undo(file, &run, was_read_only, reason).await);
        }
        Err(CommitFailure::Unknown(reason)) => return Err(MoveError::OutcomeUnknown(reason)),
    }
    let elapsed = begun.elapsed();
    close(file).await;
    tokio::select! {
        () = target.analyze() => {}
        () = &mut interrupted => {}
    }
    Ok(content.report(target.location, false, elapsed))
}

/// Both sides of a move.
struct Prepared {
    file: SqliteConnection,
    target: CopyTarget,
    /// Whether the file was read-only before.
    was_read_only: bool,
    /// Whether the target holds the file's history already. Otherwise it is empty, and its tables are locked.
    is_moved: bool,
}

/// Opens and checks both sides, and locks the tables of the target.
///
/// # Errors
/// [`MoveError::Refused`] when one of them cannot be used, or may not be.
async fn prepare(from: &str, to: &DatabaseAddress) -> Result<Prepared, MoveError> {
    if !is_postgres(&to.url) {
        return Err(MoveError::Refused("--to must be the address of a PostgreSQL, such as postgres://…".into()));
    }
    let options = existing_file(from).map_err(MoveError::Refused)?;
    if is_newer(&options).await.map_err(refuse)? {
        return Err(MoveError::Refused(newer_version("the file")));
    }
    let (mut file, epoch) = sqlite::prepare(&options).await.map_err(refuse)?;
    let mut target = CopyTarget::open(to.direct()).await.map_err(MoveError::Refused)?;
    let before = read_only::state(Connection::Sqlite(&mut file)).await.map_err(refuse)?;
    let is_moved = match (target.content(&epoch).await.map_err(refuse)?, &before) {
        // A second copy would continue the same epoch with other events.
        (Content::Empty, Some(state)) if state.at.is_some() => {
            return Err(MoveError::Refused(format!("{state}: to move it once more, first `move --cancel`")));
        }
        (Content::Empty, _) => false,
        (Content::SameEpoch, Some(_)) => true,
        (Content::SameEpoch, None) => {
            let location = target.location;
            return Err(MoveError::Refused(format!(
                "{location} is not empty: it holds this history from an earlier move"
            )));
        }
        (Content::Other(reason), _) => return Err(MoveError::Refused(reason)),
    };
    if !is_moved {
        target.begin().await.map_err(refuse)?;
        // Checked again under the lock: another process may have written since.
        match target.content(&epoch).await.map_err(refuse)? {
            Content::Empty => {}
            Content::SameEpoch => return Err(MoveError::Refused("another move was faster".into())),
            Content::Other(reason) => return Err(MoveError::Refused(reason)),
        }
    }
    Ok(Prepared { file, target, was_read_only: before.is_some(), is_moved })
}

fn refuse(error: StoreError) -> MoveError {
    MoveError::Refused(error.to_string())
}

/// Makes a file writable again; answers the state before, `None` when it was writable. If it was moved, it gets
/// a new epoch: nodes may have continued the old one elsewhere.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file does not exist, cannot be opened or stays busy.
pub async fn cancel_move(from: &str) -> Result<Option<MoveState>, StoreError> {
    let mut file = sqlite::connect_to_write(&existing_file(from).map_err(StoreError::Unavailable)?).await?;
    let before = read_only::unlock(&mut file, None).await;
    close(file).await;
    before
}

/// Closes the file: unless a service uses it, everything is in the file itself afterwards.
async fn close(file: SqliteConnection) {
    if let Err(error) = file.close().await {
        tracing::warn!(%error, "the last changes stay in the write-ahead log of the file");
    }
}

fn existing_file(from: &str) -> Result<SqliteConnectOptions, String> {
    if is_postgres(from) {
        return Err("--database-url is a PostgreSQL already: only a SQLite file moves".into());
    }
    let options = sqlite::options(from).map_err(|error| error.cause())?;
    sqlite::check_exists(options.get_filename()).map_err(|error| error.cause())?;
    Ok(options.create_if_missing(false).busy_timeout(BUSY_TIMEOUT))
}

/// Whether a newer version has changed the schema of the file: it may hold data that this version cannot copy.
async fn is_newer(options: &SqliteConnectOptions) -> Result<bool, StoreError> {
    let mut file = sqlite::connect_to_write(options).await?;
    let migrated: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'")
        .fetch_one(&mut file)
        .await?;
    if migrated == 0 {
        return Ok(false);
    }
    let step: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut file).await?;
    file.close().await?;
    Ok(step.is_some_and(|step| step > newest_step()))
}

type OnMoveProgress<'t> = &'t mut (dyn FnMut(MoveProgress) + Send);

/// The content of both sides.
struct CopiedContent {
    tables: Vec<(&'static str, u64)>,
    groups: u64,
    wrong_owners: Vec<String>,
}

impl CopiedContent {
    fn report(self, location: String, confirmed: bool, elapsed: Duration) -> MoveReport {
        let CopiedContent { tables, groups, wrong_owners } = self;
        MoveReport { location, tables, groups, wrong_owners, confirmed, elapsed }
    }
}

/// Copies everything out of the file, which is read-only, and compares it, in a transaction of the target that stays open.
async fn copy(
    file: &mut SqliteConnection,
    target: &mut CopyTarget,
    on_progress: OnMoveProgress<'_>,
) -> Result<CopiedContent, String> {
    let mut tx = file.begin().await.map_err(|error| error.to_string())?;
    let content = compare(&mut tx, target, true, on_progress).await?;
    target.put_metadata(&mut tx).await.map_err(|error| error.to_string())?;
    Ok(content)
}

/// Compares both sides table by table. With `copy_first`, each table is copied before it is compared.
async fn compare(
    file: &mut SqliteConnection,
    target: &mut CopyTarget,
    copy_first: bool,
    on_progress: OnMoveProgress<'_>,
) -> Result<CopiedContent, String> {
    on_progress(MoveProgress::ReadOnly(count_rows(file).await.map_err(|error| error.to_string())?));
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let (name, reason) = (table.name, |error: StoreError| format!("{}: {error}", table.name));
        let mut read = |rows| on_progress(MoveProgress::Read(name, rows));
        let here = match copy_first {
            true => target.copy(file, table, &mut read).await.map_err(reason)?,
            false => rows::checksum(file, table, &mut read).await.map_err(reason)?,
        };
        let there = target
            .checksum(table, &mut |rows| on_progress(MoveProgress::Compared(name, rows)))
            .await
            .map_err(reason)?;
        if here.value() != there.value() {
            return Err(format!("{name} differs: {} rows in the file, {} in the copy", here.rows, there.rows));
        }
        tables.push((name, here.rows));
    }
    let (groups, wrong_owners) = target.groups().await.map_err(|error| error.to_string())?;
    Ok(CopiedContent { tables, groups, wrong_owners })
}

/// Why the copy is not known to be committed.
enum CommitFailure {
    NotCommitted(String),
    Unknown(String),
}

/// Commits the copy if this run still holds the file, which stays locked until the end: no `move --cancel` can
/// come between.
async fn commit(file: &mut SqliteConnection, target: &mut CopyTarget, run: &str) -> Result<(), CommitFailure> {
    let not_committed = |error: StoreError| CommitFailure::NotCommitted(error.to_string());
    let mut tx = file.begin_with("BEGIN IMMEDIATE").await.map_err(|error| not_committed(error.into()))?;
    if !read_only::is_locked_by(&mut tx, run).await.map_err(not_committed)? {
        return Err(CommitFailure::NotCommitted("another `move` or a `move --cancel` came between".into()));
    }
    target.commit().await.map_err(|error| CommitFailure::Unknown(error.to_string()))?;
    mark_moved(tx).await;
    Ok(())
}

/// Records in the file that it was moved. A failure is only logged, since the copy is committed.
async fn mark_moved(mut tx: Transaction<'_, Sqlite>) {
    let marked = async {
        read_only::mark_moved(&mut tx, Clock::default().now()).await?;
        Ok::<_, StoreError>(tx.commit().await?)
    };
    if let Err(error) = marked.await {
        tracing::warn!(%error, "the file could not record that it was moved");
    }
}

/// Makes the file writable again, unless it was read-only before.
async fn undo(mut file: SqliteConnection, run: &str, was_read_only: bool, reason: String) -> MoveError {
    if was_read_only {
        return MoveError::StillReadOnly(reason);
    }
    let unlocked = read_only::unlock(&mut file, Some(run)).await;
    close(file).await;
    match unlocked {
        Ok(_) => MoveError::Undone(reason),
        Err(error) => MoveError::StillReadOnly(format!("{reason}; and then: {error}")),
    }
}

/// The target has the file's epoch: from a move that was killed before it could report, or from one after which
/// nodes have written to the target. Comparing the rows shows which.
async fn confirm(
    mut file: SqliteConnection,
    mut target: CopyTarget,
    on_progress: OnMoveProgress<'_>,
) -> Result<MoveReport, MoveError> {
    let begun = Instant::now();
    let compared = async {
        let mut tx = file.begin().await.map_err(|error| error.to_string())?;
        let content = compare(&mut tx, &mut target, false, on_progress).await?;
        tx.rollback().await.map_err(|error| error.to_string())?;
        Ok::<_, String>(content)
    };
    match compared.await {
        Ok(content) => {
            if let Ok(tx) = file.begin_with("BEGIN IMMEDIATE").await {
                mark_moved(tx).await;
            }
            close(file).await;
            Ok(content.report(target.location, true, begun.elapsed()))
        }
        Err(reason) => Err(MoveError::Diverged(target.location, reason)),
    }
}

async fn count_rows(file: &mut SqliteConnection) -> Result<u64, StoreError> {
    let mut all = 0;
    for table in TABLES {
        let sql = format!("SELECT count(*) FROM {}", table.name);
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *file).await?;
        all += rows as u64;
    }
    Ok(all)
}
