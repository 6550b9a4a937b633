//! `LISTEN` and `NOTIFY` of PostgreSQL, each on a connection of its own: a `NOTIFY` takes a lock of
//! the whole database when it commits, so that it must never be part of an act.

use std::time::Duration;

use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::apart::Apart;
use super::database::Store;
use super::db::Pool;
use super::error::StoreError;
use super::primary::{Health, Primary};

/// One channel for all nodes of a database. Names of channels are the database's own.
const CHANNEL: &str = "chat_group_members";
/// After so long a silence the connection that listens is made anew: it may have died without a word.
const SILENCE: Duration = Duration::from_secs(60);

/// A connection takes no longer than this to make.
const CONNECT: Duration = Duration::from_secs(2);

/// Words between nodes through the database. Each may be lost.
pub struct Notify {
    primary: Primary,
    mouth: Apart,
    ear: Mutex<Option<PgListener>>,
}

impl Store {
    /// Words between nodes through the database; `None` where it cannot carry any.
    pub fn notify(&self) -> Option<Notify> {
        match &self.readers {
            Pool::Sqlite(_) => None,
            Pool::Postgres(primary) => {
                Some(Notify { primary: primary.clone(), mouth: Apart::new(primary), ear: Mutex::default() })
            }
        }
    }
}

impl Notify {
    /// The longest word, in bytes (PostgreSQL's limit is 8,000).
    pub const LONGEST: usize = 7_900;

    /// Says a word to every node.
    ///
    /// # Errors
    /// When the database cannot be used now: the word is lost.
    pub async fn say(&self, word: &str) -> Result<(), StoreError> {
        let mut connection = self.mouth.take().await?;
        sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(word).execute(&mut connection).await?;
        self.mouth.keep(connection).await;
        Ok(())
    }

    /// The next word; an empty one after a long silence.
    ///
    /// # Errors
    /// When words may have been lost: the connection ended. The next call makes another.
    pub async fn hear(&self) -> Result<String, StoreError> {
        let mut ear = self.ear.lock().await;
        let mut listener = match ear.take() {
            Some(listener) => listener,
            None => self.listen().await?,
        };
        let heard = tokio::select! {
            heard = timeout(SILENCE, listener.try_recv()) => heard,
            () = self.primary.lost() => return Err(StoreError::Away),
        };
        match heard {
            Ok(Ok(Some(heard))) => {
                *ear = Some(listener);
                Ok(heard.payload().to_owned())
            }
            Ok(Ok(None)) => Err(StoreError::Unavailable("the connection that listens ended".into())),
            Ok(Err(error)) => Err(error.into()),
            Err(_silence) => Ok(String::new()),
        }
    }

    async fn listen(&self) -> Result<PgListener, StoreError> {
        self.primary.check(Health::ReadOnly)?;
        let options = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let pool = options.acquire_timeout(CONNECT).connect_with(self.primary.options()).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(listener)
    }
}
