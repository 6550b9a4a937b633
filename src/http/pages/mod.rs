//! Reads: the list, a member, the group, the banned, a selection, the feed. Each handler answers with a
//! page, a fragment or data, as the request asks; nothing is changed here.

pub mod bans;
mod feed;
pub mod groups;
pub mod member;
pub mod members;
pub mod selection;
