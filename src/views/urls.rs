//! The addresses of the service, made in one place. The routes that answer them stand in `http/mod.rs` and `http/acts/mod.rs`.

use std::fmt::Display;

use crate::assets;
use crate::domain::{Guid, Uid};
use crate::i18n::Lang;

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

    /// The group's own page in this language.
    pub fn group_in(&self, lang: Lang) -> String {
        self.group() + &language_query(lang)
    }

    /// The owner of the group.
    pub fn owner(&self) -> String {
        self.group() + "/owner"
    }

    /// The list of members.
    pub fn members(&self) -> String {
        self.group() + "/members"
    }

    /// One member.
    pub fn member(&self, uid: impl Display) -> String {
        format!("{}{uid}", self.member_prefix())
    }

    /// The scope of one member.
    pub fn scope(&self, uid: &Uid) -> String {
        self.member(uid) + "/scope"
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

/// The page for people who have left a private group.
pub fn after_leaving(base: &str, lang: Lang) -> String {
    format!("{base}/left{}", language_query(lang))
}

/// One of our scripts or style sheets, by its name in `static/`.
pub fn asset(base: &str, name: &str) -> String {
    format!("{base}{}", assets::url(name))
}

/// The query that names a language, for an address without another query.
pub fn language_query(lang: Lang) -> String {
    format!("?lang={}", lang.tag())
}

/// Any address, which may have a query and a fragment, with further parameters.
pub fn with_parameters(url: &str, parameters: &str) -> String {
    if parameters.is_empty() {
        return url.to_owned();
    }
    let (page, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let between = if page.contains('?') { '&' } else { '?' };
    format!("{page}{between}{parameters}{fragment}")
}

/// An address of ours with its query: the parameters of the view, and more.
pub(super) fn with_query(url: &str, query: &str, more: &str) -> String {
    let parts: Vec<&str> = [query, more].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { url.to_owned() } else { format!("{url}?{}", parts.join("&")) }
}
