//! The steps of a schema.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Applies the steps that are missing: number, name and SQL of each, oldest first. Both databases have the
/// same steps under the same names. Steps of a newer version are ignored, since in a rolling deploy this
/// version runs beside it; `docs/migrations.md` has the rules that make this safe.
pub(super) fn migrator(steps: &[(i64, &'static str, &'static str)]) -> Migrator {
    let step = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let mut migrator = Migrator::with_migrations(steps.iter().map(step).collect());
    migrator.set_ignore_missing(true);
    migrator
}
