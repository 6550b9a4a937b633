//! The steps of the schema.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// The steps of a schema, oldest first. Both databases have the same steps under the same names.
/// Steps that a newer version has taken are none of ours to judge: it took none that we cannot live
/// with (docs/migrations.md), since in a rolling deploy we run beside it.
pub(super) fn steps(steps: &[(i64, &'static str, &'static str)]) -> Migrator {
    let step = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let mut migrator = Migrator::with_migrations(steps.iter().map(step).collect());
    migrator.set_ignore_missing(true);
    migrator
}
