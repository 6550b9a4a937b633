//! What is seen as it happens: groups in memory, their audience, who is there.
//!
//! Never sees HTML: what a stream says is made by its [`View`].

mod audience;
mod hub;
mod join;
mod news;
mod presence;
mod room;

pub use audience::{Ending, Listener, View};
pub use hub::Hub;
pub use join::{JoinError, Joined};
pub use news::{Backlog, EventId, News};
pub use presence::{Attendance, Presences};
pub use room::{PresenceMode, Room, State};
