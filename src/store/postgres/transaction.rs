//! A transaction on a pooled connection to PostgreSQL.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How long a rollback in the background may take before its connection is closed instead.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(2);

/// A transaction. Dropped without a commit, it is rolled back in the background.
pub(in crate::store) struct PgTx {
    /// `Some` until it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    open: bool,
}

impl PgTx {
    /// Begins a transaction. `begin` answers one row as well: whether the server is a standby, since a pooled
    /// connection may have lost its server or lead to one that is the primary no longer.
    ///
    /// # Errors
    /// When the connection is dead, or the server is a standby.
    pub(super) async fn begin(pool: &PgPool, begin: &'static str) -> sqlx::Result<PgTx> {
        let mut tx = PgTx { connection: Some(pool.acquire().await?), open: true };
        let (standby,): (bool,) = sqlx::FromRow::from_row(&sqlx::raw_sql(begin).fetch_one(tx.connection()).await?)?;
        if standby { Err(sqlx::Error::Protocol("this server is a standby".into())) } else { Ok(tx) }
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
