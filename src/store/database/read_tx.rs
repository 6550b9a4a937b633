//! The transaction that a [`crate::store::Reader`] reads in.

use sqlx::{Sqlite, Transaction};

use super::backend::Pool;
use crate::store::error::StoreError;
use crate::store::postgres::PgTx;
use crate::store::sql::connection::{Connection, TimedConnection};

/// A read-only transaction on a consistent snapshot of the database.
pub(in crate::store) enum ReadTx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(PgTx),
}

impl ReadTx {
    /// Begins a transaction.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::KnownOutage`] when the database cannot be read now.
    pub(in crate::store) async fn begin(pool: &Pool) -> Result<ReadTx, StoreError> {
        crate::store::sql::query_count::count();
        Ok(match pool {
            Pool::Sqlite(file) => {
                file.check_readable()?;
                ReadTx::Sqlite(file.readers.begin().await?)
            }
            Pool::Postgres(primary) => ReadTx::Postgres(primary.read().await?),
        })
    }

    /// Its connection, borrowed for one statement.
    pub(in crate::store) fn reborrow(&mut self) -> Connection<'_> {
        match self {
            ReadTx::Sqlite(transaction) => Connection::Sqlite(transaction),
            ReadTx::Postgres(transaction) => Connection::Postgres(TimedConnection::for_reads(transaction.parts())),
        }
    }
}
