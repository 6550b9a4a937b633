//! The selected members, as a list and as a page.

use std::borrow::Cow;

use askama::Template;

use crate::domain::Member;
use crate::i18n::{Lang, Message, SafeHtml, key};
use crate::views::context::ViewContext;
use crate::views::labels::scope_name;
use crate::views::layout::Layout;
use crate::views::props::Theme;

/// The selected members.
#[derive(Template)]
#[template(path = "members/selection.html")]
pub struct Selected<'a> {
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The members, in display order.
    pub members: Vec<SelectedMember<'a>>,
    /// The number of selected people who are no longer members.
    pub gone: usize,
}

/// [`Selected`] as a page.
#[derive(Template)]
#[template(path = "pages/selection.html")]
pub struct SelectionPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The list.
    pub list: Selected<'a>,
    /// The language.
    pub lang: Lang,
}

/// A selected member.
pub struct SelectedMember<'a> {
    uid: &'a str,
    name: Cow<'a, str>,
    scope: &'static str,
    href: String,
}

impl<'a> SelectedMember<'a> {
    /// The member, with the URL of their own page.
    pub fn new(context: &ViewContext, member: &'a Member) -> SelectedMember<'a> {
        let (uid, name) = (member.uid(), member.shown_name());
        SelectedMember { uid, name, scope: context.lang.text(scope_name(member.scope)), href: context.member_page(uid) }
    }
}

impl askama::filters::HtmlSafe for Selected<'_> {}

impl Selected<'_> {
    fn selected_count(&self) -> SafeHtml {
        Message::plural(key::SELECTION_COUNT, self.members.len()).html(self.context.lang)
    }

    fn gone_count(&self) -> SafeHtml {
        Message::plural(key::SELECTION_GONE, self.gone).html(self.context.lang)
    }
}
