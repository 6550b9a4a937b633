//! A transaction on a pooled connection to PostgreSQL.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How long a rollback in the background may take before its connection is closed instead.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(2);

/// Begins every transaction that writes: the defaults of a role, which may be serializable or read-only, do not matter.
pub(in crate::store) const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
/// The same for a [`PgTx`].
pub(super) const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'";
/// Begins a [`PgTx`] that reads one snapshot.
pub(super) const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT pg_is_in_recovery(), false";

/// Whether an administrator made the server or the database read-only (`default_transaction_read_only`), as some do
/// when a disk is nearly full. What is a default of the role alone does not count.
macro_rules! is_frozen {
    () => {
        "(current_setting('default_transaction_read_only') = 'on' AND EXISTS (SELECT 1 FROM pg_settings
          WHERE name = 'default_transaction_read_only' AND source NOT IN ('user', 'database user')))"
    };
}
pub(super) use is_frozen;

/// Why nothing is written to such a server.
pub(super) const FROZEN: &str = "it is read-only (default_transaction_read_only is on)";

/// A transaction. Dropped without a commit, it is rolled back in the background.
pub(in crate::store) struct PgTx {
    /// `Some` until it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    open: bool,
}

impl PgTx {
    /// Begins a transaction, by [`READ`] or [`WRITE`]. They answer one row as well: whether the server is a standby,
    /// since a pooled connection may have lost its server or lead to one that is the primary no longer; and whether it
    /// may have been made read-only.
    ///
    /// # Errors
    /// When the connection is dead, the server is a standby, or it takes no writes and `begin` is for them.
    pub(super) async fn begin(pool: &PgPool, begin: &'static str) -> sqlx::Result<PgTx> {
        let mut tx = PgTx { connection: Some(pool.acquire().await?), open: true };
        let (standby, read_only): (bool, bool) =
            sqlx::FromRow::from_row(&sqlx::raw_sql(begin).fetch_one(tx.connection()).await?)?;
        if standby {
            return Err(sqlx::Error::Protocol("this server is a standby".into()));
        }
        if read_only {
            let question = sqlx::raw_sql(concat!("SELECT ", is_frozen!()));
            let (frozen,): (bool,) = sqlx::FromRow::from_row(&question.fetch_one(tx.connection()).await?)?;
            if frozen {
                return Err(sqlx::Error::Protocol(FROZEN.into()));
            }
        }
        Ok(tx)
    }

    /// The connection inside the transaction.
    pub(in crate::store) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("a transaction has its connection until it is dropped")
    }

    /// Commits. For a caller that stops waiting, the outcome is unknown.
    ///
    /// # Errors
    /// What the server answers, or that the connection ended, in which case the outcome is unknown.
    pub(in crate::store) async fn commit(mut self) -> sqlx::Result<()> {
        sqlx::raw_sql("COMMIT").execute(self.connection()).await?;
        self.open = false;
        Ok(())
    }
}

impl Drop for PgTx {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take().filter(|_| self.open) else { return };
        let Ok(runtime) = Handle::try_current() else { return drop(connection.detach()) };
        runtime.spawn(async move {
            let rolled_back = timeout(ROLLBACK_TIMEOUT, sqlx::raw_sql("ROLLBACK").execute(&mut *connection)).await;
            if !matches!(rolled_back, Ok(Ok(_))) {
                // Detached: returned to the pool, it would be waited for and take the place of a live one.
                drop(connection.detach());
            }
        });
    }
}
