//! The rules of a group: who may do what to whom, and how people are named, sorted and found. Everything else in the
//! program asks this module and decides nothing itself.
//!
//! `person/` is who people are, `acts/` what somebody wants done, `rules/` who may do it, and `log/` what was done.
//!
//! Pure values and functions only. Not here: async, SQL, HTTP, clock and randomness.

mod acts;
mod group;
mod id;
mod log;
mod loopback;
mod moment;
mod person;
mod presence_mode;
mod record;
pub mod rules;

pub use acts::{Act, ActKind, AlreadySo, BatchAct, GivenEnd, MAX_BAN, MAX_MUTE, MAX_SCOPE, MAX_WORDS, NewScope, Terms};
pub use group::{Group, GroupType, MAX_PASSWORD};
pub use id::{Guid, HOST_UID, InvalidId, PSEUDONYM_PREFIX, Uid, conversation_between};
pub use log::{
    Author, By, Cause, Change, Ending, EventId, EventKind, HeldMembership, LoggedEvent, PersonState, PutBack,
    RestrictionsChange, TouchedMember, event_type,
};
pub use loopback::{is_loopback, without_port};
pub use moment::{DAY, HOUR, MAX_JOINED_AT, SECOND, parse_day, parse_moment, parse_printed, parse_whole, rfc3339};
pub use person::{
    InvalidName, MAX_NOTE, MAX_NOTES, Member, Membership, Muted, Name, OrderKey, PersonNote, Restriction,
    RestrictionPlace, Restrictions, Scope, Search, Section, SectionCounts, Standing, Status, TemporaryScope, fold,
    fold_for_order, hue, initials, is_seen, is_shown, shown, sort_key,
};
pub use presence_mode::PresenceMode;
pub use record::MemberRecord;
pub use rules::Refusal;
