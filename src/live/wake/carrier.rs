//! What words travel on. Each connects again by itself.

use std::sync::Arc;

use async_nats::{Client, ConnectOptions, Event, Subscriber};
use tokio::sync::{Mutex, Notify as Signal};
use tokio_stream::StreamExt;

use crate::config::{Config, Wake};
use crate::store::{Notify, Store, StoreError};

/// A way for words to reach every node; the one who says it may hear it too.
pub enum Carrier {
    /// `NOTIFY` of the database.
    Postgres(Notify),
    /// NATS core, which forgets what nobody hears at once.
    Nats(Nats),
}

/// A word may not have arrived.
#[derive(Debug, thiserror::Error)]
pub enum CarrierError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The NATS server.
    #[error("NATS: {0}")]
    Nats(String),
    /// Nothing happens for too long.
    #[error("it takes too long")]
    Slow,
}

impl Carrier {
    /// The carrier that the operator chose; `None` for no carrier.
    ///
    /// # Errors
    /// When the address of the NATS server cannot be read. A server that does not answer yet is no
    /// error.
    pub async fn of(config: &Config, store: &Store) -> Result<Option<Carrier>, CarrierError> {
        let postgres = || store.notify().map(Carrier::Postgres);
        match (config.wake, &config.nats_url) {
            (Wake::Auto | Wake::Nats, Some(url)) => Ok(Some(Carrier::Nats(Nats::connect(url, store).await?))),
            (Wake::Auto | Wake::Postgres, _) => Ok(postgres()),
            _ => Ok(None),
        }
    }

    /// Says a word to every node.
    pub async fn say(&self, word: String) -> Result<(), CarrierError> {
        match self {
            Carrier::Postgres(notify) => Ok(notify.say(&word).await?),
            Carrier::Nats(nats) => nats.say(word).await,
        }
    }

    /// The next word.
    ///
    /// # Errors
    /// When words may have been lost.
    pub async fn hear(&self) -> Result<String, CarrierError> {
        match self {
            Carrier::Postgres(notify) => Ok(notify.hear().await?),
            Carrier::Nats(nats) => nats.hear().await,
        }
    }
}

/// A connection to a NATS server or cluster.
pub struct Nats {
    client: Client,
    store: Store,
    /// What is heard, and of which history.
    ear: Mutex<Option<(Arc<str>, Subscriber)>>,
    lost: Arc<Signal>,
}

impl Nats {
    async fn connect(url: &str, store: &Store) -> Result<Nats, CarrierError> {
        let lost = Arc::new(Signal::new());
        let signal = lost.clone();
        let client = ConnectOptions::new()
            .name("chat-group-members")
            .retry_on_initial_connect()
            .event_callback(move |event| {
                if matches!(event, Event::Disconnected | Event::SlowConsumer(_) | Event::LameDuckMode) {
                    signal.notify_one();
                }
                async {}
            })
            .connect(url.split(',').map(str::trim).collect::<Vec<_>>())
            .await
            .map_err(|error| CarrierError::Nats(error.to_string()))?;
        Ok(Nats { client, store: store.clone(), ear: Mutex::default(), lost })
    }

    /// Nodes of one database share a subject, others on the same server have another.
    fn subject(epoch: &str) -> String {
        format!("chat-group-members.{epoch}")
    }

    async fn say(&self, word: String) -> Result<(), CarrierError> {
        let said = self.client.publish(Nats::subject(&self.store.epoch()), word.into()).await;
        said.map_err(|error| CarrierError::Nats(error.to_string()))
    }

    async fn hear(&self) -> Result<String, CarrierError> {
        let mut ear = self.ear.lock().await;
        if ear.is_none() {
            let epoch = self.store.epoch();
            let subscribed = self.client.subscribe(Nats::subject(&epoch)).await;
            *ear = Some((epoch, subscribed.map_err(|error| CarrierError::Nats(error.to_string()))?));
        }
        let (epoch, subscriber) = ear.as_mut().expect("it was made above");
        tokio::select! {
            heard = subscriber.next() => match heard {
                Some(message) => Ok(String::from_utf8_lossy(&message.payload).into_owned()),
                None => {
                    *ear = None;
                    Err(CarrierError::Nats("the subscription ended".into()))
                }
            },
            () = self.store.tells_other_than(epoch) => {
                *ear = None;
                Err(CarrierError::Nats("the nodes agree on another subject".into()))
            }
            () = self.lost.notified() => Err(CarrierError::Nats("the connection was lost".into())),
        }
    }
}
