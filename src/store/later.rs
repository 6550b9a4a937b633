//! Whether waiting for a database helps.

use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::address::{self, is_postgres};
use super::database::Store;
use super::error::StoreError;

/// How long a server is asked for its reason.
const ANSWER: Duration = Duration::from_secs(2);
/// What a server says no to, and later as well: wrong user or password, no such database, no right
/// to it (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
const REFUSED: [&str; 4] = ["28000", "28P01", "3D000", "42501"];

impl Store {
    /// Whether the database at `url`, which could not be opened because of `error`, may be there
    /// later. A server may be starting; a file is not, and who is refused today is refused
    /// tomorrow.
    pub async fn may_come(url: &str, error: &StoreError) -> bool {
        if !is_postgres(url) || !matches!(error, StoreError::Unavailable(_)) {
            return false;
        }
        let hosts = address::hosts(url).unwrap_or_default();
        // Any of them may be the one that is waited for.
        let asking: JoinSet<bool> = hosts.into_iter().map(may_take).collect();
        asking.join_all().await.contains(&true)
    }
}

/// Whether this host may take us later.
async fn may_take(host: PgConnectOptions) -> bool {
    match timeout(ANSWER, host.disable_statement_logging().connect()).await {
        Ok(Err(sqlx::Error::Database(refused))) => !refused.code().is_some_and(|code| REFUSED.contains(&&*code)),
        Ok(Err(sqlx::Error::Configuration(_) | sqlx::Error::Tls(_))) => false,
        _ => true,
    }
}
