//! Whether it helps to try again later to open a database.

use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::schema::NOT_UTF8;
use super::shared_connections::SHARED;
use crate::store::error::STATEMENT_MODE;
use crate::store::url;

/// Time that a host has to give its reason.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// SQLSTATEs that stay the same however long one waits: wrong user or password, no such database, no right to
/// it (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
const PERMANENT: [&str; 4] = ["28000", "28P01", "3D000", "42501"];
/// PgBouncer's message about an address that sets an option it does not pass on (`?options=…`). All its refusals have one SQLSTATE.
const REFUSED_BY_POOLER: &str = "unsupported startup parameter";

/// Whether at least one host of `url` may accept a connection later, after it could not be used for this `cause`. A server may be
/// starting; a refused password stays refused, and a pooler's mode and an encoding as they are.
pub(in crate::store) async fn is_retryable(url: &str, cause: &str) -> bool {
    if [SHARED, STATEMENT_MODE, NOT_UTF8].iter().any(|permanent| cause.contains(permanent)) {
        return false;
    }
    let hosts = url::parse_hosts(url).unwrap_or_default();
    let asked: JoinSet<bool> = hosts.into_iter().map(may_accept_later).collect();
    asked.join_all().await.contains(&true)
}

async fn may_accept_later(host: PgConnectOptions) -> bool {
    // As a node connects (`hosts.rs`).
    let host = host.extra_float_digits(None::<i8>).disable_statement_logging();
    match timeout(ANSWER_TIMEOUT, host.connect()).await {
        Ok(Err(sqlx::Error::Database(refused))) => {
            let is_permanent = refused.code().is_some_and(|code| PERMANENT.contains(&&*code));
            !is_permanent && !refused.message().contains(REFUSED_BY_POOLER)
        }
        Ok(Err(sqlx::Error::Configuration(_) | sqlx::Error::Tls(_))) => false,
        _ => true,
    }
}
