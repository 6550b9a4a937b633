//! The kinds of events, and what each kind says by itself: who may see it, and what it may change.

use crate::domain::Scope;

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

    /// Whether it may change the standing of those it touches: their membership, scope, ban or mute. An undo is refused after one
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

    /// Whether it is about a note, which changes nothing about the member. Only those moderators and up see it happen who are
    /// above the person it is about.
    pub fn is_of_note(self) -> bool {
        match self {
            EventKind::NoteAdded | EventKind::NoteRemoved => true,
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
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => false,
        }
    }

    /// Whether the person it is about sees it happen, although other participants do not.
    pub fn is_for_its_subject(self) -> bool {
        match self {
            EventKind::MemberMuted | EventKind::MemberUnmuted => true,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberScopeChanged
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

    /// Whether it ends the membership of the one it is about. A sync does so too, to members among many.
    pub fn puts_out(self) -> bool {
        match self {
            EventKind::MemberLeft | EventKind::MemberKicked | EventKind::MemberBanned => true,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberScopeChanged
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

    /// Whether it takes something from somebody: then only staff read who did it. `lessens_scope` is whether it gave its subject a
    /// lower scope than before, or the same one for less time.
    pub fn takes_away(self, lessens_scope: bool) -> bool {
        match self {
            EventKind::MemberKicked | EventKind::MemberBanned | EventKind::MemberUnbanned | EventKind::MemberMuted => {
                true
            }
            EventKind::MemberScopeChanged => lessens_scope,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberUnmuted
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

    /// Whether it makes somebody a member, or changes or ends their membership. Notes, mutes and the ends of bans do not, and are
    /// also about people who are no members.
    pub fn is_of_membership(self) -> bool {
        match self {
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
            | EventKind::GroupDeleted => true,
            EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::NoteAdded
            | EventKind::NoteRemoved => false,
        }
    }

    /// Whether it holds all that it changed. After one that does not, a group in memory is read again.
    pub fn holds_all_changes(self) -> bool {
        match self {
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
            | EventKind::MemberUpdated
            | EventKind::NoteAdded
            | EventKind::NoteRemoved => true,
            EventKind::MembersSynced | EventKind::GroupCreated | EventKind::GroupUpdated | EventKind::GroupDeleted => {
                false
            }
        }
    }

    /// Whether it lists everybody whom it touched, in webhooks and in the log that the host reads; others name their subject alone.
    pub fn lists_members(self) -> bool {
        match self {
            EventKind::OwnerTransferred | EventKind::MembersSynced => true,
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
            | EventKind::GroupDeleted => false,
        }
    }

    /// Whether it gives a member another scope, which may come with a message to them.
    pub fn gives_scope(self) -> bool {
        match self {
            EventKind::MemberScopeChanged | EventKind::OwnerTransferred => true,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberLeft
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => false,
        }
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
