//! Webhooks as stored: the endpoints (`endpoints.rs`), the position of each in each lane with the node that delivers it
//! (`positions.rs`), its backlog (`backlog.rs`), replays (`replay.rs`), the undelivered rows of the outbox (`outbox.rs`), the deletion of
//! what all endpoints have (`prune.rs`, `erased_lanes.rs`), and the statuses that were reported last (`presence.rs`).
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
pub use positions::{ClaimedLane, LaneFailure, LaneProgress};
pub use presence::{PresenceLease, StatusChange};
pub use replay::ReplayPart;

/// How long after its commit an event is delivered, in milliseconds; then it is dead.
pub const DELIVERY_LIFETIME: i64 = 3 * 24 * 3600 * 1000;
