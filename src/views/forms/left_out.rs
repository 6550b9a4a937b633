//! Whom an act on several people cannot be done to, or was not done to, and why; and whom it changed nothing about.

use askama::Template;

use crate::domain::Uid;
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};

/// The people with one reason.
#[derive(Template)]
#[template(path = "members/refused_people.html")]
pub struct RefusedPeople {
    /// The reason.
    pub why: TextKey,
    /// How many they are.
    pub count: usize,
    /// The first of them, each with the name.
    pub named: Vec<(Uid, String)>,
    lang: Lang,
    /// Whether the names are in sight before the part is opened.
    is_open: bool,
}

impl askama::filters::HtmlSafe for RefusedPeople {}

impl RefusedPeople {
    /// How many they are, where they are several.
    fn number(&self) -> Option<String> {
        (self.count > 1).then(|| self.lang.number(self.count))
    }

    fn reason(&self) -> &'static str {
        self.lang.text(self.why)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(_, name)| name.as_str())
    }

    fn are_more(&self) -> bool {
        self.named.len() < self.count
    }
}

/// The people whom an act on several cannot be done to, or was not done to, in parts that open: one for each reason.
#[derive(Template)]
#[template(path = "members/left_out.html")]
pub struct LeftOut {
    /// The reasons, in the order in which they came.
    pub reasons: Vec<RefusedPeople>,
    lang: Lang,
    /// What came of the act, where nothing beside this says so, and how many it was not possible for.
    heading: Option<SafeHtml>,
}

impl askama::filters::HtmlSafe for LeftOut {}

impl LeftOut {
    /// Up to this number of people, all names are in sight at once.
    const MAX_NAMES: usize = 5;

    /// Nobody.
    pub fn new(lang: Lang) -> LeftOut {
        LeftOut { reasons: Vec::new(), lang, heading: None }
    }

    /// Adds so many people with this reason, none of them named.
    pub fn add_reason(&mut self, why: TextKey, count: usize) {
        self.reasons.push(RefusedPeople { why, count, named: Vec::new(), lang: self.lang, is_open: false });
    }

    /// Adds somebody to those with this reason, of whom at most `most` are named.
    pub fn add(&mut self, why: TextKey, uid: Uid, name: String, most: usize) {
        let at = self.reasons.iter().position(|people| people.why == why).unwrap_or_else(|| {
            self.add_reason(why, 0);
            self.reasons.len() - 1
        });
        let people = &mut self.reasons[at];
        people.count += 1;
        if people.named.len() < most {
            people.named.push((uid, name));
        }
    }

    /// Turns the list into the report of an act that was done to others; `done` says to how many, where nothing else does.
    pub fn of_outcome(self, done: Option<SafeHtml>) -> LeftOut {
        let is_open = self.count() <= LeftOut::MAX_NAMES;
        let sentences: Vec<SafeHtml> = done.into_iter().chain(self.sentence()).collect();
        let heading = if sentences.is_empty() { None } else { Some(SafeHtml::join(sentences)) };
        let reasons = self.reasons.into_iter().map(|people| RefusedPeople { is_open, ..people }).collect();
        LeftOut { reasons, heading, ..self }
    }

    /// Whether it is nobody.
    pub fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }

    /// How many they are.
    fn count(&self) -> usize {
        self.reasons.iter().map(|people| people.count).sum()
    }

    /// How many it is not possible for, as a sentence that goes on with the reasons; `None` when it is possible for all.
    pub(super) fn sentence(&self) -> Option<SafeHtml> {
        let refused = self.reasons.iter().filter(|people| people.why != key::BATCH_UNCHANGED);
        let count: usize = refused.map(|people| people.count).sum();
        (count > 0).then(|| Message::from(key::BATCH_CANNOT).number("count", count).html(self.lang))
    }
}
