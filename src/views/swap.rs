//! What a screen does about a change: a message of out-of-band swaps.

use askama::Template;

use super::empty::Empty;
use super::look::Look;
use super::row::{Heading, Row};
use super::totals::Totals;
use crate::domain::{Scope, Uid};

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
