//! Opening a PostgreSQL database: the primary among its hosts, or a standby while there is none; schema, epoch.

use std::sync::Arc;

use sqlx::{Connection as _, PgConnection};

use super::discovery::Patience;
use super::group_queues::GroupQueues;
use super::hosts::{connect_without_limits, direct_options, hosts, hosts_of};
use super::primary::Primary;
use super::probe::{self, DatabaseClock};
use super::schema;
use super::shared_connections::refuse_shared_connections;
use super::transaction::{BEGIN_WRITE, PgTx};
use crate::clock::Clock;
use crate::store::address::{DatabaseAddress, Pooler};
use crate::store::error::StoreError;
use crate::store::metadata::{load_epoch, load_pseudonyms, stored_epoch, stored_pseudonyms};
use crate::store::pseudonym::Pseudonyms;
use crate::store::sql::connection::{Connection, TimedConnection};
use crate::store::transaction::commit::CommitListeners;

/// Opens the database: the queues of its acts, connections that read, its epoch and its pseudonyms. From then on
/// `clock` follows the time of the database.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host answers, a pooler in transaction mode stands where none was named, or the schema
/// cannot be brought to the newest. Where that is not necessary, a primary that is read-only opens, and a standby while no host
/// is a primary.
pub(in crate::store) async fn open(
    address: &DatabaseAddress,
    clock: &Clock,
    listeners: Arc<CommitListeners>,
    patience: Patience,
) -> Result<(GroupQueues, Primary, String, Pseudonyms), StoreError> {
    let found = hosts(address.direct())?.find_readable(patience).await.map_err(StoreError::Unavailable)?;
    refuse_shared_connections(&found.options).await?;
    let mut connection = connect_without_limits(&found.options).await?;
    let (epoch, pseudonyms) = match found.why_unwritable() {
        None => {
            schema::bring_to_newest(&mut connection).await?;
            agreed_metadata(&mut connection).await?
        }
        Some(why) => stored_metadata(&mut connection, why).await?,
    };
    connection.close().await?;
    let mut hosts = hosts_of(address)?;
    let found = hosts.find_server(patience).await.map_err(StoreError::Unavailable)?;
    if address.pooler == Pooler::Session && address.direct_url.is_some() {
        refuse_shared_connections(&found.options).await?;
    }
    let mut database_clock = DatabaseClock::new(clock.clone());
    database_clock.follow(&found);
    let primary = Primary::new(found, address.clone());
    probe::start(&primary, hosts, database_clock);
    let queues = GroupQueues::new(primary.clone(), clock.clone(), pseudonyms.clone(), listeners);
    Ok((queues, primary, epoch, pseudonyms))
}

/// A connection to the primary, for one piece of work of a command. It depends on no default of its role, and has no limit of time.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary, or the primary is read-only.
pub(in crate::store) async fn connect(url: &str) -> Result<PgConnection, StoreError> {
    Ok(connect_without_limits(&direct_options(url, Patience::Command).await?).await?)
}

/// Like [`connect`], for reads alone: to the primary, which may be read-only, or to a standby when no host is a primary.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host answers.
pub(in crate::store) async fn connect_to_read(url: &str) -> Result<PgConnection, StoreError> {
    let found = hosts(url)?.find_readable(Patience::Command).await.map_err(StoreError::Unavailable)?;
    Ok(connect_without_limits(&found.options).await?)
}

/// The metadata of a database that takes no writes, for this reason.
async fn stored_metadata(connection: &mut PgConnection, why: &str) -> Result<(String, Pseudonyms), StoreError> {
    let unfit = |what: &str| StoreError::Unavailable(format!("{why}, and {what}: start once it takes writes"));
    if !schema::is_newest(connection).await? {
        return Err(unfit("its schema is older than this version needs"));
    }
    let identity = identity(connection).await?;
    let epoch = stored_epoch(Connection::Postgres(TimedConnection::for_commands(connection)), &identity).await?;
    let epoch = epoch.ok_or_else(|| unfit("it is a restored copy that needs a new epoch"))?;
    let pseudonyms = load_pseudonyms(Connection::Postgres(TimedConnection::for_commands(connection)), false).await?;
    Ok((epoch, pseudonyms))
}

/// A transaction of a command that reads one snapshot of the primary, without the tasks of a service.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary.
pub(in crate::store) async fn read(url: &str) -> Result<PgTx, StoreError> {
    let found = hosts(url)?.find_primary(Patience::Command).await.map_err(StoreError::Unavailable)?;
    Primary::new(found, DatabaseAddress::from(url)).read().await
}

/// The metadata of a database that takes writes, made if there is none.
async fn agreed_metadata(connection: &mut PgConnection) -> Result<(String, Pseudonyms), StoreError> {
    // The lock needs a right to write, which a role that serves lists alone may not have.
    let identity = identity(connection).await?;
    let epoch = stored_epoch(Connection::Postgres(TimedConnection::for_commands(connection)), &identity).await?;
    let pseudonyms = stored_pseudonyms(Connection::Postgres(TimedConnection::for_commands(connection))).await?;
    if let (Some(epoch), Some(pseudonyms)) = (epoch, pseudonyms) {
        return Ok((epoch, pseudonyms));
    }
    let mut tx = connection.begin_with(BEGIN_WRITE).await?;
    // Nodes that start at the same time agree on what the first has made. One that stops in the middle of it does not
    // keep the table locked: the others write to it when they try whether acts can be done.
    let lock = "SET LOCAL idle_in_transaction_session_timeout = '5s'; LOCK TABLE facts IN SHARE ROW EXCLUSIVE MODE";
    sqlx::raw_sql(lock).execute(&mut *tx).await?;
    let epoch =
        load_epoch(Connection::Postgres(TimedConnection::for_commands(&mut tx)), &identity, Clock::default().now())
            .await?;
    let pseudonyms = load_pseudonyms(Connection::Postgres(TimedConnection::for_commands(&mut tx)), true).await?;
    tx.commit().await?;
    Ok((epoch, pseudonyms))
}

/// The object id of this database: a restored dump and a copy have others, a standby has the same.
///
/// # Errors
/// [`StoreError::Unavailable`] when the server does not answer.
pub(in crate::store) async fn identity(connection: &mut PgConnection) -> Result<String, StoreError> {
    Ok(sqlx::query_scalar("SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()")
        .fetch_one(connection)
        .await?)
}
