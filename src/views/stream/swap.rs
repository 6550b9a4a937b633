//! A message of the stream: out-of-band swaps for the rows, headings and header that a change affects.

use askama::Template;

use super::instruction::Instruction;
use crate::domain::{Section, Uid};
use crate::i18n::SafeHtml;
use crate::views::context::ViewContext;
use crate::views::forms::UndoForm;
use crate::views::list::Empty;
use crate::views::list::HeaderSwap;
use crate::views::list::{Heading, Row};

/// One message.
#[derive(Template)]
#[template(path = "members/swap.html")]
pub struct Swap<'a> {
    /// The context that its viewers share.
    pub context: &'a ViewContext,
    /// The changes of the list.
    pub items: Vec<SwapItem<'a>>,
    /// The header, when it changed.
    pub header: Option<HeaderSwap<'a>>,
    /// The message in place of rows, when it may have come or gone.
    pub empty: Option<Empty<'a>>,
}

impl<'a> Swap<'a> {
    /// Changes of the list alone.
    pub fn of_items(context: &'a ViewContext, items: Vec<SwapItem<'a>>) -> Swap<'a> {
        Swap { context, items, header: None, empty: None }
    }
}

/// One change of the list.
pub enum SwapItem<'a> {
    /// The current row of a member who matches the filter.
    Row(Row<'a>),
    /// A member who does not.
    Gone(Uid),
    /// The heading of a section with members.
    Heading(Heading<'a>),
    /// A section without members.
    HeadingGone(Section),
    /// An instruction to the script.
    Instruction(Instruction),
    /// The act that this answers can be undone.
    Undo(UndoForm),
}

impl From<Instruction> for SwapItem<'_> {
    fn from(instruction: Instruction) -> Self {
        SwapItem::Instruction(instruction)
    }
}
