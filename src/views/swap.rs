//! What a screen does about a change: a message of out-of-band swaps.

use askama::Template;

use super::look::Look;
use super::panel::Empty;
use super::row::{Heading, Row};
use crate::domain::{Group, Scope, Uid};
use crate::lang::key;
use crate::live::State;

/// One message: everything in it goes to its place by itself.
#[derive(Template)]
#[template(path = "members/swap.html")]
pub struct Swap<'a> {
    /// How its viewers see the group.
    pub look: &'a Look,
    /// What goes into the list.
    pub items: Vec<SwapItem<'a>>,
    /// The numbers in the header, when they may be others.
    pub totals: Option<Totals<'a>>,
    /// How many match in all; says whether the list is empty.
    pub count: usize,
}

impl Swap<'_> {
    fn empty(&self) -> Empty<'_> {
        Empty { look: self.look, count: self.count, swap: true }
    }
}

/// Something that goes into the list, or out of it.
pub enum SwapItem<'a> {
    /// A member who is in this view, as they are now.
    Row(Row<'a>),
    /// A member who is not.
    Gone(Uid),
    /// A section that has members.
    Heading(Heading<'a>),
    /// A section that has none.
    HeadingGone(Scope),
    /// A word to the script.
    Note(Note),
}

/// A word to the script, as attributes of a hidden element.
pub struct Note {
    /// What it is about.
    pub name: &'static str,
    /// Further `data-` attributes.
    pub data: Vec<(&'static str, String)>,
}

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
    pub fn new(look: &'a Look, state: &'a State) -> Totals<'a> {
        Totals {
            look,
            group: state.roster().group(),
            members: state.roster().len(),
            online: state.roster().online_len(),
            swap: false,
        }
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
