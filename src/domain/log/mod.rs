//! The log of a group: its events, what they changed about whom, and why a stream ends with one.
//!
//! Not here: acts before they happen (`acts/`), and how the log is stored (`store/log/`).

mod cause;
mod event;
mod event_id;
mod event_kind;
pub mod event_type;
mod state;
mod stream_ending;

pub use cause::Cause;
pub use event::{Author, By, LoggedEvent, RestrictionsChange, TouchedMember};
pub use event_id::EventId;
pub use event_kind::EventKind;
pub use state::{Change, HeldMembership, PersonState, PutBack};
pub use stream_ending::Ending;
