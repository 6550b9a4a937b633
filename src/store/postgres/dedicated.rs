//! One connection to the primary for a single purpose, kept between transactions.

use std::sync::Arc;

use sqlx::PgConnection;
use tokio::sync::Mutex;

use super::kept_connection::KeptConnection;
use super::primary::Primary;
use super::transaction::{Begin, READ, WRITE, begin_on};
use crate::store::error::StoreError;

#[derive(Clone)]
pub(super) struct DedicatedConnection {
    primary: Primary,
    idle: Arc<Mutex<Option<KeptConnection>>>,
}

/// A transaction on it. Dropped before its end, the connection is closed.
pub(super) struct DedicatedTx<'d> {
    dedicated: &'d DedicatedConnection,
    kept: KeptConnection,
}

impl DedicatedConnection {
    pub(super) fn new(primary: &Primary) -> DedicatedConnection {
        DedicatedConnection { primary: primary.clone(), idle: Arc::default() }
    }

    /// Begins a transaction that reads, on one snapshot.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] while the primary is known to be unavailable, [`StoreError::Unavailable`]
    /// when it cannot be connected to.
    pub(super) async fn read(&self) -> Result<DedicatedTx<'_>, StoreError> {
        self.primary.health().check_primary()?;
        self.begin(&READ).await
    }

    /// Begins a transaction that writes, also while commits are suspected: these rows wait for no standby.
    ///
    /// # Errors
    /// As [`DedicatedConnection::read`], and [`StoreError::KnownOutage`] while the primary is known to be read-only.
    pub(super) async fn write(&self) -> Result<DedicatedTx<'_>, StoreError> {
        self.primary.health().check_takes_rows()?;
        self.begin(&WRITE).await
    }

    async fn begin(&self, begin: &Begin) -> Result<DedicatedTx<'_>, StoreError> {
        let idle = self.idle.lock().await.take();
        let mut kept = KeptConnection::reuse(idle, &self.primary, self.primary.connect()).await?;
        begin_on(&mut kept.connection, begin).await?;
        Ok(DedicatedTx { dedicated: self, kept })
    }
}

impl DedicatedTx<'_> {
    /// Whether statements may be prepared under a name.
    pub(super) fn persistent(&self) -> bool {
        self.dedicated.primary.persistent()
    }

    /// The connection inside the transaction.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.kept.connection
    }

    /// Commits, and keeps the connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the commit is not confirmed.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.end("COMMIT").await
    }

    /// Rolls back, and keeps the connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the server does not answer.
    pub(super) async fn rollback(self) -> Result<(), StoreError> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> Result<(), StoreError> {
        sqlx::raw_sql(how).execute(&mut self.kept.connection).await?;
        *self.dedicated.idle.lock().await = Some(self.kept);
        Ok(())
    }
}
