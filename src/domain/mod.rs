//! The rules of a group: who may do what to whom, and how people are named, sorted and found. Everything else in the
//! program asks this module and decides nothing itself.
//!
//! Pure values and functions only. Not here: async, SQL, HTTP, clock and randomness.

mod act;
mod avatar;
mod cause;
mod event;
mod event_id;
mod event_kind;
pub mod event_type;
mod group;
mod id;
mod loopback;
mod member;
mod moment;
mod name;
mod note;
mod presence_mode;
mod record;
mod restrictions;
pub mod rules;
mod scope;
mod search;
mod section;
mod standing;
mod state;
mod status;
mod stream_ending;
mod terms;

pub use act::{Act, ActKind, AlreadySo, BatchAct, MAX_BAN, MAX_MUTE, MAX_SCOPE};
pub use avatar::{hue, initials, is_shown};
pub use cause::Cause;
pub use event::{Author, By, LoggedEvent, RestrictionsChange, TouchedMember};
pub use event_id::EventId;
pub use event_kind::EventKind;
pub use group::{Group, GroupType};
pub use id::{Guid, HOST_UID, InvalidId, PSEUDONYM_PREFIX, Uid, conversation_between};
pub use loopback::{is_loopback, without_port};
pub use member::{Member, Membership, Muted, OrderKey};
pub use moment::{DAY, HOUR, MAX_JOINED_AT, SECOND, parse_day, parse_moment, parse_whole, rfc3339};
pub use name::{InvalidName, Name, fold, fold_for_order, is_seen, shown, sort_key};
pub use note::{MAX_NOTE, MAX_NOTES, PersonNote};
pub use presence_mode::PresenceMode;
pub use record::MemberRecord;
pub use restrictions::{Restriction, Restrictions, TemporaryScope};
pub use rules::Refusal;
pub use scope::Scope;
pub use search::Search;
pub use section::{Section, SectionCounts};
pub use standing::Standing;
pub use state::{Change, HeldMembership, PersonState, PutBack};
pub use status::Status;
pub use stream_ending::Ending;
pub use terms::{GivenEnd, NewScope, Terms};
