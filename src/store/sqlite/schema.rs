//! The schema's steps for SQLite.

use sqlx::SqliteConnection;

use crate::store::error::StoreError;
use crate::store::migrations::migrator;

const STEPS: [(i64, &str, &str); 12] = [
    (1, "groups", include_str!("../../../migrations/sqlite/0001_groups.sql")),
    (2, "attendance", include_str!("../../../migrations/sqlite/0002_attendance.sql")),
    (3, "profiles", include_str!("../../../migrations/sqlite/0003_profiles.sql")),
    (4, "sync", include_str!("../../../migrations/sqlite/0004_sync.sql")),
    (5, "webhooks", include_str!("../../../migrations/sqlite/0005_webhooks.sql")),
    (6, "people", include_str!("../../../migrations/sqlite/0006_people.sql")),
    (7, "prepared_syncs", include_str!("../../../migrations/sqlite/0007_prepared_syncs.sql")),
    (8, "reported_presence", include_str!("../../../migrations/sqlite/0008_reported_presence.sql")),
    (9, "erasure_positions", include_str!("../../../migrations/sqlite/0009_erasure_positions.sql")),
    (10, "undo", include_str!("../../../migrations/sqlite/0010_undo.sql")),
    (11, "mutes", include_str!("../../../migrations/sqlite/0011_mutes.sql")),
    (12, "notes", include_str!("../../../migrations/sqlite/0012_notes.sql")),
];

/// The newest step that this version knows.
pub(in crate::store) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].0
}

/// Applies the steps that are missing.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text.
pub(super) async fn bring_to_newest(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    migrator(&STEPS).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}
