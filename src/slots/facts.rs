//! What a drawing is told. Only what stays true on the screen until an event says otherwise.

use crate::domain::{Group, Guid, Member, Scope, Status, Uid};

/// For a part of a row. Shared by all viewers of a scope, but for the row that is the viewer's own.
#[derive(Debug, Clone, Copy)]
pub struct RowFacts<'a> {
    /// Whose row it is.
    pub member: &'a Member,
    /// Whether they are there; `None` when the view hides statuses.
    pub status: Option<Status>,
    /// Whether it is the viewer's own row.
    pub own: bool,
    /// What the viewer is in the group.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language of the view.
    pub lang: &'a str,
}

/// For the header. Drawn again with every message, so that its numbers stay live.
#[derive(Debug, Clone, Copy)]
pub struct HeaderFacts<'a> {
    /// The title the page asks for, or the built-in one.
    pub title: &'a str,
    /// The group.
    pub group: &'a Group,
    /// How many members it has.
    pub members: usize,
    /// How many of them are there; `None` when the view hides statuses.
    pub online: Option<usize>,
    /// What the viewer is in the group.
    pub viewer: Scope,
    /// Who looks; only for drawings that [use](super::Slots::uses) it.
    pub uid: Option<&'a Uid>,
    /// The built-in numbers, as HTML.
    pub totals: &'a str,
    /// The list of the banned, for those who may see it: a URL.
    pub bans: Option<&'a str>,
    /// The language of the view.
    pub lang: &'a str,
}

/// For what stands in place of rows.
#[derive(Debug, Clone, Copy)]
pub struct EmptyFacts<'a> {
    /// The search text, empty when nothing is searched.
    pub search: &'a str,
    /// The quick filter: `all`, `admins`, `moderators` or `online`.
    pub filter: &'a str,
    /// The list with nothing searched, when something is: a URL.
    pub clear: Option<&'a str>,
    /// What the viewer is in the group.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language of the view.
    pub lang: &'a str,
}

/// For a refusal in the component's error place.
#[derive(Debug, Clone, Copy)]
pub struct ErrorFacts<'a> {
    /// The code, such as `ERR_GROUP_NO_CLEARANCE`.
    pub code: &'a str,
    /// What happened, in a few words.
    pub title: &'a str,
    /// Why, and what to do.
    pub detail: &'a str,
    /// The language of the view.
    pub lang: &'a str,
}

/// For what is shown while rows are on their way.
#[derive(Debug, Clone, Copy)]
pub struct LoadingFacts<'a> {
    /// What the viewer is in the group.
    pub viewer: Scope,
    /// The group.
    pub guid: &'a Guid,
    /// The language of the view.
    pub lang: &'a str,
}
