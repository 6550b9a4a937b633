//! Custom templates in place of built-in parts: the facts that each slot gets, and what becomes of the result.

use std::borrow::Cow;

use askama::Template;

use super::empty::Empty;
use super::list_window::GroupTotals;
use super::panel::ListView;
use super::row::Row;
use super::totals::Totals;
use crate::domain::{Member, Status, Uid};
use crate::slots::{
    EmptyFacts, Entries, ErrorFacts, Fact, HeaderFacts, LoadingFacts, MenuFacts, RowFacts, SharedSlots, Slot, tidy,
};
use crate::views::context::ViewContext;
use crate::views::error::Alert;

impl ViewContext {
    /// The name of the template chosen for a slot.
    fn template(&self, slot: Slot) -> Option<(&SharedSlots, &str)> {
        Some((&self.slots, self.props.templates.of(slot)?))
    }

    /// The version of the custom templates; `None` when the props choose none.
    pub fn templates_version(&self) -> Option<String> {
        self.props.templates.any().then(|| format!("{:x}", self.slots.version()))
    }

    /// Whether a template of a row shows the status, which the script then cannot update by itself.
    pub fn rows_show_status(&self) -> bool {
        let chosen = Slot::ROW.into_iter().filter_map(|slot| self.props.templates.of(slot));
        !self.props.hide_user_status && chosen.into_iter().any(|name| self.slots.uses(name, Fact::Status))
    }

    /// The custom context menu of this member, and whether it contains the built-in acts. `acts` are those as HTML; `None`
    /// on a page, where they are forms.
    pub fn options(
        &self,
        totals: GroupTotals<'_>,
        member: &Member,
        status: Status,
        viewer: &Uid,
        acts: Option<String>,
    ) -> Option<(String, bool)> {
        let (slots, name) = self.template(Slot::Options)?;
        let shows_status = !self.props.hide_user_status;
        let facts = MenuFacts {
            group: totals.group,
            members: totals.members,
            online: shows_status.then_some(totals.online),
            viewer: self.scope,
            uid: viewer,
            member,
            status: shows_status.then_some(status),
            own: member.uid() == viewer.as_str(),
            lang: self.lang.tag(),
            entries: Entries::new(acts),
        };
        let entries = slots.options(name, &facts)?;
        Some((tidy(entries), facts.has_acts()))
    }

    /// A refusal as rendered by the custom template.
    pub fn error(&self, alert: &Alert<'_>) -> Option<String> {
        let (slots, name) = self.template(Slot::Error)?;
        let facts = ErrorFacts { code: alert.code, title: alert.title, detail: alert.plain, lang: self.lang.tag() };
        slots.error(name, &facts).map(tidy)
    }
}

impl Row<'_> {
    /// This part of the row as rendered by its custom template.
    pub(super) fn custom(&self, slot: Slot) -> Option<String> {
        let (slots, name) = self.context.template(slot)?;
        let facts = RowFacts {
            member: self.member,
            status: Some(self.status).filter(|_| !self.context.props.hide_user_status),
            own: self.own,
            viewer: self.context.scope,
            guid: &self.context.guid,
            lang: self.context.lang.tag(),
        };
        slots.row(slot, name, &facts).map(tidy)
    }

    /// Whether the data that scripts read from this part must be in attributes, because a custom template may omit it.
    pub(super) fn needs_data_attributes(&self, part: Slot) -> bool {
        let templates = &self.context.props.templates;
        templates.of(part).or(templates.of(Slot::Item)).is_some()
    }

    /// Whether the row has a custom menu, which may have entries even when no act is allowed.
    pub(super) fn has_options(&self) -> bool {
        self.context.props.templates.of(Slot::Options).is_some()
    }
}

/// A custom header. It replaces the built-in totals in every message.
#[derive(Template)]
#[template(path = "members/header.html")]
pub(super) struct Header<'a> {
    id: &'a str,
    swap: bool,
    markup: String,
}

impl askama::filters::HtmlSafe for Header<'_> {}

impl Totals<'_> {
    /// Whether the component has a custom header.
    pub fn has_custom_header(&self) -> bool {
        !self.context.props.hide_header && self.context.props.templates.of(Slot::Header).is_some()
    }

    /// The custom header with these totals, when one is chosen.
    pub(super) fn header(&self) -> Option<Header<'_>> {
        let context = self.context;
        let (slots, name) = context.template(Slot::Header)?;
        let totals = Totals { swap: false, ..*self }.render().ok()?;
        let bans = context.sees_bans().then(|| context.urls().bans());
        let facts = HeaderFacts {
            title: context.title(),
            group: self.group,
            members: self.members,
            online: Some(self.online).filter(|_| !context.props.hide_user_status),
            viewer: context.scope,
            uid: context.viewer.as_ref(),
            totals: &totals,
            bans: bans.as_deref(),
            lang: context.lang.tag(),
        };
        let markup = tidy(slots.header(name, &facts)?);
        Some(Header { id: &context.id, swap: self.swap, markup })
    }
}

impl Empty<'_> {
    /// The custom message in place of rows.
    pub(super) fn custom(&self) -> Option<String> {
        let (slots, name) = self.context.template(Slot::Empty)?;
        let clear = self.clear();
        let facts = EmptyFacts {
            search: &self.context.props.search,
            filter: self.context.props.quick_filter.name(),
            clear: clear.as_deref(),
            viewer: self.context.scope,
            guid: &self.context.guid,
            lang: self.context.lang.tag(),
        };
        slots.empty(name, &facts).map(tidy)
    }
}

impl ListView<'_> {
    /// The custom content shown while rows are loading.
    pub(super) fn loading(&self) -> Option<String> {
        let context = self.context;
        let (slots, name) = context.template(Slot::Loading)?;
        slots
            .loading(name, &LoadingFacts { viewer: context.scope, guid: &context.guid, lang: context.lang.tag() })
            .map(tidy)
    }
}

/// A custom context menu.
#[derive(Template)]
#[template(path = "members/options.html")]
pub struct OptionsMenu<'a> {
    /// The URL of its style sheet.
    pub style: String,
    /// The person's name.
    pub name: Cow<'a, str>,
    /// The entries, as HTML.
    pub entries: String,
}
