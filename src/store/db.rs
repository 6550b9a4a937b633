//! Two databases behind one body per query: SQL of the subset that both speak, `$1` parameters,
//! rows decoded as tuples. What only one of them can say stands beside its query.

use std::fmt::Write as _;

use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

/// Connections of one of the two.
#[derive(Clone)]
pub(super) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// One connection of one of the two.
pub(super) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A transaction that sees one moment.
pub(super) enum View {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Connection<'_> {
    /// The same connection, lent for one statement.
    pub(super) fn lend(&mut self) -> Connection<'_> {
        match self {
            Connection::Sqlite(connection) => Connection::Sqlite(connection),
            Connection::Postgres(connection) => Connection::Postgres(connection),
        }
    }
}

impl View {
    /// A view of this moment; writes through it are refused.
    pub(super) async fn begin(pool: &Pool) -> sqlx::Result<View> {
        Ok(match pool {
            Pool::Sqlite(pool) => View::Sqlite(pool.begin().await?),
            Pool::Postgres(pool) => {
                View::Postgres(pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?)
            }
        })
    }

    /// Its connection, lent for one statement.
    pub(super) fn lend(&mut self) -> Connection<'_> {
        match self {
            View::Sqlite(transaction) => Connection::Sqlite(transaction),
            View::Postgres(transaction) => Connection::Postgres(transaction),
        }
    }
}

/// `ask!(fetch_all, connection, "SELECT …", value, …)`: rows as tuples.
macro_rules! ask {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query_as($sql)$(.bind($value))*.$fetch(connection).await,
            $crate::store::db::Connection::Postgres(connection) =>
                sqlx::query_as($sql)$(.bind($value))*.$fetch(connection).await,
        }
    };
}

/// `scalar!(fetch_one, connection, "SELECT …", value, …)`: the one column of each row.
macro_rules! scalar {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query_scalar($sql)$(.bind($value))*.$fetch(connection).await,
            $crate::store::db::Connection::Postgres(connection) =>
                sqlx::query_scalar($sql)$(.bind($value))*.$fetch(connection).await,
        }
    };
}

/// `run!(connection, "UPDATE …", value, …)`: for its effect.
macro_rules! run {
    ($on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query($sql)$(.bind($value))*.execute(connection).await.map(drop),
            $crate::store::db::Connection::Postgres(connection) =>
                sqlx::query($sql)$(.bind($value))*.execute(connection).await.map(drop),
        }
    };
}

/// The same with as many values as there are: `many!(fetch_all, connection, sql, query, { query = query.bind(…) })`.
/// The statement is made of our own words and bare placeholders (`?`) only.
macro_rules! many {
    (execute, $on:expr, $sql:expr, $query:ident, $bind:block) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($sql));
                $bind
                $query.execute(connection).await.map(drop)
            }
            $crate::store::db::Connection::Postgres(connection) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($crate::store::db::numbered(&$sql)));
                $bind
                $query.execute(connection).await.map(drop)
            }
        }
    };
    ($fetch:ident, $on:expr, $sql:expr, $query:ident, $bind:block) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) => {
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($sql));
                $bind
                $query.$fetch(connection).await
            }
            $crate::store::db::Connection::Postgres(connection) => {
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($crate::store::db::numbered(&$sql)));
                $bind
                $query.$fetch(connection).await
            }
        }
    };
}

pub(super) use {ask, many, run, scalar};

/// `(?, ?), (?, ?)`: placeholders for so many rows of so many columns.
pub(super) fn placeholders(rows: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    vec![row.as_str(); rows].join(", ")
}

/// The same statement as PostgreSQL wants it: `$1` for the first `?`, and so on. SQLite wants the
/// bare ones, of which there may be thousands: it looks up each `$1` among all that came before.
pub(super) fn numbered(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len() * 2);
    for (number, part) in sql.split('?').enumerate() {
        if number > 0 {
            let _ = write!(text, "${number}");
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{numbered, placeholders};

    #[test]
    fn placeholders_are_counted_on() {
        let sql = format!("a = ? AND (b, c) IN ({})", placeholders(2, 2));
        assert_eq!(sql, "a = ? AND (b, c) IN ((?, ?), (?, ?))");
        assert_eq!(numbered(&sql), "a = $1 AND (b, c) IN (($2, $3), ($4, $5))");
    }
}
