//! Whether a SQLite file is a database of this program. A mistyped path names another program's, in which nothing is to be made.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::place::{BUSY_TIMEOUT, beside, check_content, connect, unopened};
use crate::store::error::StoreError;
use crate::store::migrations::first_step;
use crate::store::sql::tables::FACTS;

/// The table of the steps that were applied. Other programs that use sqlx have one too.
const STEPS: &str = "_sqlx_migrations";
/// Most tables of another program that are named.
const NAMED: usize = 3;

/// What a file holds.
pub(in crate::store) enum Content {
    /// A database of this program, of whatever version.
    Ours,
    /// No tables.
    Nothing,
    /// Another program's database, and what shows that.
    Foreign(String),
}

/// A connection to a file that is written. Another program's is looked at, and neither changed nor switched to a write-ahead log.
///
/// # Errors
/// As [`connect`], and [`StoreError::Unavailable`] when the file is another program's.
pub(in crate::store) async fn connect_to_write(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let path = options.get_filename();
    check_content(path)?;
    // A file that cannot be read is reported by whoever opens it next.
    if let Ok(Content::Foreign(why)) = look(path).await {
        return Err(another_programs(path, &why));
    }
    connect(options).await
}

/// Checks that the file of this connection is a database of this program.
///
/// # Errors
/// [`StoreError::Unavailable`] when it is another program's, has no tables, or cannot be read.
pub(in crate::store) async fn check_ours(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    match content(connection).await.map_err(|error| unopened(path, &error))? {
        Content::Ours => Ok(()),
        Content::Nothing => {
            Err(StoreError::Unavailable(format!("{} is no database of this program: it is empty", path.display())))
        }
        Content::Foreign(why) => Err(another_programs(path, &why)),
    }
}

/// What the file of this connection holds.
///
/// # Errors
/// The database's error.
pub(in crate::store) async fn content(connection: &mut SqliteConnection) -> sqlx::Result<Content> {
    let sql = "SELECT name FROM sqlite_master
        WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";
    let tables: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut *connection).await?;
    let has_steps = tables.iter().any(|table| table == STEPS);
    let is_ours = tables.iter().any(|table| table == FACTS) || (has_steps && has_first_step(connection).await);
    if is_ours {
        return Ok(Content::Ours);
    }
    // A migration that ended before its first step leaves the table of steps alone.
    let others: Vec<&str> = tables.iter().map(String::as_str).filter(|table| *table != STEPS).collect();
    if !others.is_empty() {
        let word = if others.len() == 1 { "table" } else { "tables" };
        let named = others[..others.len().min(NAMED)].join(", ");
        let more = if others.len() > NAMED { ", …" } else { "" };
        return Ok(Content::Foreign(format!("it has the {word} {named}{more}")));
    }
    let application: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(connection).await?;
    Ok(match application {
        0 => Content::Nothing,
        id => Content::Foreign(format!("its application id is {id:#x}")),
    })
}

/// Whether the first step of our schema was applied. A table of steps that is not sqlx's has none.
async fn has_first_step(connection: &mut SqliteConnection) -> bool {
    let (number, name) = first_step();
    let found: sqlx::Result<i64> =
        sqlx::query_scalar("SELECT count(*) FROM _sqlx_migrations WHERE version = $1 AND description = $2")
            .bind(number)
            .bind(name)
            .fetch_one(connection)
            .await;
    found.is_ok_and(|found| found > 0)
}

/// What a file holds, read without making anything beside it: a log is there only while somebody has it open, and after a crash.
async fn look(path: &Path) -> sqlx::Result<Content> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let options = options.immutable(!beside(path, "-wal").exists()).disable_statement_logging();
    let mut connection = options.connect().await?;
    let found = content(&mut connection).await;
    connection.close().await?;
    found
}

fn another_programs(path: &Path, why: &str) -> StoreError {
    let path = path.display();
    StoreError::Unavailable(format!("{path} is another program's database ({why}): name another file (--database-url)"))
}
