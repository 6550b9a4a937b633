//! One connection to the primary for a single purpose, kept between uses.

use std::sync::Arc;

use sqlx::PgConnection;
use tokio::sync::Mutex;

use super::primary::{Health, Primary};
use crate::store::error::StoreError;

#[derive(Clone)]
pub(super) struct DedicatedConnection {
    primary: Primary,
    idle: Arc<Mutex<Option<PgConnection>>>,
}

impl DedicatedConnection {
    pub(super) fn new(primary: &Primary) -> DedicatedConnection {
        DedicatedConnection { primary: primary.clone(), idle: Arc::default() }
    }

    /// Takes the connection out, or makes a new one. Unless it is put back, it is closed: after an error, or
    /// when the caller is cancelled.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] while the primary is known to be unavailable, [`StoreError::Unavailable`]
    /// when it cannot be connected to.
    pub(super) async fn take(&self) -> Result<PgConnection, StoreError> {
        self.primary.check(Health::ReadOnly)?;
        match self.idle.lock().await.take() {
            Some(connection) => Ok(connection),
            None => Ok(self.primary.connect().await?),
        }
    }

    /// The same for rows that are written.
    ///
    /// # Errors
    /// As [`DedicatedConnection::take`], and [`StoreError::KnownOutage`] while the primary is known to be read-only.
    pub(super) async fn take_to_write(&self) -> Result<PgConnection, StoreError> {
        self.primary.check_takes_rows()?;
        self.take().await
    }

    /// Puts the connection back after a use that succeeded.
    pub(super) async fn put_back(&self, connection: PgConnection) {
        *self.idle.lock().await = Some(connection);
    }
}
