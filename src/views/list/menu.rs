//! The acts on one person as a menu.

use std::borrow::Cow;

use askama::Template;

use crate::domain::rules::{self, ActorAndTarget};
use crate::domain::{ActKind, Refusal, Uid};
use crate::i18n::key;
use crate::views::acts::{ActWords, is_hidden, menu_order};
use crate::views::context::ViewContext;
use crate::views::labels::refused;
use crate::views::urls::with_query;

/// The acts of the viewer on this person in the order of a menu, each with the reason when it is refused. Refused acts on others are
/// included only with the prop `explain`.
pub fn offered(context: &ViewContext, between: ActorAndTarget) -> Vec<(ActKind, Result<(), Refusal>)> {
    let mut acts = rules::acts(between);
    let shows_refused = between.own || context.props.explain;
    acts.retain(|&(kind, answer)| !is_hidden(&context.props, kind) && (answer.is_ok() || shows_refused));
    acts.sort_by_key(|&(kind, _)| menu_order(kind));
    acts
}

/// The context menu of one person.
#[derive(Template)]
#[template(path = "members/menu.html")]
pub struct Menu<'a> {
    /// The URL of its style sheet.
    pub style: String,
    /// The person's name.
    pub name: Cow<'a, str>,
    /// The acts.
    pub items: Vec<MenuItem>,
}

/// The built-in acts alone, for a menu with custom entries.
#[derive(Template)]
#[template(path = "members/menu.html", block = "acts")]
pub struct MenuActs<'a> {
    /// The acts.
    pub items: &'a [MenuItem],
}

/// One entry of a context menu.
pub struct MenuItem {
    action: &'static str,
    label: &'static str,
    danger: bool,
    href: String,
    refused: Option<&'static str>,
}

impl MenuItem {
    /// The entry for an act on this person.
    pub fn new(context: &ViewContext, uid: &Uid, own: bool, kind: ActKind, answer: Result<(), Refusal>) -> MenuItem {
        let href = with_query(&context.urls().member(uid), &context.request, &format!("act={}", kind.as_str()));
        let words = ActWords::of(kind, own);
        MenuItem {
            action: kind.as_str(),
            label: context.lang.text(words.label),
            danger: words.is_dangerous,
            href,
            refused: answer.err().map(|refusal| context.lang.text(refused(refusal))),
        }
    }

    /// Whether it takes something away that does not come back by itself.
    pub fn is_dangerous(&self) -> bool {
        self.danger
    }

    /// The entry for the notes about this person.
    pub fn notes(context: &ViewContext, uid: &Uid) -> MenuItem {
        let href = with_query(&context.urls().notes(uid), &context.request, "");
        let label = context.lang.text(key::NOTES_LABEL);
        MenuItem { action: NOTES, label, danger: false, href, refused: None }
    }
}

/// The word of the menu's entry for notes, which are no act.
const NOTES: &str = "notes";
