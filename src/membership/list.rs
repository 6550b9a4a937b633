//! A list of people to put in, or keep out, and what comes of each.

use std::collections::BTreeMap;

use crate::domain::{Name, Refusal, Scope, Uid};

/// What one person of a list is to become.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Who.
    pub uid: Uid,
    /// As what: participant, moderator or admin.
    pub scope: Scope,
}

/// One person of a list, with what the host tells of them on the way.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Who, as what.
    pub placement: Placement,
    /// Their name; makes them known who are not.
    pub name: Option<Name>,
    /// Their picture.
    pub avatar: Option<String>,
    /// Since when, seconds since the epoch; now without it.
    pub joined_at: Option<i64>,
}

/// A list of people. Nobody is in it twice.
#[derive(Debug, Clone, Default)]
pub struct BulkAdd {
    /// Who is to be a member.
    pub people: Vec<Entry>,
    /// Who is to be banned.
    pub bans: Vec<Uid>,
}

/// Why one person of a list was not put in; the others were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemError {
    /// The host has not named this user.
    NoSuchUser,
    /// They are banned.
    Banned,
    /// They are a member already.
    AlreadyMember,
    /// They are banned already.
    AlreadyBanned,
    /// They were put in by this request before, and are out again.
    NoMember,
    /// They were banned by this request before, and are not any more.
    NoBan,
    /// The rules refuse it.
    Refused(Refusal),
}

/// What came of each person of a list: the number of the event, unless there was nothing to do.
pub type Answers = BTreeMap<Uid, Result<Option<u64>, ItemError>>;
