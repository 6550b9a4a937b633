//! `LISTEN` and `NOTIFY`, each on a connection of its own: a `NOTIFY` takes a lock of the whole database when
//! it commits and so must never be part of an act.

use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::discovery::Patience;
use super::hosts::{configure_session, direct_options};
use super::kept_connection::KeptConnection;
use super::primary::Primary;
use crate::store::address::Pooler;
use crate::store::error::StoreError;
use crate::store::sql::connection::with_timeout;

/// One channel for all nodes of a database: channel names are scoped to the database.
const CHANNEL: &str = "chat_group_members";
/// After this long without a message the listening connection is replaced: it may be dead without an error.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// Time that the listening connection has to open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Messages between nodes through the database. Any of them may be lost.
pub struct PgNotifications {
    primary: Primary,
    /// The sending connection, kept between messages.
    sender: Mutex<Option<KeptConnection>>,
    listener: Mutex<Option<PgListener>>,
}

impl PgNotifications {
    /// Longest message, in bytes (PostgreSQL's limit is 8,000).
    pub const MAX_PAYLOAD: usize = 7_900;

    pub(in crate::store) fn new(primary: &Primary) -> PgNotifications {
        PgNotifications { primary: primary.clone(), sender: Mutex::default(), listener: Mutex::default() }
    }

    /// Sends a message to every node.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be used now: the
    /// message is lost.
    pub async fn publish(&self, payload: &str) -> Result<(), StoreError> {
        self.primary.health().check_primary()?;
        let mut sender = self.sender.lock().await;
        let connecting = async {
            let mut connection = with_timeout(CONNECT_TIMEOUT, self.options().await?.connect()).await?;
            configure_session(&mut connection, Pooler::Session).await?;
            Ok::<_, StoreError>(connection)
        };
        let mut kept = KeptConnection::reuse(sender.take(), &self.primary, connecting).await?;
        sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(payload).execute(&mut kept.connection).await?;
        *sender = Some(kept);
        Ok(())
    }

    /// Waits for the next message; an empty one when none came for a minute.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when messages may have been lost, since the
    /// connection ended. The next call opens another.
    pub async fn receive(&self) -> Result<String, StoreError> {
        let mut kept = self.listener.lock().await;
        let mut listener = match kept.take() {
            Some(listener) => listener,
            None => self.listen().await?,
        };
        let received = tokio::select! {
            received = timeout(MAX_SILENCE, listener.try_recv()) => received,
            () = self.primary.health().lost() => return Err(StoreError::KnownOutage),
        };
        match received {
            Ok(Ok(Some(notification))) => {
                *kept = Some(listener);
                Ok(notification.payload().to_owned())
            }
            Ok(Ok(None)) => Err(StoreError::Unavailable("the connection that listens ended".into())),
            Ok(Err(error)) => Err(error.into()),
            Err(_silence) => Ok(String::new()),
        }
    }

    /// The options of a direct connection: a pooler may give a listening connection to another client.
    async fn options(&self) -> Result<PgConnectOptions, StoreError> {
        match self.primary.direct_url() {
            Some(url) => direct_options(url, Patience::Node).await,
            None => Ok(self.primary.health().options()),
        }
    }

    async fn listen(&self) -> Result<PgListener, StoreError> {
        self.primary.health().check_primary()?;
        let options = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .after_connect(|connection, _| Box::pin(configure_session(connection, Pooler::Session)));
        let pool = options.acquire_timeout(CONNECT_TIMEOUT).connect_with(self.options().await?).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(listener)
    }
}
