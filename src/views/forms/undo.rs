//! The result of an act, with the button that undoes it.

use askama::Template;

use super::left_out::LeftOut;
use crate::i18n::{Message, SafeHtml, key};
use crate::views::context::ViewContext;
use crate::views::urls::{asset, with_query};

/// An act that can be undone.
#[derive(Debug, Clone)]
pub struct Undoable {
    /// Its event.
    pub seq: u64,
    /// The time that is left, in seconds.
    pub seconds: u64,
    /// Whether all of its request is undone with it.
    pub batch: bool,
}

/// The result of an act that can be undone, with the button for it.
#[derive(Template)]
#[template(path = "members/undo.html")]
pub struct UndoForm {
    text: SafeHtml,
    action: String,
    back: String,
    seconds: u64,
    /// The time that is left in words; a script counts it down.
    left: String,
    button: &'static str,
    batch: bool,
    /// The URL of its style sheet, which nothing else on the page may need.
    style: String,
    /// Whether it belongs to a list, which takes the answer; else the browser sends it, and goes to the page that answers.
    in_list: bool,
}

impl askama::filters::HtmlSafe for UndoForm {}

impl UndoForm {
    /// The form in the list of this viewer; `text` says what came of the act.
    pub fn new(context: &ViewContext, text: SafeHtml, undoable: &Undoable) -> UndoForm {
        UndoForm {
            text,
            action: with_query(&context.urls().undo(undoable.seq), &context.request, ""),
            back: context.href_with(""),
            seconds: undoable.seconds,
            left: Message::from(key::UNDO_LEFT)
                .with("count", context.lang.number(undoable.seconds as usize))
                .text(context.lang),
            button: context.lang.text(key::UNDO_BUTTON),
            batch: undoable.batch,
            style: context.acts_style(),
            in_list: true,
        }
    }
}

/// The result of an act, on the page that it leads back to, with whom it was not done to.
#[derive(Template)]
#[template(path = "pages/notice.html")]
pub struct Notice {
    content: NoticeContent,
    left_out: Option<LeftOut>,
    /// The script that keeps it true.
    script: String,
}

/// What a notice says.
enum NoticeContent {
    /// A sentence.
    Sentence(SafeHtml),
    /// A sentence with the button that undoes the act.
    Undoable(UndoForm),
    /// Only whom the act was not done to, and why.
    LeftOut,
}

impl askama::filters::HtmlSafe for Notice {}

impl Notice {
    /// The notice for this viewer; without a sentence it says only whom the act was not done to.
    pub fn new(
        context: &ViewContext,
        text: Option<SafeHtml>,
        undoable: Option<&Undoable>,
        left_out: Option<LeftOut>,
    ) -> Notice {
        let content = match (text, undoable) {
            (Some(text), Some(undoable)) => {
                NoticeContent::Undoable(UndoForm { in_list: false, ..UndoForm::new(context, text, undoable) })
            }
            (Some(text), None) => NoticeContent::Sentence(text),
            (None, None | Some(_)) => NoticeContent::LeftOut,
        };
        Notice { content, left_out, script: asset(&context.base, "chat-group-members-notice.js") }
    }
}
