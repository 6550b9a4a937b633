//! The outbox: events that belong to no group, such as the deletion of a person, written in the transaction
//! of what they report and delivered by webhooks like the events of the log.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::delivery_id::new_delivery_id;
use super::tx::Tx;
use crate::domain::Uid;
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::sql::connection::Connection;
use crate::store::sql::insert::{insert, insert_returning};
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::table::OnConflict;
use crate::store::sql::tables::{OUTBOX, OUTBOX_LANES, OutboxLaneValues, OutboxValues};

impl Tx<'_> {
    /// Appends an event that belongs to no group. Webhooks deliver those of one `person` in the order of their
    /// commits; `None` for events about nobody. `kind` is the type that receivers see, such as `user.deleted`.
    /// It is deleted when every endpoint has it, after three days at the latest. Without any endpoint nothing
    /// is written.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn append_outbox(&mut self, kind: &str, person: Option<&Uid>, data: &Value) -> Result<(), StoreError> {
        let at = self.event_time;
        self.outbox.extend(append_outbox(self.connection.reborrow(), kind, person, data, at).await?);
        Ok(())
    }
}

/// Appends an event that happened at `at`, Unix milliseconds, and answers its lane; `None` when there is no
/// endpoint to deliver it to.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written, [`StoreError::ReadOnly`] when it is a file
/// that is read-only.
pub(in crate::store) async fn append_outbox(
    mut on: Connection<'_>,
    kind: &str,
    person: Option<&Uid>,
    data: &Value,
    at: i64,
) -> Result<Option<Lane>, StoreError> {
    static NEXT: LazyLock<String> = LazyLock::new(|| {
        OUTBOX_LANES.upsert(1, &[("seq", OnConflict::Set("outbox_lanes.seq + 1"))]) + " RETURNING seq"
    });
    static INSERT: LazyLock<String> = LazyLock::new(|| OUTBOX.insert(1));
    let endpoint: Option<String> = fetch_scalar!(fetch_optional, on, "SELECT id FROM webhook_endpoints LIMIT 1")?;
    if endpoint.is_none() {
        return Ok(None);
    }
    let of = Lane::Outbox(person.cloned());
    let lane = of.to_string();
    // Concurrent writers for the same person wait here for this transaction, so that numbers follow commits.
    let next = OutboxLaneValues { lane: &lane, seq: 1 };
    let seq = insert_returning(on.reborrow(), &NEXT, next).await?.unwrap_or(1);
    let row = OutboxValues { lane: &lane, seq, id: &new_delivery_id(), kind, data: &data.to_string(), at, person: "" };
    insert(on, &INSERT, [row]).await?;
    Ok(Some(of))
}

/// Appends the event that a new epoch begins, for every endpoint of webhooks, in the transaction that begins it. `now` in
/// Unix milliseconds.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written.
pub(in crate::store) async fn announce_epoch(mut on: Connection<'_>, epoch: &str, now: i64) -> Result<(), StoreError> {
    // Positions beyond the end of a log counted events that this epoch does not have.
    execute!(
        on,
        "UPDATE webhook_positions SET seq = g.seq, token = '', lease_until = 0, attempts = 0, due_at = 0
         FROM groups g WHERE g.guid = webhook_positions.lane AND webhook_positions.seq > g.seq"
    )?;
    append_outbox(on, "log.restarted", None, &json!({"epoch": epoch}), now).await?;
    Ok(())
}
