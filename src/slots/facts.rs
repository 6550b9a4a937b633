//! The facts that templates get: only those that stay true on a screen until an event changes them.

use crate::domain::{Group, Guid, Member, Scope, Status, Uid};

/// The facts for a part of a row. All viewers of a scope share it, except for their own row.
#[derive(Debug, Clone, Copy)]
pub struct RowFacts<'a> {
    /// The member.
    pub member: &'a Member,
    /// The status; `None` when the props hide statuses.
    pub status: Option<Status>,
    /// Whether it is the viewer's own row.
    pub own: bool,
    /// The viewer's scope.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language.
    pub lang: &'a str,
}

/// The facts for the header. It is rendered again with every message, so that its numbers stay live.
#[derive(Debug, Clone, Copy)]
pub struct HeaderFacts<'a> {
    /// The requested title, or the built-in one.
    pub title: &'a str,
    /// The group.
    pub group: &'a Group,
    /// The number of its members.
    pub members: usize,
    /// The number of its members who are online or away; `None` when the props hide statuses.
    pub online: Option<usize>,
    /// The viewer's scope.
    pub viewer: Scope,
    /// The viewer; only for templates that [use](super::Slots::uses) it.
    pub uid: Option<&'a Uid>,
    /// The built-in totals, as HTML.
    pub totals: &'a str,
    /// The URL of the list of bans, for viewers who may see it.
    pub bans: Option<&'a str>,
    /// The language.
    pub lang: &'a str,
}

/// The facts for the message in place of rows.
#[derive(Debug, Clone, Copy)]
pub struct EmptyFacts<'a> {
    /// The search text; empty without a search.
    pub search: &'a str,
    /// The quick filter: `all`, `admins`, `moderators` or `online`.
    pub filter: &'a str,
    /// The URL of the list without search and quick filter, when either is active.
    pub clear: Option<&'a str>,
    /// The viewer's scope.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language.
    pub lang: &'a str,
}

/// The facts for an error message in the component.
#[derive(Debug, Clone, Copy)]
pub struct ErrorFacts<'a> {
    /// The code, such as `ERR_GROUP_NO_CLEARANCE`.
    pub code: &'a str,
    /// The problem in a few words.
    pub title: &'a str,
    /// Why, and what to do.
    pub detail: &'a str,
    /// The language.
    pub lang: &'a str,
}

/// The facts for the content shown while rows are loading.
#[derive(Debug, Clone, Copy)]
pub struct LoadingFacts<'a> {
    /// The viewer's scope.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language.
    pub lang: &'a str,
}
