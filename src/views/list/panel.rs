//! The component: header, search box, and the list with its filters.

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;

use super::empty::Empty;
use super::ended::waits_to_ask_again;
use super::list_window::ListWindow;
use super::row::{Heading, Row, Sentinel, Side, section_title};
use super::totals::Totals;
use crate::domain::{EventId, Member, Muted, OrderKey, PresenceMode, Scope, Section, Status, Uid};
use crate::i18n::{Message, PluralKey, SafeHtml, TextKey, key};
use crate::views::MARKUP_VERSION;
use crate::views::context::ViewContext;
use crate::views::labels::{moderator_message, you_are_until};
use crate::views::props::{Props, QuickFilter, Selection};
use crate::views::urls::with_query;

/// The component as a whole: one root element.
#[derive(Template)]
#[template(path = "members/panel.html")]
pub struct Panel<'a> {
    pub(super) context: &'a ViewContext,
    pub(super) list: ListView<'a>,
    pub(super) totals: Totals<'a>,
    pub(super) own: &'a Uid,
    pub(super) swap: bool,
    /// The notice that the viewer may not speak, until when they have their scope, or the message with it.
    pub(super) notice: Option<SafeHtml>,
    /// Selected members outside the window, each with their status.
    pub(super) selected_outside: Vec<(&'a Member, Status)>,
    /// How many of all who match are selected, when that is not all of them.
    pub(super) first_of_all: Option<SafeHtml>,
}

/// The part that a search replaces: stream, quick filters and list.
#[derive(Template)]
#[template(path = "members/view.html")]
pub struct ListView<'a> {
    pub(super) context: &'a ViewContext,
    pub(super) rows: Rows<'a>,
    pub(super) count: usize,
    pub(super) id: EventId,
    pub(super) presence: PresenceMode,
}

/// A link that narrows the list.
struct QuickFilterLink {
    /// The filter's name, also of the one that leaves everybody.
    name: &'static str,
    label: &'static str,
    href: String,
    /// The value of the parameter `filter`.
    value: &'static str,
    /// Whether the list is narrowed so.
    is_active: bool,
}

/// The rows of a window with its headings and sentinels.
#[derive(Template)]
#[template(path = "members/rows.html")]
pub struct Rows<'a> {
    pub(super) sections: Vec<SectionRows<'a>>,
    pub(super) previous: Option<Sentinel<'a>>,
    pub(super) next: Option<Sentinel<'a>>,
}

/// A section: its heading and its rows, as far as the window contains them.
pub struct SectionRows<'a> {
    pub(super) heading: Option<Heading<'a>>,
    pub(super) rows: Vec<Row<'a>>,
}

impl askama::filters::HtmlSafe for Panel<'_> {}
impl askama::filters::HtmlSafe for ListView<'_> {}
impl askama::filters::HtmlSafe for Rows<'_> {}

impl<'a> Panel<'a> {
    /// When the screen asks again once the viewer has lost access while its stream was down: at once, since the reason is unknown
    /// then, and after the waits of an act that may be undone.
    fn waits(&self) -> String {
        match self.context.undo_window {
            0 => "0".into(),
            window => format!("0 {}", waits_to_ask_again(window)),
        }
    }

    /// The component for the viewer `own`.
    pub fn new(context: &'a ViewContext, list: &ListWindow<'a>, own: &'a Uid) -> Panel<'a> {
        let totals = Totals::new(context, list.totals);
        Panel {
            context,
            list: ListView::new(context, list, own),
            totals,
            own,
            swap: false,
            notice: None,
            selected_outside: Vec::new(),
            first_of_all: None,
        }
    }

    /// Shows that the viewer is muted, and until when they have this scope, or that they were given another one, each with the message that
    /// came with it. `given` is the name of the viewer and the message that came with their scope.
    pub fn with_notices(
        self,
        muted: Option<Muted<'_>>,
        temporary: Option<(Scope, i64)>,
        given: Option<(&str, &str)>,
    ) -> Panel<'a> {
        let lang = self.context.lang;
        let with_message = |sentence: Message, message: Option<&str>| {
            let message = message.map(|message| moderator_message(message).html(lang));
            SafeHtml::join(std::iter::once(sentence.html(lang)).chain(message))
        };
        let muted =
            muted.map(|Muted { until, message }| with_message(Message::from(key::MUTED_YOU).at(until), message));
        let until = |(scope, until)| Some(Message::from(you_are_until(scope)?).at(until));
        let scope = temporary.and_then(until);
        let scope = scope.or_else(|| given.map(|(name, _)| Message::from(key::DONE_SCOPE).with("name", name)));
        let scope = scope.map(|sentence| with_message(sentence, given.map(|(_, message)| message)));
        let all: Vec<_> = muted.into_iter().chain(scope).collect();
        let notice = (!all.is_empty()).then(|| SafeHtml::lines(all));
        Panel { notice, ..self }
    }

