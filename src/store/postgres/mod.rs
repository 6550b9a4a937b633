//! What only PostgreSQL needs: finding the server that takes writes and watching it, a queue of acts for each
//! group, `NOTIFY` and presence between nodes. Queries that both databases understand stand in the folder
//! above and not here.

mod dedicated;
mod discovery;
mod group_queues;
mod hosts;
mod notify;
mod open;
mod presence;
mod primary;
mod probe;
mod retry;
mod schema;
mod transaction;

pub(super) use group_queues::GroupQueues;
pub(super) use hosts::APPLICATION_NAME;
pub use notify::Notify;
pub(super) use open::{connect, identity, open, read};
pub use presence::{HOST_NODE, Heartbeat, NodePresence, PresenceTable};
pub(super) use primary::{Health, Primary};
pub(super) use retry::is_retryable;
pub(super) use schema::{bring_to_newest, newest_step};
pub(super) use transaction::{BEGIN_WRITE, PgTx};
