//! Idempotency-Keys, each with the request that it stands for.

use std::sync::LazyLock;

use super::error::StoreError;
use crate::domain::{Guid, Uid};
use crate::store::database::reader::Reader;
use crate::store::sql::connection::Connection;
use crate::store::sql::insert::insert_returning;
use crate::store::sql::query::{execute, fetch};
use crate::store::sql::tables::{IDEMPOTENCY, IdempotencyValues};
use crate::store::transaction::tx::Tx;

/// The group of keys of calls that belong to no group. Not a well-formed guid, so that it is no group's.
pub(super) const NO_GROUP: &str = "*";

/// The request that a key stands for.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RecordedRequest {
    /// The fingerprint of the request.
    pub act: String,
    /// When it was done, Unix milliseconds.
    pub at: i64,
    /// The first event that a request about several people made; 0 when it made none, and for an act on one person that changed
    /// nothing. `None` for every other request, and for those that the version before recorded.
    pub batch: Option<i64>,
    /// Whom such a request left out, and why; `None` where `batch` is.
    pub left_out: Option<String>,
}

impl RecordedRequest {
    /// Whether it is recorded that the request changed nothing.
    pub fn changed_nothing(&self) -> bool {
        self.batch == Some(0)
    }
}

/// Keys that are compared with a person at a time.
const COMPARED: i64 = 1_000;

/// A key, its user, and its request.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct KeyRow {
    pub guid: String,
    pub caller: String,
    pub key: String,
    pub act: String,
    pub at: i64,
}

impl KeyRow {
    /// Its position in the order of [`keys_after`].
    pub(super) fn place(&self) -> [String; 3] {
        [self.guid.clone(), self.caller.clone(), self.key.clone()]
    }

    /// Whether this person used it, or it names them or stands for a request that does.
    pub(super) fn is_about(&self, uid: &Uid) -> bool {
        self.caller == uid.as_str() || names(&self.act, uid) || mentions(&self.key, uid)
    }
}

impl Tx<'_> {
    /// Records the request that this caller's key stands for; returns the recorded one when the key was used before.
    /// Another use of the same key at the same time waits here for this transaction. `guid`: `None` for calls that
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
        let row = IdempotencyValues { guid, caller, key: &key, act, at: self.event_time, batch: None, left_out: None };
        if insert_returning(self.connection.reborrow(), &INSERT, row).await?.is_some() {
            return Ok(None);
        }
        recorded_request(self.connection.reborrow(), guid, caller, &key).await
    }

    /// Records what came of a request about several people, or that an act on one changed nothing, with the key that stands for it
    /// ([`Tx::use_key`]): its first event (`None`: there is none), and whom it left out.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_batch(
        &mut self,
        guid: &Guid,
        caller: &str,
        key: &str,
        batch: Option<u64>,
        left_out: &str,
    ) -> Result<(), StoreError> {
        let (key, batch) = (self.pseudonyms.key(Some(guid), key), batch.unwrap_or_default() as i64);
        let sql = "UPDATE idempotency SET batch = $4, left_out = $5 WHERE guid = $1 AND caller = $2 AND key = $3";
        execute!(self.connection, sql, guid.as_str(), caller, key.as_str(), batch, left_out)?;
        Ok(())
    }

    /// Deletes every key that was recorded for this request, which belongs to no group: it was not done after all.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_keys_for(&mut self, act: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM idempotency WHERE guid = $1 AND act = $2";
        execute!(self.connection, sql, NO_GROUP, act)?;
        Ok(())
    }
}

impl Tx<'_> {
    /// Deletes, of the next keys after a place ([`KeyRow::place`]), those that these people used, and those that name one of them or
    /// stand for a request that does: a retry of such a request would name them again. Each person comes with the last moment whose
    /// keys are about them, Unix milliseconds: those of later ones are about somebody else of that uid. Calls that belong
    /// to no group keep their keys, which name nobody. Answers the place to go on from; `None` at the end.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_keys_of(
        &mut self,
        people: &[(Uid, i64)],
        after: &[String; 3],
    ) -> Result<Option<[String; 3]>, StoreError> {
        let keys = keys_after(self.connection.reborrow(), after).await?;
        let is_theirs = |key: &&KeyRow| people.iter().any(|(uid, until)| key.at <= *until && key.is_about(uid));
        for KeyRow { guid, caller, key, .. } in keys.iter().filter(is_theirs) {
            let sql = "DELETE FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3";
            execute!(self.connection, sql, guid, caller, key)?;
        }
        Ok(keys.last().map(KeyRow::place))
    }
}

impl Reader {
    /// The request that this caller's key stands for, if it was used. `guid`: `None` for calls that belong to no
    /// group.
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
    let sql = "SELECT act, at, batch, left_out FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3";
    Ok(fetch!(fetch_optional, on, sql, guid, caller, key)?)
}

/// Some of the keys after a place, in the order of their places; none at the end.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(super) async fn keys_after(
    mut on: Connection<'_>,
    [guid, caller, key]: &[String; 3],
) -> Result<Vec<KeyRow>, StoreError> {
    Ok(fetch!(
        fetch_all,
        on,
        "SELECT guid, caller, key, act, at FROM idempotency WHERE (guid, caller, key) > ($1, $2, $3)
         ORDER BY guid, caller, key LIMIT $4",
        guid,
        caller,
        key,
        COMPARED
    )?)
}

/// Whether the fingerprint of a request names this person, as a word of its own.
fn names(act: &str, uid: &Uid) -> bool {
    act.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).any(|word| word == uid.as_str())
}

/// Whether a key of a caller's own making holds this uid, between whatever separates words there.
fn mentions(key: &str, uid: &Uid) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    key.match_indices(uid.as_str())
        .any(|(at, found)| is_edge(key[..at].chars().next_back()) && is_edge(key[at + found.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::{mentions, names};

    #[test]
    fn a_fingerprint_names_whole_uids() {
        let dee = "dee".parse().unwrap();
        for act in ["Kick dee", "Ban Some(\"rude\") dee", "add ben:admin dee:participant", "add dee:banned"] {
            assert!(names(act, &dee), "{act}");
        }
        for act in ["Kick dee-2", "join", "add deer:admin", "Kick xdee"] {
            assert!(!names(act, &dee), "{act}");
        }
    }

    #[test]
    fn a_key_mentions_a_uid_between_separators() {
        let dee = "dee-1".parse().unwrap();
        for key in ["dee-1", "kick-dee-1", "dee-1:kick", "a_dee-1_b", "xdee-1 dee-1"] {
            assert!(mentions(key, &dee), "{key}");
        }
        for key in ["dee", "dee-12", "xdee-1", "8f14e45f"] {
            assert!(!mentions(key, &dee), "{key}");
        }
    }
}