    /// The out-of-band swap that replaces the whole component.
    pub fn into_swap(self) -> Panel<'a> {
        Panel { swap: true, ..self }
    }

    /// Adds the selected members who are outside the window, each with their status.
    pub fn with_selected(mut self, members: &'a [Arc<Member>], statuses: &[Status]) -> Panel<'a> {
        let rows = self.list.rows.sections.iter().flat_map(|section| &section.rows);
        let shown: HashSet<&str> = rows.map(|row| row.member.uid()).collect();
        let outside = members.iter().zip(statuses).filter(|(member, _)| !shown.contains(member.uid()));
        self.selected_outside = outside.map(|(member, status)| (&**member, *status)).collect();
        self
    }

    /// Says that the first `first` of all who match are selected, unless they are all of them.
    pub fn with_first_of_all(mut self, first: usize) -> Panel<'a> {
        let (lang, all) = (self.context.lang, self.list.count);
        let sentence = Message::from(key::SELECTION_FIRST).number("count", first).number("all", all);
        self.first_of_all = (first < all).then(|| sentence.html(lang));
        self
    }

    fn control(&self) -> &'static str {
        if self.context.props.selection == Selection::Single { "radio" } else { "checkbox" }
    }

    fn selected_count(&self, count: usize) -> SafeHtml {
        Message::plural(key::SELECTION_COUNT, count).html(self.context.lang)
    }

    /// The URL of the group's feed of changes.
    pub(in crate::views) fn feed(&self) -> String {
        with_query(&self.context.href(), "format=atom", "")
    }

    fn title(&self) -> &str {
        self.context.title()
    }

    fn placeholder(&self) -> &str {
        self.context.props.placeholder.as_deref().unwrap_or(self.word(key::MEMBERS_SEARCH))
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.context.lang.text(key)
    }

    /// The texts that the script shows, by name.
    fn words(&self) -> Vec<(&'static str, String)> {
        let word = |key: TextKey| self.word(key).to_owned();
        let forms = |key: PluralKey| self.context.lang.plural_forms(key).to_owned();
        let mut words = vec![
            ("online", word(key::STATUS_ONLINE)),
            ("away", word(key::STATUS_AWAY)),
            ("offline", word(key::STATUS_OFFLINE)),
            ("on", word(key::LIVE_ON)),
            ("reconnecting", word(key::LIVE_RECONNECTING)),
            ("off", word(key::LIVE_OFF)),
            ("failed", word(key::REQUEST_FAILED)),
            ("expired", word(key::ERROR_SIGN_IN_AGAIN)),
            ("retry", word(key::REQUEST_RETRY)),
            ("menu", self.context.lang.format(key::ROW_MENU, "\u{2068}{n}\u{2069}")),
            ("own-menu", word(key::ROW_OWN_MENU)),
            ("next", word(key::MEMBERS_NEXT)),
            ("previous", word(key::MEMBERS_PREVIOUS)),
            ("held", forms(key::HELD_CHANGES)),
        ];
        if self.context.for_older_page {
            words.extend([
                ("digest-joined", forms(key::DIGEST_JOINED)),
                ("digest-left", forms(key::DIGEST_LEFT)),
                ("digest-removed", forms(key::DIGEST_REMOVED)),
                ("digest-changed", forms(key::DIGEST_CHANGED)),
            ]);
        }
        if self.context.has_headings() {
            words.extend(Section::all().map(|section| (section.as_str(), word(section_title(section)))));
        }
        if self.context.props.selection != Selection::None {
            let most = self.context.lang.number(Props::MAX_SELECTED);
            words.push(("selection-count", forms(key::SELECTION_COUNT)));
            words.push(("selection-full", self.context.lang.format(key::SELECTION_FULL, &most)));
            if !self.context.batch_acts().is_empty() {
                let first = Message::from(key::SELECTION_FIRST).with("count", "{n}").with("all", "{all}");
                words.push(("selection-first", first.text(self.context.lang)));
                words.push(("selection-choose", word(key::SELECTION_CHOOSE)));
            }
        }
        words
    }

    fn theme(&self) -> &'static str {
        self.context.props.theme.as_str()
    }
}

