//! The events of a group's log.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::domain::{Cause, EventKind, Guid, Member, Restrictions, Scope, Uid, shown};

/// One member whom an event touched: before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedMember {
    /// The person.
    pub uid: Uid,
    /// Their name at that time, when it was known.
    pub name: Option<String>,
    /// Their scope before; `None` when they were not a member.
    pub old: Option<Scope>,
    /// Their scope after; `None` when they are not a member.
    pub new: Option<Scope>,
    /// The member after the event, or (when they are none) before it.
    pub member: Option<Arc<Member>>,
    /// Their restrictions before and after; of an event that is read from the log for viewers, only the end of a scope before it was
    /// changed.
    pub restrictions: RestrictionsChange,
}

/// A person's restrictions in a group, before and after an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestrictionsChange {
    /// Before; `None` when there were none.
    pub old: Option<Box<Restrictions>>,
    /// After; `None` when there are none.
    pub new: Option<Box<Restrictions>>,
}

impl RestrictionsChange {
    /// A change between these restrictions.
    pub fn new(old: Restrictions, new: Restrictions) -> RestrictionsChange {
        let boxed = |restrictions: Restrictions| (!restrictions.is_empty()).then(|| Box::new(restrictions));
        RestrictionsChange { old: boxed(old), new: boxed(new) }
    }
}

impl TouchedMember {
    /// Their name at that time as people read it; the uid when it was not known.
    pub fn shown_name(&self) -> Cow<'_, str> {
        shown(self.name.as_deref().unwrap_or(self.uid.as_str()), self.uid.as_str())
    }

    /// Whether a change of scope with this end (Unix milliseconds; `None` when the scope lasts) left them less than they had: a lower scope,
    /// or the same one for less time. Where nothing says when it was to end before, as of people who are erased, every end is earlier:
    /// whether somebody lost by it is not known, and then fewer people read who did it.
    fn has_less_scope(&self, until: Option<i64>) -> bool {
        let before = self.restrictions.old.as_deref().and_then(|old| old.temporary);
        match self.new.cmp(&self.old) {
            Ordering::Less => true,
            Ordering::Equal => until.is_some_and(|until| before.is_none_or(|before| until < before.until)),
            Ordering::Greater => false,
        }
    }
}

/// A change with its number: one entry of a group's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The group.
    pub guid: Guid,
    /// The group's gapless event number.
    pub seq: u64,
    /// When, Unix milliseconds.
    pub at: i64,
    /// The kind of the event.
    pub kind: EventKind,
    /// The actor; `None` for the host and for what ended by itself.
    pub by: Option<By>,
    /// The people whom it changed.
    pub touched: Vec<TouchedMember>,
    /// Why, for bans and mutes; moderators and up see it.
    pub reason: Option<String>,
    /// The end of a ban, mute or scope, Unix milliseconds.
    pub until: Option<i64>,
    /// The cause; `None` when a version of the program before causes wrote it.
    pub cause: Option<Cause>,
    /// The event that it undoes.
    pub undoes: Option<u64>,
    /// The first event of those that were made by one request.
    pub batch: Option<u64>,
    /// The message for the person, for kicks, bans, mutes and scopes.
    pub message: Option<String>,
}

/// The author of an event, as far as a reader may know.
#[derive(Debug, Clone, Copy)]
pub enum Author<'a> {
    /// A person.
    Person(&'a By),
    /// Somebody of the team, whose name the reader is not to know.
    Hidden,
    /// The host, or nobody: what ended by itself.
    Host,
}

impl LoggedEvent {
    /// The actor as far as people who are not staff may know: hidden where the event takes something from somebody
    /// else, and where it undoes that, since the same person mostly does both.
    pub fn public_by(&self) -> Option<&By> {
        let is_own = |by: &&By| self.touched.first().is_some_and(|touched| touched.uid == by.uid);
        self.by.as_ref().filter(|by| is_own(by) || !(self.takes_away() || self.undoes.is_some()))
    }

    /// The event that it undoes, as far as people who are not staff may know: a ban undoes nothing but the lifting of another, which
    /// they are not told.
    pub fn public_undoes(&self) -> Option<u64> {
        self.undoes.filter(|_| self.kind != EventKind::MemberBanned)
    }

    /// The author, for staff or for other people.
    pub fn author(&self, is_staff: bool) -> Author<'_> {
        match if is_staff { self.by.as_ref() } else { self.public_by() } {
            Some(by) => Author::Person(by),
            None if self.by.is_some() => Author::Hidden,
            None => Author::Host,
        }
    }

    /// Whether it takes something from somebody.
    fn takes_away(&self) -> bool {
        let lessens_scope = self.touched.first().is_some_and(|touched| touched.has_less_scope(self.until));
        self.kind.takes_away(lessens_scope)
    }

    /// An event of this moment (Unix milliseconds) by nobody, about these people.
    pub fn new(
        guid: Guid,
        seq: u64,
        at: i64,
        kind: EventKind,
        cause: Cause,
        touched: Vec<TouchedMember>,
    ) -> LoggedEvent {
        LoggedEvent {
            guid,
            seq,
            at,
            kind,
            by: None,
            touched,
            reason: None,
            until: None,
            cause: Some(cause),
            undoes: None,
            batch: None,
            message: None,
        }
    }
}

/// An actor, with the name they had then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// Their id.
    pub uid: Uid,
    /// Their name.
    pub name: String,
}

impl By {
    /// Their name as people read it.
    pub fn shown_name(&self) -> Cow<'_, str> {
        shown(&self.name, self.uid.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::TemporaryScope;

    /// Whether people who are not staff read who gave Dee this scope until then, who had that one until before, or lastingly.
    fn names_author(old: (Scope, Option<i64>), new: (Scope, Option<i64>)) -> bool {
        let temporary = old.1.map(|until| TemporaryScope { lasting: Scope::Participant, until });
        let before = Restrictions { temporary, ..Restrictions::default() };
        let touched = TouchedMember {
            uid: "dee".parse().unwrap(),
            name: None,
            old: Some(old.0),
            new: Some(new.0),
            member: None,
            restrictions: RestrictionsChange::new(before, Restrictions::default()),
        };
        let (guid, kind) = ("den".parse().unwrap(), EventKind::MemberScopeChanged);
        let event = LoggedEvent::new(guid, 7, 1, kind, Cause::Viewer, vec![touched]);
        let by = By { uid: "ada".parse().unwrap(), name: "Ada".into() };
        let event = LoggedEvent { by: Some(by), until: new.1, ..event };
        event.public_by().is_some()
    }

    #[test]
    fn who_gave_a_lower_scope_or_the_same_for_less_time_is_hidden() {
        use Scope::{Admin, Moderator, Participant};
        for (old, new, is_named) in [
            ((Moderator, None), (Participant, None), false),
            ((Moderator, Some(9)), (Moderator, Some(8)), false),
            ((Moderator, Some(9)), (Moderator, Some(10)), true),
            ((Moderator, Some(9)), (Moderator, None), true),
            // No end before, or none that is known.
            ((Moderator, None), (Moderator, Some(8)), false),
            ((Moderator, None), (Moderator, None), true),
            ((Moderator, Some(9)), (Admin, Some(8)), true),
            ((Participant, None), (Moderator, Some(8)), true),
        ] {
            assert_eq!(names_author(old, new), is_named, "{old:?} {new:?}");
        }
    }
}
