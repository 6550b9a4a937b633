//! Everything that rendering depends on besides the data. Viewers with the same context get the same bytes.

use std::collections::HashSet;
use std::sync::Arc;

use strum::VariantArray;

use super::acts::{ActWords, is_hidden, menu_order};
use super::props::{GroupBy, Props, Selection};
use super::urls::{self, GroupUrls, with_query};
use crate::domain::rules::{self, ActorAndTarget};
use crate::domain::{ActKind, BatchAct, Guid, Member, PresenceMode, Scope, Uid};
use crate::i18n::{Lang, key};
use crate::slots::{Fact, SharedSlots, Slot};

/// A viewer's context: scope, props, language and group.
#[derive(Debug, Clone)]
pub struct ViewContext {
    /// Prefix of every element id: `cgm-{guid}` or `cgm-{guid}-{instance}`.
    pub id: String,
    /// The start of every URL: base path or public URL.
    pub base: Arc<str>,
    /// The group.
    pub guid: Guid,
    /// The props.
    pub props: Props,
    /// The props as a query string for URLs that people see. It contains a language only when one was requested.
    pub query: String,
    /// The props as a query string for the component's own requests. It always contains the language, so that the response
    /// does not depend on the browser's.
    pub request: String,
    /// The language.
    pub lang: Lang,
    /// The start of a member's URL.
    pub(super) member_href: String,
    /// The end of a member's URL: the query.
    pub(super) member_query: String,
    /// The viewer's scope.
    pub scope: Scope,
    /// The custom templates.
    pub slots: SharedSlots,
    /// The viewer, only when a chosen template depends on it. The context is then not shared.
    pub viewer: Option<Uid>,
    /// The members selected when the page opens: those that the viewer had selected before.
    pub(super) selected: Arc<HashSet<Uid>>,
    /// Within which time an act can be undone, milliseconds; 0: never.
    pub undo_window: i64,
    /// Whether rows and messages also hold what only scripts of pages from before [`MARKUP_VERSION`](super::MARKUP_VERSION) look for:
    /// ids, the button of the menu, headings.
    pub for_older_page: bool,
    /// The acts that the viewer's scope allows on a member of each scope, space-separated, in the order of sections.
    pub(super) acts: [String; 4],
    /// The acts in the row of a muted member.
    pub(super) acts_on_muted: [String; 4],
}

/// Names of elements of the list: the id of each is that of the list, `-` and this, as the id of a list with an instance is.
const ELEMENTS: [&str; 23] = [
    "bans", "count", "dialog", "empty", "ended", "error", "found", "header", "held", "list", "live", "loading", "menu",
    "next", "notes", "previous", "q", "say", "search", "stream", "title", "totals", "view",
];

/// The id of the component of this group on a page that may have several of them. A list whose instance is called as an element of lists
/// has another id than that element of the list without one.
pub fn component_id(guid: &Guid, instance: Option<&str>) -> String {
    match instance {
        Some(instance) if ELEMENTS.contains(&instance) => format!("cgm-{guid}-{instance}-0"),
        Some(instance) => format!("cgm-{guid}-{instance}"),
        None => format!("cgm-{guid}"),
    }
}

impl ViewContext {
    /// Whether the host's props keep this act off the screen.
    pub fn hides(&self, kind: ActKind) -> bool {
        is_hidden(&self.props, kind)
    }

    /// The context of viewers of this scope with these props.
    pub fn new(base: Arc<str>, guid: Guid, props: Props, scope: Scope, lang: Lang, slots: SharedSlots) -> ViewContext {
        let id = component_id(&guid, props.instance.as_deref());
        let [acts, acts_on_muted] =
            [false, true].map(|muted| Scope::DESCENDING.map(|target| acts(&props, scope, target, muted)));
        let (query, request) = (props.query(), props.in_language(lang).query());
        let member_href = GroupUrls::new(&base, &guid).member_prefix();
        let member_query = format!("?{request}");
        let viewer = None;
        ViewContext {
            id,
            base,
            guid,
            query,
            request,
            lang,
            member_href,
            member_query,
            props,
            scope,
            slots,
            viewer,
            selected: Arc::default(),
            undo_window: 0,
            for_older_page: false,
            acts,
            acts_on_muted,
        }
    }

