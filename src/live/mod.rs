//! What is seen as it happens: groups in memory, their audience, who is there.
//!
//! Never sees HTML: what a stream says is made by its [`StreamRenderer`].

mod broadcast;
mod drain;
mod epoch;
mod evict;
mod freshness;
mod group;
mod group_state;
mod hub;
mod log_tail;
mod peer_nodes;
mod pending;
mod presence;
mod replay_buffer;
mod start;
mod subscribe;
mod subscribers;
mod wake;

pub use group::LiveGroup;
pub use group_state::GroupState;
pub use hub::Hub;
pub use pending::{Backlog, Pending};
pub use presence::{Attendance, Presences};
pub use subscribe::{OpenStream, SubscribeError};
pub use subscribers::{StreamRenderer, Subscription};
pub use wake::{Transport, TransportError};
