//! The component: header, search, and the view that changes with what is searched.

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;

use super::empty::Empty;
use super::list_window::ListWindow;
use super::look::Look;
use super::props::{Props, Quick, Selection, Theme};
use super::row::{Heading, Row, Sentinel, Side};
use super::totals::Totals;
use super::urls::with_query;
use crate::domain::{EventId, Member, OrderKey, PresenceMode, Scope, Status, Uid};
use crate::lang::{Html, Key, Said, key};

/// The component as a whole: one root element.
#[derive(Template)]
#[template(path = "members/panel.html")]
pub struct Panel<'a> {
    pub(super) look: &'a Look,
    pub(super) view: View<'a>,
    pub(super) totals: Totals<'a>,
    pub(super) own: &'a Uid,
    pub(super) swap: bool,
    /// Selected people whose rows are not in the window, each with their status.
    pub(super) elsewhere: Vec<(&'a Member, Status)>,
}

/// What a search replaces: stream, quick filters, list.
#[derive(Template)]
#[template(path = "members/view.html")]
pub struct View<'a> {
    pub(super) look: &'a Look,
    pub(super) rows: Rows<'a>,
    pub(super) count: usize,
    pub(super) id: EventId,
    pub(super) presence: PresenceMode,
}

/// The rows of a window with its headings and sentinels.
#[derive(Template)]
#[template(path = "members/rows.html")]
pub struct Rows<'a> {
    pub(super) sections: Vec<Section<'a>>,
    pub(super) previous: Option<Sentinel<'a>>,
    pub(super) next: Option<Sentinel<'a>>,
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
    /// The component as `own` sees it.
    pub fn new(look: &'a Look, list: &ListWindow<'a>, own: &'a Uid) -> Panel<'a> {
        let view = View::new(look, list, own);
        Panel { look, view, totals: Totals::new(look, list.totals), own, swap: false, elsewhere: Vec::new() }
    }

    /// The same, to take the place of the component on screen.
    pub fn as_swap(self) -> Panel<'a> {
        Panel { swap: true, ..self }
    }

    /// The same with the selected people of the look, who may be anywhere in the group, each with
    /// their status.
    pub fn with_selected(mut self, members: &'a [Arc<Member>], statuses: &[Status]) -> Panel<'a> {
        let rows = self.view.rows.sections.iter().flat_map(|section| &section.rows);
        let shown: HashSet<&str> = rows.map(|row| row.member.uid()).collect();
        let elsewhere = members.iter().zip(statuses).filter(|(member, _)| !shown.contains(member.uid()));
        self.elsewhere = elsewhere.map(|(member, status)| (&**member, *status)).collect();
        self
    }

    fn control(&self) -> &'static str {
        if self.look.props.selection == Selection::Single { "radio" } else { "checkbox" }
    }

    fn selected(&self, many: usize) -> Html {
        Said::from(key::SELECTION_COUNT).count(many).html(self.look.lang)
    }

    /// The URL of the group's feed of changes.
    pub(super) fn feed(&self) -> String {
        format!("{}?format=atom", self.look.href())
    }

    fn title(&self) -> &str {
        self.look.title()
    }

    fn placeholder(&self) -> &str {
        self.look.props.placeholder.as_deref().unwrap_or(self.word(key::MEMBERS_SEARCH))
    }

    fn word(&self, key: Key) -> &'static str {
        self.look.lang.text(key)
    }

    /// The words that the script says, by name.
    fn words(&self) -> Vec<(&'static str, String)> {
        let word = |key| self.word(key).to_owned();
        let forms = |key| self.look.lang.forms(key).to_owned();
        let mut words = vec![
            ("online", word(key::STATUS_ONLINE)),
            ("away", word(key::STATUS_AWAY)),
            ("offline", word(key::STATUS_OFFLINE)),
            ("on", word(key::LIVE_ON)),
            ("reconnecting", word(key::LIVE_RECONNECTING)),
            ("off", word(key::LIVE_OFF)),
            ("failed", word(key::REQUEST_FAILED)),
            ("retry", word(key::REQUEST_RETRY)),
            ("next", word(key::MEMBERS_NEXT)),
            ("previous", word(key::MEMBERS_PREVIOUS)),
            ("held", forms(key::HELD_CHANGES)),
            ("digest-joined", forms(key::DIGEST_JOINED)),
            ("digest-left", forms(key::DIGEST_LEFT)),
            ("digest-removed", forms(key::DIGEST_REMOVED)),
            ("digest-changed", forms(key::DIGEST_CHANGED)),
        ];
        if self.look.props.selection != Selection::None {
            let most = self.look.lang.number(Props::MOST_SELECTED);
            words.push(("selection-count", forms(key::SELECTION_COUNT)));
            words.push(("selection-full", self.look.lang.filled(key::SELECTION_FULL, &most)));
        }
        words
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
    pub fn new(look: &'a Look, list: &ListWindow<'a>, own: &Uid) -> View<'a> {
        View {
            look,
            rows: Rows::new(look, list, own),
            count: list.counts.iter().sum(),
            id: list.id.clone(),
            presence: list.presence,
        }
    }

    fn events_href(&self) -> String {
        let views = self.look.drawn().map_or(String::new(), |drawn| format!("&views={drawn}"));
        with_query(&self.look.urls().events(), &self.look.request, &(format!("lastEventId={}", self.id) + &views))
    }

    /// The props as hidden fields, so that a search keeps them; the search text is the box's own.
    fn fields(&self) -> Vec<(String, String)> {
        let props = Props { search: String::new(), ..self.look.props.clone() };
        form_urlencoded::parse(props.query().as_bytes()).into_owned().collect()
    }

    /// The quick filters that make sense here: name, word, address, value and whether it is pressed.
    fn quicks(&self) -> Vec<(&'static str, &'static str, String, &'static str, bool)> {
        let props = &self.look.props;
        let has = |scope| props.scopes.is_none_or(|scopes| scopes.contains(scope));
        let all = [
            (Quick::All, "all", key::FILTER_ALL, true),
            (Quick::Admins, "admins", key::FILTER_ADMINS, has(Scope::Owner) || has(Scope::Admin)),
            (Quick::Moderators, "moderators", key::FILTER_MODERATORS, has(Scope::Moderator)),
            (Quick::Online, "online", key::FILTER_ONLINE, props.online.is_none() && !props.hide_user_status),
        ];
        let offered = all.into_iter().filter(|(.., offered)| *offered);
        offered
            .map(|(quick, name, word, _)| {
                let href = with_query(&self.look.href(), &props.with_quick(quick).query(), "");
                (name, self.look.lang.text(word), href, quick.as_str(), props.quick == quick)
            })
            .collect()
    }

    fn empty(&self) -> Empty<'_> {
        Empty { look: self.look, count: self.count, swap: false }
    }
}

impl<'a> Rows<'a> {
    /// The rows of this window. A heading is in it when a row of its section is.
    pub fn new(look: &'a Look, list: &ListWindow<'a>, own: &Uid) -> Rows<'a> {
        let window = list.window;
        let mut members = window.members.iter().zip(&list.statuses).peekable();
        let mut sections = Vec::new();
        for scope in Scope::DESCENDING {
            let mut rows = Vec::new();
            while let Some((member, status)) = members.next_if(|(member, _)| member.scope == scope) {
                rows.push(look.row(member, *status, member.uid() == own.as_str()));
            }
            let shown = look.has_headings() && !rows.is_empty();
            let heading = shown.then(|| look.heading(scope, list.counts[scope.section()]));
            sections.push(Section { heading, rows });
        }
        let sentinel = |side, place: &Option<OrderKey>| Some(Sentinel { look, side, place: place.clone()? });
        let (previous, next) = (sentinel(Side::Previous, &window.previous), sentinel(Side::Next, &window.next));
        Rows { sections, previous, next }
    }
}
