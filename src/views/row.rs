//! One row, one heading, one sentinel: the only place where each is defined.

use std::borrow::Cow;

use askama::Template;

use super::look::Look;
use super::menu::offered;
use super::props::Selection;
use super::words::scope_word;
use crate::domain::{Member, OrderKey, Scope, Standing, Status, hue, initials};
use crate::lang::{Day, Lang, key};
use crate::slots::Slot;

impl Look {
    /// A member's row. `own` when it is the viewer's.
    pub fn row<'a>(&'a self, member: &'a Member, status: Status, own: bool) -> Row<'a> {
        let acts = if own { "" } else { self.acts[member.scope.section()].as_str() };
        let name = member.shown_name();
        Row {
            look: self,
            member,
            status,
            own,
            acts,
            hue: hue(member.uid()),
            initials: initials(&name),
            name,
            joined: Day::of(member.joined_at),
            selection: self.props.selection,
        }
    }

    /// The heading of a section with so many members.
    pub fn heading(&self, scope: Scope, count: usize) -> Heading<'_> {
        Heading { id: &self.id, lang: self.lang, scope, order: OrderKey::heading(scope), count }
    }
}

/// A member's row.
#[derive(Template)]
#[template(path = "members/row.html")]
pub struct Row<'a> {
    pub(super) look: &'a Look,
    pub(super) member: &'a Member,
    pub(super) name: Cow<'a, str>,
    pub(super) status: Status,
    pub(super) own: bool,
    pub(super) acts: &'a str,
    pub(super) hue: u8,
    pub(super) initials: String,
    pub(super) joined: Day,
    pub(super) selection: Selection,
}

impl<'a> Row<'a> {
    /// The same away from its list: there is nothing to select it for.
    pub fn apart(self) -> Row<'a> {
        Row { selection: Selection::None, ..self }
    }

    /// The native control that selects it.
    fn control(&self) -> Option<&'static str> {
        match self.selection {
            Selection::None => None,
            Selection::Single => Some("radio"),
            Selection::Multiple => Some("checkbox"),
        }
    }

    fn is_selected(&self) -> bool {
        !self.look.selected.is_empty() && self.look.selected.contains(self.member.uid())
    }

    /// Whether the viewer's own row has anything in its menu.
    fn has_own_menu(&self) -> bool {
        self.has_options() || !offered(self.look, Standing::Member(self.look.scope), true).is_empty()
    }

    /// Whether it has a button that opens a menu.
    fn has_menu(&self) -> bool {
        if self.own { self.has_own_menu() } else { !self.acts.is_empty() || self.look.explains() || self.has_options() }
    }

    fn badge(&self) -> Option<&'static str> {
        let word = || self.look.lang.escaped(scope_word(self.member.scope)).0;
        (self.member.scope != Scope::Participant).then(word)
    }

    fn status_word(&self) -> &'static str {
        let word = match self.status {
            Status::Online => key::STATUS_ONLINE,
            Status::Away => key::STATUS_AWAY,
            Status::Offline => key::STATUS_OFFLINE,
        };
        self.look.lang.escaped(word).0
    }
}

/// A section's heading.
#[derive(Template)]
#[template(path = "members/heading.html")]
pub struct Heading<'a> {
    pub(super) id: &'a str,
    pub(super) lang: Lang,
    pub(super) scope: Scope,
    pub(super) order: OrderKey,
    pub(super) count: usize,
}

impl Heading<'_> {
    fn word(&self) -> &'static str {
        self.lang.text(match self.scope {
            Scope::Owner => key::SECTION_OWNER,
            Scope::Admin => key::SECTION_ADMIN,
            Scope::Moderator => key::SECTION_MODERATOR,
            Scope::Participant => key::SECTION_PARTICIPANT,
        })
    }
}

/// An end of the window behind which there is more, with the link to it.
#[derive(Template)]
#[template(path = "members/sentinel.html")]
pub struct Sentinel<'a> {
    pub(super) look: &'a Look,
    pub(super) side: Side,
    pub(super) place: OrderKey,
}

/// An end of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Previous,
    Next,
}

impl Side {
    fn as_str(self) -> &'static str {
        match self {
            Side::Previous => "previous",
            Side::Next => "next",
        }
    }
}

impl Sentinel<'_> {
    fn href(&self) -> String {
        let parameter = match self.side {
            Side::Previous => "before",
            Side::Next => "cursor",
        };
        self.look.request_href(&format!("{parameter}={}", self.place.as_str()))
    }

    fn word(&self) -> &'static str {
        self.look.lang.text(match self.side {
            Side::Previous => key::MEMBERS_PREVIOUS,
            Side::Next => key::MEMBERS_NEXT,
        })
    }
}

impl askama::filters::HtmlSafe for Row<'_> {}
impl askama::filters::HtmlSafe for Heading<'_> {}
impl askama::filters::HtmlSafe for Sentinel<'_> {}
