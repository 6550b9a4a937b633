//! Events in words: each kind in a line of the feed, and in a sentence for somebody whose act it overtook.

use crate::domain::{Author, Cause, EventKind, LoggedEvent, Scope, TouchedMember};
use crate::i18n::{ArgsKey, Message, key};

/// An event in the words of the feed; `by` is the name of its author.
pub fn event_in_feed(event: &LoggedEvent, by: &str) -> Message {
    let touched = event.touched.first();
    let name = touched.map_or("".into(), TouchedMember::shown_name);
    if let Some(ended) = ended(event) {
        return Message::from(ended).with("name", name);
    }
    let message = Message::from(match event.kind {
        EventKind::MemberJoined => key::FEED_JOINED,
        EventKind::MemberAdded => key::FEED_ADDED,
        EventKind::MemberLeft => key::FEED_LEFT,
        EventKind::MemberKicked => key::FEED_KICKED,
        EventKind::MemberBanned => key::FEED_BANNED,
        EventKind::MemberUnbanned => key::FEED_UNBANNED,
        EventKind::MemberMuted => key::FEED_MUTED,
        EventKind::MemberUnmuted => key::FEED_UNMUTED,
        EventKind::MemberScopeChanged | EventKind::OwnerTransferred => match touched.and_then(|touched| touched.new) {
            Some(Scope::Owner) => key::FEED_OWNER,
            Some(Scope::Admin) => key::FEED_SCOPE_ADMIN,
            Some(Scope::Moderator) => key::FEED_SCOPE_MODERATOR,
            Some(Scope::Participant) | None => key::FEED_SCOPE_PARTICIPANT,
        },
        EventKind::MemberUpdated => key::FEED_UPDATED,
        EventKind::NoteAdded => key::FEED_NOTE_ADDED,
        EventKind::NoteRemoved => key::FEED_NOTE_REMOVED,
        EventKind::MembersSynced => return key::FEED_SYNCED.into(),
        EventKind::GroupCreated => return key::FEED_GROUP_CREATED.into(),
        EventKind::GroupUpdated => return key::FEED_GROUP_UPDATED.into(),
        EventKind::GroupDeleted => return key::FEED_GROUP_DELETED.into(),
    });
    message.with("name", name).with("by", by)
}

/// The words for what ended by itself: nobody did it.
fn ended(event: &LoggedEvent) -> Option<ArgsKey> {
    event.cause.filter(|cause| *cause == Cause::Ended)?;
    let touched = event.touched.first()?;
    match event.kind {
        EventKind::MemberUnbanned => Some(key::DONE_UNBAN),
        EventKind::MemberUnmuted => Some(key::DONE_UNMUTE),
        EventKind::MemberScopeChanged => match touched.new {
            Some(Scope::Admin) => Some(key::DIGEST_ADMIN),
            Some(Scope::Moderator) => Some(key::DIGEST_MODERATOR),
            Some(Scope::Participant) => Some(key::DIGEST_PARTICIPANT),
            Some(Scope::Owner) | None => None,
        },
        EventKind::MemberJoined
        | EventKind::MemberAdded
        | EventKind::MemberLeft
        | EventKind::MemberKicked
        | EventKind::MemberBanned
        | EventKind::MemberMuted
        | EventKind::OwnerTransferred
        | EventKind::MemberUpdated
        | EventKind::MembersSynced
        | EventKind::NoteAdded
        | EventKind::NoteRemoved
        | EventKind::GroupCreated
        | EventKind::GroupUpdated
        | EventKind::GroupDeleted => None,
    }
}

/// The last change of a person, in the words of a refusal, naming the actor as far as this viewer may know; `None` when nobody else
/// made it.
pub fn change_in_words(event: &LoggedEvent, is_staff: bool) -> Option<Message> {
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
