//! Detects a pooler in transaction mode at an address that should give each connection a session of its own. Behind such a pooler a
//! connection can get the answer of another query, and receives no notifications of other nodes.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, Row as _};

use crate::store::error::{StoreError, is_statement_mode};

/// The reason in the error; trying again does not help.
pub(super) const SHARED: &str = "a pooler in transaction mode is at this address";

/// Compares the server processes of two connections that are open at once. A pooler that shares them gives an idle process to whoever
/// asks next.
///
/// # Errors
/// [`StoreError::Unavailable`] with [`SHARED`] when both have the same process; where the pooler allows no transactions either, it says
/// that instead. A pooler under load may go unnoticed.
pub(super) async fn refuse_shared_connections(options: &PgConnectOptions) -> Result<(), StoreError> {
    if !matches!(is_shared(options).await, Ok(true)) {
        return Ok(());
    }
    if let Err(error) = begin(options).await
        && is_statement_mode(&error)
    {
        return Err(error.into());
    }
    let how = "the node needs --pooler transaction, and --direct-database-url past it";
    Err(StoreError::Unavailable(format!("{SHARED}: {how}")))
}

/// Begins a transaction that lasts for more than one message, which a pooler in statement mode refuses.
async fn begin(options: &PgConnectOptions) -> sqlx::Result<()> {
    let mut connection = options.connect().await?;
    // Perhaps only the next statement is refused.
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    sqlx::raw_sql("ROLLBACK").execute(&mut connection).await?;
    Ok(())
}

async fn is_shared(options: &PgConnectOptions) -> sqlx::Result<bool> {
    let mut first = options.connect().await?;
    let of_first = process(&mut first).await?;
    let mut second = options.connect().await?;
    Ok(process(&mut second).await? == of_first)
}

/// The server process of a connection. The statement has no name, which would stay in the process, and its transaction does not
/// depend on the defaults of the role: a standby refuses to read in a serializable one.
async fn process(connection: &mut PgConnection) -> sqlx::Result<i32> {
    let sql = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = 0;
        SELECT pg_backend_pid(); COMMIT";
    sqlx::raw_sql(sql).fetch_one(connection).await?.try_get(0)
}
