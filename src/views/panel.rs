//! The component: header, search, and the view that changes with what is searched.

use askama::Template;

use super::look::Look;
use super::props::{Props, Quick, Theme};
use super::row::{Heading, Row, Sentinel};
use super::swap::Totals;
use crate::domain::{OrderKey, Scope, Uid};
use crate::live::{Ending, EventId, Room, State};
use crate::roster::{Span, Window};

/// The component as a whole: one root element.
#[derive(Template)]
#[template(path = "members/panel.html")]
pub struct Panel<'a> {
    pub(super) look: &'a Look,
    pub(super) view: View<'a>,
    pub(super) totals: Totals<'a>,
    pub(super) own: &'a Uid,
    pub(super) page: bool,
    pub(super) swap: bool,
}

/// What a search replaces: stream, quick filters, list.
#[derive(Template)]
#[template(path = "members/view.html")]
pub struct View<'a> {
    pub(super) look: &'a Look,
    pub(super) rows: Rows<'a>,
    pub(super) count: usize,
    pub(super) id: EventId,
    pub(super) presence: &'static str,
}

/// The rows of a window with its headings and sentinel.
#[derive(Template)]
#[template(path = "members/rows.html")]
pub struct Rows<'a> {
    pub(super) sections: Vec<Section<'a>>,
    pub(super) sentinel: Option<Sentinel<'a>>,
}

/// A heading and the rows below it, as far as the window has them.
pub struct Section<'a> {
    pub(super) heading: Option<Heading<'a>>,
    pub(super) rows: Vec<Row<'a>>,
}

impl askama::filters::HtmlSafe for Panel<'_> {}
impl askama::filters::HtmlSafe for View<'_> {}
impl askama::filters::HtmlSafe for Rows<'_> {}

impl<'a> Panel<'a> {
    /// The component as `own` sees it. `page` when it stands on our own page.
    pub fn new(
        look: &'a Look,
        room: &Room,
        state: &'a State,
        window: &'a Window,
        span: &Span,
        own: &'a Uid,
        page: bool,
    ) -> Panel<'a> {
        let view = View::new(look, room, state, window, span, own);
        Panel { look, view, totals: Totals::new(look, state), own, page, swap: false }
    }

    /// The same, to take the place of the component on screen.
    pub fn as_swap(self) -> Panel<'a> {
        Panel { swap: true, ..self }
    }

    fn title(&self) -> &str {
        self.look.props.title.as_deref().unwrap_or("Members")
    }

    fn placeholder(&self) -> &str {
        self.look.props.placeholder.as_deref().unwrap_or("Search members")
    }

    fn theme(&self) -> &'static str {
        match self.look.props.theme {
            Theme::Auto => "",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

impl<'a> View<'a> {
    /// The view of this window.
    pub fn new(
        look: &'a Look,
        room: &Room,
        state: &'a State,
        window: &'a Window,
        span: &Span,
        own: &'a Uid,
    ) -> View<'a> {
        let roster = state.roster();
        let counts = roster.counts(&look.props.filter());
        View {
            look,
            rows: Rows::new(look, state, window, span, &counts, own),
            count: counts.iter().sum(),
            id: room.id(roster.seq()),
            presence: state.presence_mode().as_str(),
        }
    }

    fn events_href(&self) -> String {
        let events = format!("{}/groups/{}/events", self.look.base, self.look.guid);
        let views = self.look.drawn().map_or(String::new(), |drawn| format!("&views={drawn}"));
        super::look::join(&events, &self.look.query, &(format!("lastEventId={}", self.id) + &views))
    }

    /// The props as hidden fields, so that a search keeps them; the search text is the box's own.
    fn fields(&self) -> Vec<(String, String)> {
        let props = Props { search: String::new(), ..self.look.props.clone() };
        form_urlencoded::parse(props.query().as_bytes()).into_owned().collect()
    }

    /// The quick filters that make sense here: name, word, query and whether it is pressed.
    fn quicks(&self) -> Vec<(&'static str, &'static str, String, bool)> {
        let props = &self.look.props;
        let has = |scope| props.scopes.is_none_or(|scopes| scopes.contains(scope));
        let all = [
            (Quick::All, "all", "All", true),
            (Quick::Admins, "admins", "Admins", has(Scope::Owner) || has(Scope::Admin)),
            (Quick::Moderators, "moderators", "Moderators", has(Scope::Moderator)),
            (Quick::Online, "online", "Online", props.online.is_none() && !props.hide_user_status),
        ];
        let offered = all.into_iter().filter(|(.., offered)| *offered);
        offered
            .map(|(quick, name, word, _)| (name, word, props.with_quick(quick).query(), props.quick == quick))
            .collect()
    }

    fn empty(&self) -> Empty<'_> {
        Empty { look: self.look, count: self.count, seq: self.id.seq, swap: false }
    }
}

