//! The schema's steps for PostgreSQL.

use sqlx::PgConnection;

use crate::store::error::StoreError;
use crate::store::migrations::migrator;

const STEPS: [(i64, &str, &str); 12] = [
    (1, "groups", include_str!("../../../migrations/postgres/0001_groups.sql")),
    (2, "attendance", include_str!("../../../migrations/postgres/0002_attendance.sql")),
    (3, "profiles", include_str!("../../../migrations/postgres/0003_profiles.sql")),
    (4, "sync", include_str!("../../../migrations/postgres/0004_sync.sql")),
    (5, "webhooks", include_str!("../../../migrations/postgres/0005_webhooks.sql")),
    (6, "people", include_str!("../../../migrations/postgres/0006_people.sql")),
    (7, "prepared_syncs", include_str!("../../../migrations/postgres/0007_prepared_syncs.sql")),
    (8, "reported_presence", include_str!("../../../migrations/postgres/0008_reported_presence.sql")),
    (9, "erasure_positions", include_str!("../../../migrations/postgres/0009_erasure_positions.sql")),
    (10, "undo", include_str!("../../../migrations/postgres/0010_undo.sql")),
    (11, "mutes", include_str!("../../../migrations/postgres/0011_mutes.sql")),
    (12, "notes", include_str!("../../../migrations/postgres/0012_notes.sql")),
];

/// The newest step that this version knows.
pub(in crate::store) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].0
}

/// Applies the steps that are missing.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text.
pub(in crate::store) async fn bring_to_newest(connection: &mut PgConnection) -> Result<(), StoreError> {
    // The steps begin by themselves, with the defaults of this connection, which a role may have set otherwise.
    let defaults = "SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off";
    sqlx::raw_sql(defaults).execute(&mut *connection).await?;
    migrator(&STEPS).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// Whether no step is missing. Writes nothing.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn is_newest(connection: &mut PgConnection) -> Result<bool, StoreError> {
    let any: Option<String> =
        sqlx::query_scalar("SELECT CAST(to_regclass('_sqlx_migrations') AS TEXT)").fetch_one(&mut *connection).await?;
    if any.is_none() {
        return Ok(false);
    }
    let newest: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success").fetch_one(connection).await?;
    Ok(newest >= Some(newest_step()))
}
