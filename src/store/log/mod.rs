//! The log of events as it is read: by groups in memory, by hosts, to undo an act; the epoch that its numbers belong to, and the snapshot
//! that a reader begins with.
//!
//! Not here: appending (`transaction/`), and what webhooks deliver of it (`webhooks/`).

pub(super) mod catchup;
pub(super) mod epoch;
pub(super) mod events;
mod feed;
pub(super) mod feed_event;
pub(super) mod feed_person;
mod feed_rows;
pub(super) mod past_act;
mod scope_events;
pub(super) mod snapshot;
