//! Why a request was refused, in the words of a problem: one meaning for people and for programs.

use crate::i18n::{Lang, Message, SafeHtml, TextKey};

/// Why, and what to do.
#[derive(Debug, Clone)]
pub(super) enum Detail {
    /// Sentences for people, in whatever language they read.
    Messages(Vec<Message>),
    /// A field cannot be taken as it is.
    Field {
        /// What whoever filled in the form can do.
        people: Box<Message>,
        /// English text for the author of a program: the name of the field and its allowed values.
        program: String,
    },
    /// English text for the author of the request: names of parameters and their allowed values.
    Plain(String),
}

impl Detail {
    /// The detail for people, as plain text.
    pub(super) fn text(&self, lang: Lang) -> String {
        match self {
            Detail::Messages(all) => all.iter().map(|message| message.text(lang)).collect::<Vec<_>>().join(" "),
            Detail::Field { people, .. } => people.text(lang),
            Detail::Plain(text) => text.clone(),
        }
    }

    /// The detail for people, as HTML.
    pub(super) fn html(&self, lang: Lang) -> SafeHtml {
        match self {
            Detail::Messages(all) => SafeHtml::join(all.iter().map(|message| message.html(lang))),
            Detail::Field { people, .. } => people.html(lang),
            Detail::Plain(text) => SafeHtml::isolated(text),
        }
    }

    /// The detail for programs: a field that cannot be taken is named.
    pub(super) fn for_programs(&self, lang: Lang) -> String {
        match self {
            Detail::Field { program, .. } => program.clone(),
            Detail::Messages(_) | Detail::Plain(_) => self.text(lang),
        }
    }
}

impl From<TextKey> for Detail {
    fn from(key: TextKey) -> Detail {
        Detail::Messages(vec![key.into()])
    }
}

impl From<Message> for Detail {
    fn from(message: Message) -> Detail {
        Detail::Messages(vec![message])
    }
}
