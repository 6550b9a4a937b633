//! Opening a PostgreSQL database: the primary among its hosts, schema, epoch.

use std::sync::Arc;

use sqlx::{ConnectOptions, Connection as _, PgConnection};

use super::discovery::Hosts;
use super::group_queues::GroupQueues;
use super::primary::Primary;
use super::probe::{self, DatabaseClock};
use super::schema;
use super::transaction::PgTx;
use crate::clock::Clock;
use crate::store::commit::CommitListeners;
use crate::store::connection::{Connection, TimedConnection};
use crate::store::error::StoreError;
use crate::store::facts::{load_epoch, load_pseudonyms};
use crate::store::pseudonym::Pseudonyms;
use crate::store::url;

/// `application_name` of a node's connections, by which other programs see that one is running.
pub(in crate::store) const APPLICATION_NAME: &str = "chat-group-members";

/// Opens the database: the queues of its acts, connections that read, its epoch and its pseudonyms. From then on
/// `clock` follows the time of the database.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary, or its schema cannot be brought to the newest.
pub(in crate::store) async fn open(
    url: &str,
    clock: &Clock,
    listeners: Arc<CommitListeners>,
) -> Result<(GroupQueues, Primary, String, Pseudonyms), StoreError> {
    let mut hosts = hosts(url)?;
    let found = hosts.find_primary().await.map_err(StoreError::Unavailable)?;
    let mut connection = found.options.connect().await?;
    schema::bring_to_newest(&mut connection).await?;
    let (epoch, pseudonyms) = agreed_facts(&mut connection).await?;
    connection.close().await?;
    let mut database_clock = DatabaseClock::new(clock.clone());
    database_clock.follow(&found);
    let primary = Primary::new(found);
    probe::start(&primary, hosts, database_clock);
    let queues = GroupQueues::new(primary.clone(), clock.clone(), pseudonyms.clone(), listeners);
    Ok((queues, primary, epoch, pseudonyms))
}

/// A connection to the primary, for one piece of work.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary.
pub(in crate::store) async fn connect(url: &str) -> Result<PgConnection, StoreError> {
    let found = hosts(url)?.find_primary().await.map_err(StoreError::Unavailable)?;
    Ok(found.options.connect().await?)
}

/// A transaction that reads one snapshot of the primary, without the tasks of a service.
///
/// # Errors
/// [`StoreError::Unavailable`] when no host is a primary.
pub(in crate::store) async fn read(url: &str) -> Result<PgTx, StoreError> {
    let found = hosts(url)?.find_primary().await.map_err(StoreError::Unavailable)?;
    Primary::new(found).read().await
}

fn hosts(url: &str) -> Result<Hosts, StoreError> {
    let hosts = url::parse_hosts(url).map_err(StoreError::Unavailable)?.into_iter();
    Ok(Hosts::new(hosts.map(|host| host.application_name(APPLICATION_NAME).disable_statement_logging()).collect()))
}

async fn agreed_facts(connection: &mut PgConnection) -> Result<(String, Pseudonyms), StoreError> {
    let mut tx = connection.begin().await?;
    // Nodes that start at the same time agree on what the first has made.
    sqlx::query("LOCK TABLE facts IN SHARE ROW EXCLUSIVE MODE").execute(&mut *tx).await?;
    let identity = identity(&mut tx).await?;
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
