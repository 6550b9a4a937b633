//! Opening the database: its address says which of the two it is.

use std::sync::{Arc, OnceLock};

use sqlx::{ConnectOptions, Connection as _};
use tokio::sync::watch;

use super::address::{self, is_postgres};
use super::database::Store;
use super::db::{Connection, Limited};
use super::error::StoreError;
use super::facts::{put_fact, random_name};
use super::{postgres, sqlite};
use crate::clock::Clock;

impl Store {
    /// Opens the database at `url` (`sqlite://FILE` or `postgres://…`), creates a file that is not
    /// there, brings the schema to the newest, and makes ready for writing.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be opened.
    pub async fn open(url: &str, clock: Clock) -> Result<Store, StoreError> {
        let committed = Arc::new(OnceLock::new());
        let (writer, readers, epoch) = if is_postgres(url) {
            postgres::open(url, &clock, committed.clone()).await?
        } else {
            sqlite::open(url, &clock, committed.clone()).await?
        };
        Ok(Store { writer, readers, committed, epoch: watch::Sender::new(epoch.into()), clock })
    }

    /// Whether `url` can be the address of a database, as far as its text tells.
    ///
    /// # Errors
    /// A sentence about what is wrong, which does not repeat the address: it may hold a password.
    pub fn check_address(url: &str) -> Result<(), String> {
        if is_postgres(url) {
            address::hosts(url).map(drop)
        } else if url.starts_with("sqlite:") {
            Ok(())
        } else {
            Err("this is not a database address; give sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME".into())
        }
    }

    /// Where the PostgreSQL at `url` is, for people: hosts and name, and no password.
    pub fn place(url: &str) -> String {
        address::place(url)
    }

    /// Starts another history: streams that come back start afresh. For restored backups.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database cannot be opened.
    pub async fn renew_epoch(url: &str) -> Result<(), StoreError> {
        if is_postgres(url) {
            let mut connection = postgres::connect(url).await?;
            put_fact(Connection::Postgres(Limited::patiently(&mut connection)), "epoch", &random_name()).await?;
            Ok(connection.close().await?)
        } else {
            let mut connection = sqlite::options(url)?.connect().await?;
            put_fact(Connection::Sqlite(&mut connection), "epoch", &random_name()).await?;
            Ok(connection.close().await?)
        }
    }
}
