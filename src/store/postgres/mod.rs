//! The parts for PostgreSQL alone: finding the server that takes writes and watching it, a queue of acts for each
//! group, `NOTIFY`, and presence between nodes.
//!
//! Not here: queries that both databases understand, which are in the folder above, and [`super::Store`], which this
//! folder does not know.

mod connections;
mod dedicated;
mod discovery;
mod group_queues;
mod health;
mod hosts;
mod kept_connection;
mod notify;
mod open;
mod presence;
mod primary;
mod probe;
mod retry;
mod schema;
mod shared_connections;
mod transaction;

pub(super) use discovery::Patience;
pub(super) use group_queues::GroupQueues;
pub(super) use health::Health;
pub(super) use hosts::{APPLICATION_NAME, primary_of_several};
pub use notify::PgNotifications;
pub(super) use open::{connect, connect_to_read, identity, open, read};
pub use presence::{DELETED_USER, HOST_NODE, Heartbeat, NodePresence, PresenceTable, is_later_report};
pub(super) use primary::Primary;
pub(super) use retry::is_retryable;
pub(super) use schema::bring_to_newest;
pub(super) use transaction::{BEGIN_WRITE, NO_TIME_LIMITS, PgTx};