impl<'a> ListView<'a> {
    /// The list with this window.
    pub fn new(context: &'a ViewContext, list: &ListWindow<'a>, own: &Uid) -> ListView<'a> {
        ListView {
            context,
            rows: Rows::new(context, list, own),
            count: list.counts.total(),
            id: list.id.clone(),
            presence: list.presence,
        }
    }

    fn events_href(&self) -> String {
        let views = self.context.templates_version().map_or(String::new(), |version| format!("&views={version}"));
        let state = format!("markup={MARKUP_VERSION}&lastEventId={}", self.id);
        with_query(&self.context.urls().events(), &self.context.request, &(state + &views))
    }

    /// The props as hidden fields, so that a search keeps them. The search text is in the box itself.
    fn fields(&self) -> Vec<(String, String)> {
        let props = Props { search: String::new(), ..self.context.props.clone() };
        form_urlencoded::parse(props.query().as_bytes()).into_owned().collect()
    }

    /// The quick filters that the props leave useful.
    fn quick_filters(&self) -> Vec<QuickFilterLink> {
        let props = &self.context.props;
        let has = |scope| props.scopes.is_none_or(|scopes| scopes.contains(scope));
        // Staff who select many to act on want those who have just come.
        let is_for_raids = !self.context.batch_acts().is_empty();
        let all = [
            (QuickFilter::All, key::FILTER_ALL, true),
            (QuickFilter::Admins, key::FILTER_ADMINS, has(Scope::Owner) || has(Scope::Admin)),
            (QuickFilter::Moderators, key::FILTER_MODERATORS, has(Scope::Moderator)),
            (QuickFilter::Online, key::FILTER_ONLINE, props.online.is_none() && !props.hide_user_status),
            (QuickFilter::Joined, key::FILTER_JOINED, is_for_raids || props.quick_filter == QuickFilter::Joined),
        ];
        let useful = all.into_iter().filter(|(.., useful)| *useful);
        useful
            .map(|(quick, label, _)| QuickFilterLink {
                name: quick.name(),
                label: self.context.lang.text(label),
                href: with_query(&self.context.href(), &props.with_quick_filter(quick).query(), ""),
                value: quick.as_str(),
                is_active: props.quick_filter == quick,
            })
            .collect()
    }

    fn empty(&self) -> Empty<'_> {
        Empty { context: self.context, count: self.count, swap: false }
    }
}

impl<'a> Rows<'a> {
    /// The rows of a window, with the headings of their sections.
    pub fn new(context: &'a ViewContext, list: &ListWindow<'a>, own: &Uid) -> Rows<'a> {
        let window = list.window;
        let mut members = window.members.iter().zip(&list.statuses).peekable();
        let mut sections = Vec::new();
        for section in Section::all() {
            let mut rows = Vec::new();
            while let Some((member, status)) = members.next_if(|(member, _)| member.section() == section) {
                rows.push(context.row(member, *status, member.uid() == own.as_str()));
            }
            let shown = context.has_headings() && !rows.is_empty();
            let heading = shown.then(|| context.heading(section, list.counts[section]));
            sections.push(SectionRows { heading, rows });
        }
        let sentinel = |side, place: &Option<OrderKey>| Some(Sentinel { context, side, place: place.clone()? });
        let (previous, next) = (sentinel(Side::Previous, &window.previous), sentinel(Side::Next, &window.next));
        Rows { sections, previous, next }
    }
}
