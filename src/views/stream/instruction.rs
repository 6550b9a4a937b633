//! The instructions of a message to the script: what each means, and its attributes. `static/js/live/instructions.js` carries them out, and
//! `static/js/staff/undo.js` those about undoing. A page outlives a deploy, so neither a name nor an attribute ever gets another meaning.

use std::fmt;

use crate::domain::{PresenceMode, Scope, Status};
use crate::views::MARKUP_VERSION;

/// What the script is to do. The swap of an act that can be undone (`SwapItem::Undo`) is one more, `undo`, since it is a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::IntoStaticStr)]
pub enum InstructionName {
    /// Show these numbers of members, in all and in each section.
    #[strum(serialize = "count")]
    Count,
    /// Show these statuses in the rows of these people, and this number of people who are online.
    #[strum(serialize = "statuses")]
    Statuses,
    /// Show how current statuses are.
    #[strum(serialize = "presence")]
    Presence,
    /// Fetch the rows again; the whole component, when its viewer has another scope than here.
    #[strum(serialize = "resync")]
    Resync,
    /// Fetch the whole component again: it was made with other markup, other templates or other rights.
    #[strum(serialize = "renew")]
    Renew,
    /// Show whether the list is live, or end the stream for good.
    #[strum(serialize = "live")]
    Live,
    /// Dispatch a DOM event to the host's page, once, and add it to the digest of what others did.
    #[strum(serialize = "event")]
    Event,
    /// Say that an act was undone.
    #[strum(serialize = "undone")]
    Undone,
    /// Show the people whom an act on several was not done to.
    #[strum(serialize = "left-out")]
    LeftOut,
}

impl askama::FastWritable for InstructionName {
    fn write_into(&self, text: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(text.write_str(self.into())?)
    }
}

impl askama::filters::HtmlSafe for InstructionName {}

/// An instruction to the script, in attributes of a hidden element.
pub struct Instruction {
    /// Which instruction it is.
    pub name: InstructionName,
    /// Further `data-` attributes: the name after `data-`, and the value.
    pub(super) data: Vec<(&'static str, String)>,
}

impl Instruction {
    /// The number of matches; with `found` also in words, and with `sections` the number in each section, in display order and
    /// separated by spaces.
    pub fn count(count: usize, found: Option<String>, sections: Option<String>) -> Instruction {
        let mut data = vec![("count", count.to_string())];
        data.extend(found.map(|found| ("found", found)));
        data.extend(sections.map(|sections| ("sections", sections)));
        Instruction { name: InstructionName::Count, data }
    }

    /// The people of each status, as uids separated by spaces; with `others` the status of everybody else, who otherwise keeps theirs.
    pub fn statuses(people: impl IntoIterator<Item = (Status, String)>, others: Option<Status>) -> Instruction {
        let mut data: Vec<_> = people.into_iter().map(|(status, uids)| (status.as_str(), uids)).collect();
        data.extend(others.map(|status| ("others", status.as_str().to_owned())));
        Instruction { name: InstructionName::Statuses, data }
    }

    /// Adds to [`Instruction::statuses`] the HTML of how many people are online.
    pub fn add_online(&mut self, html: String) {
        self.data.push(("total", html));
    }

    /// How current statuses are, as a code and as a sentence for people.
    pub fn presence(mode: PresenceMode, text: &str) -> Instruction {
        let data = vec![("mode", mode.as_str().to_owned()), ("text", text.to_owned())];
        Instruction { name: InstructionName::Presence, data }
    }

    /// The rows are to be fetched again, by a viewer of this scope.
    pub fn resync(scope: Scope) -> Instruction {
        Instruction { name: InstructionName::Resync, data: vec![("scope", scope.as_str().to_owned())] }
    }

    /// Adds to [`Instruction::resync`] that the notice below the list still holds, so that the rows are enough. (The attribute is named
    /// after the first such notice, that the viewer is muted.)
    pub fn keep_notice(&mut self) {
        self.data.push(("muted", String::new()));
    }

    /// The component is to be fetched again, by a viewer of this scope.
    pub fn renew(scope: Scope) -> Instruction {
        let data = vec![("scope", scope.as_str().to_owned()), ("markup", MARKUP_VERSION.to_owned())];
        Instruction { name: InstructionName::Renew, data }
    }

    /// Whether changes arrive as they happen, or the service has lost its connection to them.
    pub fn live(is_live: bool) -> Instruction {
        let word = if is_live { "on" } else { "reconnecting" };
        Instruction { name: InstructionName::Live, data: vec![("live", word.to_owned())] }
    }

    /// The stream ends because the viewer's token has expired.
    pub fn expired() -> Instruction {
        let data = vec![("live", "off".to_owned()), ("reason", "expired".to_owned())];
        Instruction { name: InstructionName::Live, data }
    }

    /// An event for the host's page: its name in the DOM, its detail as JSON, and its part in the digest: a sentence (`said`) or
    /// numbers of people (`joined`, `left`, `removed`, `changed`).
    pub fn event(name: String, detail: String, digest: Vec<(&'static str, String)>) -> Instruction {
        let mut data = vec![("name", name), ("detail", detail)];
        data.extend(digest);
        Instruction { name: InstructionName::Event, data }
    }

    /// The sentence, as HTML, that an act was undone.
    pub fn undone(html: String) -> Instruction {
        Instruction { name: InstructionName::Undone, data: vec![("html", html)] }
    }

    /// The alert, as HTML, that names those whom an act on several people was not done to.
    pub fn left_out(html: String) -> Instruction {
        Instruction { name: InstructionName::LeftOut, data: vec![("html", html)] }
    }
}