    /// The same context for another scope.
    pub fn with_scope(&self, scope: Scope) -> ViewContext {
        let (base, guid, props) = (self.base.clone(), self.guid.clone(), self.props.clone());
        let context = ViewContext::new(base, guid, props, scope, self.lang, self.slots.clone());
        let (viewer, undo_window) = (self.viewer.clone(), self.undo_window);
        ViewContext { viewer, undo_window, for_older_page: self.for_older_page, ..context }
    }

    /// The same context where acts can be undone within this time, milliseconds.
    pub fn with_undo_window(self, undo_window: i64) -> ViewContext {
        ViewContext { undo_window, ..self }
    }

    /// The same context, for a page whose script expects the older, fuller markup of rows, or not.
    pub fn for_older_page(self, for_older_page: bool) -> ViewContext {
        ViewContext { for_older_page, ..self }
    }

    /// The context of this viewer, which differs from that of their scope only when a chosen template depends on it.
    pub fn for_viewer(self, uid: &Uid) -> ViewContext {
        let uses_viewer = |name: &str| self.slots.uses(name, Fact::Viewer);
        let viewer = self.props.templates.of(Slot::Header).filter(|name| uses_viewer(name)).map(|_| uid.clone());
        ViewContext { viewer, ..self }
    }

    /// The same context with these members selected.
    pub fn selecting(self, members: &[Arc<Member>]) -> ViewContext {
        let uids = members.iter().map(|member| member.checked_uid());
        ViewContext { selected: Arc::new(uids.collect()), ..self }
    }

    /// The URL of the style sheet of menus, dialogs and the selection bar.
    pub fn acts_style(&self) -> String {
        urls::asset(&self.base, "acts.css")
    }

