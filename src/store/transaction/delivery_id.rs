//! The ids under which webhooks and the log deliver events (`evt_…`). Streams give another id, the place in a history:
//! `domain/log/event_id.rs`.

use sha2::{Digest, Sha256};

use crate::domain::Guid;
use crate::random;

/// A new id: `evt_` and 128 random bits.
pub(crate) fn new_delivery_id() -> String {
    format!("evt_{}", random::hex::<16>())
}

/// The id of an event that was stored without one by the version before: the same for every node.
pub(in crate::store) fn derived_delivery_id(epoch: &str, guid: &Guid, seq: i64) -> String {
    let hash = Sha256::digest(format!("{epoch} {guid} {seq}"));
    let hex: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("evt_{hex}")
}
