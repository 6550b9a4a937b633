//! Reads: the list, a member, the group, the bans, notes, a selection, the feed. Each handler responds with a page, a fragment or
//! data, as the request asks.
//!
//! Not here: anything that changes a group (`acts`).

pub(super) mod bans;
mod feed;
pub(super) mod groups;
pub(super) mod member;
pub(super) mod members;
mod members_csv;
pub(super) mod notes;
pub(super) mod selection;
