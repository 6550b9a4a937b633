//! What a request did to one person: the word in the address of the page that a plain form leads back to, and its sentence there.

use crate::domain::{ActKind, Cause, EventKind, LoggedEvent};
use crate::i18n::{Message, key};
use crate::views;

const UNDO: &str = "undo";
const NOTE_ADDED: &str = "note-added";
const NOTE_REMOVED: &str = "note-removed";

/// What a request did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Operation {
    /// An act.
    Act(ActKind),
    /// Undo of an act.
    Undo,
    /// A note was added.
    NoteAdded,
    /// A note was removed.
    NoteRemoved,
}

impl Operation {
    /// The word in `?done=`.
    pub(in crate::http) fn as_str(self) -> &'static str {
        match self {
            Operation::Act(kind) => kind.as_str(),
            Operation::Undo => UNDO,
            Operation::NoteAdded => NOTE_ADDED,
            Operation::NoteRemoved => NOTE_REMOVED,
        }
    }

    /// What this word stands for.
    pub(in crate::http) fn named(word: &str) -> Option<Operation> {
        match word {
            UNDO => Some(Operation::Undo),
            NOTE_ADDED => Some(Operation::NoteAdded),
            NOTE_REMOVED => Some(Operation::NoteRemoved),
            act => act.parse().ok().map(Operation::Act),
        }
    }

    /// The act, when it is one.
    pub(in crate::http) fn act(self) -> Option<ActKind> {
        match self {
            Operation::Act(kind) => Some(kind),
            Operation::Undo | Operation::NoteAdded | Operation::NoteRemoved => None,
        }
    }

    /// Whether whom it is about may be a member afterwards.
    pub(in crate::http) fn keeps_member(self) -> bool {
        match self {
            Operation::Act(kind) => kind.keeps_member(),
            Operation::Undo | Operation::NoteAdded | Operation::NoteRemoved => true,
        }
    }

    /// The sentence, which may take the name; `None` of what another page reports.
    pub(in crate::http) fn sentence(self) -> Option<Message> {
        match self {
            Operation::Act(ActKind::Join) => Some(key::DONE_JOIN.into()),
            Operation::Act(act) => views::done(act).map(Message::from),
            Operation::Undo => Some(key::DONE_UNDO.into()),
            Operation::NoteAdded => Some(key::DONE_NOTE_ADDED.into()),
            Operation::NoteRemoved => Some(key::DONE_NOTE_REMOVED.into()),
        }
    }

    /// Whether it is about a note.
    pub(in crate::http) fn is_of_note(self) -> bool {
        match self {
            Operation::NoteAdded | Operation::NoteRemoved => true,
            Operation::Act(_) | Operation::Undo => false,
        }
    }

    /// Whether an event, read with the person whom the sentence names, is what was done to them. A transfer also touches the old
    /// owner, who is not its subject.
    pub(in crate::http) fn is_reported_by(self, event: &LoggedEvent) -> bool {
        let is_meant = match self {
            Operation::Act(act) => event.kind == act.event(),
            Operation::Undo => event.cause == Some(Cause::Undo),
            Operation::NoteAdded => event.kind == EventKind::NoteAdded,
            Operation::NoteRemoved => event.kind == EventKind::NoteRemoved,
        };
        is_meant && event.touched.first().is_some_and(|touched| event.kind.has_subject(touched.new))
    }

    /// Whether its form leads to this sentence also when somebody else has done the same before, without an event: then it is true as
    /// well. Of an act that changes nothing another sentence says that.
    pub(in crate::http) fn may_be_so_already(self) -> bool {
        match self {
            Operation::Undo | Operation::NoteRemoved => true,
            Operation::Act(_) | Operation::NoteAdded => false,
        }
    }
}
