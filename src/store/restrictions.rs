//! What kept a person out, as the log holds it beside them: a stored form, which names no field of ours.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::decode::{inconsistent, parse_uid};
use super::error::StoreError;
use crate::domain::{Ban, Restrictions, Uid};

/// The stored form.
#[derive(Serialize, Deserialize)]
struct StoredRestrictions<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    ban: Option<StoredTerms<'a>>,
}

/// Times in milliseconds since the epoch.
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

/// As the log holds them.
pub(super) fn restrictions_text(restrictions: &Restrictions) -> String {
    let ban = restrictions.ban.as_ref().map(|ban| StoredTerms {
        at: ban.at,
        until: ban.until,
        reason: ban.reason.as_deref().map(Cow::Borrowed),
        message: ban.message.as_deref().map(Cow::Borrowed),
        by: ban.by.as_ref().map(|by| Cow::Borrowed(by.as_str())),
    });
    serde_json::to_string(&StoredRestrictions { ban }).expect("texts and numbers can be written as JSON")
}

/// What the log holds of this person; nothing for NULL.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not what [`restrictions_text`] writes.
pub(super) fn parse_restrictions(text: Option<&str>, uid: &Uid) -> Result<Restrictions, StoreError> {
    let Some(text) = text else { return Ok(Restrictions::default()) };
    let stored: StoredRestrictions<'_> = serde_json::from_str(text).map_err(|_| inconsistent("restrictions", text))?;
    let ban = stored.ban.map(|terms| {
        Ok::<_, StoreError>(Ban {
            uid: uid.clone(),
            name: None,
            reason: terms.reason.map(Cow::into_owned),
            message: terms.message.map(Cow::into_owned),
            until: terms.until,
            by: terms.by.as_deref().map(parse_uid).transpose()?,
            at: terms.at,
        })
    });
    Ok(Restrictions { ban: ban.transpose()? })
}

/// Whether a row of `touched` holds restrictions that somebody set, whom the parameter names as [`author_text`]. Exact, where LIKE
/// is not: an underscore matches anything, and on SQLite letters match in either case.
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

pub(super) use set_by;

/// How an author stands in a stored form: what an erasure looks for, and what it writes.
pub(super) fn author_text(uid: &str) -> String {
    format!("\"by\":\"{uid}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_form_is_this_and_is_read_back() {
        let uid: Uid = "dee".parse().unwrap();
        let ban = Ban {
            uid: uid.clone(),
            name: None,
            reason: Some("a \"by\":\"x\" é".into()),
            message: None,
            until: Some(9),
            by: Some("cy".parse().unwrap()),
            at: 7,
        };
        let restrictions = Restrictions { ban: Some(ban) };
        let text = restrictions_text(&restrictions);
        assert_eq!(text, r#"{"ban":{"at":7,"until":9,"reason":"a \"by\":\"x\" é","by":"cy"}}"#);
        assert_eq!(parse_restrictions(Some(&text), &uid).unwrap(), restrictions);
        assert_eq!(restrictions_text(&Restrictions::default()), "{}");
        assert!(
            parse_restrictions(None, &uid).unwrap().is_empty()
                && parse_restrictions(Some("{}"), &uid).unwrap().is_empty()
        );
    }

    #[test]
    fn an_author_is_found_and_a_reason_that_spells_the_same_is_not() {
        let uid: Uid = "dee".parse().unwrap();
        let ban = |by: Option<&str>, reason: &str| Ban {
            uid: uid.clone(),
            name: None,
            reason: Some(reason.into()),
            message: None,
            until: None,
            by: by.map(|by| by.parse().unwrap()),
            at: 1,
        };
        let text = |ban| restrictions_text(&Restrictions { ban: Some(ban) });
        assert!(text(ban(Some("cy"), "rude")).contains(&author_text("cy")));
        assert!(!text(ban(Some("cyd"), "rude")).contains(&author_text("cy")));
        assert!(!text(ban(None, &author_text("cy"))).contains(&author_text("cy")));
    }
}
