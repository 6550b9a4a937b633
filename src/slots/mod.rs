//! Slots: the parts of the component that an operator, or a host written in Rust, can render with templates of their own.
//!
//! A page chooses a template by name: `?itemView=card` requests the one called `card`. Operators put templates into the
//! folder of `--views` ([`Folder`]); a host in Rust implements [`Slots`] and opens the service with
//! [`App::open_with_slots`](crate::app::App::open_with_slots).
//!
//! Not here: the built-in parts, and where a slot's output goes (`views`).

mod bounds;
mod context;
mod engine;
mod environment;
mod facts;
mod fault;
mod folder;
mod marks;
mod menu;
mod panic_safe;
mod sample;
mod shared;

use std::fmt;

pub use facts::{EmptyFacts, ErrorFacts, HeaderFacts, LoadingFacts, RowFacts};
pub use fault::Fault;
pub use folder::{Folder, FolderError};
pub(crate) use menu::Entries;
pub use menu::{BadLink, MenuFacts};
pub use shared::SharedSlots;

/// A part of the component that a custom template can replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A whole row except its menu button.
    Item,
    /// A row's second line.
    Subtitle,
    /// A row's picture and status.
    Leading,
    /// A row's name.
    Title,
    /// A row's badge.
    Trailing,
    /// The content of the header.
    Header,
    /// The message in place of rows.
    Empty,
    /// An error message.
    Error,
    /// The content shown while rows are loading.
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
    /// The slots of a row.
    pub const ROW: [Slot; 5] = [Slot::Item, Slot::Subtitle, Slot::Leading, Slot::Title, Slot::Trailing];

    /// The query parameter that chooses its template.
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

/// A fact that makes updates more expensive when a template uses it. Templates that do not use it are spared the cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// A template of a row uses the status: a screen that reconnects has to request its rows again.
    Status,
    /// A header uses the viewer: it is rendered for each viewer instead of once for all of a scope.
    Viewer,
}

/// Renders slots. Methods are called for every row of every message, so they must be fast.
///
/// The result is HTML that goes to the page as it is, so text from people must be [`escaped`]. `None` selects the
/// built-in part. The result may depend only on the given facts: viewers share it, and it is rendered again only when a
/// fact changes. Where a method panics the built-in part is shown, and the failure is counted.
pub trait Slots: Send + Sync {
    /// The names of the templates, sorted. Every slot has the same.
    fn names(&self) -> Vec<String>;

    /// A number that changes when templates change, so that open pages render again. Nodes with equal templates return the
    /// same number.
    fn version(&self) -> u64 {
        0
    }

    /// Called about once a second, on a thread that may block, to detect changes of the templates.
    fn refresh(&self) {}

    /// Why templates cannot be read again, for operators: those that were loaded before are still used.
    fn unreadable(&self) -> Option<String> {
        None
    }

    /// Whether the template may use the fact. A wrong `false` lets its output become stale.
    fn uses(&self, _name: &str, _fact: Fact) -> bool {
        true
    }

    /// A part of a row, one of [`Slot::ROW`].
    fn row(&self, _slot: Slot, _name: &str, _facts: &RowFacts<'_>) -> Option<String> {
        None
    }

    /// The content of the header.
    fn header(&self, _name: &str, _facts: &HeaderFacts<'_>) -> Option<String> {
        None
    }

    /// The message in place of rows.
    fn empty(&self, _name: &str, _facts: &EmptyFacts<'_>) -> Option<String> {
        None
    }

    /// An error message.
    fn error(&self, _name: &str, _facts: &ErrorFacts<'_>) -> Option<String> {
        None
    }

    /// The content shown while rows are loading.
    fn loading(&self, _name: &str, _facts: &LoadingFacts<'_>) -> Option<String> {
        None
    }

    /// The entries of a context menu, made with [`MenuFacts::option`], [`MenuFacts::link`] and
    /// [`MenuFacts::acts`].
    fn options(&self, _name: &str, _facts: &MenuFacts<'_>) -> Option<String> {
        None
    }
}

/// The names of the templates that a page has chosen, by slot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen([Option<Box<str>>; Slot::ALL.len()]);

impl Chosen {
    /// Most characters of a name.
    const MAX_NAME: usize = 64;

    /// Chooses the template `name`, or the built-in part when it is empty.
    ///
    /// # Errors
    /// When this cannot be a name: a phrase about what a name is.
    pub fn choose(&mut self, slot: Slot, name: &str) -> Result<(), String> {
        if !name.is_empty() && !is_name(name) {
            return Err(format!(
                "a template's name: 1 to {} characters out of A-Z, a-z, 0-9, _ and -",
                Chosen::MAX_NAME
            ));
        }
        self.0[slot as usize] = Some(name.into()).filter(|_| !name.is_empty());
        Ok(())
    }

    /// The template chosen for this slot.
    pub fn of(&self, slot: Slot) -> Option<&str> {
        self.0[slot as usize].as_deref()
    }

    /// The chosen templates.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &str)> {
        Slot::ALL.into_iter().filter_map(|slot| Some((slot, self.of(slot)?)))
    }

    /// Whether any template is chosen.
    pub fn any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Checks that the chosen templates exist.
    ///
    /// # Errors
    /// The slot whose template does not exist, and a phrase about the ones that do.
    pub fn check(&self, slots: &SharedSlots) -> Result<(), (Slot, String)> {
        if !self.any() {
            return Ok(());
        }
        let names = slots.names();
        match self.iter().find(|(_, name)| !names.iter().any(|existing| existing == name)) {
            None => Ok(()),
            Some((slot, _)) if names.is_empty() => {
                Err((slot, "the name of an operator's template; this service has none".into()))
            }
            Some((slot, _)) => Err((slot, format!("the name of a template that is there: {}", names.join(", ")))),
        }
    }
}

/// Text escaped for HTML, between tags and in quoted attributes.
pub fn escaped(text: &str) -> impl fmt::Display + '_ {
    minijinja::HtmlEscape(text)
}

/// Whether this can be the name of a template.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    (1..=Chosen::MAX_NAME).contains(&text.len()) && text.bytes().all(plain)
}

/// Removes empty lines and carriage returns. Messages of a stream cannot contain them, and every other response has to
/// contain the same markup.
pub(crate) fn tidy(markup: String) -> String {
    let markup = if markup.contains('\r') { markup.replace('\r', "\n") } else { markup };
    if !markup.contains("\n\n") && !markup.starts_with('\n') && !markup.ends_with('\n') {
        return markup;
    }
    markup.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
