//! The last change of a person, in the words of a refusal.

use crate::domain::{Author, Cause, EventKind, LoggedEvent, Scope};
use crate::i18n::{Message, key};

/// The change in words, naming the actor as far as this viewer may know; `None` when nobody else made it.
pub(super) fn change_in_words(event: &LoggedEvent, is_staff: bool) -> Option<Message> {
    let touched = event.touched.first()?;
    let is_own = event.by.as_ref().is_some_and(|by| by.uid == touched.uid);
    // What ended by itself is nobody's act, and "Cy made Cy participant" explains nothing.
    if event.cause == Some(Cause::Ended) || (is_own && event.kind == EventKind::MemberScopeChanged) {
        return None;
    }
    let what = match (event.kind, touched.new) {
        (EventKind::MemberScopeChanged, Some(Scope::Admin)) => key::CHANGED_SCOPE_ADMIN,
        (EventKind::MemberScopeChanged, Some(Scope::Moderator)) => key::CHANGED_SCOPE_MODERATOR,
        (EventKind::MemberScopeChanged, Some(Scope::Participant)) => key::CHANGED_SCOPE_PARTICIPANT,
        (EventKind::OwnerTransferred, _) => key::CHANGED_OWNER,
        (EventKind::MemberKicked, _) => key::CHANGED_KICKED,
        (EventKind::MemberBanned, _) => key::CHANGED_BANNED,
        (EventKind::MemberMuted, _) => key::CHANGED_MUTED,
        (EventKind::MemberUnmuted, _) => key::CHANGED_UNMUTED,
        (EventKind::MemberLeft, _) => key::CHANGED_LEFT,
        (
            EventKind::MemberScopeChanged
            | EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberUnbanned
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted,
            _,
        ) => return None,
    };
    let message = Message::from(what).with("name", touched.shown_name()).at(event.at);
    Some(match event.author(is_staff) {
        Author::Person(by) => message.with("by", by.shown_name()),
        Author::Hidden => message.message("by", key::THE_TEAM),
        Author::Host => message.message("by", key::THE_HOST),
    })
}
