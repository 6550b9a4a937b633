//! The command `move`: copies a SQLite file to PostgreSQL while the service runs read-only. Ids, event numbers and the epoch
//! stay, so that viewers resume from their last id.
//!
//! Not here: schemas, which are in `migrations/`, and the output of the command (`cli`).

mod rows;
mod target;

use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Sqlite, SqliteConnection, Transaction};

use self::target::{Content, Target, of_a_newer_version};
use super::address::is_postgres;
use super::error::StoreError;
use super::facts::random_name;
use super::read_only::{self, Moving, state};
use super::sqlite;
use super::tables::TABLES;
use crate::clock::Clock;

/// How long is waited for somebody who is writing (an import).
const PATIENCE: Duration = Duration::from_secs(60);

/// How far a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The file is read-only now; so many rows are to be copied and compared.
    ReadOnly(u64),
    /// So many rows more of this table are read and copied.
    Read(&'static str, u64),
    /// So many rows more of this table are compared.
    Compared(&'static str, u64),
}

/// What was moved.
#[derive(Debug)]
pub struct Moved {
    /// Hosts and name of the database.
    pub place: String,
    /// Each table with its rows.
    pub tables: Vec<(&'static str, u64)>,
    /// How many groups.
    pub groups: u64,
    /// Those of them that have no owner, or several, here and in the file.
    pub odd: Vec<String>,
    /// Whether all of it was there before, of a move that could not say so.
    pub before: bool,
    /// How long it took since the file is read-only.
    pub took: Duration,
}

/// Why nothing was moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// It was not begun.
    #[error("{0}. Nothing was changed: the file is as it was")]
    Refused(String),
    /// It was given up.
    #[error("{0}. Nothing was copied, and the file is writable again")]
    GivenUp(String),
    /// It was given up, and the file is still read-only, as an earlier move left it.
    #[error("{0}. Nothing was copied; the file is read-only as before: move again, or `move --cancel`")]
    StillReadOnly(String),
    /// It was moved there before.
    #[error("{0} holds this history already and goes on by itself since: {1}. The file stays read-only")]
    GoneOn(String, String),
    /// Nobody knows.
    #[error("{0}. Whether the copy is there is not known, so the file stays read-only: move again, which finds out")]
    Unknown(String),
}

/// Moves the file at `from` to the empty database at `to`. Gives up, and makes the file writable again, when
/// `ended` completes before all of it is there.
///
/// # Errors
/// Why nothing was moved, and what the file is since.
pub async fn move_to(
    from: &str,
    to: &str,
    ended: impl Future<Output = ()>,
    mut told: impl FnMut(Progress) + Send,
) -> Result<Moved, MoveError> {
    if !is_postgres(to) {
        return Err(MoveError::Refused("--to must be the address of a PostgreSQL, such as postgres://…".into()));
    }
    let refuse = |error: StoreError| MoveError::Refused(error.to_string());
    let options = existing(from).map_err(MoveError::Refused)?;
    if is_newer(&options).await.map_err(|error| refuse(error.into()))? {
        return Err(MoveError::Refused(of_a_newer_version("the file")));
    }
    let (mut file, epoch) = sqlite::prepared(&options).await.map_err(refuse)?;
    let mut target = Target::open(to).await.map_err(MoveError::Refused)?;
    let before = state(&mut file).await.map_err(refuse)?;
    match (target.content(&epoch).await.map_err(refuse)?, &before) {
        // A second copy would tell another story under the numbers of the first.
        (Content::Nothing, Some(moving)) if moving.at.is_some() => {
            return Err(MoveError::Refused(format!("{moving}: to move it once more, first `move --cancel`")));
        }
        (Content::Nothing, _) => {}
        (Content::ThisHistory, Some(_)) => return look_again(file, target, &mut told).await,
        (Content::ThisHistory, None) => {
            let place = target.place;
            return Err(MoveError::Refused(format!(
                "{place} is not empty: it holds this history from an earlier move"
            )));
        }
        (Content::Other(words), _) => return Err(MoveError::Refused(words)),
    }
    target.begin().await.map_err(refuse)?;
    // Somebody may have been there since it was looked at.
    match target.content(&epoch).await.map_err(refuse)? {
        Content::Nothing => {}
        Content::ThisHistory => return Err(MoveError::Refused("another move was faster".into())),
        Content::Other(words) => return Err(MoveError::Refused(words)),
    }

    let (run, begun) = (random_name(), Instant::now());
    let copied = tokio::select! {
        copied = copy(&mut file, &mut target, &run, &mut told) => copied,
        () = ended => Err("interrupted".into()),
    };
    let (tables, groups, odd) = match copied {
        Ok(copied) => copied,
        Err(words) => {
            drop(target);
            return Err(give_up(file, &run, before.is_some(), words).await);
        }
    };
    match keep(&mut file, &mut target, &run).await {
        Ok(()) => {}
        Err(Kept::No(words)) => {
            drop(target);
            return Err(give_up(file, &run, before.is_some(), words).await);
        }
        Err(Kept::Unknown(words)) => return Err(MoveError::Unknown(words)),
    }
    let took = begun.elapsed();
    target.analyze().await;
    Ok(Moved { place: target.place, tables, groups, odd, before: false, took })
}

/// Makes a file writable again: where it was moved to, or was about to; `None` when it was writable. If all
/// of it was there, another history begins in the file: nodes may have gone on under the numbers of this one.
///
/// # Errors
/// When it cannot be opened, or is busy.
pub async fn cancel_move(from: &str) -> Result<Option<Moving>, StoreError> {
    let mut file = existing(from).map_err(StoreError::Unavailable)?.connect().await?;
    read_only::release(&mut file, None).await
}

fn existing(from: &str) -> Result<SqliteConnectOptions, String> {
    if is_postgres(from) {
        return Err("--database-url is a PostgreSQL already: only a SQLite file moves".into());
    }
    let options = sqlite::options(from).map_err(|error| error.to_string())?;
    match options.get_filename() {
        file if file.is_file() => Ok(options.create_if_missing(false).busy_timeout(PATIENCE)),
        file => Err(format!("there is no file {}", file.display())),
    }
}

/// Whether a newer version has changed the schema of the file: it knows of things to move that we do not know.
async fn is_newer(options: &SqliteConnectOptions) -> sqlx::Result<bool> {
    let mut file = options.connect().await?;
    let known: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'")
        .fetch_one(&mut file)
        .await?;
    if known == 0 {
        return Ok(false);
    }
    let step: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut file).await?;
    Ok(step.is_some_and(|step| step > sqlite::newest_step()))
}

