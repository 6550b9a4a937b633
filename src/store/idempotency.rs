//! Idempotency-Keys, each with the request that it stands for.

use std::sync::LazyLock;

use super::connection::Connection;
use super::error::StoreError;
use super::insert::insert_returning;
use super::query::{execute, fetch};
use super::reader::Reader;
use super::tables::{IDEMPOTENCY, IdempotencyValues};
use super::tx::Tx;
use crate::domain::Guid;

/// The group of keys of calls that belong to no group. Not a well-formed guid, so that it is no group's.
pub(super) const NO_GROUP: &str = "*";

/// What a key stands for.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RecordedRequest {
    /// The fingerprint of the request.
    pub act: String,
    /// When it was done, milliseconds since the epoch.
    pub at: i64,
}

impl Tx<'_> {
    /// Has this caller's key stand for a request from now on, unless it stands for one already: that is answered.
    /// Whoever uses the same key at the same time waits here for this transaction. `guid`: `None` for calls that
    /// belong to no group. Their keys are kept as a keyed hash: one that names a person outlives their erasure, so
    /// that a repetition erases nobody else.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn use_key(
        &mut self,
        guid: Option<&Guid>,
        caller: &str,
        key: &str,
        act: &str,
    ) -> Result<Option<RecordedRequest>, StoreError> {
        static INSERT: LazyLock<String> =
            LazyLock::new(|| IDEMPOTENCY.insert(1) + " ON CONFLICT (guid, caller, key) DO NOTHING RETURNING at");
        let (guid, key) = (place(guid), self.pseudonyms.key(guid, key));
        let row = IdempotencyValues { guid, caller, key: &key, act, at: self.now };
        if insert_returning(self.connection.reborrow(), &INSERT, row).await?.is_some() {
            return Ok(None);
        }
        recorded_request(self.connection.reborrow(), guid, caller, &key).await
    }

    /// Deletes every key that stands for this request, which belongs to no group: it was not done after all.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_keys_for(&mut self, act: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM idempotency WHERE guid = $1 AND act = $2";
        execute!(self.connection, sql, NO_GROUP, act)?;
        Ok(())
    }
}

impl Reader {
    /// What this caller's key stands for, if it was used. `guid`: `None` for calls that belong to no group.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn recorded_request(
        &mut self,
        guid: Option<&Guid>,
        caller: &str,
        key: &str,
    ) -> Result<Option<RecordedRequest>, StoreError> {
        let key = self.pseudonyms.key(guid, key);
        recorded_request(self.tx.reborrow(), place(guid), caller, &key).await
    }
}

fn place(guid: Option<&Guid>) -> &str {
    guid.map_or(NO_GROUP, Guid::as_str)
}

async fn recorded_request(
    mut on: Connection<'_>,
    guid: &str,
    caller: &str,
    key: &str,
) -> Result<Option<RecordedRequest>, StoreError> {
    let sql = "SELECT act, at FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3";
    Ok(fetch!(fetch_optional, on, sql, guid, caller, key)?)
}
