//! A list of people to put in, or keep out, and what comes of each.

use std::collections::BTreeMap;

use super::request::ActRequest;
use crate::domain::{Name, Refusal, Scope, Uid};
use crate::store::Decision;

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

impl Entry {
    /// Whether the host tells anything of them.
    pub fn has_profile(&self) -> bool {
        self.name.is_some() || self.avatar.is_some() || self.joined_at.is_some()
    }
}

/// A list of people. Nobody is in it twice.
#[derive(Debug, Clone, Default)]
pub struct BulkAdd {
    /// Who is to be a member.
    pub people: Vec<Entry>,
    /// Who is to be banned.
    pub bans: Vec<Uid>,
}

/// What came of an act on one person of several.
#[derive(Debug, Clone)]
pub struct Item<E> {
    /// Who.
    pub uid: Uid,
    /// The number of the event, unless there was nothing to do; or why not.
    pub result: Result<Option<u64>, E>,
}

/// What came of one request about several people.
#[derive(Debug, Clone)]
pub struct BatchOutcome<E> {
    /// Of each person, in the order of the request.
    pub items: Vec<Item<E>>,
    /// The first event that was made, if any was.
    pub batch: Option<u64>,
    /// The group's event number that includes all of it.
    pub seq: u64,
    /// Whether it was done before, under the same Idempotency-Key.
    pub is_repeat: bool,
}

impl<E> BatchOutcome<E> {
    /// The answer to a request that was done before under the same key: these events were made then, and nothing happens now.
    pub(super) fn repeated(done: BTreeMap<u64, Uid>, seq: u64) -> BatchOutcome<E> {
        let batch = done.keys().next().copied();
        let items = done.into_iter().map(|(seq, uid)| Item { uid, result: Ok(Some(seq)) }).collect();
        BatchOutcome { items, batch, seq, is_repeat: true }
    }

    /// Of these people: events from `first` on, the last of which is `seq`, if there are any.
    pub(super) fn new(items: Vec<Item<E>>, first: u64, seq: u64) -> BatchOutcome<E> {
        BatchOutcome { items, batch: (seq >= first).then_some(first), seq, is_repeat: false }
    }

    /// To how many people something happened.
    pub fn changed(&self) -> usize {
        self.items.iter().filter(|item| matches!(item.result, Ok(Some(_)))).count()
    }

    /// What becomes of the writes. A key stands for its answer also when nothing had to be done.
    pub(super) fn decision(self, request: &ActRequest) -> Decision<BatchOutcome<E>> {
        if self.batch.is_some() || request.key.is_some() { Decision::Commit(self) } else { Decision::Rollback(self) }
    }
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
