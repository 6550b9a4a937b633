//! The component and what is in it: the list with its header, rows, headings, totals and menus, what is shown without people,
//! and custom templates in place of these.
//!
//! Not here: forms (`forms/`), messages of a stream (`stream/`).

mod empty;
mod ended;
mod list_window;
mod menu;
mod panel;
mod row;
mod slots;
mod totals;

pub use empty::Empty;
pub use ended::Ended;
pub use list_window::{GroupTotals, ListWindow};
pub use menu::{Menu, MenuActs, MenuItem, offered};
pub use panel::{ListView, Panel, Rows, SectionRows};
pub use row::{Heading, Row, Sentinel};
pub use slots::OptionsMenu;
pub use totals::{HeaderSwap, Totals};
