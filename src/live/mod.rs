//! Live delivery: groups in memory, their subscribers, presence, and the other nodes.
//!
//! From the bottom up: `pending`, `replay_buffer`, `scope_messages` and `group_state` hold values; `subscribers` and `group`
//! hold one group; `presence`, `logouts`, `freshness` and `wake` know nothing of groups; `hub` holds them all;
//! `broadcast`, `subscribe`, `epoch`, `evict`, `drain`, `log_tail`, `logout_tail` and `presence_sync` act on the hub; `start`
//! runs them.
//!
//! Not here: rendering. Messages are made by a [`StreamRenderer`].

mod broadcast;
mod catch_up;
mod drain;
mod epoch;
mod evict;
mod freshness;
mod group;
mod group_state;
mod hub;
mod log_tail;
mod logout_tail;
mod logouts;
mod pending;
mod presence;
mod presence_sync;
mod replay_buffer;
mod scope_messages;
mod start;
mod subscribe;
mod subscribers;
mod wake;

pub use group::LiveGroup;
pub use group_state::GroupState;
pub use hub::Hub;
pub use logouts::Logouts;
pub use pending::{Pending, Replay};
pub use presence::{Attendance, HostReport, Presences};
pub use subscribe::{OpenStream, SubscribeError};
pub use subscribers::{StreamRenderer, Subscription};
pub use wake::{Transport, TransportError};
