//! What restricts a person in a group: a ban, a mute, or the end of a scope that they have for a time. The log stores all three
//! together, as `old_restrictions` and `new_restrictions`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::domain::{Scope, Search, Uid, parse_printed, shown};

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

    /// Its place in the list of bans or mutes.
    pub fn place(&self) -> RestrictionPlace {
        RestrictionPlace { at: self.at, uid: self.uid.clone() }
    }

    /// Whether it comes behind this place: the list has the newest first, and those of one moment by uid.
    pub fn is_behind(&self, place: &RestrictionPlace) -> bool {
        self.at < place.at || (self.at == place.at && self.uid > place.uid)
    }
}

/// A place in the list of bans or mutes, as it travels in `cursor`: that of a ban or mute, which may have ended since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestrictionPlace {
    /// Since when, Unix milliseconds.
    pub at: i64,
    /// The person.
    pub uid: Uid,
}

impl fmt::Display for RestrictionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at, self.uid)
    }
}

impl FromStr for RestrictionPlace {
    type Err = ();

    /// Only the form that [`fmt::Display`] gives.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (number, uid) = text.split_once('.').ok_or(())?;
        let at = parse_printed(number).ok_or(())?;
        let uid = uid.parse().map_err(|_| ())?;
        Ok(RestrictionPlace { at, uid })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_printed_and_nothing_else_is_one() {
        for text in ["1767225600000.flo", "0.A_b-9"] {
            assert_eq!(text.parse::<RestrictionPlace>().unwrap().to_string(), text);
        }
        for text in ["", "3", ".flo", "5.", "05.flo", "+5.flo", "-5.flo", "5.flo.", "5.no body", "5.app_system"] {
            assert_eq!(text.parse::<RestrictionPlace>(), Err(()), "{text}");
        }
        assert_eq!("99999999999999999999.flo".parse::<RestrictionPlace>(), Err(()));
    }

    #[test]
    fn behind_a_place_are_the_older_ones_and_of_its_moment_those_with_a_later_uid() {
        let ban = |at, uid: &str| Restriction {
            uid: uid.parse().unwrap(),
            name: None,
            reason: None,
            message: None,
            until: None,
            by: None,
            at,
        };
        let place = ban(5, "eve").place();
        assert!(ban(4, "ada").is_behind(&place) && ban(5, "flo").is_behind(&place));
        for before in [ban(5, "eve"), ban(5, "Flo"), ban(6, "flo")] {
            assert!(!before.is_behind(&place), "{before:?}");
        }
    }
}
