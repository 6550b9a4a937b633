//! The hosts of a database URL, and how this program connects to each.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};

use super::discovery::{Hosts, Patience};
use super::transaction::{FROZEN, no_transaction_timeout};
use crate::store::address::{DatabaseAddress, Pooler};
use crate::store::error::StoreError;
use crate::store::url;

/// `application_name` of a node's connections, by which other programs see that one is running.
pub(in crate::store) const APPLICATION_NAME: &str = "chat-group-members";

/// Frees a session from the defaults of its role, in its first message. A standby refuses every query of a role that is serializable, and
/// a query that sets limits of time may take longer than the role allows; SET takes no snapshot and next to no time. A limit of idle
/// sessions would end the connection that listens.
macro_rules! independent_of_role {
    () => {
        "SET statement_timeout = 0; SET default_transaction_isolation = 'read committed';
        SET idle_session_timeout = 0; "
    };
}

/// Also has the server notice within about ten seconds that this node has vanished. (A pooler in transaction mode does so by its own
/// settings, and each transaction behind it sets what it needs.)
const SESSION: &str = concat!(
    independent_of_role!(),
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
);

/// Lifts every limit of time from a session: work at the start and in commands takes as long as there are rows.
const WITHOUT_LIMITS: &str =
    concat!(independent_of_role!(), "SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0");

/// A connection for the start and for commands, past any pooler in transaction mode: what it does depends on no default of its role, and
/// has no limit of time.
///
/// # Errors
/// When the server does not answer, or refuses the connection.
pub(super) async fn connect_without_limits(options: &PgConnectOptions) -> sqlx::Result<PgConnection> {
    let mut connection = options.connect().await?;
    sqlx::raw_sql(WITHOUT_LIMITS).execute(&mut connection).await?;
    // In a message of its own, whose transaction begins with what the one before has set.
    sqlx::raw_sql(concat!("SELECT ", no_transaction_timeout!(false))).execute(&mut connection).await?;
    Ok(connection)
}

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
/// transaction mode, for a command; `None` where the URL has only one.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary.
pub(in crate::store) async fn primary_of_several(url: &str) -> Result<Option<(String, u16)>, StoreError> {
    if url::parse_hosts(url).map_err(StoreError::Unavailable)?.len() < 2 {
        return Ok(None);
    }
    let found = hosts(url)?.find_primary(Patience::Command).await.map_err(StoreError::Unavailable)?.options;
    let socket = found.get_socket().map(|folder| folder.display().to_string());
    Ok(Some((socket.unwrap_or_else(|| found.get_host().to_owned()), found.get_port())))
}

/// The options to connect to the primary among the hosts of a URL without a pooler in transaction mode.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary, or the primary is read-only.
pub(super) async fn direct_options(url: &str, patience: Patience) -> Result<PgConnectOptions, StoreError> {
    let found = hosts(url)?.find_primary(patience).await.map_err(StoreError::Unavailable)?;
    if found.writable { Ok(found.options) } else { Err(StoreError::Unavailable(FROZEN.into())) }
}
