//! What the bytes of a row depend on besides the member: the same for a whole class of viewers.

use std::collections::HashSet;
use std::sync::Arc;

use super::props::{GroupBy, Props, Selection};
use super::urls::{GroupUrls, with_query};
use crate::assets;
use crate::domain::{ActKind, Guid, Member, PresenceMode, Scope, Standing, Uid, rules};
use crate::lang::{Lang, key};
use crate::slots::{Fact, SharedSlots, Slot};

/// How one class of viewers sees one group.
#[derive(Debug, Clone)]
pub struct Look {
    /// Begins every id: `cgm-{guid}` or `cgm-{guid}-{instance}`.
    pub id: String,
    /// What URLs begin with: base path or public URL.
    pub base: Arc<str>,
    /// The group.
    pub guid: Guid,
    /// The view.
    pub props: Props,
    /// The view as a query string, for addresses that people see: it names a language only when
    /// one was asked for.
    pub query: String,
    /// The view as a query string, for what the component requests: whoever requests it, the
    /// answer is in this language.
    pub request: String,
    /// The language.
    pub lang: Lang,
    /// What a member's URL begins with.
    pub(super) member_href: String,
    /// What a member's URL ends with: the view as a query.
    pub(super) member_query: String,
    /// What the viewer is.
    pub scope: Scope,
    /// Who draws what the view does not draw in the built-in way.
    pub slots: SharedSlots,
    /// The viewer, when what is drawn says who looks: then the look is theirs alone.
    pub viewer: Option<Uid>,
    /// Who is selected when the page opens; nobody, unless somebody comes back to the list.
    pub(super) selected: Arc<HashSet<Uid>>,
    /// The acts a viewer of this scope may do to a member of each scope, space-separated, in the
    /// order of sections.
    pub(super) acts: [String; 4],
}

impl Look {
    /// How viewers of this scope see this group with these props.
    pub fn new(base: Arc<str>, guid: Guid, props: Props, scope: Scope, lang: Lang, slots: SharedSlots) -> Look {
        let id = match &props.instance {
            Some(instance) => format!("cgm-{guid}-{instance}"),
            None => format!("cgm-{guid}"),
        };
        let acts = Scope::DESCENDING.map(|target| acts(&props, scope, target));
        let (query, request) = (props.query(), props.in_language(lang).query());
        let member_href = GroupUrls::new(&base, &guid).member("");
        let member_query = format!("?{request}");
        let viewer = None;
        Look {
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
            acts,
        }
    }

    /// The same view with other rights.
    pub fn with_scope(&self, scope: Scope) -> Look {
        let (base, guid, props) = (self.base.clone(), self.guid.clone(), self.props.clone());
        let look = Look::new(base, guid, props, scope, self.lang, self.slots.clone());
        Look { viewer: self.viewer.clone(), ..look }
    }

    /// The look of this viewer, told apart from others of their scope only when it must be.
    pub fn for_viewer(self, uid: &Uid) -> Look {
        let says_who = |name: &str| self.slots.uses(name, Fact::Viewer);
        let viewer = self.props.views.of(Slot::Header).filter(|name| says_who(name)).map(|_| uid.clone());
        Look { viewer, ..self }
    }

    /// The same view with these people selected.
    pub fn selecting(self, members: &[Arc<Member>]) -> Look {
        let uids = members.iter().filter_map(|member| member.uid().parse().ok());
        Look { selected: Arc::new(uids.collect()), ..self }
    }

    /// The address of the styles of menus, dialogs and the selection bar.
    pub fn acts_style(&self) -> String {
        format!("{}{}", self.base, assets::url("acts.css"))
    }

    /// The addresses of the group.
    pub fn urls(&self) -> GroupUrls<'_> {
        GroupUrls::new(&self.base, &self.guid)
    }

    /// The list's own URL.
    pub fn href(&self) -> String {
        self.urls().members()
    }

    /// The list's URL with this view and more parameters.
    pub fn href_with(&self, more: &str) -> String {
        with_query(&self.href(), &self.query, more)
    }

    /// The same, for the component itself to request, and for all that stands in the list: what is
    /// there is the same wherever it came from.
    pub fn request_href(&self, more: &str) -> String {
        with_query(&self.href(), &self.request, more)
    }

    /// The title over the list.
    pub fn title(&self) -> &str {
        self.props.title.as_deref().unwrap_or(self.lang.text(key::MEMBERS_TITLE))
    }

    /// The view as a query string without what is searched: for pages beside the list.
    pub fn query_beside(&self) -> String {
        Props { search: String::new(), ..self.props.clone() }.query()
    }

    /// The URL of the list of the banned.
    pub fn bans_href(&self) -> String {
        with_query(&self.urls().bans(), &self.query_beside(), "")
    }

    /// Whether a menu says why an act is not possible: not when every act is hidden.
    pub fn explains(&self) -> bool {
        self.props.explain && !(self.props.hide_kick && self.props.hide_ban && self.props.hide_scope)
    }

    /// Whether the viewer is led to the banned, where bans are lifted.
    pub fn leads_to_bans(&self) -> bool {
        self.sees_bans() && !self.props.hide_ban
    }

    /// How fresh statuses are, in a sentence; empty when they are live, and when there are none.
    pub fn freshness(&self, mode: PresenceMode) -> &'static str {
        match mode {
            PresenceMode::Batched if !self.props.hide_user_status => self.lang.text(key::PRESENCE_BATCHED),
            PresenceMode::Counts if !self.props.hide_user_status => self.lang.text(key::PRESENCE_COUNTS),
            _ => "",
        }
    }

    /// How many a search or a quick filter has found; `None` when neither is active, empty when nobody
    /// is found: the empty list says so in words of its own.
    pub fn found(&self, count: usize) -> Option<String> {
        let said = || {
            let (before, number, after) = self.lang.counted(key::MEMBERS_FOUND, count);
            if count == 0 { String::new() } else { before + &number + &after }
        };
        self.props.is_narrowed().then(said)
    }

    /// Whether there are headings.
    pub fn has_headings(&self) -> bool {
        self.props.group_by == GroupBy::Scope
    }

    /// Whether rows can be selected.
    pub fn selects(&self) -> bool {
        self.props.selection != Selection::None
    }

    /// Where the selected go, unless the host says otherwise.
    pub fn selection_href(&self) -> String {
        with_query(&self.urls().selection(), &self.query, "")
    }

    /// Where a member's own page is.
    pub(super) fn member_page(&self, uid: &str) -> String {
        with_query(&self.urls().member(uid), &self.query, "")
    }

    /// Whether the viewer sees who is banned.
    pub fn sees_bans(&self) -> bool {
        rules::see_bans(Standing::Member(self.scope)).is_ok()
    }
}

/// The acts that a row names, in words.
fn acts(props: &Props, actor: Scope, target: Scope) -> String {
    let acts = rules::acts(Standing::Member(actor), Standing::Member(target), false);
    let allowed = acts.into_iter().filter(|&(kind, answer)| answer.is_ok() && !is_hidden(props, kind));
    allowed.map(|(kind, _)| kind.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether a prop takes this act off the screen.
pub(super) fn is_hidden(props: &Props, kind: ActKind) -> bool {
    match kind {
        ActKind::Kick => props.hide_kick,
        ActKind::Ban | ActKind::Unban => props.hide_ban,
        ActKind::Scope | ActKind::Transfer => props.hide_scope,
        ActKind::Leave => props.hide_leave,
        ActKind::Join => false,
    }
}
