//! Brings the schema to its newest step, in PostgreSQL.

use sqlx::PgConnection;
use sqlx::migrate::MigrateError;

use crate::store::error::StoreError;
use crate::store::migrations::migrator;

/// The reason why a database is refused that cannot hold every name.
pub(super) const NOT_UTF8: &str = "create it with ENCODING 'UTF8' TEMPLATE template0: its encoding is";

/// SQLSTATE of a statement that the role has not the right to.
const NO_RIGHT: &str = "42501";

/// Applies the steps that are missing, on a connection without limits of time. Where none is, a role needs no right but to read.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text, or the role lacks the right to it; with [`NOT_UTF8`]
/// when the database is a new one in another encoding.
pub(in crate::store) async fn bring_to_newest(connection: &mut PgConnection) -> Result<(), StoreError> {
    // The migrator begins by making its table, for which it needs the right to create one, also where the table is there.
    if is_newest(connection).await? {
        return Ok(());
    }
    if !has_steps(connection).await? {
        let encoding: String = sqlx::query_scalar("SHOW server_encoding").fetch_one(&mut *connection).await?;
        if encoding != "UTF8" {
            return Err(StoreError::Unavailable(format!("{NOT_UTF8} {encoding}")));
        }
    }
    check_may_create(connection).await?;
    // sqlx begins each step with a plain BEGIN, and offers no other: a role may be read-only by default.
    sqlx::raw_sql("SET default_transaction_read_only = off").execute(&mut *connection).await?;
    migrator(|step| step.postgres).run(connection).await.map_err(|error| failure(&error))
}

/// Whether no step is missing. Writes nothing.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, or a step has failed in the middle or was applied with another text.
pub(super) async fn is_newest(connection: &mut PgConnection) -> Result<bool, StoreError> {
    if !has_steps(connection).await? {
        return Ok(false);
    }
    let applied: Vec<(i64, bool, Vec<u8>)> =
        sqlx::query_as("SELECT version, success, checksum FROM _sqlx_migrations").fetch_all(connection).await?;
    if let Some((version, ..)) = applied.iter().find(|(_, success, _)| !success) {
        return Err(failure(&MigrateError::Dirty(*version)));
    }
    let steps = migrator(|step| step.postgres);
    for step in steps.iter() {
        let Some((.., checksum)) = applied.iter().find(|(version, ..)| *version == step.version) else {
            return Ok(false);
        };
        if *checksum != *step.checksum {
            return Err(failure(&MigrateError::VersionMismatch(step.version)));
        }
    }
    Ok(true)
}

/// Checks that the role may create tables: steps of the schema are missing.
///
/// # Errors
/// [`StoreError::Unavailable`] with the right that it lacks.
async fn check_may_create(connection: &mut PgConnection) -> Result<(), StoreError> {
    let sql = "SELECT quote_ident(CAST(current_user AS TEXT)), quote_ident(CAST(current_schema() AS TEXT)),
        has_schema_privilege(CAST(current_schema() AS TEXT), 'CREATE')";
    let (role, schema, may_create): (String, Option<String>, Option<bool>) =
        sqlx::query_as(sql).fetch_one(connection).await?;
    if let (Some(schema), Some(false)) = (schema, may_create) {
        return Err(StoreError::Unavailable(format!(
            "steps of its schema are missing, and the role {role} lacks a right that they need: GRANT CREATE ON SCHEMA \
             {schema} TO {role}, or run `chat-group-members migrate` as the owner of the tables"
        )));
    }
    Ok(())
}

/// Why steps cannot be applied; with what to do where a right is missing, which PostgreSQL names.
fn failure(error: &MigrateError) -> StoreError {
    let refused = match error {
        MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _) => cause.as_database_error(),
        _ => None,
    };
    let lacks_right = refused.and_then(|refused| refused.code()).is_some_and(|code| code == NO_RIGHT);
    let advice = if lacks_right { ": run `chat-group-members migrate` as the owner of the tables" } else { "" };
    StoreError::Unavailable(format!("{error}{advice}"))
}

/// Whether the database has a schema, be it an old one.
async fn has_steps(connection: &mut PgConnection) -> Result<bool, StoreError> {
    Ok(sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(connection).await?)
}
