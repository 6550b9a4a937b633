//! Brings the schema to its newest step, in PostgreSQL.

use sqlx::PgConnection;

use crate::store::error::StoreError;
use crate::store::migrations::{migrator, newest_step};

/// The reason why a database is refused that cannot hold every name.
pub(super) const NOT_UTF8: &str = "create it with ENCODING 'UTF8' TEMPLATE template0: its encoding is";

/// Applies the steps that are missing, on a connection without limits of time.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text; with [`NOT_UTF8`] when the database is a new one in
/// another encoding.
pub(in crate::store) async fn bring_to_newest(connection: &mut PgConnection) -> Result<(), StoreError> {
    if !has_steps(connection).await? {
        let encoding: String = sqlx::query_scalar("SHOW server_encoding").fetch_one(&mut *connection).await?;
        if encoding != "UTF8" {
            return Err(StoreError::Unavailable(format!("{NOT_UTF8} {encoding}")));
        }
    }
    // sqlx begins each step with a plain BEGIN, and offers no other: a role may be read-only by default.
    sqlx::raw_sql("SET default_transaction_read_only = off").execute(&mut *connection).await?;
    migrator(|step| step.postgres).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// Whether no step is missing. Writes nothing.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn is_newest(connection: &mut PgConnection) -> Result<bool, StoreError> {
    if !has_steps(connection).await? {
        return Ok(false);
    }
    let newest: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success").fetch_one(connection).await?;
    Ok(newest >= Some(newest_step()))
}

/// Whether the database has a schema, be it an old one.
async fn has_steps(connection: &mut PgConnection) -> Result<bool, StoreError> {
    Ok(sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(connection).await?)
}
