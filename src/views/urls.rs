//! The addresses of one group, made in one place. The routes that answer them stand in `http/mod.rs` and `http/acts/mod.rs`.

use std::fmt::Display;

use crate::domain::{Guid, Uid};

/// The addresses of one group, without a query.
#[derive(Debug, Clone, Copy)]
pub struct GroupUrls<'a> {
    base: &'a str,
    guid: &'a Guid,
}

impl<'a> GroupUrls<'a> {
    /// The addresses of this group; `base` is the base path or the public URL.
    pub fn new(base: &'a str, guid: &'a Guid) -> GroupUrls<'a> {
        GroupUrls { base, guid }
    }

    /// The group's own page.
    pub fn group(&self) -> String {
        format!("{}/groups/{}", self.base, self.guid)
    }

    /// The list of members.
    pub fn members(&self) -> String {
        self.group() + "/members"
    }

    /// One member.
    pub fn member(&self, uid: impl Display) -> String {
        format!("{}{uid}", self.member_prefix())
    }

    /// The prefix of every member's URL, before the uid.
    pub fn member_prefix(&self) -> String {
        self.members() + "/"
    }

    /// The list of the banned.
    pub fn bans(&self) -> String {
        self.group() + "/bans"
    }

    /// The list of the muted.
    pub fn mutes(&self) -> String {
        self.group() + "/mutes"
    }

    /// The mute of one person.
    pub fn mute(&self, uid: &Uid) -> String {
        format!("{}/{uid}", self.mutes())
    }

    /// The notes about one person.
    pub fn notes(&self, uid: &Uid) -> String {
        self.member(uid) + "/notes"
    }

    /// One note about one person.
    pub fn note(&self, uid: &Uid, id: u64) -> String {
        format!("{}/{id}", self.notes(uid))
    }

    /// The ban of one person.
    pub fn ban(&self, uid: &Uid) -> String {
        format!("{}/bans/{uid}", self.group())
    }

    /// The stream of changes.
    pub fn events(&self) -> String {
        self.group() + "/events"
    }

    /// The URL that undoes the act of this event.
    pub fn undo(&self, seq: u64) -> String {
        format!("{}/{seq}/undo", self.events())
    }

    /// The URL of acts on several people.
    pub fn batch(&self) -> String {
        self.group() + "/bulk"
    }

    /// The URL that selected people are sent to.
    pub fn selection(&self) -> String {
        self.group() + "/selection"
    }
}

/// An address with query parameters appended: of the view, and more.
pub(super) fn with_query(url: &str, query: &str, more: &str) -> String {
    let parts: Vec<&str> = [query, more].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { url.to_owned() } else { format!("{url}?{}", parts.join("&")) }
}
