//! Live delivery: groups in memory, their subscribers, presence, and the other nodes.
//!
//! From the bottom up: `presence`, `logouts`, `freshness` and `wake` hold no group; `pending`, `replay_buffer`, `scope_messages` and
//! `group_state` are values of one; `subscribers` and `group` hold one; `hub` holds them all; `catch_up` brings one up to the log;
//! `catch_up_many`, `broadcast`, `current`, `resume`, `subscribe`, `epoch`, `evict`, `drain`, `log_tail`, `people_tail` and `presence_sync` act
//! on the hub; `start` runs them.
//!
//! Not here: rendering. Messages are made by a [`StreamRenderer`].

mod broadcast;
mod catch_up;
mod catch_up_many;
mod current;
mod drain;
mod epoch;
mod evict;
mod freshness;
mod group;
mod group_state;
mod hub;
mod log_tail;
mod logouts;
mod pending;
mod people_tail;
mod presence;
mod presence_sync;
mod replay_buffer;
mod resume;
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
pub use presence::{HostReport, PresenceGuard, Presences};
pub use subscribe::{OpenStream, SubscribeError};
pub use subscribers::{StreamRenderer, Subscription};
pub use wake::{Transport, TransportError};
