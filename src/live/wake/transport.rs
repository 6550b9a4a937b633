//! The transports of wake messages. Each reconnects by itself.

use std::sync::Arc;

use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber};
use percent_encoding::percent_decode_str;
use tokio::sync::{Mutex, Notify};
use tokio_stream::StreamExt;

use crate::config::{Config, Wake};
use crate::store::{PgNotifications, Store, StoreError};

/// A transport that reaches every node; the publisher may receive its own messages.
pub enum Transport {
    /// `NOTIFY` of the database.
    Postgres(PgNotifications),
    /// NATS core, which keeps nothing for nodes that are away.
    Nats(Nats),
}

/// A message may have been lost.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The NATS server.
    #[error("NATS: {0}")]
    Nats(String),
    /// It takes too long.
    #[error("it takes too long")]
    Slow,
}

impl Transport {
    /// The transport that the operator chose; `None` for none.
    ///
    /// # Errors
    /// When the address of the NATS server cannot be read. A server that does not answer yet is no
    /// error.
    pub async fn of(config: &Config, store: &Store) -> Result<Option<Transport>, TransportError> {
        let postgres = || store.notify().map(Transport::Postgres);
        match (config.wake, &config.nats_url) {
            (Wake::Auto | Wake::Nats, Some(url)) => Ok(Some(Transport::Nats(Nats::connect(url, store).await?))),
            (Wake::Auto | Wake::Postgres, _) => Ok(postgres()),
            (Wake::None | Wake::Nats, _) => Ok(None),
        }
    }

    /// Publishes a message to every node.
    ///
    /// # Errors
    /// When it may not have been sent.
    pub async fn publish(&self, message: String) -> Result<(), TransportError> {
        match self {
            Transport::Postgres(notify) => Ok(notify.publish(&message).await?),
            Transport::Nats(nats) => nats.publish(message).await,
        }
    }

    /// The next message.
    ///
    /// # Errors
    /// When messages may have been lost.
    pub async fn receive(&self) -> Result<String, TransportError> {
        match self {
            Transport::Postgres(notify) => Ok(notify.receive().await?),
            Transport::Nats(nats) => nats.receive().await,
        }
    }
}

/// Options with the user and the password, or the token, of the first address that has one: the library reads neither there.
fn identified(servers: &[ServerAddr]) -> ConnectOptions {
    let options = ConnectOptions::new();
    let Some(server) = servers.iter().find(|server| server.has_user_pass()) else { return options };
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    match (server.username().map(decoded), server.password().map(decoded)) {
        (Some(user), Some(password)) => options.user_and_password(user, password),
        (Some(token), None) => options.token(token),
        (None, _) => options,
    }
}

/// A connection to a NATS server or cluster.
pub struct Nats {
    client: Client,
    store: Store,
    /// The subscription, and the history that its subject belongs to.
    subscription: Mutex<Option<(Arc<str>, Subscriber)>>,
    lost: Arc<Notify>,
}

impl Nats {
    async fn connect(url: &str, store: &Store) -> Result<Nats, TransportError> {
        let lost = Arc::new(Notify::new());
        let signal = lost.clone();
        let servers: Vec<ServerAddr> = url
            .split(',')
            .map(|server| server.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|error: std::io::Error| TransportError::Nats(error.to_string()))?;
        let client = identified(&servers)
            .name("chat-group-members")
            .retry_on_initial_connect()
            .event_callback(move |event| {
                if matches!(event, Event::Disconnected | Event::SlowConsumer(_) | Event::LameDuckMode) {
                    signal.notify_one();
                }
                async {}
            })
            .connect(servers)
            .await
            .map_err(|error| TransportError::Nats(error.to_string()))?;
        Ok(Nats { client, store: store.clone(), subscription: Mutex::default(), lost })
    }

    /// One subject per history: several databases may share a NATS server.
    fn subject(epoch: &str) -> String {
        format!("chat-group-members.{epoch}")
    }

    async fn publish(&self, message: String) -> Result<(), TransportError> {
        let published = self.client.publish(Nats::subject(&self.store.epoch()), message.into()).await;
        published.map_err(|error| TransportError::Nats(error.to_string()))
    }

    async fn receive(&self) -> Result<String, TransportError> {
        let mut subscription = self.subscription.lock().await;
        if subscription.is_none() {
            let epoch = self.store.epoch();
            let subscribed = self.client.subscribe(Nats::subject(&epoch)).await;
            *subscription = Some((epoch, subscribed.map_err(|error| TransportError::Nats(error.to_string()))?));
        }
        let (epoch, subscriber) = subscription.as_mut().expect("it was made above");
        tokio::select! {
            message = subscriber.next() => match message {
                Some(message) => Ok(String::from_utf8_lossy(&message.payload).into_owned()),
                None => {
                    *subscription = None;
                    Err(TransportError::Nats("the subscription ended".into()))
                }
            },
            () = self.store.wait_for_epoch_change(epoch) => {
                *subscription = None;
                Err(TransportError::Nats("the nodes agree on another subject".into()))
            }
            () = self.lost.notified() => Err(TransportError::Nats("the connection was lost".into())),
        }
    }
}
