//! What is seen as it happens: groups in memory, their audience, who is there.
//!
//! Never sees HTML: what a stream says is made by its [`View`].

mod audience;
mod evict;
mod follow;
mod fresh;
mod goodbye;
mod history;
mod hub;
mod join;
mod lease;
mod neighbours;
mod news;
mod presence;
mod recent;
mod room;
mod start;
mod state;
mod tell;
mod wake;

pub use audience::{Listener, View};
pub use hub::Hub;
pub use join::{JoinError, Joined};
pub use news::{Backlog, News};
pub use presence::{Attendance, Presences};
pub use room::Room;
pub use state::State;
pub use wake::{Carrier, CarrierError};
