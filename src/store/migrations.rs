//! The steps of the schema, which both databases take under the same numbers and names.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// A step of the schema: its number, its name, and its SQL for each database.
pub(super) struct Step {
    number: i64,
    name: &'static str,
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

/// A step whose file has this name in the folders of both databases.
macro_rules! step {
    ($number:literal, $name:literal, $file:literal) => {
        Step {
            number: $number,
            name: $name,
            sqlite: include_str!(concat!("../../migrations/sqlite/", $file)),
            postgres: include_str!(concat!("../../migrations/postgres/", $file)),
        }
    };
}

/// Every step, oldest first.
const STEPS: [Step; 14] = [
    step!(1, "groups", "0001_groups.sql"),
    step!(2, "attendance", "0002_attendance.sql"),
    step!(3, "profiles", "0003_profiles.sql"),
    step!(4, "sync", "0004_sync.sql"),
    step!(5, "webhooks", "0005_webhooks.sql"),
    step!(6, "people", "0006_people.sql"),
    step!(7, "prepared_syncs", "0007_prepared_syncs.sql"),
    step!(8, "reported_presence", "0008_reported_presence.sql"),
    step!(9, "erasure_positions", "0009_erasure_positions.sql"),
    step!(10, "undo", "0010_undo.sql"),
    step!(11, "mutes", "0011_mutes.sql"),
    step!(12, "notes", "0012_notes.sql"),
    step!(13, "keys_of_batches", "0013_keys_of_batches.sql"),
    step!(14, "sync_scopes", "0014_sync_scopes.sql"),
];

/// The newest step that this version knows.
pub(super) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].number
}

/// Applies the steps that are missing, each with the SQL that `sql` takes of it. Steps of a newer version are ignored,
/// since in a rolling deploy this version runs beside it; `docs/migrations.md` has the rules that make this safe.
pub(super) fn migrator(sql: fn(&Step) -> &'static str) -> Migrator {
    let migration = |step: &Step| {
        let name = Cow::Borrowed(step.name);
        Migration::new(step.number, name, MigrationType::Simple, sql(step).into_sql_str(), false)
    };
    let mut migrator = Migrator::with_migrations(STEPS.iter().map(migration).collect());
    migrator.set_ignore_missing(true);
    migrator
}
