//! People as stored: the columns that a query selects, and the person they make.

use super::person::{Person, Profile};
use crate::domain::{Membership, Restriction, TemporaryScope, Uid};
use crate::store::error::StoreError;
use crate::store::sql::decode::{inconsistent, parse_scope, parse_uid};
use crate::store::sql::table::selected;
use crate::store::sql::tables::MembershipRow;

selected! {
    /// The profile of a user as stored; NULL for somebody who is not stored.
    pub(in crate::store) struct ProfileRow {
        name: Option<String>,
        avatar: Option<String>,
        sort_key: Option<String>,
    }
}

selected! {
    /// A ban or a mute as stored; NULL for somebody who is not banned or muted.
    pub(in crate::store) struct RestrictionRow {
        at: Option<i64>,
        reason: Option<String>,
        until_at: Option<i64>,
        by_uid: Option<String>,
        message: Option<String>,
    }
}

/// The end of a scope as stored; NULL of one that lasts.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct EndRow {
    lasting_scope: Option<i64>,
    scope_until: Option<i64>,
}

/// A mute as stored; NULL for somebody who is not muted. Its columns have names of their own beside those of a ban.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct MuteRow {
    mute_at: Option<i64>,
    mute_reason: Option<String>,
    mute_until: Option<i64>,
    mute_by: Option<String>,
    mute_message: Option<String>,
}

/// A person as stored, with their membership and what limits them.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct PersonRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
    #[sqlx(flatten)]
    end: EndRow,
    #[sqlx(flatten)]
    mute: MuteRow,
    #[sqlx(flatten)]
    ban: RestrictionRow,
}

/// A person as stored, with their membership and its ends.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct MemberRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
    #[sqlx(flatten)]
    end: EndRow,
    #[sqlx(flatten)]
    mute: MuteRow,
}

/// A person as stored, with their ban or mute.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct RestrictedRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    restriction: RestrictionRow,
}

impl PersonRow {
    /// The person at `now` (Unix milliseconds).
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self, now: i64) -> Result<Person, StoreError> {
        let PersonRow { uid, profile, membership, end, mute, ban } = self;
        let ban = ban.decode(&parse_uid(&uid)?, profile.name.as_deref())?;
        let has_end = end.scope_until.is_some();
        let person = MemberRow { uid, profile, membership, end, mute }.decode()?;
        let end = person.membership.and_then(|membership| membership.temporary);
        let scope_is_over = end.is_some_and(|end| end.until <= now);
        Ok(Person { ban, scope_is_over, has_end, ..person })
    }
}

impl MemberRow {
    /// The person, as if not banned.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self) -> Result<Person, StoreError> {
        let uid = parse_uid(&self.uid)?;
        let mute = self.mute.decode(&uid)?;
        let end = self.end.decode()?;
        let membership = self.membership.decode()?.map(|membership| Membership { temporary: end, ..membership });
        let profile = self.profile.decode();
        Ok(Person { uid, profile, membership, ban: None, mute, scope_is_over: false, has_end: end.is_some() })
    }
}

impl EndRow {
    /// The select list of the alias `of`.
    pub(in crate::store) fn select_list(of: &str) -> String {
        format!("{of}.lasting_scope, {of}.until_at AS scope_until")
    }

    /// When the scope ends, and what comes then.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when no scope has the stored number.
    pub(in crate::store) fn decode(self) -> Result<Option<TemporaryScope>, StoreError> {
        let Some((lasting, until)) = self.lasting_scope.zip(self.scope_until) else { return Ok(None) };
        Ok(Some(TemporaryScope { lasting: parse_scope(lasting)?, until }))
    }
}

impl MuteRow {
    /// The select list of the alias `of`.
    pub(in crate::store) fn select_list(of: &str) -> String {
        format!(
            "{of}.at AS mute_at, {of}.reason AS mute_reason, {of}.until_at AS mute_until, {of}.by_uid AS mute_by,
             {of}.message AS mute_message"
        )
    }

    /// The mute of this person.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self, uid: &Uid) -> Result<Option<Restriction>, StoreError> {
        let MuteRow { mute_at, mute_reason, mute_until, mute_by, mute_message } = self;
        let row = RestrictionRow {
            at: mute_at,
            reason: mute_reason,
            until_at: mute_until,
            by_uid: mute_by,
            message: mute_message,
        };
        row.decode(uid, None)
    }
}

impl RestrictedRow {
    /// The ban or mute.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self) -> Result<Restriction, StoreError> {
        let restriction = self.restriction.decode(&parse_uid(&self.uid)?, self.profile.name.as_deref())?;
        restriction.ok_or_else(|| inconsistent("ban or mute", "without a time"))
    }
}

impl ProfileRow {
    pub(super) fn decode(self) -> Option<Profile> {
        Some(Profile { name: self.name?, avatar: self.avatar, sort_key: self.sort_key? })
    }
}

impl RestrictionRow {
    /// The select list: the columns of the first of two aliases that has a ban.
    pub(in crate::store) fn first_of(first: &str, second: &str) -> String {
        let column =
            |name: &str| format!("CASE WHEN {first}.at IS NULL THEN {second}.{name} ELSE {first}.{name} END AS {name}");
        ["at", "reason", "until_at", "by_uid", "message"].map(column).join(", ")
    }

    /// The ban or mute of this person; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self, uid: &Uid, name: Option<&str>) -> Result<Option<Restriction>, StoreError> {
        let RestrictionRow { at: Some(at), reason, until_at, by_uid, message } = self else { return Ok(None) };
        let by = by_uid.as_deref().map(parse_uid).transpose()?;
        Ok(Some(Restriction {
            uid: uid.clone(),
            name: name.map(str::to_owned),
            reason,
            message,
            until: until_at,
            by,
            at,
        }))
    }
}
