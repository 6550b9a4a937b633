//! Opening the database: its URL says which of the two it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::Connection as _;
use sqlx::sqlite::SqlitePoolOptions;
use tokio::sync::watch;

use super::backend::{Pool, Writer};
use super::read_tx::ReadTx;
use super::reader::Reader;
use super::store::Store;
use crate::clock::Clock;
use crate::store::address::DatabaseAddress;
use crate::store::error::StoreError;
use crate::store::metadata::{load_pseudonyms, random_id, upsert_metadata};
use crate::store::postgres::Patience;
use crate::store::sql::connection::{Connection, TimedConnection};
use crate::store::transaction::commit::CommitListeners;
use crate::store::transaction::outbox::announce_epoch;
use crate::store::url::{self, is_postgres};
use crate::store::{postgres, sqlite};

impl Store {
    /// Opens the database at this address (`sqlite://FILE` or `postgres://…`): creates a file that does not exist,
    /// brings the schema to the newest, and starts the tasks that write.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be opened.
    pub async fn open(address: impl Into<DatabaseAddress>, clock: Clock) -> Result<Store, StoreError> {
        Store::open_with(address.into(), clock, Patience::Node).await
    }

    /// Like [`Store::open`], for a command: a PostgreSQL that does not answer is waited for, fifteen seconds at most.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_for_command(address: impl Into<DatabaseAddress>, clock: Clock) -> Result<Store, StoreError> {
        Store::open_with(address.into(), clock, Patience::Command).await
    }

    async fn open_with(address: DatabaseAddress, clock: Clock, patience: Patience) -> Result<Store, StoreError> {
        let listeners = Arc::<CommitListeners>::default();
        let (writer, pool, epoch, pseudonyms, scrubber) = if is_postgres(&address.url) {
            let (queues, primary, epoch, pseudonyms) =
                postgres::open(&address, &clock, listeners.clone(), patience).await?;
            (Writer::Postgres(queues), Pool::Postgres(primary), epoch, pseudonyms, None)
        } else {
            let (writer, file, epoch, pseudonyms, scrubber) =
                sqlite::open(&address.url, &clock, listeners.clone()).await?;
            (Writer::Sqlite(writer), Pool::Sqlite(file), epoch, pseudonyms, Some(Arc::new(scrubber)))
        };
        let (readiness, reads) = (watch::Sender::new(Ok(())), watch::Sender::new(Ok(())));
        let epoch = watch::Sender::new(epoch.into());
        Ok(Store { writer, pool, listeners, epoch, readiness, reads, clock, pseudonyms, scrubber })
    }

    /// Like [`Store::open_for_command`], for a command that writes. A standby and a PostgreSQL that is read-only open for a service,
    /// which serves lists meanwhile; a command would fail in the middle of its work.
    ///
    /// # Errors
    /// As [`Store::open`]; [`StoreError::Unavailable`] as well when the server takes no writes.
    pub async fn open_to_write(address: impl Into<DatabaseAddress>, clock: Clock) -> Result<Store, StoreError> {
        let store = Store::open_for_command(address, clock).await?;
        if let Pool::Postgres(primary) = &store.pool
            && let Some(why) = primary.health().outage()
        {
            let advice = "This command writes, and has changed nothing: run it once the server takes writes";
            return Err(StoreError::Unavailable(format!("{why}. {advice}, or name one that does (--database-url)")));
        }
        Ok(store)
    }

    /// Opens the database at `url` for a few reads: creates no file, applies no step of the schema, writes nothing.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is no such file, it is no database of this program, or the database cannot be read.
    pub async fn open_reader(url: &str, clock: &Clock) -> Result<Reader, StoreError> {
        let mut tx = if is_postgres(url) {
            ReadTx::Postgres(postgres::read(url).await?)
        } else {
            let file = sqlite::ReadOnlyFile::find(url)?;
            let begun = async {
                let one = SqlitePoolOptions::new().max_connections(1).connect_with(file.options()).await?;
                let mut tx = one.begin().await?;
                // The first statement that reads opens the file.
                sqlx::raw_sql("SELECT count(*) FROM sqlite_master").execute(&mut *tx).await?;
                Ok(tx)
            };
            let mut tx = begun.await.map_err(|error| sqlite::unopened(file.file(), &error))?;
            sqlite::check_ours(&mut tx, file.file()).await?;
            ReadTx::Sqlite(tx)
        };
        let pseudonyms = load_pseudonyms(tx.reborrow(), false).await?;
        Ok(Reader { tx, now: clock.now(), pseudonyms })
    }

    /// Checks that the database at `url` is not a missing file, for commands that create none.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is no such file.
    pub fn check_exists(url: &str) -> Result<(), StoreError> {
        if is_postgres(url) {
            return Ok(());
        }
        sqlite::check_exists(sqlite::parse(url)?.get_filename())
    }

    /// Whether `url` has the form of a database URL, and the files that it names hold certificates and keys.
    ///
    /// # Errors
    /// A sentence about what is wrong, without the URL, which may hold a password.
    pub fn check_url(url: &str) -> Result<(), String> {
        if is_postgres(url) {
            url::check(url)
        } else if url.starts_with("sqlite:") {
            sqlite::parse(url).map(drop).map_err(|error| error.cause())
        } else {
            Err("this is not a database address; give sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME".into())
        }
    }

    /// The hosts and the name of the PostgreSQL database at `url`, for logs and messages: no password.
    pub fn location(url: &str) -> String {
        url::location(url)
    }

    /// Host and port of the primary among several PostgreSQL hosts at `url`; `None` where there is only one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when no host is a primary.
    pub async fn primary_of_several(url: &str) -> Result<Option<(String, u16)>, StoreError> {
        postgres::primary_of_several(url).await
    }

    /// The file of the SQLite database at `url`; `None` for PostgreSQL.
    pub fn file_of(url: &str) -> Option<PathBuf> {
        if is_postgres(url) {
            return None;
        }
        sqlite::parse(url).ok().map(|options| options.get_filename().to_owned())
    }

    /// Writes the state of the SQLite file at `url` as of now to the empty file `copy`, while others use it. A database
    /// made of the copy begins a new epoch.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be read, or the copy cannot be written or is damaged.
    pub async fn backup_file(url: &str, copy: &Path) -> Result<(), StoreError> {
        sqlite::backup(url, copy).await
    }

    /// Whether it helps to try again later to open the database at `url`, which failed with `error`. A server
    /// may be starting; a file that cannot be opened stays so.
    pub async fn is_retryable(url: &str, error: &StoreError) -> bool {
        match error {
            StoreError::Unavailable(cause) => is_postgres(url) && postgres::is_retryable(url, cause).await,
            _ => false,
        }
    }

    /// Starts a new epoch in the database at `url`, so that streams do not resume: for restored backups.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database cannot be opened, [`StoreError::ReadOnly`] when it is a
    /// file that is read-only.
    pub async fn start_new_epoch(url: &str) -> Result<(), StoreError> {
        if is_postgres(url) {
            let mut connection = postgres::connect(url).await?;
            let mut tx = connection.begin_with(postgres::BEGIN_WRITE).await?;
            begin_epoch(Connection::Postgres(TimedConnection::for_commands(&mut tx))).await?;
            tx.commit().await?;
            Ok(connection.close().await?)
        } else {
            let mut connection = sqlite::connect_to_write(&sqlite::options(url)?).await?;
            let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
            begin_epoch(Connection::Sqlite(&mut tx)).await?;
            tx.commit().await?;
            Ok(connection.close().await?)
        }
    }
}

async fn begin_epoch(mut on: Connection<'_>) -> Result<(), StoreError> {
    let epoch = random_id();
    upsert_metadata(on.reborrow(), "epoch", &epoch).await?;
    announce_epoch(on, &epoch, Clock::default().now()).await
}
