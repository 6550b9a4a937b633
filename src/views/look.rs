//! What the bytes of a row depend on besides the member: the same for a whole class of viewers.

use std::sync::Arc;

use super::person::{Day, hue, initials};
use super::props::{GroupBy, Props};
use super::row::{Heading, Row};
use crate::domain::rules::{self, Act};
use crate::domain::{Guid, Member, OrderKey, Scope, Standing, Uid};
use crate::roster::Presence;
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
    /// The view as a query string.
    pub query: String,
    /// What a member's URL begins with.
    pub(super) member_href: String,
    /// What a member's URL ends with: the view as a query, or nothing.
    pub(super) member_query: String,
    /// What the viewer is.
    pub scope: Scope,
    /// Who draws what the view does not draw in the built-in way.
    pub slots: SharedSlots,
    /// The viewer, when what is drawn says who looks: then the look is theirs alone.
    pub viewer: Option<Uid>,
    /// The acts a viewer of this scope may do to a member of each scope, space-separated, in the
    /// order of sections.
    acts: [String; 4],
}

impl Look {
    /// How viewers of this scope see this group with these props.
    pub fn new(base: Arc<str>, guid: Guid, props: Props, scope: Scope, slots: SharedSlots) -> Look {
        let id = match &props.instance {
            Some(instance) => format!("cgm-{guid}-{instance}"),
            None => format!("cgm-{guid}"),
        };
        let acts = Scope::DESCENDING.map(|target| acts(&props, scope, target));
        let query = props.query();
        let member_href = format!("{base}/groups/{guid}/members/");
        let member_query = if query.is_empty() { String::new() } else { format!("?{query}") };
        Look { id, base, guid, query, member_href, member_query, props, scope, slots, viewer: None, acts }
    }

    /// The same view with other rights.
    pub fn with_scope(&self, scope: Scope) -> Look {
        let look = Look::new(self.base.clone(), self.guid.clone(), self.props.clone(), scope, self.slots.clone());
        Look { viewer: self.viewer.clone(), ..look }
    }

    /// The look of this viewer, told apart from others of their scope only when it must be.
    pub fn for_viewer(self, uid: &Uid) -> Look {
        let says_who = |name: &str| self.slots.uses(name, Fact::Viewer);
        let viewer = self.props.views.of(Slot::Header).filter(|name| says_who(name)).map(|_| uid.clone());
        Look { viewer, ..self }
    }

    /// The list's own URL.
    pub fn href(&self) -> String {
        format!("{}/groups/{}/members", self.base, self.guid)
    }

    /// The list's URL with this view and more parameters.
    pub fn href_with(&self, more: &str) -> String {
        join(&self.href(), &self.query, more)
    }

    /// A member's row. `own` when it is the viewer's.
    pub fn row<'a>(&'a self, member: &'a Member, presence: Presence, own: bool) -> Row<'a> {
        let acts = if own { "" } else { self.acts[member.scope.section()].as_str() };
        Row {
            look: self,
            member,
            presence,
            own,
            acts,
            hue: hue(member.uid()),
            initials: initials(member.name()),
            joined: Day::of(member.joined_at),
        }
    }

    /// The heading of a section with so many members as of event `seq`.
    pub fn heading(&self, scope: Scope, count: usize, seq: u64) -> Heading<'_> {
        Heading { id: &self.id, scope, order: OrderKey::heading(scope), count, seq }
    }

    /// Whether there are headings.
    pub fn has_headings(&self) -> bool {
        self.props.group_by == GroupBy::Scope
    }

    /// Whether the viewer sees who is banned.
    pub fn sees_bans(&self) -> bool {
        rules::see_bans(Standing::Member(self.scope)).is_ok()
    }
}

/// Appends query parameters to a URL.
pub(super) fn join(url: &str, query: &str, more: &str) -> String {
    let parts: Vec<&str> = [query, more].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { url.to_owned() } else { format!("{url}?{}", parts.join("&")) }
}

fn acts(props: &Props, actor: Scope, target: Scope) -> String {
    let allowed = rules::acts(Standing::Member(actor), Standing::Member(target));
    let offered =
        |act: Act| allowed.iter().any(|(other, answer)| *other == act && answer.is_ok()) && !is_hidden(props, act);
    let words: Vec<&str> = [Act::Kick, Act::Ban, Act::Scope, Act::Transfer]
        .into_iter()
        .filter(|&act| offered(act))
        .map(Act::as_str)
        .collect();
    words.join(" ")
}

/// Whether a prop takes this act off the screen.
pub(super) fn is_hidden(props: &Props, act: Act) -> bool {
    match act {
        Act::Kick => props.hide_kick,
        Act::Ban => props.hide_ban,
        Act::Scope | Act::Transfer => props.hide_scope,
    }
}
