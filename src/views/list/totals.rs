//! The totals in the header: members and members online.

use askama::Template;

use super::list_window::GroupTotals;
use crate::domain::Group;
use crate::i18n::{escape, key};
use crate::views::context::ViewContext;

/// The totals in the header.
#[derive(Template, Clone, Copy)]
#[template(path = "members/totals.html")]
pub struct Totals<'a> {
    pub(super) context: &'a ViewContext,
    pub(super) group: &'a Group,
    pub(super) members: usize,
    pub(super) online: usize,
    pub(super) swap: bool,
}

/// The out-of-band swap of the header: a custom header as a whole, of the built-in one only the totals, and nothing when
/// the component has no header.
#[derive(Template)]
#[template(path = "members/header_swap.html")]
pub struct HeaderSwap<'a> {
    totals: Totals<'a>,
}

impl askama::filters::HtmlSafe for Totals<'_> {}
impl askama::filters::HtmlSafe for HeaderSwap<'_> {}

impl<'a> Totals<'a> {
    /// The totals of the whole group, regardless of the filter.
    pub fn new(context: &'a ViewContext, totals: GroupTotals<'a>) -> Totals<'a> {
        let GroupTotals { group, members, online } = totals;
        Totals { context, group, members, online, swap: false }
    }

    /// The out-of-band swap of the header with these totals.
    pub fn into_swap(self) -> HeaderSwap<'a> {
        HeaderSwap { totals: Totals { swap: true, ..self } }
    }

    /// The number of people online, as the template renders it.
    pub fn online_html(&self) -> String {
        let (before, number, after) = self.online();
        let number = if number.is_empty() { number } else { format!("<span data-online>{number}</span>") };
        [escape(&before), number, escape(&after)].concat()
    }

    fn members(&self) -> String {
        self.context.lang.number(self.members)
    }

    /// The number of people online or away: the text before the number, the number, the text after it.
    fn online(&self) -> (String, String, String) {
        self.context.lang.format_plural(key::MEMBERS_ONLINE, self.online)
    }
}
