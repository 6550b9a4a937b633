//! Whole documents: the pages around a component, a form or a list, the Atom feed, and the reference of the REST interface.
//!
//! Not here: the frame of every page (`layout.rs`).

mod feed;
mod pages;
mod reference;
mod selection;

pub use feed::{AtomEntry, AtomFeed};
pub use pages::{
    ErrorPage, GroupLine, GroupPage, LeftPage, MemberPage, MembersPage, NotesPage, RestrictionList, RestrictionPage,
    RestrictionRow,
};
pub use reference::ReferencePage;
pub use selection::{Selected, SelectedMember, SelectionPage};
