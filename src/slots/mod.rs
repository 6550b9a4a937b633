//! The parts of the component that an operator, or a host written in Rust, may draw in their own
//! way: rows or parts of them, the header, what stands there when nothing else does, and menus.
//!
//! A page chooses by name: `?itemView=card` asks for the drawing called `card`. Operators put
//! templates into the folder `--views` ([`Folder`]); a host in Rust implements [`Slots`] and opens
//! the service with [`App::open_with_slots`](crate::app::App::open_with_slots).

mod context;
mod engine;
mod facts;
mod folder;
mod menu;
mod sample;

use std::fmt;
use std::sync::Arc;

pub use engine::Fault;
pub use facts::{EmptyFacts, ErrorFacts, HeaderFacts, LoadingFacts, RowFacts};
pub use folder::{Folder, FolderError};
pub(crate) use menu::Entries;
pub use menu::{BadLink, MenuFacts};

/// A part of the component that can be drawn in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Everything inside a row but its menu button.
    Item,
    /// A row's second line.
    Subtitle,
    /// A row's picture and status.
    Leading,
    /// A row's name.
    Title,
    /// A row's badge.
    Trailing,
    /// Everything inside the header.
    Header,
    /// What stands in place of rows when there are none.
    Empty,
    /// What a refusal says.
    Error,
    /// What is shown while rows are on their way.
    Loading,
    /// The context menu.
    Options,
}

impl Slot {
    /// Every slot.
    pub const ALL: [Slot; 10] = [
        Slot::Item,
        Slot::Subtitle,
        Slot::Leading,
        Slot::Title,
        Slot::Trailing,
        Slot::Header,
        Slot::Empty,
        Slot::Error,
        Slot::Loading,
        Slot::Options,
    ];
    /// Those inside a row.
    pub const ROW: [Slot; 5] = [Slot::Item, Slot::Subtitle, Slot::Leading, Slot::Title, Slot::Trailing];

    /// The query parameter that chooses a drawing for it.
    pub fn parameter(self) -> &'static str {
        match self {
            Slot::Item => "itemView",
            Slot::Subtitle => "subtitleView",
            Slot::Leading => "leadingView",
            Slot::Title => "titleView",
            Slot::Trailing => "trailingView",
            Slot::Header => "headerView",
            Slot::Empty => "emptyView",
            Slot::Error => "errorView",
            Slot::Loading => "loadingView",
            Slot::Options => "options",
        }
    }
}

/// A fact whose use costs more than that of others. Drawings that do not use it avoid the cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// A row slot says whether somebody is there: a screen that comes back asks for its rows again.
    Status,
    /// A header says who looks: it is drawn for each viewer, not once for all of a scope.
    Viewer,
}

/// Who draws the slots. Every method may be called for every row of every message: be quick.
///
/// What is returned is HTML and goes to the page as it is: what comes from people is [`escaped`]. `None`
/// means that the built-in view is drawn. A drawing depends on nothing but the facts it is given:
/// viewers share it, and what is on a screen is drawn anew only when a fact has changed.
pub trait Slots: Send + Sync {
    /// The names that a page may choose, sorted. The same names for every slot.
    fn names(&self) -> Vec<String>;

    /// Another number when drawings are others than before: pages are then drawn anew, and open
    /// ones renew themselves. The same on all nodes that draw alike.
    fn version(&self) -> u64 {
        0
    }

    /// Called about once a second, where blocking is allowed: the moment to look whether
    /// [`version`](Slots::version) must be another.
    fn refresh(&self) {}

    /// Whether the drawing of this name may say this. A wrong `false` makes it stale.
    fn uses(&self, _name: &str, _fact: Fact) -> bool {
        true
    }

    /// A part of a row, one of [`Slot::ROW`].
    fn row(&self, _slot: Slot, _name: &str, _facts: &RowFacts<'_>) -> Option<String> {
        None
    }

    /// The inside of the header.
    fn header(&self, _name: &str, _facts: &HeaderFacts<'_>) -> Option<String> {
        None
    }

