//! One row, one heading, one sentinel: the only place where each is defined.

use askama::Template;

use super::look::Look;
use super::person::Day;
use crate::domain::{Member, OrderKey, Scope, Status};
use crate::roster::Presence;
use crate::slots::Slot;

/// A member's row.
#[derive(Template)]
#[template(path = "members/row.html")]
pub struct Row<'a> {
    pub(super) look: &'a Look,
    pub(super) member: &'a Member,
    pub(super) presence: Presence,
    pub(super) own: bool,
    pub(super) acts: &'a str,
    pub(super) hue: u8,
    pub(super) initials: String,
    pub(super) joined: Day,
}

impl Row<'_> {
    fn badge(&self) -> Option<&'static str> {
        (self.member.scope != Scope::Participant).then(|| scope_word(self.member.scope))
    }

    fn status(&self) -> &'static str {
        status_word(self.presence.status)
    }
}

/// A section's heading.
#[derive(Template)]
#[template(path = "members/heading.html")]
pub struct Heading<'a> {
    pub(super) id: &'a str,
    pub(super) scope: Scope,
    pub(super) order: OrderKey,
    pub(super) count: usize,
    pub(super) seq: u64,
}

impl Heading<'_> {
    fn word(&self) -> &'static str {
        section_word(self.scope)
    }
}

/// Where the loaded window ends, with the link to what comes after.
#[derive(Template)]
#[template(path = "members/sentinel.html")]
pub struct Sentinel<'a> {
    pub(super) look: &'a Look,
    pub(super) end: OrderKey,
}

impl Sentinel<'_> {
    fn href(&self, more: &str) -> String {
        self.look.href_with(&format!("{more}cursor={}", self.end.as_str()))
    }
}

impl askama::filters::HtmlSafe for Row<'_> {}
impl askama::filters::HtmlSafe for Heading<'_> {}
impl askama::filters::HtmlSafe for Sentinel<'_> {}

/// The word for a scope, on a badge.
pub(super) fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Owner => "Owner",
        Scope::Admin => "Admin",
        Scope::Moderator => "Moderator",
        Scope::Participant => "Participant",
    }
}

/// The word for a section.
fn section_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Owner => "Owner",
        Scope::Admin => "Admins",
        Scope::Moderator => "Moderators",
        Scope::Participant => "Participants",
    }
}

/// The word for a status.
fn status_word(status: Status) -> &'static str {
    match status {
        Status::Online => "Online",
        Status::Away => "Away",
        Status::Offline => "Offline",
    }
}
