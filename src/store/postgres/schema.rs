//! Brings the schema to its newest step, in PostgreSQL.

use sqlx::PgConnection;

use super::transaction::no_transaction_timeout;
use crate::store::error::StoreError;
use crate::store::migrations::{migrator, newest_step};

/// Applies the steps that are missing.
///
/// # Errors
/// [`StoreError::Unavailable`] when one fails, or was applied with another text.
pub(in crate::store) async fn bring_to_newest(connection: &mut PgConnection) -> Result<(), StoreError> {
    // sqlx begins each step with a plain BEGIN, and offers no other: it has the defaults of this connection, which a
    // role may have set otherwise.
    let defaults = concat!(
        "SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
        SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SELECT ",
        no_transaction_timeout!(false)
    );
    sqlx::raw_sql(defaults).execute(&mut *connection).await?;
    migrator(|step| step.postgres).run(connection).await.map_err(|error| StoreError::Unavailable(error.to_string()))
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
