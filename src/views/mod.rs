//! What is on the screen: data in, text out. Everything is defined in one template; a view
//! receives answers and asks nothing.

mod custom;
mod error;
mod feed;
mod look;
mod menu;
mod pages;
mod panel;
mod person;
mod props;
mod refused;
mod row;
mod selection;
mod swap;

pub use custom::{Header, OptionsMenu};
pub use error::Alert;
pub use feed::{Entry, Feed};
pub use look::Look;
pub use menu::{ActForm, ActKind, Menu, MenuActs, MenuItem, offered};
pub use pages::{
    BanRow, BansList, BansPage, ErrorPage, GroupLine, GroupPage, Layout, LeftPage, MemberPage, MembersPage,
};
pub use panel::{Ended, Panel, Rows, Section, View as PanelView};
pub use person::{Day, hue, initials};
pub use props::{BadProp, GroupBy, Props, Quick, Selection, Theme};
pub use refused::{banned_until, refused};
pub use row::{Heading, Row, Sentinel};
pub use selection::{Selected, SelectedMember, SelectionPage};
pub use swap::{Note, Swap, SwapItem, Totals};