    /// The URLs of the group.
    pub fn urls(&self) -> GroupUrls<'_> {
        GroupUrls::new(&self.base, &self.guid)
    }

    /// The list's URL.
    pub fn href(&self) -> String {
        self.urls().members()
    }

    /// The list's URL with the props and further parameters.
    pub fn href_with(&self, more: &str) -> String {
        with_query(&self.href(), &self.query, more)
    }

    /// Like [`ViewContext::href_with`], for the component's own requests and for links in the list.
    pub fn request_href(&self, more: &str) -> String {
        with_query(&self.href(), &self.request, more)
    }

    /// The title above the list.
    pub fn title(&self) -> &str {
        self.props.title.as_deref().unwrap_or(self.lang.text(key::MEMBERS_TITLE))
    }

    /// The props without the search text as a query string, for pages other than the list.
    pub fn query_without_search(&self) -> String {
        Props { search: String::new(), ..self.props.clone() }.query()
    }

    /// The URL of the list of bans.
    pub fn bans_href(&self) -> String {
        with_query(&self.urls().bans(), &self.query_without_search(), "")
    }

    /// The URL of the list of mutes.
    pub fn mutes_href(&self) -> String {
        with_query(&self.urls().mutes(), &self.query_without_search(), "")
    }

    /// The URL of the notes about somebody.
    pub fn notes_href(&self, uid: &Uid) -> String {
        with_query(&self.urls().notes(uid), &self.query_without_search(), "")
    }

    /// Whether a menu shows forbidden acts with their reasons; never when every act on others is hidden.
    pub fn explains(&self) -> bool {
        self.props.explain && ActKind::VARIANTS.iter().any(|&kind| kind.is_on_others() && !self.hides(kind))
    }

    /// Whether the header links to the list of bans.
    pub fn links_to_bans(&self) -> bool {
        self.sees_bans() && !self.props.hide_ban
    }

    /// Whether the list of bans links to that of mutes; the header does where that of bans is hidden.
    pub fn links_to_mutes(&self) -> bool {
        self.sees_bans() && !self.props.hides_mutes()
    }

    /// Whether the viewer may know that a member is muted; `own` when it is they.
    pub fn sees_mute(&self, own: bool) -> bool {
        own || self.sees_bans()
    }

    /// The end of a member's mute, while it is not over at `now` and as far as the viewer, whose uid is `viewer`, may know of it.
    /// Both in Unix milliseconds.
    pub fn visible_mute(&self, member: &Member, viewer: &Uid, now: i64) -> Option<i64> {
        let muted = member.muted_at(now)?;
        self.sees_mute(member.uid() == viewer.as_str()).then_some(muted.until)
    }

    /// A sentence about the freshness of statuses; empty when they are live or hidden.
    pub fn freshness(&self, mode: PresenceMode) -> &'static str {
        match mode {
            PresenceMode::Batched if !self.props.hide_user_status => self.lang.text(key::PRESENCE_BATCHED),
            PresenceMode::Counts if !self.props.hide_user_status => self.lang.text(key::PRESENCE_COUNTS),
            _ => "",
        }
    }

    /// The number of matches in words. `None` without search and quick filter; empty without a match, because the empty
    /// list has its own message.
    pub fn found(&self, count: usize) -> Option<String> {
        let text = || {
            let (before, number, after) = self.lang.format_plural(key::MEMBERS_FOUND, count);
            if count == 0 { String::new() } else { before + &number + &after }
        };
        self.props.is_narrowed().then(text)
    }

    /// Whether there are headings.
    pub fn has_headings(&self) -> bool {
        self.props.group_by == GroupBy::Scope
    }

    /// Whether rows can be selected.
    pub fn selects(&self) -> bool {
        self.props.selection != Selection::None
    }

    /// The URL that the selection form submits to, unless the host names another.
    pub fn selection_href(&self) -> String {
        with_query(&self.urls().selection(), &self.query, "")
    }

    /// The acts on all who are selected, each with its label.
    pub fn batch_acts(&self) -> Vec<(ActKind, &'static str)> {
        if !self.scope.is_staff() || self.props.hide_bulk || self.props.selection != Selection::Multiple {
            return Vec::new();
        }
        let kinds = BatchAct::VARIANTS.iter().map(|act| act.kind());
        let mut shown: Vec<ActKind> = kinds.filter(|&kind| !self.hides(kind)).collect();
        shown.sort_by_key(|&kind| menu_order(kind));
        shown.into_iter().map(|kind| (kind, self.lang.text(ActWords::of(kind, false).label))).collect()
    }

    /// The URL of the form's request for a preview of an act on all who are selected.
    pub fn batch_href(&self) -> String {
        with_query(&self.urls().batch(), &self.request, "dryRun=true")
    }

    /// The URL of a member's own page.
    pub fn member_page(&self, uid: &str) -> String {
        with_query(&self.urls().member(uid), &self.query, "")
    }

    /// The URL of a member's own page, which has the form of this act.
    pub fn form_page(&self, uid: &Uid, kind: ActKind) -> String {
        with_query(&self.urls().member(uid), &self.query, &format!("act={}", kind.as_str()))
    }

    /// Whether the viewer may see the list of bans.
    pub fn sees_bans(&self) -> bool {
        self.scope.is_staff()
    }
}

/// The acts on a member of this scope that a row offers, separated by spaces.
fn acts(props: &Props, actor: Scope, target: Scope, muted: bool) -> String {
    let acts = rules::acts(ActorAndTarget { muted, ..ActorAndTarget::members(actor, target) });
    let allowed = acts.into_iter().filter(|&(kind, answer)| answer.is_ok() && !is_hidden(props, kind));
    allowed.map(|(kind, _)| kind.as_str()).collect::<Vec<_>>().join(" ")
}
