//! What restricts a person in a group: a ban, a mute, or the end of a scope that they have for a time. The log stores all three
//! together, as `old_restrictions` and `new_restrictions`.

use std::borrow::Cow;

use crate::domain::{Scope, Search, Uid, shown};

/// Everything that restricts one person in one group. A ban and a mute are a [`Restriction`] each; a temporary scope has an end and
/// nothing else in common with them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restrictions {
    /// The ban in force.
    pub ban: Option<Restriction>,
    /// The mute in force; it outlives leaving and coming back.
    pub mute: Option<Restriction>,
    /// When the scope of a member ends.
    pub temporary: Option<TemporaryScope>,
}

/// The end of a scope that somebody has for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TemporaryScope {
    /// The scope afterwards, which is lower and lasts.
    pub lasting: Scope,
    /// When it ends, Unix milliseconds.
    pub until: i64,
}

impl Restrictions {
    /// Whether nothing restricts the person.
    pub fn is_empty(&self) -> bool {
        let Restrictions { ban, mute, temporary } = self;
        ban.is_none() && mute.is_none() && temporary.is_none()
    }

    /// These restrictions without a ban and a mute that have ended at `now`, Unix milliseconds.
    pub fn at(&self, now: i64) -> Restrictions {
        let in_force = |restriction: &Option<Restriction>| {
            restriction.clone().filter(|restriction| restriction.until.is_none_or(|until| until > now))
        };
        Restrictions { ban: in_force(&self.ban), mute: in_force(&self.mute), temporary: self.temporary }
    }
}

/// A ban or a mute of somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// The person.
    pub uid: Uid,
    /// Their name, if it is known.
    pub name: Option<String>,
    /// The reason in the author's words; at most [`MAX_WORDS`](crate::domain::MAX_WORDS) characters.
    pub reason: Option<String>,
    /// The message for the person; at most [`MAX_WORDS`](crate::domain::MAX_WORDS) characters.
    pub message: Option<String>,
    /// When it ends, Unix milliseconds; `None` until lifted. A mute always ends.
    pub until: Option<i64>,
    /// The author; `None` for the host.
    pub by: Option<Uid>,
    /// When, Unix milliseconds.
    pub at: i64,
}

impl Restriction {
    /// Their name as people read it; the uid when it is unknown.
    pub fn shown_name(&self) -> Cow<'_, str> {
        shown(self.name.as_deref().unwrap_or(self.uid.as_str()), self.uid.as_str())
    }

    /// Whether a search among the banned or muted finds this one.
    pub fn is_found(&self, search: &Search) -> bool {
        search.finds(self.name.as_deref().unwrap_or_default(), self.uid.as_str())
    }
}
