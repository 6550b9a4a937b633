//! A list of people to put in, or keep out, and what comes of each.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ActRequest;
use crate::domain::{LoggedEvent, Name, Refusal, Scope, Uid};
use crate::store::Decision;

/// The wanted place of one person of a list.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The person.
    pub uid: Uid,
    /// The scope: participant, moderator or admin.
    pub scope: Scope,
}

/// One person of a list, with the details that the host sends along.
#[derive(Debug, Clone)]
pub struct AddListEntry {
    /// The person and their scope.
    pub placement: Placement,
    /// Their name; makes them known who are not.
    pub name: Option<Name>,
    /// Their picture.
    pub avatar: Option<String>,
    /// When they joined, Unix seconds; without it now.
    pub joined_at: Option<i64>,
}

impl AddListEntry {
    /// Whether the entry has a name, a picture or a date of joining.
    pub fn has_profile(&self) -> bool {
        self.name.is_some() || self.avatar.is_some() || self.joined_at.is_some()
    }
}

/// A list of people. Nobody is in it twice.
#[derive(Debug, Clone, Default)]
pub struct AddList {
    /// The people to be members.
    pub people: Vec<AddListEntry>,
    /// The people to ban.
    pub bans: Vec<Uid>,
}

/// The result of an act on one person of several.
#[derive(Debug, Clone)]
pub struct BatchItem<E> {
    /// The person.
    pub uid: Uid,
    /// The number of the event, unless there was nothing to do, or nothing was done since it is a dry run; or why not.
    pub result: Result<Option<u64>, E>,
    /// Whether there was nothing to do, and would be nothing after a dry run.
    pub unchanged: bool,
}

/// The result of one request about several people.
#[derive(Debug, Clone)]
pub struct BatchOutcome<E> {
    /// The result for each person, in the order of the request.
    pub items: Vec<BatchItem<E>>,
    /// The first event that was made, if any was.
    pub batch: Option<u64>,
    /// The group's event number that includes all of it.
    pub seq: u64,
    /// Whether it was done before, under the same Idempotency-Key.
    pub is_repeat: bool,
    /// Each of these people, in the same order.
    pub people: Vec<BatchPerson>,
    /// The first event of each kind that it made; none when it is a repeat.
    pub logged: Vec<LoggedEvent>,
}

/// Somebody whom a request about several people names.
#[derive(Debug, Clone)]
pub struct BatchPerson {
    /// The name as given; the uid when none is known, or the actor may not learn it.
    pub name: String,
    /// Whether they are a member.
    pub is_member: bool,
    /// How many notes about them the actor may read; only a dry run counts them.
    pub notes: usize,
}

impl BatchPerson {
    /// The same with the uid for a name.
    pub(in crate::membership) fn without_name(self, uid: &Uid) -> BatchPerson {
        BatchPerson { name: uid.to_string(), ..self }
    }
}

impl<E> BatchOutcome<E> {
    /// The outcome of these items: events of these numbers, if there are any, `logged` the first of each kind.
    pub(in crate::membership) fn new(
        items: Vec<BatchItem<E>>,
        people: Vec<BatchPerson>,
        logged: Vec<LoggedEvent>,
        made: Range<u64>,
    ) -> BatchOutcome<E> {
        let batch = (!made.is_empty()).then_some(made.start);
        BatchOutcome { items, batch, seq: made.end - 1, is_repeat: false, people, logged }
    }

    /// The number of people who changed.
    pub fn changed(&self) -> usize {
        self.items.iter().filter(|item| matches!(item.result, Ok(Some(_)))).count()
    }

    /// The people it was not done to, and why.
    pub fn left_out(&self) -> impl Iterator<Item = (&Uid, &BatchPerson, &E)> {
        let people = self.items.iter().zip(&self.people);
        people.filter_map(|(item, person)| Some((&item.uid, person, item.result.as_ref().err()?)))
    }

    /// Why it was not done to those people to whom it was not, each with their number out of `numbers`, which has one for each item.
    pub(in crate::membership) fn reasons(&self, numbers: impl IntoIterator<Item = u64>) -> Vec<(u64, E)>
    where
        E: Copy,
    {
        let items = numbers.into_iter().zip(&self.items);
        items.filter_map(|(number, item)| Some((number, *item.result.as_ref().err()?))).collect()
    }

    /// The people about whom it changes nothing, or would change nothing.
    pub fn unchanged(&self) -> impl Iterator<Item = (&Uid, &BatchPerson)> {
        let people = self.items.iter().zip(&self.people);
        people.filter(|(item, _)| item.unchanged).map(|(item, person)| (&item.uid, person))
    }

    /// Whether it could be done to nobody.
    pub fn is_for_nobody(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| item.result.is_err())
    }

    /// Whether to commit. A key stands for its result also when nothing had to be done.
    pub(in crate::membership) fn decision(self, request: &ActRequest) -> Decision<BatchOutcome<E>> {
        if self.batch.is_some() || request.key.is_some() { Decision::Commit(self) } else { Decision::Rollback(self) }
    }
}

/// The first of these events of each kind.
pub(in crate::membership) fn first_of_each_kind(events: &[LoggedEvent]) -> Vec<LoggedEvent> {
    let mut firsts: Vec<LoggedEvent> = Vec::new();
    for event in events {
        if firsts.iter().all(|first| first.kind != event.kind) {
            firsts.push(event.clone());
        }
    }
    firsts
}

/// Why one person of a list was not put in; the others were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListError {
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

/// The result for each person of a list: the number of the event, unless there was nothing to do.
pub type ListAnswers = BTreeMap<Uid, Result<Option<u64>, ListError>>;
