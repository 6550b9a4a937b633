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

/// Every step, oldest first. `build/migrations.rs` makes the list of the files in `migrations/`.
const STEPS: &[Step] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The newest step that this version knows.
pub(super) fn newest_step() -> i64 {
    STEPS[STEPS.len() - 1].number
}

/// Number and name of the first step, which every database of this program has.
pub(super) fn first_step() -> (i64, &'static str) {
    (STEPS[0].number, STEPS[0].name)
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
