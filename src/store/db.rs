//! Two databases behind one body per query: SQL of the subset that both speak, `$1` parameters,
//! rows decoded as tuples. What only one of them can say stands beside its query.

use std::fmt::Write as _;
use std::time::Duration;

use sqlx::{PgConnection, Sqlite, SqliteConnection, SqlitePool, Transaction};

use super::error::StoreError;
use super::primary::Primary;
use super::session::Session;

/// How long a statement that reads is waited for.
const READ: Duration = Duration::from_secs(3);
/// How long one that writes is: as long as a lock is, and a little longer.
pub(super) const WRITE: Duration = Duration::from_secs(6);

/// Connections of one of the two.
#[derive(Clone)]
pub(super) enum Pool {
    Sqlite(SqlitePool),
    Postgres(Primary),
}

/// One connection of one of the two.
pub(super) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(Limited<'c>),
}

/// A connection over a network, where an answer is not waited for forever.
pub(super) struct Limited<'c> {
    pub(super) connection: &'c mut PgConnection,
    pub(super) limit: Duration,
}

/// A transaction that sees one moment.
pub(super) enum View {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Session),
}

impl Connection<'_> {
    /// The same connection, lent for one statement.
    pub(super) fn lend(&mut self) -> Connection<'_> {
        match self {
            Connection::Sqlite(connection) => Connection::Sqlite(connection),
            Connection::Postgres(limited) => Connection::Postgres(limited.lend()),
        }
    }
}

impl<'c> Limited<'c> {
    /// For acts.
    pub(super) fn writing(connection: &'c mut PgConnection) -> Limited<'c> {
        Limited { connection, limit: WRITE }
    }

    /// Where somebody at a terminal waits.
    pub(super) fn patiently(connection: &'c mut PgConnection) -> Limited<'c> {
        Limited { connection, limit: Duration::from_secs(60) }
    }

    fn lend(&mut self) -> Limited<'_> {
        Limited { connection: self.connection, limit: self.limit }
    }
}

impl View {
    /// A view of this moment; writes through it are refused.
    pub(super) async fn begin(pool: &Pool) -> Result<View, StoreError> {
        Ok(match pool {
            Pool::Sqlite(pool) => View::Sqlite(pool.begin().await?),
            Pool::Postgres(primary) => View::Postgres(primary.read().await?),
        })
    }

    /// Its connection, lent for one statement.
    pub(super) fn lend(&mut self) -> Connection<'_> {
        match self {
            View::Sqlite(transaction) => Connection::Sqlite(transaction),
            View::Postgres(session) => Connection::Postgres(Limited { connection: session.connection(), limit: READ }),
        }
    }
}

/// `ask!(fetch_all, connection, "SELECT …", value, …)`: rows as tuples.
macro_rules! ask {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query_as($sql)$(.bind($value))*.$fetch(connection).await,
            $crate::store::db::Connection::Postgres(on) =>
                $crate::store::session::within(on.limit, sqlx::query_as($sql)$(.bind($value))*.$fetch(on.connection)).await,
        }
    };
}

/// `scalar!(fetch_one, connection, "SELECT …", value, …)`: the one column of each row.
macro_rules! scalar {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query_scalar($sql)$(.bind($value))*.$fetch(connection).await,
            $crate::store::db::Connection::Postgres(on) =>
                $crate::store::session::within(on.limit, sqlx::query_scalar($sql)$(.bind($value))*.$fetch(on.connection)).await,
        }
    };
}

/// `run!(connection, "UPDATE …", value, …)`: for its effect.
macro_rules! run {
    ($on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        match $on.lend() {
            $crate::store::db::Connection::Sqlite(connection) =>
                sqlx::query($sql)$(.bind($value))*.execute(connection).await.map(drop),
            $crate::store::db::Connection::Postgres(on) =>
                $crate::store::session::within(on.limit, sqlx::query($sql)$(.bind($value))*.execute(on.connection)).await.map(drop),
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
            $crate::store::db::Connection::Postgres(on) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($crate::store::db::numbered(&$sql)));
                $bind
                $crate::store::session::within(on.limit, $query.execute(on.connection)).await.map(drop)
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
            $crate::store::db::Connection::Postgres(on) => {
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($crate::store::db::numbered(&$sql)));
                $bind
                $crate::store::session::within(on.limit, $query.$fetch(on.connection)).await
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
