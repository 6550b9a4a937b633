//! The events of a group's log.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Cause, Guid, Member, Restrictions, Scope, Uid, shown};

/// The type of an event, as the log and streams name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
pub enum EventKind {
    /// A person joined by themselves.
    #[strum(serialize = "member_joined")]
    MemberJoined,
    /// The host added somebody.
    #[strum(serialize = "member_added")]
    MemberAdded,
    /// A member left by themselves.
    #[strum(serialize = "member_left")]
    MemberLeft,
    /// A member was removed and may come back.
    #[strum(serialize = "member_kicked")]
    MemberKicked,
    /// A person was removed, or kept out, until the ban ends.
    #[strum(serialize = "member_banned")]
    MemberBanned,
    /// A ban ended: lifted or run out.
    #[strum(serialize = "member_unbanned")]
    MemberUnbanned,
    /// A person may not speak until the mute ends.
    #[strum(serialize = "member_muted")]
    MemberMuted,
    /// A mute ended: lifted or run out.
    #[strum(serialize = "member_unmuted")]
    MemberUnmuted,
    /// A member's scope changed.
    #[strum(serialize = "member_scope_changed")]
    MemberScopeChanged,
    /// The group has another owner, who is touched first, or the host took it over; the one before is an admin now.
    #[strum(serialize = "owner_transferred")]
    OwnerTransferred,
    /// A member has another name or picture.
    #[strum(serialize = "member_updated")]
    MemberUpdated,
    /// The host brought many members into step at once.
    #[strum(serialize = "members_synced")]
    MembersSynced,
    /// A note about a person was written by somebody above them; the person may have left. The event does not hold
    /// its text.
    #[strum(serialize = "note_added")]
    NoteAdded,
    /// A note about a person was removed.
    #[strum(serialize = "note_removed")]
    NoteRemoved,
    /// The group is there, with its owner if it has one: the first event of each of its lives.
    #[strum(serialize = "group_created")]
    GroupCreated,
    /// The group has another name, picture, description or type.
    #[strum(serialize = "group_updated")]
    GroupUpdated,
    /// The group is no more.
    #[strum(serialize = "group_deleted")]
    GroupDeleted,
}

impl EventKind {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether somebody whose scope an event of this kind made `new` is its subject: the one whom it names as `member`.
    /// Others were touched beside the subject, or among many.
    pub fn has_subject(self, new: Option<Scope>) -> bool {
        match self {
            EventKind::MembersSynced => false,
            // The member it is about is the new owner; the host is none.
            EventKind::OwnerTransferred => new == Some(Scope::Owner),
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberScopeChanged
            | EventKind::MemberUpdated
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => true,
        }
    }

    /// Whether it may change the standing of whom it touches: their membership, scope, ban or mute. An undo is refused after one
    /// that does. `group_created` and the other events of a group touch nobody.
    pub fn changes_standing(self) -> bool {
        match self {
            EventKind::MemberUpdated | EventKind::NoteAdded | EventKind::NoteRemoved => false,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::MembersSynced
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => true,
        }
    }

    /// Whether its change can be undone.
    pub fn can_be_undone(self) -> bool {
        match self {
            EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberScopeChanged => true,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::OwnerTransferred
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => false,
        }
    }

    /// Whether only moderators and up may see it happen; [`EventKind::is_for_its_subject`] has the exception.
    pub fn for_moderators_only(self) -> bool {
        match self {
            EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::NoteAdded
            | EventKind::NoteRemoved => true,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => false,
        }
    }
}

impl EventKind {
    /// Whether it is about a note, which changes nothing about the member. Of moderators and up only those see it happen who are
    /// above whom the note is about.
    pub fn is_of_note(self) -> bool {
        matches!(self, EventKind::NoteAdded | EventKind::NoteRemoved)
    }

    /// Whether whom it is about sees it happen, although other participants do not.
    pub fn is_for_its_subject(self) -> bool {
        matches!(self, EventKind::MemberMuted | EventKind::MemberUnmuted)
    }
}

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
    /// Their restrictions before and after; empty when the event is read from the log for viewers.
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
}

/// A change with its number: one entry of a group's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The group.
    pub guid: Guid,
    /// The group's gapless event number.
    pub seq: u64,
    /// When, milliseconds since the epoch.
    pub at: i64,
    /// The kind of the event.
    pub kind: EventKind,
    /// The actor; `None` for the host and for what ended by itself.
    pub by: Option<By>,
    /// The people whom it changed.
    pub touched: Vec<TouchedMember>,
    /// Why, for bans and mutes; moderators and up see it.
    pub reason: Option<String>,
    /// The end of a ban, mute or scope, milliseconds since the epoch.
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
        match self.kind {
            EventKind::MemberKicked | EventKind::MemberBanned | EventKind::MemberUnbanned | EventKind::MemberMuted => {
                true
            }
            EventKind::MemberScopeChanged => self.touched.first().is_some_and(|touched| touched.new < touched.old),
            EventKind::MemberUnmuted
            | EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::OwnerTransferred
            | EventKind::MemberUpdated
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::MembersSynced
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => false,
        }
    }

    /// An event of this moment (milliseconds since the epoch) by nobody, about these people.
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
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_word_of_every_kind_is_what_the_log_holds() {
        let words = [
            "member_joined",
            "member_added",
            "member_left",
            "member_kicked",
            "member_banned",
            "member_unbanned",
            "member_muted",
            "member_unmuted",
            "member_scope_changed",
            "owner_transferred",
            "member_updated",
            "members_synced",
            "note_added",
            "note_removed",
            "group_created",
            "group_updated",
            "group_deleted",
        ];
        assert_eq!(EventKind::VARIANTS.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(), words);
        assert_eq!(words.map(|word| word.parse()), std::array::from_fn(|at| Ok(EventKind::VARIANTS[at])));
    }
}
