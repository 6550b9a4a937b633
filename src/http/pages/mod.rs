//! Reads: the list, a member, the group, the banned, a selection, the feed. Each handler answers with a
//! page, a fragment or data, as the request asks; nothing is changed here.

pub(super) mod bans;
mod feed;
pub(super) mod groups;
pub(super) mod member;
pub(super) mod members;
pub(super) mod selection;
