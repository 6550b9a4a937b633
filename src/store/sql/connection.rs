//! One connection of either database, and how long a statement on it may take.

use std::time::Duration;

use sqlx::{PgConnection, SqliteConnection};
use tokio::time::timeout;

/// Longest wait for a reading statement.
pub(in crate::store) const READ_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait for a writing statement: a little longer than the server's `lock_timeout`.
pub(in crate::store) const WRITE_TIMEOUT: Duration = Duration::from_secs(6);
/// Longest wait for a statement of a command, which a person watches.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection to one of the two databases.
pub(in crate::store) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(TimedConnection<'c>),
}

impl Connection<'_> {
    /// The same connection, borrowed for one statement.
    pub(in crate::store) fn reborrow(&mut self) -> Connection<'_> {
        match self {
            Connection::Sqlite(connection) => Connection::Sqlite(connection),
            Connection::Postgres(timed) => Connection::Postgres(TimedConnection {
                connection: timed.connection,
                timeout: timed.timeout,
                persistent: timed.persistent,
            }),
        }
    }

    /// Changes settings of PostgreSQL by these statements; nothing on SQLite.
    ///
    /// # Errors
    /// As [`with_timeout`].
    pub(in crate::store) async fn set_on_postgres(self, set: &'static str) -> sqlx::Result<()> {
        if let Connection::Postgres(timed) = self {
            with_timeout(timed.timeout, sqlx::raw_sql(set).execute(timed.connection)).await?;
        }
        Ok(())
    }
}

/// A connection over a network, whose statements have a timeout.
pub(in crate::store) struct TimedConnection<'c> {
    pub(in crate::store) connection: &'c mut PgConnection,
    pub(in crate::store) timeout: Duration,
    /// Whether statements are prepared under a name, to be run again on this connection. Behind a pooler in transaction
    /// mode the next transaction may be on another one, which does not know the name.
    pub(in crate::store) persistent: bool,
}

impl<'c> TimedConnection<'c> {
    /// A connection for reads, and whether its statements may be persistent.
    pub(in crate::store) fn for_reads((connection, persistent): (&'c mut PgConnection, bool)) -> TimedConnection<'c> {
        TimedConnection { connection, timeout: READ_TIMEOUT, persistent }
    }

    /// A connection for acts.
    pub(in crate::store) fn for_writes((connection, persistent): (&'c mut PgConnection, bool)) -> TimedConnection<'c> {
        TimedConnection { connection, timeout: WRITE_TIMEOUT, persistent }
    }

    /// A connection for start-up and for commands, which bypass any pooler.
    pub(in crate::store) fn for_commands(connection: &'c mut PgConnection) -> TimedConnection<'c> {
        TimedConnection { connection, timeout: COMMAND_TIMEOUT, persistent: true }
    }
}

/// The result of a statement. A network that drops everything reports no error, so every wait has a limit.
///
/// # Errors
/// The statement's error; a timeout of `limit`, after which its effect is unknown.
pub(in crate::store) async fn with_timeout<T>(
    limit: Duration,
    work: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let timed_out = || std::io::Error::new(std::io::ErrorKind::TimedOut, "the database did not answer in time");
    timeout(limit, work).await.unwrap_or_else(|_| Err(timed_out().into()))
}
