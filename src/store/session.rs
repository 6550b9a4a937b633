//! A transaction on a connection of a PostgreSQL pool. Nothing it does hangs: a network that swallows
//! everything says nothing, so that whoever waits must know by himself when it was long enough.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How long it may take to take back what was not committed, which nobody waits for.
const TAKE_BACK: Duration = Duration::from_secs(2);

/// A transaction. What was not committed when it is dropped is taken back.
pub(super) struct Session {
    /// Here until it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    open: bool,
}

impl Session {
    /// Begins a transaction with these words, which answer whether this is a standby: a connection may
    /// have lost its server, or lead to one that is no primary any more.
    pub(super) async fn begin(pool: &PgPool, words: &'static str) -> sqlx::Result<Session> {
        let mut session = Session { connection: Some(pool.acquire().await?), open: true };
        let (standby,): (bool,) =
            sqlx::FromRow::from_row(&sqlx::raw_sql(words).fetch_one(session.connection()).await?)?;
        if standby { Err(sqlx::Error::Protocol("this server is a standby".into())) } else { Ok(session) }
    }

    /// The connection inside the transaction.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("it is here until the session is dropped")
    }

    /// Commits. Whoever stops waiting for it does not know whether it happened.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        sqlx::raw_sql("COMMIT").execute(self.connection()).await?;
        self.open = false;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take().filter(|_| self.open) else { return };
        let Ok(runtime) = Handle::try_current() else { return drop(connection.detach()) };
        runtime.spawn(async move {
            let taken_back = timeout(TAKE_BACK, sqlx::raw_sql("ROLLBACK").execute(&mut *connection)).await;
            if !matches!(taken_back, Ok(Ok(_))) {
                // Closed without a word: the pool would wait for an answer, and have one place less.
                drop(connection.detach());
            }
        });
    }
}

/// The result of a statement, unless it takes too long. What then becomes of it nobody knows.
pub(super) async fn within<T>(limit: Duration, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let late = || std::io::Error::new(std::io::ErrorKind::TimedOut, "the database did not answer in time");
    timeout(limit, work).await.unwrap_or_else(|_| Err(late().into()))
}
