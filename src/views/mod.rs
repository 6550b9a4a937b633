//! Rendering: plain values in, HTML or XML out. A view is a struct with a template in `templates/`, and everything on the
//! screen is defined in exactly one template.
//!
//! `layout` and `pages` are whole pages, `panel` is the component and `list_window`, `row`, `totals` and `empty` what is in it; `menu`,
//! `act_form`, `batch`, `left_out`, `undo` and `notes` show acts, whose appearance is in `acts`. `swap` and `instruction` are messages of
//! a stream, `ended` and `error` what is shown in place of a list, `selection`, `feed` and `reference` other documents. `props/`, `context`,
//! `labels`, `slots` and `urls` are what views are made with, `cache` keeps what was rendered.
//!
//! Not here: queries, permissions of the viewer beyond their scope, and HTTP. A view receives answers, not objects to
//! question.

mod act_form;
mod acts;
mod batch;
mod cache;
mod context;
mod empty;
mod ended;
mod error;
mod feed;
mod instruction;
mod labels;
mod layout;
mod left_out;
mod list_window;
mod menu;
mod notes;
mod pages;
mod panel;
mod props;
mod reference;
mod row;
mod selection;
mod slots;
mod swap;
mod totals;
mod undo;
pub mod urls;

pub use act_form::ActForm;
pub use acts::{ActWords, BatchWords, batch_words, done};
pub use batch::{BatchForm, BatchPage, BatchPreview};
pub use cache::{CachedWindow, RenderCache};
pub use context::{ViewContext, component_id};
pub use empty::Empty;
pub use ended::Ended;
pub use error::Alert;
pub use feed::{AtomEntry, AtomFeed};
pub use instruction::{Instruction, InstructionName};
pub use labels::{banned_until, moderator_message, refused};
pub use layout::Layout;
pub use left_out::{LeftOut, RefusedPeople};
pub use list_window::{GroupTotals, ListWindow};
pub use menu::{Menu, MenuActs, MenuItem, offered};
pub use notes::{NoteList, NotesPanel};
pub use pages::{
    ErrorPage, GroupLine, GroupPage, LeftPage, MemberPage, MembersPage, NotesPage, RestrictionList, RestrictionPage,
    RestrictionRow,
};
pub use panel::{ListView, Panel, Rows, SectionRows};
pub use props::{BadProp, GroupBy, Props, QuickFilter, Selection, Theme};
pub use reference::ReferencePage;
pub use row::{Heading, Row, Sentinel};
pub use selection::{Selected, SelectedMember, SelectionPage};
pub use slots::{Header, OptionsMenu};
pub use swap::{Swap, SwapItem};
pub use totals::{HeaderSwap, Totals};
pub use undo::{Notice, UndoForm, Undoable};
pub use urls::GroupUrls;

/// The version of the markup of lists and messages: a hash of their templates. Pages name the one that they were made with.
pub const MARKUP_VERSION: &str = env!("CHAT_GROUP_MEMBERS_MARKUP");
