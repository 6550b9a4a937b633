//! The totals in the header: members and members online.

use askama::Template;

use super::context::ViewContext;
use super::list_window::GroupTotals;
use crate::domain::Group;
use crate::i18n::{escape, key};

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

impl askama::filters::HtmlSafe for Totals<'_> {}

impl<'a> Totals<'a> {
    /// The totals of the whole group, regardless of the filter.
    pub fn new(context: &'a ViewContext, totals: GroupTotals<'a>) -> Totals<'a> {
        let GroupTotals { group, members, online } = totals;
        Totals { context, group, members, online, swap: false }
    }

    /// The out-of-band swap.
    pub fn as_swap(self) -> Totals<'a> {
        Totals { swap: true, ..self }
    }

    /// Appends the out-of-band swap of the header, if the component has one.
    ///
    /// # Errors
    /// When a template fails.
    pub fn render_swap_into(self, text: &mut String) -> askama::Result<()> {
        let totals = self.as_swap();
        match totals.header() {
            _ if self.context.props.hide_header => Ok(()),
            Some(header) => header.render_into(text),
            None => totals.render_into(text),
        }
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
