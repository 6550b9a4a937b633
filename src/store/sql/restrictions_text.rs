//! The stored form of a person's restrictions in the log. Its field names are its own: renaming a field of the domain does not change it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::decode::{inconsistent, parse_scope, parse_uid};
use crate::domain::{Restriction, Restrictions, TemporaryScope, Uid};
use crate::store::error::StoreError;

/// The stored form.
#[derive(Serialize, Deserialize)]
struct StoredRestrictions<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    ban: Option<StoredTerms<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    mute: Option<StoredTerms<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<StoredEnd>,
}

/// The end of a scope, Unix milliseconds, and the number of the scope that lasts.
#[derive(Serialize, Deserialize)]
struct StoredEnd {
    lasting: i64,
    until: i64,
}

/// Times in Unix milliseconds.
#[derive(Serialize, Deserialize)]
struct StoredTerms<'a> {
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    by: Option<Cow<'a, str>>,
}

/// The restrictions in their stored form.
pub(in crate::store) fn restrictions_text(restrictions: &Restrictions) -> String {
    let Restrictions { ban, mute, temporary } = restrictions;
    let stored = StoredRestrictions {
        ban: ban.as_ref().map(StoredTerms::of),
        mute: mute.as_ref().map(StoredTerms::of),
        scope: temporary.map(|TemporaryScope { lasting, until }| StoredEnd { lasting: lasting.number(), until }),
    };
    serde_json::to_string(&stored).expect("texts and numbers can be written as JSON")
}

impl<'a> StoredTerms<'a> {
    fn of(restriction: &'a Restriction) -> StoredTerms<'a> {
        StoredTerms {
            at: restriction.at,
            until: restriction.until,
            reason: restriction.reason.as_deref().map(Cow::Borrowed),
            message: restriction.message.as_deref().map(Cow::Borrowed),
            by: restriction.by.as_ref().map(|by| Cow::Borrowed(by.as_str())),
        }
    }

    fn restriction(self, uid: &Uid) -> Result<Restriction, StoreError> {
        Ok(Restriction {
            uid: uid.clone(),
            name: None,
            reason: self.reason.map(Cow::into_owned),
            message: self.message.map(Cow::into_owned),
            until: self.until,
            by: self.by.as_deref().map(parse_uid).transpose()?,
            at: self.at,
        })
    }
}

/// The restrictions in a stored form; none for NULL.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not what [`restrictions_text`] writes.
pub(in crate::store) fn parse_restrictions(text: Option<&str>, uid: &Uid) -> Result<Restrictions, StoreError> {
    let Some(text) = text else { return Ok(Restrictions::default()) };
    let stored: StoredRestrictions<'_> = serde_json::from_str(text).map_err(|_| inconsistent("restrictions", text))?;
    let end =
        |StoredEnd { lasting, until }| Ok::<_, StoreError>(TemporaryScope { lasting: parse_scope(lasting)?, until });
    Ok(Restrictions {
        ban: stored.ban.map(|terms| terms.restriction(uid)).transpose()?,
        mute: stored.mute.map(|terms| terms.restriction(uid)).transpose()?,
        temporary: stored.scope.map(end).transpose()?,
    })
}

/// The end of a scope in a stored form; `None` without one, and when the form is not what [`restrictions_text`] writes: `doctor` names
/// such a row, and a reader who can do without it goes on.
pub(in crate::store) fn parse_end_of_scope(text: &str) -> Option<TemporaryScope> {
    let StoredEnd { lasting, until } = serde_json::from_str::<StoredRestrictions<'_>>(text).ok()?.scope?;
    Some(TemporaryScope { lasting: parse_scope(lasting).ok()?, until })
}

/// Whether a row of `touched` holds restrictions that a person set; the parameter is the [`author_text`] of that person. LIKE would be
/// inexact: an underscore matches anything, and SQLite ignores the case of letters.
macro_rules! set_by {
    ($of:literal, $author:literal) => {
        concat!(
            "(",
            $of,
            ".old_restrictions IS NOT NULL OR ",
            $of,
            ".new_restrictions IS NOT NULL) AND (replace(",
            $of,
            ".old_restrictions, ",
            $author,
            ", '') <> ",
            $of,
            ".old_restrictions OR replace(",
            $of,
            ".new_restrictions, ",
            $author,
            ", '') <> ",
            $of,
            ".new_restrictions)"
        )
    };
}

pub(in crate::store) use set_by;

/// The stored form of an author, which an erasure looks for and writes.
pub(in crate::store) fn author_text(uid: &str) -> String {
    format!("\"by\":\"{uid}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Scope;

    #[test]
    fn the_stored_form_is_this_and_is_read_back() {
        let uid: Uid = "dee".parse().unwrap();
        let ban = Restriction {
            uid: uid.clone(),
            name: None,
            reason: Some("a \"by\":\"x\" é".into()),
            message: None,
            until: Some(9),
            by: Some("cy".parse().unwrap()),
            at: 7,
        };
        let mute = Restriction { reason: None, message: Some("hush".into()), by: None, ..ban.clone() };
        let temporary = Some(TemporaryScope { lasting: Scope::Participant, until: 5 });
        let restrictions = Restrictions { ban: Some(ban), mute: Some(mute), temporary };
        let text = restrictions_text(&restrictions);
        let terms = r#""ban":{"at":7,"until":9,"reason":"a \"by\":\"x\" é","by":"cy"}"#;
        let rest = r#""mute":{"at":7,"until":9,"message":"hush"},"scope":{"lasting":0,"until":5}"#;
        assert_eq!(text, format!("{{{terms},{rest}}}"));
        assert_eq!(parse_restrictions(Some(&text), &uid).unwrap(), restrictions);
        assert_eq!([text.as_str(), "{}", "ban"].map(parse_end_of_scope), [temporary, None, None]);
        assert_eq!(restrictions_text(&Restrictions::default()), "{}");
        assert!(
            parse_restrictions(None, &uid).unwrap().is_empty()
                && parse_restrictions(Some("{}"), &uid).unwrap().is_empty()
        );
    }

    #[test]
    fn an_author_is_found_and_a_reason_that_spells_the_same_is_not() {
        let uid: Uid = "dee".parse().unwrap();
        let ban = |by: Option<&str>, reason: &str| Restriction {
            uid: uid.clone(),
            name: None,
            reason: Some(reason.into()),
            message: None,
            until: None,
            by: by.map(|by| by.parse().unwrap()),
            at: 1,
        };
        let text = |ban| restrictions_text(&Restrictions { ban: Some(ban), ..Restrictions::default() });
        assert!(text(ban(Some("cy"), "rude")).contains(&author_text("cy")));
        assert!(!text(ban(Some("cyd"), "rude")).contains(&author_text("cy")));
        assert!(!text(ban(None, &author_text("cy"))).contains(&author_text("cy")));
    }
}