    /// What stands there when there are no rows.
    fn empty(&self, _name: &str, _facts: &EmptyFacts<'_>) -> Option<String> {
        None
    }

    /// What a refusal says.
    fn error(&self, _name: &str, _facts: &ErrorFacts<'_>) -> Option<String> {
        None
    }

    /// What is shown while rows are on their way.
    fn loading(&self, _name: &str, _facts: &LoadingFacts<'_>) -> Option<String> {
        None
    }

    /// The entries of a context menu, made with [`MenuFacts::option`], [`MenuFacts::link`] and
    /// [`MenuFacts::acts`].
    fn options(&self, _name: &str, _facts: &MenuFacts<'_>) -> Option<String> {
        None
    }
}

/// Slots as the service holds them. Cheap to clone.
#[derive(Clone)]
pub struct SharedSlots(Arc<dyn Slots>);

impl SharedSlots {
    /// These slots.
    pub fn new(slots: impl Slots + 'static) -> SharedSlots {
        SharedSlots(Arc::new(slots))
    }
}

impl Default for SharedSlots {
    /// Nothing to choose: everything is as it is built in.
    fn default() -> Self {
        struct BuiltIn;
        impl Slots for BuiltIn {
            fn names(&self) -> Vec<String> {
                Vec::new()
            }
        }
        SharedSlots::new(BuiltIn)
    }
}

impl std::ops::Deref for SharedSlots {
    type Target = dyn Slots;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for SharedSlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedSlots").field(&self.names()).finish()
    }
}

/// The drawings that a page has chosen, by slot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen([Option<Box<str>>; Slot::ALL.len()]);

impl Chosen {
    /// Longest name.
    const LONGEST: usize = 64;

    /// Chooses the drawing `name`, or the built-in one when it is empty.
    ///
    /// # Errors
    /// A sentence about what a name may look like, when this is none.
    pub fn choose(&mut self, slot: Slot, name: &str) -> Result<(), String> {
        if !name.is_empty() && !is_name(name) {
            return Err(format!(
                "a template's name: 1 to {} characters out of A-Z, a-z, 0-9, _ and -",
                Chosen::LONGEST
            ));
        }
        self.0[slot as usize] = Some(name.into()).filter(|_| !name.is_empty());
        Ok(())
    }

    /// The drawing chosen for this slot.
    pub fn of(&self, slot: Slot) -> Option<&str> {
        self.0[slot as usize].as_deref()
    }

    /// All that is chosen.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &str)> {
        Slot::ALL.into_iter().filter_map(|slot| Some((slot, self.of(slot)?)))
    }

    /// Whether anything is.
    pub fn any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Whether all that is chosen is there.
    ///
    /// # Errors
    /// A sentence with the first slot whose drawing does not exist, and those that exist.
    pub fn check(&self, slots: &SharedSlots) -> Result<(), (Slot, String)> {
        if !self.any() {
            return Ok(());
        }
        let names = slots.names();
        match self.iter().find(|(_, name)| !names.iter().any(|there| there == name)) {
            None => Ok(()),
            Some((slot, _)) if names.is_empty() => {
                Err((slot, "the name of an operator's template; this service has none".into()))
            }
            Some((slot, _)) => Err((slot, format!("the name of a template that is there: {}", names.join(", ")))),
        }
    }
}

/// Text as HTML, for between tags and for quoted attributes.
pub fn escaped(text: &str) -> impl fmt::Display + '_ {
    minijinja::HtmlEscape(text)
}

/// Whether this can be the name of a drawing.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    (1..=Chosen::LONGEST).contains(&text.len()) && text.bytes().all(plain)
}

/// Markup as every response sends it. Messages of a stream cannot contain empty lines or carriage returns, so
/// that no other response contains them either.
pub(crate) fn tidy(markup: String) -> String {
    let markup = if markup.contains('\r') { markup.replace('\r', "\n") } else { markup };
    if !markup.contains("\n\n") && !markup.starts_with('\n') && !markup.ends_with('\n') {
        return markup;
    }
    markup.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
