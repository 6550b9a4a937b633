//! The rows that the feed reads, decoded.

use super::feed_event::{FeedActor, FeedEvent};
use crate::domain::Guid;
use crate::store::error::StoreError;
use crate::store::groups::group::GroupRow;
use crate::store::sql::decode::{inconsistent, parse_cause, parse_uid};
use crate::store::transaction::delivery_id::derived_delivery_id;

#[derive(sqlx::FromRow)]
pub(super) struct FeedGroupRow {
    pub(super) seq: i64,
    pub(super) rewritten_seq: i64,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
    pub(super) owner: Option<String>,
    #[sqlx(flatten)]
    pub(super) group: GroupRow,
}

#[derive(sqlx::FromRow)]
pub(super) struct FeedRow {
    pub(super) id: String,
    pub(super) seq: i64,
    pub(super) kind: String,
    pub(super) at: i64,
    pub(super) by_uid: Option<String>,
    pub(super) by_name: Option<String>,
    pub(super) by_avatar: Option<String>,
    pub(super) by_role: String,
    pub(super) reason: Option<String>,
    pub(super) until_at: Option<i64>,
    pub(super) cause: Option<String>,
    pub(super) undoes: Option<i64>,
    pub(super) batch: Option<i64>,
    pub(super) message: Option<String>,
}

impl FeedRow {
    /// The event, without its people. One without an id gets it from `epoch`, `guid` and its number.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self, epoch: &str, guid: &Guid) -> Result<FeedEvent, StoreError> {
        let by = match self.by_uid {
            Some(uid) => Some(FeedActor {
                name: self.by_name.unwrap_or_else(|| uid.clone()),
                uid: parse_uid(&uid)?,
                avatar: self.by_avatar,
                role: self.by_role,
            }),
            None => None,
        };
        Ok(FeedEvent {
            id: if self.id.is_empty() { derived_delivery_id(epoch, guid, self.seq) } else { self.id },
            seq: self.seq as u64,
            kind: self.kind.parse().map_err(|_| inconsistent("kind of event", &self.kind))?,
            at: self.at,
            by,
            reason: self.reason,
            until: self.until_at,
            cause: self.cause.as_deref().map(parse_cause).transpose()?,
            undoes: self.undoes.map(|seq| seq as u64),
            batch: self.batch.map(|seq| seq as u64),
            message: self.message,
            people: Vec::new(),
            counts: None,
        })
    }
}
