//! A database that is only read: one connection and one snapshot, from the first row to the last.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row, SqliteConnection};
use tokio_stream::StreamExt;

use super::finding::{Check, Findings};
use super::rules::expand;
use crate::store::error::StoreError;
use crate::store::sql::connection::{Connection, TimedConnection};
use crate::store::sqlite::{MoveState, ReadOnlyFile, connect, read_only, unopened};
use crate::store::url::is_postgres;
use crate::store::{postgres, url};

/// A database that is only read: nothing is created, migrated or written.
pub struct Inspection {
    pub(super) connection: Inspected,
    /// The file, or the hosts and the name of the database.
    pub location: String,
    /// The time of the inspection, Unix milliseconds.
    pub(super) now: i64,
    /// Most findings of one check that are listed.
    pub(super) listed: usize,
}

/// Most findings of one check that are listed, unless the caller wants more.
const LISTED: usize = 20;

/// Its connection, inside a transaction.
pub(super) enum Inspected {
    Sqlite(SqliteConnection, Box<ReadOnlyFile>),
    Postgres(PgConnection),
}

/// The values of a row as texts; `None` for NULL.
pub(super) type Fields = Vec<Option<String>>;

/// Reads rows of either database as [`Fields`], one at a time in memory.
macro_rules! each_row {
    ($connection:expr, $sql:expr, $each:expr, |$row:ident, $at:ident| $field:expr) => {{
        let mut rows = sqlx::query(AssertSqlSafe($sql)).fetch($connection);
        while let Some($row) = rows.next().await {
            let $row = $row?;
            let mut fields = Fields::with_capacity($row.len());
            for $at in 0..$row.len() {
                fields.push($field);
            }
            $each(fields);
        }
    }};
}

impl Inspection {
    /// Opens the database at `url` for reading: a PostgreSQL may be read-only, or a standby. `now` in Unix milliseconds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is no such file, or the database cannot be read.
    pub async fn open(url: &str, now: i64) -> Result<Inspection, StoreError> {
        if is_postgres(url) {
            return Inspection::begin(postgres::connect_to_read(url).await?, url, now).await;
        }
        let file = ReadOnlyFile::find(url)?;
        let location = file.file().display().to_string();
        let mut connection = connect(&file.options()).await?;
        // The first statement that reads opens the file.
        let begun = sqlx::raw_sql("BEGIN; SELECT count(*) FROM sqlite_master").execute(&mut connection).await;
        begun.map_err(|error| unopened(file.file(), &error))?;
        Ok(Inspection { connection: Inspected::Sqlite(connection, Box::new(file)), location, now, listed: LISTED })
    }

    /// Like [`Inspection::open`], for a database that is mended next: a PostgreSQL must take writes.
    ///
    /// # Errors
    /// As [`Inspection::open`], and [`StoreError::Unavailable`] when no host is a primary, or the primary is read-only.
    pub async fn open_to_mend(url: &str, now: i64) -> Result<Inspection, StoreError> {
        if is_postgres(url) {
            return Inspection::begin(postgres::connect(url).await?, url, now).await;
        }
        Inspection::open(url, now).await
    }

    async fn begin(mut connection: PgConnection, url: &str, now: i64) -> Result<Inspection, StoreError> {
        // Types and the definitions of indexes and constraints are compared as texts, in which a role may have every name quoted.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL quote_all_identifiers = off";
        sqlx::raw_sql(begin).execute(&mut connection).await?;
        let location = url::location(url);
        Ok(Inspection { connection: Inspected::Postgres(connection), location, now, listed: LISTED })
    }

    /// The same, which lists up to this many findings of each check.
    #[must_use]
    pub fn listing(self, listed: usize) -> Inspection {
        Inspection { listed, ..self }
    }

    /// The findings of a check that has found nothing yet.
    pub(super) fn none_of(&self, check: Check) -> Findings {
        Findings::of(check, self.listed)
    }

    /// Whether it is a PostgreSQL.
    pub fn is_postgres(&self) -> bool {
        matches!(self.connection, Inspected::Postgres(_))
    }

    /// Whether it is a standby, which may lack the newest events.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be read.
    pub async fn is_standby(&mut self) -> Result<bool, StoreError> {
        let mut is_standby = false;
        if self.is_postgres() {
            self.lines("SELECT CAST(pg_is_in_recovery() AS TEXT)", |line| is_standby = line == "true").await?;
        }
        Ok(is_standby)
    }

    /// Why the file is read-only; `None` for a database that can be written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be read.
    pub async fn move_state(&mut self) -> Result<Option<MoveState>, StoreError> {
        read_only::state(match &mut self.connection {
            Inspected::Sqlite(connection, _) => Connection::Sqlite(connection),
            Inspected::Postgres(connection) => Connection::Postgres(TimedConnection::for_commands(connection)),
        })
        .await
    }

    /// Calls `each` with every row of a statement that selects texts.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn each(&mut self, sql: &str, mut each: impl FnMut(Fields)) -> sqlx::Result<()> {
        let sql = sql.to_owned();
        match &mut self.connection {
            Inspected::Sqlite(connection, _) => each_row!(connection, sql, each, |row, at| {
                // Text that another program wrote into the file need not be UTF-8.
                let bytes: Option<Vec<u8>> = row.try_get_unchecked(at)?;
                bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            }),
            Inspected::Postgres(connection) => {
                // A statement that fails ends the transaction, unless it has a savepoint.
                sqlx::raw_sql("SAVEPOINT look").execute(&mut *connection).await?;
                let read: sqlx::Result<()> = async {
                    each_row!(&mut *connection, sql, each, |row, at| row.try_get_unchecked(at)?);
                    Ok(())
                }
                .await;
                sqlx::raw_sql("ROLLBACK TO look").execute(connection).await?;
                read?;
            }
        }
        Ok(())
    }

    /// Calls `each` with the one text that each row has.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection ended, or the statement fails.
    pub(in crate::store) async fn lines(&mut self, sql: &str, mut each: impl FnMut(&str)) -> Result<(), StoreError> {
        let read = self.each(sql, |fields| each(fields.first().and_then(Option::as_deref).unwrap_or_default()));
        Ok(read.await?)
    }

    /// A condition with its placeholders replaced for this database.
    pub(in crate::store) fn expand(&self, sql: &str) -> String {
        expand(sql, self.is_postgres(), self.now)
    }

    /// All rows of a statement that selects texts: for those that select few.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn all(&mut self, sql: &str) -> sqlx::Result<Vec<Fields>> {
        let mut rows = Vec::new();
        self.each(sql, |fields| rows.push(fields)).await?;
        Ok(rows)
    }

    /// Ends the inspection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file was written meanwhile by somebody who was not seen before: what was
    /// read need not fit together.
    pub async fn close(self) -> Result<(), StoreError> {
        match self.connection {
            Inspected::Sqlite(connection, file) => {
                connection.close().await?;
                file.check_untouched()
            }
            Inspected::Postgres(connection) => Ok(connection.close().await?),
        }
    }
}