impl<'a> Rows<'a> {
    /// The rows of this window. A heading is in it when its section is not empty and its place
    /// lies between where the window begins and where it ends.
    pub fn new(
        look: &'a Look,
        state: &'a State,
        window: &'a Window,
        span: &Span,
        counts: &[usize; 4],
        own: &Uid,
    ) -> Rows<'a> {
        let mut members = window.members.iter().peekable();
        let mut sections = Vec::new();
        for scope in Scope::DESCENDING {
            let place = OrderKey::heading(scope);
            let inside = span.after.as_ref().is_none_or(|after| place > *after)
                && window.end.as_ref().is_none_or(|end| place <= *end);
            let shown = look.has_headings() && inside && counts[scope.section()] > 0;
            let heading = shown.then(|| look.heading(scope, counts[scope.section()], state.roster().seq()));
            let mut rows = Vec::new();
            while let Some(member) = members.next_if(|member| member.scope == scope) {
                rows.push(look.row(member, state.roster().presence(member.uid()), member.uid() == own.as_str()));
            }
            sections.push(Section { heading, rows });
        }
        Rows { sections, sentinel: window.end.clone().map(|end| Sentinel { look, end }) }
    }
}

/// What stands in place of the component when its viewer is out.
#[derive(Template)]
#[template(path = "members/ended.html")]
pub struct Ended<'a> {
    look: &'a Look,
    why: Ending,
}

impl<'a> Ended<'a> {
    /// The reason in words.
    pub fn new(look: &'a Look, why: Ending) -> Ended<'a> {
        Ended { look, why }
    }

    fn words(&self) -> (&'static str, &'static str) {
        match self.why {
            Ending::Kicked => {
                ("You were removed from this group", "You may come back: join again, or ask to be added.")
            }
            Ending::Banned => ("You are banned from this group", "You cannot come back until the ban ends."),
            Ending::Deleted => ("This group is no more", "Its members are not shown any longer."),
            Ending::Left | Ending::Expired | Ending::Bye => {
                ("You are not in this group any more", "You may come back: join again, or ask to be added.")
            }
        }
    }
}

/// What stands in place of rows when there are none.
#[derive(Template)]
#[template(path = "members/empty.html")]
pub struct Empty<'a> {
    pub(super) look: &'a Look,
    pub(super) count: usize,
    pub(super) seq: u64,
    pub(super) swap: bool,
}

impl askama::filters::HtmlSafe for Empty<'_> {}

impl Empty<'_> {
    fn words(&self) -> (String, &'static str) {
        let props = &self.look.props;
        if !props.search.is_empty() {
            (
                format!("No one matches “{}”", props.search),
                "Try a part of the name, in any script, with or without accents.",
            )
        } else if props.quick == Quick::Online || props.online == Some(true) {
            ("No one is online".into(), "People appear here when they come.")
        } else if props.quick != Quick::All || props.scopes.is_some() || props.online.is_some() {
            ("No one here".into(), "No member fits this filter at the moment.")
        } else {
            ("No members".into(), "People appear here when they join.")
        }
    }

    /// The list with nothing searched; `None` when nothing is.
    pub(super) fn clear(&self) -> Option<String> {
        let props = &self.look.props;
        let narrowed = !props.search.is_empty() || props.quick != Quick::All;
        let cleared = Props { search: String::new(), quick: Quick::All, ..props.clone() };
        narrowed.then(|| super::look::join(&self.look.href(), &cleared.query(), ""))
    }
}
