//! A connection to the primary for a use of its own, kept from one use to the next.

use std::sync::Arc;

use sqlx::PgConnection;
use tokio::sync::Mutex;

use super::error::StoreError;
use super::primary::{Health, Primary};

#[derive(Clone)]
pub(super) struct Apart {
    primary: Primary,
    kept: Arc<Mutex<Option<PgConnection>>>,
}

impl Apart {
    pub(super) fn new(primary: &Primary) -> Apart {
        Apart { primary: primary.clone(), kept: Arc::default() }
    }

    /// Taken out: an error, or a caller who loses patience, ends the connection.
    pub(super) async fn take(&self) -> Result<PgConnection, StoreError> {
        self.primary.check(Health::ReadOnly)?;
        match self.kept.lock().await.take() {
            Some(connection) => Ok(connection),
            None => Ok(self.primary.connect().await?),
        }
    }

    /// Puts it back after a use that went well.
    pub(super) async fn keep(&self, connection: PgConnection) {
        *self.kept.lock().await = Some(connection);
    }
}
