//! Rendering: plain values in, HTML or XML out. A view is a struct with a template in `templates/`, and everything on the
//! screen is defined in exactly one template.
//!
//! `documents/` are whole pages and feeds, `list/` is the component and what is in it, `forms/` are acts before and after they happen, and
//! `stream/` the messages that change a page. The rest is what they are made with: `acts` has the words of each act, `event_words` those of
//! each event, `labels` those of people's states; `props/`, `context` and `urls`; `layout` is the frame of a page, `error` an alert,
//! and `cache` keeps what was rendered.
//!
//! Not here: queries, permissions of the viewer beyond their scope, and HTTP. A view receives answers, not objects to
//! question.

mod acts;
mod cache;
mod context;
mod documents;
mod error;
mod event_words;
mod forms;
mod labels;
mod layout;
mod list;
mod props;
mod stream;
pub mod urls;

pub use acts::{ActWords, BatchWords, batch_words, done};
pub use cache::{CachedWindow, RenderCache};
pub use context::{ViewContext, component_id};
pub use documents::{
    AtomEntry, AtomFeed, ErrorPage, GroupLine, GroupPage, LeftPage, MemberPage, MembersPage, NotesPage, ReferencePage,
    RestrictionList, RestrictionPage, RestrictionRow, Selected, SelectedMember, SelectionPage,
};
pub use error::{Alert, WayBack};
pub use event_words::{change_in_words, event_in_feed};
pub use forms::{
    ActForm, BatchForm, BatchPage, BatchPreview, LeftOut, NoteList, NotesPanel, Notice, RefusedPeople, UndoForm,
    Undoable,
};
pub use labels::{banned_until, moderator_message, refused, refused_of_several};
pub use layout::Layout;
pub use list::{
    Empty, Ended, GroupTotals, HeaderSwap, Heading, ListView, ListWindow, Menu, MenuActs, MenuItem, OptionsMenu, Panel,
    Row, Rows, SectionRows, Sentinel, Totals, offered,
};
pub use props::{BadProp, GroupBy, Props, QuickFilter, Selection, Theme};
pub use stream::{Instruction, InstructionName, Swap, SwapItem};
pub use urls::GroupUrls;

/// The version of the markup of lists and messages: a hash of their templates. Pages name the one that they were made with.
pub const MARKUP_VERSION: &str = env!("CHAT_GROUP_MEMBERS_MARKUP");
