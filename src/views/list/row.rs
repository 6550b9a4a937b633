//! Rows, headings and sentinels of the list.

use std::borrow::Cow;

use askama::Template;

use super::menu::offered;
use crate::domain::rules::ActorAndTarget;
use crate::domain::{Member, OrderKey, Scope, Section, Status, hue, initials};
use crate::i18n::{ArgsKey, Day, Lang, Message, TextKey, key};
use crate::slots::Slot;
use crate::views::context::ViewContext;
use crate::views::labels::scope_name;
use crate::views::props::Selection;

impl ViewContext {
    /// A member's row. `own` is whether the member is the viewer.
    pub fn row<'a>(&'a self, member: &'a Member, status: Status, own: bool) -> Row<'a> {
        let muted = member.muted().filter(|_| self.sees_mute(own)).map(|muted| muted.until);
        let acts = if muted.is_some() { &self.acts_on_muted } else { &self.acts };
        let acts = if own { "" } else { acts[member.scope.index()].as_str() };
        let name = member.shown_name();
        Row {
            context: self,
            member,
            status,
            own,
            acts,
            hue: hue(member.uid()),
            initials: initials(&name),
            name,
            joined: Day::of(member.joined_at),
            muted,
            selection: self.props.selection,
            is_linked: true,
        }
    }

    /// The heading of a section with `count` members.
    pub fn heading(&self, section: Section, count: usize) -> Heading<'_> {
        let (order, for_older_page) = (OrderKey::heading(section), self.for_older_page);
        Heading { id: &self.id, lang: self.lang, section, order, count, for_older_page }
    }
}

/// A member's row.
#[derive(Template)]
#[template(path = "members/row.html")]
pub struct Row<'a> {
    pub(super) context: &'a ViewContext,
    pub(super) member: &'a Member,
    pub(super) name: Cow<'a, str>,
    pub(super) status: Status,
    pub(super) own: bool,
    pub(super) acts: &'a str,
    pub(super) hue: u8,
    pub(super) initials: String,
    pub(super) joined: Day,
    /// The end of a mute, where the viewer may know.
    pub(super) muted: Option<i64>,
    pub(super) selection: Selection,
    pub(super) is_linked: bool,
}

impl<'a> Row<'a> {
    /// The row without its control for selection and without the link to the member's page, for that page.
    pub fn alone(self) -> Row<'a> {
        Row { selection: Selection::None, is_linked: false, ..self }
    }

    /// The type of the input that selects the row.
    fn control(&self) -> Option<&'static str> {
        match self.selection {
            Selection::None => None,
            Selection::Single => Some("radio"),
            Selection::Multiple => Some("checkbox"),
        }
    }

    fn is_selected(&self) -> bool {
        !self.context.selected.is_empty() && self.context.selected.contains(self.member.uid())
    }

    /// Whether the menu of the viewer's own row has entries.
    fn has_own_menu(&self) -> bool {
        self.has_options() || !offered(self.context, ActorAndTarget::oneself(self.context.scope)).is_empty()
    }

    /// Whether the row has a button that opens its menu.
    fn has_menu(&self) -> bool {
        if !self.is_linked {
            false
        } else if self.own {
            self.has_own_menu()
        } else {
            !self.acts.is_empty() || self.context.explains() || self.has_options()
        }
    }

    /// Whether the name is the link to the acts. Where a template draws the name, or a script of an earlier version looks for the button of
    /// the menu, a link of its own stands at the end of the row.
    fn name_is_link(&self) -> bool {
        self.has_menu() && !self.context.for_older_page && !self.needs_data_attributes(Slot::Title)
    }

    fn badge(&self) -> Option<&'static str> {
        let name = || self.context.lang.escaped_text(scope_name(self.member.scope));
        (self.member.scope != Scope::Participant).then(name)
    }

    /// The text for the end of a mute or a scope.
    fn until(&self, key: ArgsKey, until: &i64) -> String {
        Message::from(key).at(*until).text(self.context.lang)
    }

    fn status_word(&self) -> &'static str {
        let word = match self.status {
            Status::Online => key::STATUS_ONLINE,
            Status::Away => key::STATUS_AWAY,
            Status::Offline => key::STATUS_OFFLINE,
        };
        self.context.lang.escaped_text(word)
    }
}

/// A section's heading.
#[derive(Template)]
#[template(path = "members/heading.html")]
pub struct Heading<'a> {
    pub(super) id: &'a str,
    pub(super) lang: Lang,
    pub(super) section: Section,
    pub(super) order: OrderKey,
    pub(super) count: usize,
    pub(super) for_older_page: bool,
}

impl Heading<'_> {
    fn word(&self) -> &'static str {
        self.lang.text(section_title(self.section))
    }
}

/// The heading of a section.
pub(super) fn section_title(section: Section) -> TextKey {
    match section {
        Section::Owner => key::SECTION_OWNER,
        Section::Admin => key::SECTION_ADMIN,
        Section::Moderator => key::SECTION_MODERATOR,
        Section::Participant => key::SECTION_PARTICIPANT,
    }
}

/// The link to more rows at an end of the window.
#[derive(Template)]
#[template(path = "members/sentinel.html")]
pub struct Sentinel<'a> {
    pub(super) context: &'a ViewContext,
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
        self.context.request_href(&format!("{parameter}={}", self.place.as_str()))
    }

    fn word(&self) -> &'static str {
        self.context.lang.text(match self.side {
            Side::Previous => key::MEMBERS_PREVIOUS,
            Side::Next => key::MEMBERS_NEXT,
        })
    }
}

impl askama::filters::HtmlSafe for Row<'_> {}
impl askama::filters::HtmlSafe for Heading<'_> {}
impl askama::filters::HtmlSafe for Sentinel<'_> {}
