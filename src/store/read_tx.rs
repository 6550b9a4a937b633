//! The transaction that a [`super::Reader`] reads in.

use sqlx::{Sqlite, Transaction};

use super::backend::Pool;
use super::connection::{Connection, TimedConnection};
use super::error::StoreError;
use super::postgres::PgTx;

/// A read-only transaction on a consistent snapshot of the database.
pub(super) enum ReadTx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(PgTx),
}

impl ReadTx {
    /// Begins a transaction.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be read now.
    pub(super) async fn begin(pool: &Pool) -> Result<ReadTx, StoreError> {
        super::query_count::count();
        Ok(match pool {
            Pool::Sqlite(file) => {
                file.check_readable()?;
                ReadTx::Sqlite(file.readers.begin().await?)
            }
            Pool::Postgres(primary) => ReadTx::Postgres(primary.read().await?),
        })
    }

    /// Its connection, borrowed for one statement.
    pub(super) fn reborrow(&mut self) -> Connection<'_> {
        match self {
            ReadTx::Sqlite(transaction) => Connection::Sqlite(transaction),
            ReadTx::Postgres(transaction) => Connection::Postgres(TimedConnection::for_reads(transaction.parts())),
        }
    }
}
