//! The form of one act on several people: first it says what would come of it.

use askama::Template;

use super::left_out::LeftOut;
use crate::domain::{ActKind, BatchAct, EventId, Scope, Standing, Uid, rules};
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};
use crate::views::acts::{ActWords, BatchWords, EndBounds, batch_words};
use crate::views::context::ViewContext;
use crate::views::labels::scope_name;
use crate::views::layout::Layout;
use crate::views::props::Theme;
use crate::views::urls::with_query;

/// What would come of one act on several people.
pub struct BatchPreview {
    /// Those whom it can be done to.
    pub uids: Vec<Uid>,
    /// Their names.
    pub names: Vec<String>,
    /// Those of them who are no members any more.
    pub left: Vec<String>,
    /// Those whom it cannot be done to, and those about whom it would change nothing.
    pub refused: LeftOut,
    /// Names of those who have changed since the form before this one showed them: now that they are shown, it can be done to them.
    pub outdated: Vec<String>,
    /// Of whom there are notes, and how many.
    pub noted: Vec<(String, usize)>,
}

impl BatchPreview {
    /// Nobody, for a form in this language.
    pub fn new(lang: Lang) -> BatchPreview {
        BatchPreview {
            uids: Vec::new(),
            names: Vec::new(),
            left: Vec::new(),
            refused: LeftOut::new(lang),
            outdated: Vec::new(),
            noted: Vec::new(),
        }
    }
}

/// The form of one act on several people.
#[derive(Template)]
#[template(path = "members/batch.html")]
pub struct BatchForm<'a> {
    kind: ActKind,
    label: TextKey,
    /// Always false: nobody does these acts to themselves.
    own: bool,
    is_dangerous: bool,
    /// What it says of all whom it can be done to.
    words: BatchWords,
    lang: Lang,
    id: &'a str,
    action: String,
    back: String,
    /// The event as of which it shows the people.
    as_of: EventId,
    ends: EndBounds,
    preview: BatchPreview,
    scopes: Vec<(Scope, bool)>,
    /// Always false: several people have no present scope that would be its first choice.
    takes_focus: bool,
    /// The URL of its style sheet, unless the page includes it.
    style: Option<String>,
    /// Whether it answers the act, which could be done to nobody.
    is_answer: bool,
}

impl askama::filters::HtmlSafe for BatchForm<'_> {}

impl<'a> BatchForm<'a> {
    /// The form for these people as of this event, and for the component's dialog unless it is a page's; `now` in Unix milliseconds.
    pub fn new(
        context: &'a ViewContext,
        act: BatchAct,
        preview: BatchPreview,
        as_of: EventId,
        now: i64,
        in_dialog: bool,
    ) -> BatchForm<'a> {
        let kind = act.kind();
        let words = ActWords::of(kind, false);
        let (actor, target) = (Standing::Member(context.scope), Standing::Member(Scope::Participant));
        BatchForm {
            kind,
            label: words.label,
            own: false,
            is_dangerous: words.is_dangerous,
            words: batch_words(act),
            lang: context.lang,
            id: &context.id,
            action: with_query(&context.urls().batch(), &context.request, ""),
            back: context.href_with(""),
            as_of,
            ends: EndBounds::of(kind, now),
            preview,
            scopes: rules::grantable(actor, target, false).into_iter().map(|scope| (scope, false)).collect(),
            takes_focus: false,
            style: in_dialog.then(|| context.acts_style()),
            is_answer: false,
        }
    }

    /// The form as the answer to the act, which could be done to nobody.
    pub fn answering(self) -> BatchForm<'a> {
        BatchForm { is_answer: true, ..self }
    }

    fn will(&self) -> SafeHtml {
        Message::plural(self.words.will, self.preview.uids.len()).html(self.lang)
    }

    fn left(&self) -> SafeHtml {
        Message::plural(key::SELECTION_GONE, self.preview.left.len()).html(self.lang)
    }

    /// How many have changed, where they are several.
    fn outdated(&self) -> Option<String> {
        let count = self.preview.outdated.len();
        (count > 1).then(|| self.lang.number(count))
    }

    fn notes(&self) -> SafeHtml {
        let count: usize = self.preview.noted.iter().map(|(_, count)| count).sum();
        Message::from(key::NOTES_COUNT).number("count", count).html(self.lang)
    }

    /// Of whom there are notes, and how many.
    fn noted(&self) -> impl Iterator<Item = (&str, String)> {
        self.preview.noted.iter().map(|(name, count)| (name.as_str(), self.lang.number(*count)))
    }

    fn scope(&self, scope: &Scope) -> &'static str {
        self.word(scope_name(*scope))
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.lang.text(key)
    }

    /// The ends of several people's scopes are not one.
    fn present_end(&self) -> Option<(String, String)> {
        None
    }
}

/// [`BatchForm`] as a page.
#[derive(Template)]
#[template(path = "pages/batch.html")]
pub struct BatchPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// Colour scheme.
    pub theme: Theme,
    /// The form.
    pub form: BatchForm<'a>,
    /// All whom it is about: who cancels has them selected as before.
    pub selected: Vec<Uid>,
    /// The URL that shows the list with them selected.
    pub selection: String,
    /// The language.
    pub lang: Lang,
}

impl BatchPage<'_> {
    fn title(&self) -> &'static str {
        self.form.word(self.form.label)
    }
}
