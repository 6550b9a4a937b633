//! Notes of staff about a person, for staff above them.

use askama::Template;

use crate::domain::{MAX_NOTE, PersonNote, Uid};
use crate::i18n::{Message, SafeHtml, TextKey, key};
use crate::views::context::ViewContext;
use crate::views::urls::with_query;

/// Notes, newest first.
#[derive(Template)]
#[template(path = "members/note_list.html")]
pub struct NoteList<'a> {
    context: &'a ViewContext,
    notes: Vec<ShownNote>,
    /// The page to return to after removing one, without JavaScript.
    back: String,
}

impl askama::filters::HtmlSafe for NoteList<'_> {}

/// One note.
struct ShownNote {
    id: u64,
    text: String,
    /// The author and the time, in words.
    by: SafeHtml,
    /// The URL that removes it; `None` if the viewer may not.
    removal: Option<String>,
}

impl<'a> NoteList<'a> {
    /// A list for reading only.
    pub fn new(context: &'a ViewContext, notes: &[PersonNote]) -> NoteList<'a> {
        NoteList::with(context, notes, |_| None, String::new())
    }

    /// A list with a button on each note for which `removal` gives a URL.
    fn with(
        context: &'a ViewContext,
        notes: &[PersonNote],
        removal: impl Fn(&PersonNote) -> Option<String>,
        back: String,
    ) -> NoteList<'a> {
        let row = |note: &PersonNote| ShownNote {
            id: note.id,
            text: note.text.clone(),
            by: Message::from(key::NOTES_BY).with("by", note.author()).at(note.at).html(context.lang),
            removal: removal(note),
        };
        NoteList { context, notes: notes.iter().map(row).collect(), back }
    }

    /// The number of notes, in words.
    pub(super) fn count(&self) -> String {
        let count = self.context.lang.number(self.notes.len());
        Message::from(key::NOTES_COUNT).with("count", count).text(self.context.lang)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.context.lang.text(key)
    }
}

/// The notes about somebody, with a form to write another.
#[derive(Template)]
#[template(path = "members/notes.html")]
pub struct NotesPanel<'a> {
    /// The URL of its style sheet, unless the page includes it.
    style: Option<String>,
    context: &'a ViewContext,
    title: SafeHtml,
    list: NoteList<'a>,
    action: String,
    back: String,
    /// The result of the act that was just done.
    done: Option<SafeHtml>,
}

impl askama::filters::HtmlSafe for NotesPanel<'_> {}

impl<'a> NotesPanel<'a> {
    /// The notes about this person; `may_remove` says which the viewer may remove. Without JavaScript its forms lead `back`.
    pub fn new(
        context: &'a ViewContext,
        uid: &Uid,
        name: &str,
        notes: &[PersonNote],
        may_remove: impl Fn(&PersonNote) -> bool,
        back: String,
    ) -> NotesPanel<'a> {
        let url = |note: &PersonNote| with_query(&context.urls().note(uid, note.id), &context.request, "");
        let removal = |note: &PersonNote| may_remove(note).then(|| url(note));
        NotesPanel {
            style: None,
            context,
            title: Message::from(key::NOTES_TITLE).with("name", name).html(context.lang),
            list: NoteList::with(context, notes, removal, back.clone()),
            action: with_query(&context.urls().notes(uid), &context.request, ""),
            back,
            done: None,
        }
    }

    /// The number of notes, in words; `None` without any.
    pub(in crate::views) fn count(&self) -> Option<String> {
        (!self.list.is_empty()).then(|| self.list.count())
    }

    /// The panel for the component's dialog, which is labelled by its heading.
    pub fn in_dialog(self) -> NotesPanel<'a> {
        NotesPanel { style: Some(self.context.acts_style()), ..self }
    }

    /// The same panel with a notice of what was just done.
    pub fn with_notice(self, done: SafeHtml) -> NotesPanel<'a> {
        NotesPanel { done: Some(done), ..self }
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.context.lang.text(key)
    }

    fn longest(&self) -> usize {
        MAX_NOTE
    }
}