type Told<'t> = &'t mut (dyn FnMut(Progress) + Send);
type Copied = (Vec<(&'static str, u64)>, u64, Vec<String>);

/// Makes the file read-only, copies and compares everything, in a transaction that is still open afterwards.
async fn copy(file: &mut SqliteConnection, target: &mut Target, run: &str, told: Told<'_>) -> Result<Copied, String> {
    let words = |error: StoreError| error.to_string();
    read_only::lock(file, run, &target.place).await.map_err(words)?;
    let mut view = file.begin().await.map_err(|error| error.to_string())?;
    let copied = compare(&mut view, target, true, told).await?;
    target.put_facts(&mut view).await.map_err(words)?;
    Ok(copied)
}

/// Compares both sides table by table, each `copied` first, or as it is there already.
async fn compare(
    view: &mut SqliteConnection,
    target: &mut Target,
    copied: bool,
    told: Told<'_>,
) -> Result<Copied, String> {
    told(Progress::ReadOnly(rows_of(view).await.map_err(|error| error.to_string())?));
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in &TABLES {
        let (name, words) = (table.name, |error: StoreError| format!("{}: {error}", table.name));
        let mut read = |rows| told(Progress::Read(name, rows));
        let here = match copied {
            true => target.copy(view, table, &mut read).await.map_err(words)?,
            false => rows::sum(view, table, &mut read).await.map_err(words)?,
        };
        let there = target.sum(table, &mut |rows| told(Progress::Compared(name, rows))).await.map_err(words)?;
        if here.value() != there.value() {
            return Err(format!("{name} differs: {} rows in the file, {} in the copy", here.rows, there.rows));
        }
        tables.push((name, here.rows));
    }
    let (groups, odd) = target.groups().await.map_err(|error| error.to_string())?;
    Ok((tables, groups, odd))
}

/// What became of a copy.
enum Kept {
    No(String),
    Unknown(String),
}

/// Commits, if the file is still held: while this lasts nobody can make it writable.
async fn keep(file: &mut SqliteConnection, target: &mut Target, run: &str) -> Result<(), Kept> {
    let no = |error: StoreError| Kept::No(error.to_string());
    let mut tx = file.begin_with("BEGIN IMMEDIATE").await.map_err(|error| no(error.into()))?;
    if !read_only::is_held(&mut tx, run).await.map_err(no)? {
        return Err(Kept::No("another `move` or a `move --cancel` came between".into()));
    }
    target.commit().await.map_err(|error| Kept::Unknown(error.to_string()))?;
    note(tx).await;
    Ok(())
}

/// Notes in the file that all of it is there; so it is, whether the file comes to know it or not.
async fn note(mut tx: Transaction<'_, Sqlite>) {
    let noted = async {
        read_only::done(&mut tx, Clock::default().now()).await?;
        Ok::<_, StoreError>(tx.commit().await?)
    };
    if let Err(error) = noted.await {
        tracing::warn!(%error, "the file could not note that it was moved");
    }
}

/// Leaves the file as it was found.
async fn give_up(mut file: SqliteConnection, run: &str, was_read_only: bool, words: String) -> MoveError {
    if was_read_only {
        return MoveError::StillReadOnly(words);
    }
    match read_only::release(&mut file, Some(run)).await {
        Ok(_) => MoveError::GivenUp(words),
        Err(error) => MoveError::StillReadOnly(format!("{words}; and then: {error}")),
    }
}

/// All of it is there, of a move that did not live to say so; or was, and has gone on since.
async fn look_again(mut file: SqliteConnection, mut target: Target, told: Told<'_>) -> Result<Moved, MoveError> {
    let begun = Instant::now();
    let compared = async {
        let mut view = file.begin().await.map_err(|error| error.to_string())?;
        let compared = compare(&mut view, &mut target, false, told).await?;
        view.rollback().await.map_err(|error| error.to_string())?;
        Ok::<_, String>(compared)
    };
    match compared.await {
        Ok((tables, groups, odd)) => {
            if let Ok(tx) = file.begin_with("BEGIN IMMEDIATE").await {
                note(tx).await;
            }
            Ok(Moved { place: target.place, tables, groups, odd, before: true, took: begun.elapsed() })
        }
        Err(words) => Err(MoveError::GoneOn(target.place, words)),
    }
}

async fn rows_of(file: &mut SqliteConnection) -> Result<u64, StoreError> {
    let mut all = 0;
    for table in &TABLES {
        let sql = format!("SELECT count(*) FROM {}", table.name);
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *file).await?;
        all += rows as u64;
    }
    Ok(all)
}
