//! The numbers in the header.

use askama::Template;

use super::list_window::GroupTotals;
use super::look::Look;
use crate::domain::Group;
use crate::lang::key;

/// The numbers in the header.
#[derive(Template, Clone, Copy)]
#[template(path = "members/totals.html")]
pub struct Totals<'a> {
    pub(super) look: &'a Look,
    pub(super) group: &'a Group,
    pub(super) members: usize,
    pub(super) online: usize,
    pub(super) swap: bool,
}

impl askama::filters::HtmlSafe for Totals<'_> {}

impl<'a> Totals<'a> {
    /// Of the whole group, whatever is searched.
    pub fn new(look: &'a Look, totals: GroupTotals<'a>) -> Totals<'a> {
        let GroupTotals { group, members, online } = totals;
        Totals { look, group, members, online, swap: false }
    }

    /// The same, to go to its place by itself.
    pub fn as_swap(self) -> Totals<'a> {
        Totals { swap: true, ..self }
    }

    fn members(&self) -> String {
        self.look.lang.number(self.members)
    }

    /// How many are there: what comes before the number, the number, what comes after it.
    fn online(&self) -> (String, String, String) {
        self.look.lang.counted(key::MEMBERS_ONLINE, self.online)
    }
}
