//! What staff wrote about somebody, for staff above them.

use askama::Template;

use super::context::ViewContext;
use super::urls::with_query;
use crate::domain::{MAX_NOTE, PersonNote, Uid};
use crate::i18n::{Message, SafeHtml, TextKey, key};

/// Notes, newest first.
#[derive(Template)]
#[template(path = "members/note_list.html")]
pub struct NoteList<'a> {
    context: &'a ViewContext,
    notes: Vec<NoteRow>,
}

impl askama::filters::HtmlSafe for NoteList<'_> {}

/// One note.
struct NoteRow {
    id: u64,
    text: String,
    /// Who wrote it and when, in words.
    by: SafeHtml,
    /// The URL that removes it; `None` for whoever may not.
    removal: Option<String>,
    /// The page to return to.
    back: String,
}

impl<'a> NoteList<'a> {
    /// To be read alone.
    pub fn new(context: &'a ViewContext, notes: &[PersonNote]) -> NoteList<'a> {
        let row = |note: &PersonNote| NoteRow {
            id: note.id,
            text: note.text.clone(),
            by: Message::from(key::NOTES_BY).with("by", note.author()).at(note.at).html(context.lang),
            removal: None,
            back: String::new(),
        };
        NoteList { context, notes: notes.iter().map(row).collect() }
    }

    /// With a button on each note about this person that the viewer may remove.
    fn removable(mut self, uid: &Uid, may_remove: impl Fn(u64) -> bool, back: &str) -> NoteList<'a> {
        let (context, urls) = (self.context, self.context.urls());
        for row in self.notes.iter_mut().filter(|row| may_remove(row.id)) {
            row.removal = Some(with_query(&urls.note(uid, row.id), &context.request, ""));
            row.back = back.to_owned();
        }
        self
    }

    /// How many there are, in words.
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
    /// What was just done.
    done: Option<SafeHtml>,
}

impl askama::filters::HtmlSafe for NotesPanel<'_> {}

impl<'a> NotesPanel<'a> {
    /// The notes about this person; `may_remove` of a note's number. Without JavaScript its forms lead `back`.
    pub fn new(
        context: &'a ViewContext,
        uid: &Uid,
        name: &str,
        notes: &[PersonNote],
        may_remove: impl Fn(u64) -> bool,
        back: String,
    ) -> NotesPanel<'a> {
        NotesPanel {
            style: None,
            context,
            title: Message::from(key::NOTES_TITLE).with("name", name).html(context.lang),
            list: NoteList::new(context, notes).removable(uid, may_remove, &back),
            action: with_query(&context.urls().notes(uid), &context.request, ""),
            back,
            done: None,
        }
    }

    /// How many there are, in words; `None` without any.
    pub(super) fn count(&self) -> Option<String> {
        (!self.list.is_empty()).then(|| self.list.count())
    }

    /// For the component's dialog, which is labelled by its heading.
    pub fn in_dialog(self) -> NotesPanel<'a> {
        NotesPanel { style: Some(self.context.acts_style()), ..self }
    }

    /// Saying what was just done.
    pub fn saying(self, done: SafeHtml) -> NotesPanel<'a> {
        NotesPanel { done: Some(done), ..self }
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.context.lang.text(key)
    }

    fn longest(&self) -> usize {
        MAX_NOTE
    }
}
