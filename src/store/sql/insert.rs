//! Writing rows by the statements of [`super::tables`].

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Error};

use super::connection::{Connection, with_timeout};
use super::query::numbered;
use super::table::TableRow;
use crate::store::error::StoreError;

/// Runs a statement with bare placeholders for these rows.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written now or refuses a row,
/// [`StoreError::ReadOnly`] when it is a file that is read-only.
pub(in crate::store) async fn insert<R: TableRow>(
    on: Connection<'_>,
    sql: &str,
    rows: impl IntoIterator<Item = R>,
) -> Result<(), StoreError> {
    match on {
        Connection::Sqlite(connection) => {
            let query = sqlx::query_with(AssertSqlSafe(sql.to_owned()), sqlite_arguments(rows)?);
            query.execute(connection).await?;
        }
        Connection::Postgres(timed) => {
            let query =
                sqlx::query_with(AssertSqlSafe(numbered(sql)), postgres_arguments(rows)?).persistent(timed.persistent);
            with_timeout(timed.timeout, query.execute(timed.connection)).await?;
        }
    }
    Ok(())
}

/// Runs two statements with bare placeholders, each for its rows, in one message to the database.
///
/// # Errors
/// As [`insert`].
pub(in crate::store) async fn insert_both<A: TableRow, B: TableRow>(
    on: Connection<'_>,
    (first, first_rows): (&str, Vec<A>),
    (second, second_rows): (&str, Vec<B>),
) -> Result<(), StoreError> {
    match on {
        Connection::Sqlite(connection) => {
            let mut arguments = sqlite_arguments(first_rows)?;
            add_to_sqlite(&mut arguments, second_rows)?;
            let sql = format!("{first}; {second}");
            sqlx::query_with(AssertSqlSafe(sql), arguments).execute(connection).await?;
        }
        Connection::Postgres(timed) => {
            let mut arguments = postgres_arguments(first_rows)?;
            add_to_postgres(&mut arguments, second_rows)?;
            // A message holds one prepared statement.
            let sql = numbered(&format!("WITH first AS ({first}) {second}"));
            let query = sqlx::query_with(AssertSqlSafe(sql), arguments).persistent(timed.persistent);
            with_timeout(timed.timeout, query.execute(timed.connection)).await?;
        }
    }
    Ok(())
}

/// Runs a statement with bare placeholders for this row, which returns an integer if it writes the row.
///
/// # Errors
/// As [`insert`].
pub(in crate::store) async fn insert_returning<R: TableRow>(
    on: Connection<'_>,
    sql: &str,
    row: R,
) -> Result<Option<i64>, StoreError> {
    Ok(match on {
        Connection::Sqlite(connection) => {
            let query = sqlx::query_scalar_with(AssertSqlSafe(sql.to_owned()), sqlite_arguments([row])?);
            query.fetch_optional(connection).await?
        }
        Connection::Postgres(timed) => {
            let query = sqlx::query_scalar_with(AssertSqlSafe(numbered(sql)), postgres_arguments([row])?)
                .persistent(timed.persistent);
            with_timeout(timed.timeout, query.fetch_optional(timed.connection)).await?
        }
    })
}

fn sqlite_arguments<R: TableRow>(rows: impl IntoIterator<Item = R>) -> sqlx::Result<SqliteArguments> {
    let mut arguments = SqliteArguments::default();
    add_to_sqlite(&mut arguments, rows)?;
    Ok(arguments)
}

fn add_to_sqlite<R: TableRow>(arguments: &mut SqliteArguments, rows: impl IntoIterator<Item = R>) -> sqlx::Result<()> {
    rows.into_iter().try_for_each(|row| row.add_to_sqlite(arguments)).map_err(Error::Encode)
}

fn postgres_arguments<R: TableRow>(rows: impl IntoIterator<Item = R>) -> sqlx::Result<PgArguments> {
    let mut arguments = PgArguments::default();
    add_to_postgres(&mut arguments, rows)?;
    Ok(arguments)
}

fn add_to_postgres<R: TableRow>(arguments: &mut PgArguments, rows: impl IntoIterator<Item = R>) -> sqlx::Result<()> {
    rows.into_iter().try_for_each(|row| row.add_to_postgres(arguments)).map_err(Error::Encode)
}
