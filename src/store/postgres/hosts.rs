//! The hosts of a database URL, and how this program connects to each.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};

use super::discovery::Hosts;
use super::transaction::FROZEN;
use crate::store::address::{DatabaseAddress, Pooler};
use crate::store::error::StoreError;
use crate::store::url;

/// `application_name` of a node's connections, by which other programs see that one is running.
pub(in crate::store) const APPLICATION_NAME: &str = "chat-group-members";

/// Has the server notice within about ten seconds that this node has vanished, and keep the connection while nothing is
/// asked: a role may have a limit for that, which would end the connection that listens. (A pooler in transaction mode
/// does both by its own settings.)
const SESSION: &str = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
    SET idle_session_timeout = 0";

/// Prepares a new connection for its use.
///
/// # Errors
/// When the server does not answer.
pub(super) async fn configure_session(connection: &mut PgConnection, pooler: Pooler) -> sqlx::Result<()> {
    if pooler == Pooler::Session {
        sqlx::raw_sql(SESSION).execute(connection).await?;
    }
    Ok(())
}

/// Gives a new connection the limits of its transactions. Behind a pooler in transaction mode each transaction sets them.
///
/// # Errors
/// When the server does not answer.
pub(super) async fn limit_session(
    connection: &mut PgConnection,
    pooler: Pooler,
    limits: &'static str,
) -> sqlx::Result<()> {
    if pooler == Pooler::Session {
        sqlx::raw_sql(limits).execute(connection).await?;
    }
    Ok(())
}

/// The hosts of a URL past any pooler.
///
/// # Errors
/// [`StoreError::Unavailable`] when it is not the URL of a PostgreSQL.
pub(super) fn hosts(url: &str) -> Result<Hosts, StoreError> {
    Ok(Hosts::new(host_options(url)?, false))
}

/// The hosts that a service uses, perhaps through a pooler.
///
/// # Errors
/// As [`hosts`].
pub(super) fn hosts_of(address: &DatabaseAddress) -> Result<Hosts, StoreError> {
    // A pooler in session mode is known by the address past it.
    let is_pooled = address.pooler == Pooler::Transaction || address.direct_url.is_some();
    Ok(Hosts::new(host_options(&address.url)?, is_pooled))
}

fn host_options(url: &str) -> Result<Vec<PgConnectOptions>, StoreError> {
    let hosts = url::parse_hosts(url).map_err(StoreError::Unavailable)?.into_iter();
    // PgBouncer refuses connections that set parameters it does not know, such as `extra_float_digits`.
    let options = hosts
        .map(|host| host.application_name(APPLICATION_NAME).extra_float_digits(None::<i8>).disable_statement_logging());
    Ok(options.collect())
}

/// Host (a name, an address or the folder of a socket) and port of the primary among several hosts of a URL without a pooler in
/// transaction mode; `None` where the URL has only one.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary.
pub(in crate::store) async fn primary_of_several(url: &str) -> Result<Option<(String, u16)>, StoreError> {
    if url::parse_hosts(url).map_err(StoreError::Unavailable)?.len() < 2 {
        return Ok(None);
    }
    let found = hosts(url)?.find_primary().await.map_err(StoreError::Unavailable)?.options;
    let socket = found.get_socket().map(|folder| folder.display().to_string());
    Ok(Some((socket.unwrap_or_else(|| found.get_host().to_owned()), found.get_port())))
}

/// The options to connect to the primary among the hosts of a URL without a pooler in transaction mode.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary, or the primary is read-only.
pub(super) async fn direct_options(url: &str) -> Result<PgConnectOptions, StoreError> {
    let found = hosts(url)?.find_primary().await.map_err(StoreError::Unavailable)?;
    if found.writable { Ok(found.options) } else { Err(StoreError::Unavailable(FROZEN.into())) }
}
