//! The messages for values of the domain.

use crate::domain::{Refusal, Scope};
use crate::i18n::{ArgsKey, Message, TextKey, key};

/// The reason of a refusal, for people.
pub fn refused(refusal: Refusal) -> TextKey {
    match refusal {
        Refusal::NotThere => key::ERROR_NOT_FOUND_HINT,
        Refusal::ParticipantsActOnNobody => key::REFUSED_PARTICIPANT,
        Refusal::Equal(Scope::Owner) => key::REFUSED_EQUAL_OWNER,
        Refusal::Equal(Scope::Admin) => key::REFUSED_EQUAL_ADMIN,
        Refusal::Equal(Scope::Moderator) => key::REFUSED_EQUAL_MODERATOR,
        Refusal::Equal(Scope::Participant) => key::REFUSED_EQUAL_PARTICIPANT,
        Refusal::Above(Scope::Owner) => key::REFUSED_ABOVE_OWNER,
        Refusal::Above(Scope::Admin) => key::REFUSED_ABOVE_ADMIN,
        Refusal::Above(Scope::Moderator) => key::REFUSED_ABOVE_MODERATOR,
        Refusal::Above(Scope::Participant) => key::REFUSED_ABOVE_PARTICIPANT,
        // Only `/v3` is refused so, in words of its own.
        Refusal::OwnerOnly | Refusal::AdminsOnly => key::REFUSED_OWNER_ONLY,
        Refusal::GrantsTooMuch(Scope::Owner) => key::REFUSED_GRANT_OWNER,
        Refusal::GrantsTooMuch(Scope::Admin) => key::REFUSED_GRANT_ADMIN,
        Refusal::GrantsTooMuch(Scope::Moderator) => key::REFUSED_GRANT_MODERATOR,
        Refusal::GrantsTooMuch(Scope::Participant) => key::REFUSED_GRANT_PARTICIPANT,
        Refusal::Oneself => key::REFUSED_ONESELF,
        Refusal::BansThemselves => key::REFUSED_SELF_BAN,
        Refusal::MutesThemselves => key::REFUSED_SELF_MUTE,
        Refusal::EndsAtLasting => key::REFUSED_SCOPE_ENDS,
        Refusal::NotAMember => key::REFUSED_NOT_A_MEMBER,
        Refusal::OwnerMustTransfer => key::REFUSED_OWNER_MUST_TRANSFER,
        Refusal::Banned => key::REFUSED_BANNED,
        Refusal::NotUndoable => key::REFUSED_NOT_UNDOABLE,
        Refusal::NotTheirsToUndo => key::REFUSED_NOT_THEIRS_TO_UNDO,
        Refusal::NotTheirsToRemove => key::REFUSED_NOT_THEIRS_TO_REMOVE,
        Refusal::Outdated => key::REFUSED_CHANGED_SINCE_SHOWN,
        Refusal::WrongPassword => key::REFUSED_PASSWORD,
    }
}

/// The reason of a refusal over the names of all whom an act on several people is refused for. The label fits any number of them.
pub fn refused_of_several(refusal: Refusal) -> TextKey {
    match refusal {
        Refusal::Oneself => key::BATCH_REFUSED_ONESELF,
        Refusal::Equal(_) => key::BATCH_REFUSED_EQUAL,
        Refusal::Above(_) => key::BATCH_REFUSED_ABOVE,
        Refusal::GrantsTooMuch(_) => key::BATCH_REFUSED_GRANT,
        Refusal::EndsAtLasting => key::BATCH_REFUSED_SCOPE_ENDS,
        Refusal::NotAMember => key::BATCH_REFUSED_NOT_A_MEMBER,
        Refusal::Outdated => key::BATCH_REFUSED_CHANGED,
        // These refuse the whole request, or an act that is done to one person at a time.
        Refusal::NotThere
        | Refusal::ParticipantsActOnNobody
        | Refusal::OwnerOnly
        | Refusal::AdminsOnly
        | Refusal::BansThemselves
        | Refusal::MutesThemselves
        | Refusal::OwnerMustTransfer
        | Refusal::Banned
        | Refusal::NotUndoable
        | Refusal::NotTheirsToUndo
        | Refusal::NotTheirsToRemove
        | Refusal::WrongPassword => refused(refusal),
    }
}

/// The duration of a ban. `until` is in Unix milliseconds; `None` means until lifted.
pub fn banned_until(until: Option<i64>) -> Message {
    until.map_or(key::BANNED_FOR_GOOD.into(), |until| Message::from(key::BANNED_UNTIL).at(until))
}

/// Until when somebody has a scope, said to themselves; `None` for those that nobody has for a time.
pub(super) fn you_are_until(scope: Scope) -> Option<ArgsKey> {
    match scope {
        Scope::Admin => Some(key::SCOPE_YOU_ADMIN),
        Scope::Moderator => Some(key::SCOPE_YOU_MODERATOR),
        Scope::Owner | Scope::Participant => None,
    }
}

/// The message of a moderator for the person whom an act is about.
pub fn moderator_message(message: &str) -> Message {
    Message::from(key::TOLD).with("message", message)
}

/// The name of a scope, as on a badge.
pub(super) fn scope_name(scope: Scope) -> TextKey {
    match scope {
        Scope::Owner => key::SCOPE_OWNER,
        Scope::Admin => key::SCOPE_ADMIN,
        Scope::Moderator => key::SCOPE_MODERATOR,
        Scope::Participant => key::SCOPE_PARTICIPANT,
    }
}
