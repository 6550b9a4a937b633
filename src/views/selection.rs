//! The people somebody selected, as a list and as a page.

use std::borrow::Cow;

use askama::Template;

use super::look::Look;
use super::pages::Layout;
use super::words::scope_word;
use crate::domain::Member;
use crate::lang::{Html, Lang, Said, key};

/// Who is selected.
#[derive(Template)]
#[template(path = "members/selection.html")]
pub struct Selected<'a> {
    /// How the viewer sees the group.
    pub look: &'a Look,
    /// The members, in display order.
    pub members: Vec<SelectedMember<'a>>,
    /// How many are not members any more.
    pub gone: usize,
}

/// The same on a page of its own.
#[derive(Template)]
#[template(path = "pages/selection.html")]
pub struct SelectionPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// How the viewer sees the group.
    pub look: &'a Look,
    /// The list.
    pub list: Selected<'a>,
    /// The language.
    pub lang: Lang,
}

/// A member who is selected.
pub struct SelectedMember<'a> {
    uid: &'a str,
    name: Cow<'a, str>,
    scope: &'static str,
    href: String,
}

impl<'a> SelectedMember<'a> {
    /// The member, with the way to their own page.
    pub fn new(look: &Look, member: &'a Member) -> SelectedMember<'a> {
        let (uid, name) = (member.uid(), member.shown_name());
        SelectedMember { uid, name, scope: look.lang.text(scope_word(member.scope)), href: look.member_page(uid) }
    }
}

impl askama::filters::HtmlSafe for Selected<'_> {}

impl Selected<'_> {
    fn selected(&self) -> Html {
        Said::from(key::SELECTION_COUNT).count(self.members.len()).html(self.look.lang)
    }

    fn no_more(&self) -> Html {
        Said::from(key::SELECTION_GONE).count(self.gone).html(self.look.lang)
    }
}
