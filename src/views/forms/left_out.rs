//! Whom an act on several people cannot be done to, or was not done to, and why; and whom it changed nothing about.

use askama::Template;

use crate::domain::Uid;
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};

/// The people with one reason.
#[derive(Template)]
#[template(path = "members/refused_people.html")]
pub struct RefusedPeople {
    /// The reason, as a label that fits any number of people.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::{Refusal, Scope};
    use crate::views::{refused, refused_of_several};

    /// The label of each reason, with the sentence about one person that is left out for it.
    fn labels() -> Vec<(TextKey, TextKey)> {
        let refusals = [
            Refusal::Oneself,
            Refusal::Equal(Scope::Admin),
            Refusal::Above(Scope::Owner),
            Refusal::GrantsTooMuch(Scope::Moderator),
            Refusal::EndsAtLasting,
            Refusal::NotAMember,
            Refusal::Outdated,
        ];
        let of_refusals = refusals.into_iter().map(|refusal| (refused_of_several(refusal), refused(refusal)));
        let of_undo =
            [(key::BATCH_REFUSED_TOO_LATE, key::UNDO_TOO_LATE), (key::BATCH_REFUSED_OVERTAKEN, key::UNDO_OVERTAKEN)];
        of_refusals.chain(of_undo).collect()
    }

    #[test]
    fn in_every_language_a_label_with_its_number_stands_over_those_who_are_left_out_not_a_sentence_about_one() {
        for lang in Lang::all() {
            let mut texts = BTreeSet::from([lang.text(key::BATCH_UNCHANGED)]);
            for (label, sentence) in labels() {
                let mut left_out = LeftOut::new(lang);
                left_out.add_reason(label, 500);
                let (html, text) = (left_out.render().unwrap(), lang.text(label));
                let summary = format!("<summary>{text} (<b>{}</b>)</summary>", lang.number(500));
                assert!(html.contains(&summary), "{}: {html}", lang.tag());
                assert_ne!(text, lang.text(sentence), "{}", lang.tag());
                assert!(!text.ends_with(['.', '。', '।']), "{}: {text}", lang.tag());
                assert!(texts.insert(text), "{}: two reasons are {text}", lang.tag());
            }
        }
    }
}
