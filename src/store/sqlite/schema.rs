//! Brings the schema to its newest step, in SQLite.

use sqlx::SqliteConnection;

use crate::store::error::StoreError;
use crate::store::migrations::migrator;

/// Applies the steps that are missing.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text.
pub(super) async fn bring_to_newest(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    migrator(|step| step.sqlite).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}
