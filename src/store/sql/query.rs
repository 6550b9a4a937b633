//! Macros that send one statement to whichever database the connection belongs to. SQL is of the subset
//! that both speak, with `$1` parameters; a statement that only one of them understands is not sent from here.

use std::fmt::Write as _;

/// Sends a query by `$method`, and maps its result to a type that both databases share.
macro_rules! send {
    ($on:expr, $query:expr, $method:ident, $map:expr) => {{
        $crate::store::sql::query_count::count();
        match $on.reborrow() {
            $crate::store::sql::connection::Connection::Sqlite(connection) => {
                $query.$method(connection).await.map($map)
            }
            $crate::store::sql::connection::Connection::Postgres(timed) => {
                $crate::store::sql::connection::with_timeout(
                    timed.timeout,
                    $query.persistent(timed.persistent).$method(timed.connection),
                )
                .await
                .map($map)
            }
        }
    }};
}

/// `fetch!(fetch_all, connection, "SELECT …", value, …)`: rows as tuples or `FromRow` structs.
macro_rules! fetch {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        $crate::store::sql::query::send!($on, sqlx::query_as($sql)$(.bind($value))*, $fetch, std::convert::identity)
    };
}

/// `fetch_scalar!(fetch_one, connection, "SELECT …", value, …)`: the only column of each row.
macro_rules! fetch_scalar {
    ($fetch:ident, $on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        $crate::store::sql::query::send!($on, sqlx::query_scalar($sql)$(.bind($value))*, $fetch, std::convert::identity)
    };
}

/// `execute!(connection, "UPDATE …", value, …)`: no rows.
macro_rules! execute {
    ($on:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        $crate::store::sql::query::send!($on, sqlx::query($sql)$(.bind($value))*, execute, drop)
    };
}

/// A statement with a variable number of values:
/// `dynamic!(fetch_all, connection, sql, query, { query = query.bind(…) })`. `sql` consists of literals of this
/// crate and bare placeholders (`?`), never of data.
macro_rules! dynamic {
    (execute, $on:expr, $sql:expr, $query:ident, $bind:block) => {{
        $crate::store::sql::query_count::count();
        match $on.reborrow() {
            $crate::store::sql::connection::Connection::Sqlite(connection) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($sql));
                $bind
                $query.execute(connection).await.map(drop)
            }
            $crate::store::sql::connection::Connection::Postgres(timed) => {
                let mut $query = sqlx::query(sqlx::AssertSqlSafe($crate::store::sql::query::numbered(&$sql)));
                $bind
                $crate::store::sql::connection::with_timeout(timed.timeout, $query.persistent(timed.persistent).execute(timed.connection)).await.map(drop)
            }
        }
    }};
    ($fetch:ident, $on:expr, $sql:expr, $query:ident, $bind:block) => {{
        $crate::store::sql::query_count::count();
        match $on.reborrow() {
            $crate::store::sql::connection::Connection::Sqlite(connection) => {
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($sql));
                $bind
                $query.$fetch(connection).await
            }
            $crate::store::sql::connection::Connection::Postgres(timed) => {
                let mut $query = sqlx::query_as(sqlx::AssertSqlSafe($crate::store::sql::query::numbered(&$sql)));
                $bind
                $crate::store::sql::connection::with_timeout(timed.timeout, $query.persistent(timed.persistent).$fetch(timed.connection)).await
            }
        }
    }};
}

pub(in crate::store) use {dynamic, execute, fetch, fetch_scalar, send};

/// People who are looked up by one statement.
pub(in crate::store) const MOST_AT_ONCE: usize = 250;

/// Placeholders for `rows` rows of `columns` columns each: `(?, ?), (?, ?)`.
pub(in crate::store) fn placeholders(rows: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    vec![row.as_str(); rows].join(", ")
}

/// The same statement with numbered placeholders, as PostgreSQL requires: `$1` for the first `?`, and so on. SQLite
/// gets unnumbered ones: it compares each numbered one with all before it, and there may be thousands.
pub(in crate::store) fn numbered(sql: &str) -> String {
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
