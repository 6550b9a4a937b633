//! What is seen as it happens: groups in memory, their audience, who is there.
//!
//! Never sees HTML: what a stream says is made by its [`View`].

mod audience;
mod evict;
mod follow;
mod goodbye;
mod history;
mod hub;
mod join;
mod lease;
mod mode;
mod neighbours;
mod news;
mod presence;
mod recent;
mod room;
mod tell;
mod wake;

pub use audience::{Ending, Listener, View};
pub use hub::Hub;
pub use join::{JoinError, Joined};
pub use mode::PresenceMode;
pub use news::{Backlog, EventId, News};
pub use presence::{Attendance, Presences};
pub use room::{Room, State};
pub use wake::{Carrier, CarrierError};
