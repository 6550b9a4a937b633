//! Webhooks: the events that the host's back end is sent, and their delivery.
//!
//! `engine.rs` is what the rest of the program holds. It runs a `dispatcher/` for each endpoint, which runs
//! `deliver.rs` for each lane (a sequence of events in order, as a partition of Kafka) with something to deliver: it builds payloads
//! (`payload.rs`, `original.rs`, `original_parts.rs`), sends them (`client.rs`, `signature.rs`) and moves the lane's `lane_cursor.rs` on.
//! What fails is tried again (`dispatcher/outcomes.rs`), later from try to try (`backoff.rs`). `presence.rs` writes who came and went to
//! the outbox.
//!
//! Not here: lanes (`store/lane.rs`), positions and the outbox (`store/webhooks`), and requests to us (`http`).

mod backoff;
mod client;
mod counts;
mod deliver;
mod dispatcher;
mod engine;
mod lane_cursor;
mod original;
mod original_parts;
mod payload;
mod presence;
mod signature;

pub use engine::{TestResult, Webhooks};
pub use payload::{CountsRecord, GroupEvent, Payload, PersonRecord};
