//! Reads: the list, a member, the group, its bans and mutes, notes, a selection, the feed. Each handler responds with a page, a fragment or
//! data, as the request asks.
//!
//! # Errors
//! Each handler about a group fails with 404 when the viewer may not know of the group, or the person is not a member; the status of the
//! refusal (`problem.rs`) when the rules do not let them see it; 422 when a parameter or a field has a value that is not allowed; and 503
//! when the database cannot be read. The page of a group fails with 409 for the banned.
//!
//! Not here: anything that changes a group (`acts`).

mod feed;
pub(super) mod groups;
pub(super) mod member;
pub(super) mod members;
mod members_csv;
mod members_key;
mod members_window;
pub(super) mod notes;
pub(super) mod restrictions;
pub(super) mod selection;
