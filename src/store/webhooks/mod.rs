//! Webhooks as stored: the endpoints (`endpoints.rs`), where each of them stands in each lane and which node delivers it
//! (`positions.rs`), how far behind it is (`backlog.rs`), what it gets again (`replay.rs`), what is to be delivered of the outbox
//! (`outbox.rs`), what is deleted when everybody has it (`prune.rs`, `erased_lanes.rs`), and whose status they were told (`presence.rs`).
//!
//! Not here: lanes (`store/lane.rs`), what is delivered of groups (`store/log/feed.rs`), writing to the outbox (`store/transaction/outbox.rs`), and
//! the delivery (`crate::webhooks`).

mod backlog;
mod endpoints;
mod erased_lanes;
mod outbox;
mod positions;
mod presence;
mod prune;
mod replay;

pub use backlog::Backlog;
pub use endpoints::{EndpointState, StoredEndpoint};
pub use outbox::OutboxEvent;
pub use positions::{ClaimedLane, LaneProgress};
pub use presence::{PresenceLease, StatusChange};
pub use replay::ReplayPart;

/// How long after its commit an event is delivered, in milliseconds; then it is dead.
pub const DELIVERY_LIFETIME: i64 = 3 * 24 * 3600 * 1000;
