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
/// The statement is made of our own words and placeholders only.
macro_rules! many {
    (execute, $on:expr, $sql:expr, $query:ident, $bind:block) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($sql));
                $bind
                $query.execute(connection).await.map(drop)
            }
            $crate::store::db::Connection::Postgres(connection) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($sql));
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
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($sql));
                $bind
                $query.$fetch(connection).await
            }
        }
    };
}

pub(super) use {ask, many, run, scalar};

/// `($1, $2), ($3, $4)`: placeholders for so many rows of so many columns, counted from `first`.
pub(super) fn placeholders(first: usize, rows: usize, columns: usize) -> String {
    let mut text = String::with_capacity(rows * (columns * 7 + 3));
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns {
            let _ = write!(text, "{}${}", if column == 0 { "" } else { ", " }, first + row * columns + column);
        }
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn placeholders_are_counted_on() {
        assert_eq!(super::placeholders(1, 2, 2), "($1, $2), ($3, $4)");
        assert_eq!(super::placeholders(3, 1, 3), "($3, $4, $5)");
    }
}
