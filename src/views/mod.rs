//! What is on the screen: data in, text out. Everything is defined in one template; a view
//! receives answers and asks nothing.

mod act_words;
mod cache;
mod custom;
mod empty;
mod ended;
mod error;
mod feed;
mod list_window;
mod look;
mod menu;
mod pages;
mod panel;
mod props;
mod row;
mod selection;
mod swap;
mod totals;
mod urls;
mod words;

pub use act_words::ActWords;
pub use cache::{CachedWindow, RenderCache};
pub use custom::{Header, OptionsMenu};
pub use ended::Ended;
pub use error::Alert;
pub use feed::{Entry, Feed};
pub use list_window::{GroupTotals, ListWindow};
pub use look::Look;
pub use menu::{ActForm, Menu, MenuActs, MenuItem, offered};
pub use pages::{
    BanRow, BansList, BansPage, ErrorPage, GroupLine, GroupPage, Layout, LeftPage, MemberPage, MembersPage,
};
pub use panel::{Panel, Rows, Section, View as PanelView};
pub use props::{BadProp, GroupBy, Props, Quick, Selection, Theme};
pub use row::{Heading, Row, Sentinel};
pub use selection::{Selected, SelectedMember, SelectionPage};
pub use swap::{Note, Swap, SwapItem};
pub use totals::Totals;
pub use urls::GroupUrls;
pub use words::{banned_until, refused};
