//! The form of one act on one person.

use std::borrow::Cow;

use askama::Template;
use jiff::Timestamp;

use super::notes::NoteList;
use crate::domain::{ActKind, EventId, Member, Scope, Standing, TemporaryScope, Uid, rules};
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};
use crate::views::acts::{ActWords, EndBounds, address};
use crate::views::context::ViewContext;
use crate::views::labels::scope_name;
use crate::views::urls::with_query;

/// The form of one act on one person, with a sentence about its effect.
#[derive(Template)]
#[template(path = "members/act.html")]
pub struct ActForm<'a> {
    kind: ActKind,
    words: ActWords,
    lang: Lang,
    id: &'a str,
    uid: &'a Uid,
    name: Cow<'a, str>,
    action: String,
    method: &'static str,
    back: String,
    own: bool,
    /// The event as of which it shows the person.
    as_of: EventId,
    ends: EndBounds,
    scopes: Vec<(Scope, bool)>,
    /// Until when their scope is a temporary one, and the lasting one that follows.
    temporary: Option<TemporaryScope>,
    /// The end of the mute that another one would replace, milliseconds since the epoch.
    muted: Option<i64>,
    /// The notes about them, when there are any.
    notes: Option<NoteList<'a>>,
    /// Whether its choice has the focus at once.
    takes_focus: bool,
    /// In a dialog, the URL of its style sheet: a list takes the answer there. On a page of its own the browser does.
    style: Option<String>,
}

impl askama::filters::HtmlSafe for ActForm<'_> {}

impl<'a> ActForm<'a> {
    /// The form as one of several on a page, which shows the member as of this event; `now` in Unix milliseconds.
    pub fn new(
        context: &'a ViewContext,
        uid: &'a Uid,
        member: &'a Member,
        own: bool,
        kind: ActKind,
        as_of: EventId,
        now: i64,
    ) -> ActForm<'a> {
        let (url, method) = address(kind, context.urls(), uid);
        let scope = member.scope_at(now);
        let (actor, target) = (Standing::Member(context.scope), Standing::Member(scope));
        let grantable = rules::grantable(actor, target, own);
        let scopes = grantable.into_iter().map(|granted| (granted, granted == scope)).collect();
        ActForm {
            kind,
            words: words(kind, own, target),
            lang: context.lang,
            id: &context.id,
            uid,
            name: member.shown_name(),
            action: with_query(&url, &context.request, ""),
            method,
            back: context.href_with(""),
            own,
            as_of,
            ends: EndBounds::of(kind, now),
            scopes,
            temporary: member.temporary(),
            muted: member.muted_at(now).filter(|_| kind == ActKind::Mute).map(|muted| muted.until),
            notes: None,
            takes_focus: true,
            style: None,
        }
    }

    /// The same form with these notes about them.
    pub fn noting(self, notes: Option<NoteList<'a>>) -> ActForm<'a> {
        ActForm { notes: notes.filter(|notes| !notes.is_empty()), ..self }
    }

    /// Returns to this page instead of the list.
    pub fn back_to(self, back: Option<&String>) -> ActForm<'a> {
        ActForm { back: back.cloned().unwrap_or(self.back), ..self }
    }

    /// The same form on a page where something else has the focus.
    pub fn without_focus(self) -> ActForm<'a> {
        ActForm { takes_focus: false, ..self }
    }

    /// The form for the component's dialog, which is labelled by its heading.
    pub fn in_dialog(self, context: &ViewContext) -> ActForm<'a> {
        ActForm { style: Some(context.acts_style()), ..self }
    }

    fn about(&self, message: &Message) -> SafeHtml {
        message.clone().with("name", &*self.name).html(self.lang)
    }

    /// The end that their scope has already, as a value of `until` and in words: a form that is sent as it came keeps it.
    fn present_end(&self) -> Option<(String, String)> {
        let TemporaryScope { until, .. } = self.temporary?;
        let moment = Timestamp::from_millisecond(until).ok()?;
        Some((moment.to_string(), Message::from(key::SCOPE_UNTIL).at(until).text(self.lang)))
    }

    /// Until when they are muted: nobody replaces a mute that they have not seen.
    fn present_mute(&self) -> Option<String> {
        self.muted.map(|until| Message::from(key::MUTED_UNTIL).at(until).text(self.lang))
    }

    fn scope(&self, scope: &Scope) -> &'static str {
        self.word(scope_name(*scope))
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.lang.text(key)
    }
}

/// The words of an act; the owner is offered to leave only when they are alone, and reads what becomes of the group.
fn words(kind: ActKind, own: bool, target: Standing) -> ActWords {
    let words = ActWords::of(kind, own);
    let is_alone = kind == ActKind::Leave && target == Standing::Member(Scope::Owner);
    if is_alone { ActWords { hint: key::HINT_LEAVE_ALONE, ..words } } else { words }
}
