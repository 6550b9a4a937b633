//! Where drawings of the operator or the host stand in for built-in views.

use std::borrow::Cow;

use askama::Template;

use super::empty::Empty;
use super::error::Alert;
use super::list_window::GroupTotals;
use super::look::Look;
use super::panel::View;
use super::props::Quick;
use super::row::Row;
use super::totals::Totals;
use crate::domain::{Member, Status, Uid};
use crate::slots::{
    EmptyFacts, Entries, ErrorFacts, Fact, HeaderFacts, LoadingFacts, MenuFacts, RowFacts, SharedSlots, Slot, tidy,
};

impl Look {
    /// The drawing chosen for this slot, with those who draw it.
    fn chosen(&self, slot: Slot) -> Option<(&SharedSlots, &str)> {
        Some((&self.slots, self.props.views.of(slot)?))
    }

    /// Another text whenever what is drawn by others may be another; `None` when nothing is.
    pub fn drawn(&self) -> Option<String> {
        self.props.views.any().then(|| format!("{:x}", self.slots.version()))
    }

    /// Whether rows say who is there in words that the script does not know.
    pub fn rows_say_status(&self) -> bool {
        let chosen = Slot::ROW.into_iter().filter_map(|slot| self.props.views.of(slot));
        !self.props.hide_user_status && chosen.into_iter().any(|name| self.slots.uses(name, Fact::Status))
    }

    /// The context menu of this member, and whether the built-in acts are in it. `acts` are those
    /// as HTML; `None` on a page, where they are forms.
    pub fn options(
        &self,
        totals: GroupTotals<'_>,
        member: &Member,
        status: Status,
        viewer: &Uid,
        acts: Option<String>,
    ) -> Option<(String, bool)> {
        let (slots, name) = self.chosen(Slot::Options)?;
        let shown = !self.props.hide_user_status;
        let facts = MenuFacts {
            group: totals.group,
            members: totals.members,
            online: shown.then_some(totals.online),
            viewer: self.scope,
            uid: viewer,
            member,
            status: shown.then_some(status),
            own: member.uid() == viewer.as_str(),
            lang: self.lang.tag(),
            entries: Entries::new(acts),
        };
        let entries = slots.options(name, &facts)?;
        Some((tidy(entries), facts.has_acts()))
    }

    /// A refusal as a drawing says it.
    pub fn error(&self, alert: &Alert<'_>) -> Option<String> {
        let (slots, name) = self.chosen(Slot::Error)?;
        let facts = ErrorFacts { code: alert.code, title: alert.title, detail: alert.plain, lang: self.lang.tag() };
        slots.error(name, &facts).map(tidy)
    }
}

impl Row<'_> {
    /// This part of the row as a drawing has it.
    pub(super) fn drawn(&self, slot: Slot) -> Option<String> {
        let (slots, name) = self.look.chosen(slot)?;
        let facts = RowFacts {
            member: self.member,
            status: Some(self.status).filter(|_| !self.look.props.hide_user_status),
            own: self.own,
            viewer: self.look.scope,
            guid: &self.look.guid,
            lang: self.look.lang.tag(),
        };
        slots.row(slot, name, &facts).map(tidy)
    }

    /// Whether what scripts read out of this part is said in attributes, since a drawing may not.
    pub(super) fn says_in_attributes(&self, part: Slot) -> bool {
        let views = &self.look.props.views;
        views.of(part).or(views.of(Slot::Item)).is_some()
    }

    /// Whether there is a menu although the law allows no act.
    pub(super) fn has_options(&self) -> bool {
        self.look.props.views.of(Slot::Options).is_some()
    }
}

/// The header as a drawing has it; takes the place of the built-in numbers in every message.
#[derive(Template)]
#[template(path = "members/header.html")]
pub struct Header<'a> {
    id: &'a str,
    swap: bool,
    markup: String,
}

impl askama::filters::HtmlSafe for Header<'_> {}

impl Totals<'_> {
    /// The header around these numbers, when it is drawn by others.
    pub(super) fn header(&self) -> Option<Header<'_>> {
        let look = self.look;
        let (slots, name) = look.chosen(Slot::Header)?;
        let totals = Totals { swap: false, ..*self }.render().ok()?;
        let bans = look.sees_bans().then(|| look.urls().bans());
        let facts = HeaderFacts {
            title: look.title(),
            group: self.group,
            members: self.members,
            online: Some(self.online).filter(|_| !look.props.hide_user_status),
            viewer: look.scope,
            uid: look.viewer.as_ref(),
            totals: &totals,
            bans: bans.as_deref(),
            lang: look.lang.tag(),
        };
        let markup = tidy(slots.header(name, &facts)?);
        Some(Header { id: &look.id, swap: self.swap, markup })
    }
}

impl Empty<'_> {
    /// What stands in place of rows, when it is drawn by others.
    pub(super) fn drawn(&self) -> Option<String> {
        let (slots, name) = self.look.chosen(Slot::Empty)?;
        let clear = self.clear();
        let facts = EmptyFacts {
            search: &self.look.props.search,
            filter: match self.look.props.quick {
                Quick::All => "all",
                Quick::Admins => "admins",
                Quick::Moderators => "moderators",
                Quick::Online => "online",
            },
            clear: clear.as_deref(),
            viewer: self.look.scope,
            guid: &self.look.guid,
            lang: self.look.lang.tag(),
        };
        slots.empty(name, &facts).map(tidy)
    }
}

impl View<'_> {
    /// What is shown while rows are on their way, when it is drawn by others.
    pub(super) fn loading(&self) -> Option<String> {
        let look = self.look;
        let (slots, name) = look.chosen(Slot::Loading)?;
        slots.loading(name, &LoadingFacts { viewer: look.scope, guid: &look.guid, lang: look.lang.tag() }).map(tidy)
    }
}

/// The context menu with entries that others made.
#[derive(Template)]
#[template(path = "members/options.html")]
pub struct OptionsMenu<'a> {
    /// The address of its styles.
    pub style: String,
    /// Who it is about.
    pub name: Cow<'a, str>,
    /// The entries, as HTML.
    pub entries: String,
}
