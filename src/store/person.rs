//! A person and their relation to a group: user, membership and ban in one query.

use super::connection::Connection;
use super::decode::{parse_scope, parse_uid};
use super::error::StoreError;
use super::query::fetch;
use super::tx::Tx;
use crate::domain::{Ban, Guid, Member, Scope, Standing, Uid};

/// A person and their relation to a group.
#[derive(Debug, Clone)]
pub struct Person {
    /// Who.
    pub uid: Uid,
    /// Name, picture (a URL) and sort key, when the host or a token has reported them.
    pub profile: Option<(String, Option<String>, String)>,
    /// Scope, time of joining (seconds since the epoch) and number of the last change, of a member.
    pub membership: Option<(Scope, i64, u64)>,
    /// The ban in force.
    pub ban: Option<Ban>,
}

impl Person {
    /// Their standing, by which the rules decide.
    pub fn standing(&self) -> Standing {
        match (&self.membership, &self.ban) {
            (Some((scope, ..)), _) => Standing::Member(*scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// The name, or the uid when no name is stored.
    pub fn name(&self) -> &str {
        self.profile.as_ref().map_or(self.uid.as_str(), |(name, ..)| name)
    }

    /// The member, if they are one.
    pub fn member(&self) -> Option<Member> {
        let (scope, joined_at, seq) = self.membership?;
        let (name, avatar, sort_key) = self.profile.as_ref()?;
        Some(Member::new(&self.uid, name, sort_key, avatar.as_deref(), scope, joined_at, seq))
    }
}

impl Tx<'_> {
    /// Two people (or one, named twice) and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people(&mut self, guid: &Guid, first: &Uid, second: &Uid) -> Result<(Person, Person), StoreError> {
        people(self.connection.reborrow(), guid, first, second, self.now).await
    }

    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

/// Two people (or one, named twice) and their relation to the group at `now` (milliseconds since the epoch).
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when a stored row
/// breaks an invariant.
pub(super) async fn people(
    mut on: Connection<'_>,
    guid: &Guid,
    first: &Uid,
    second: &Uid,
    now: i64,
) -> Result<(Person, Person), StoreError> {
    let rows: Vec<PersonRow> = fetch!(
        fetch_all,
        on,
        "SELECT p.uid, u.name, u.avatar, u.sort_key, m.scope, m.joined_at, m.seq, b.at AS banned_at,
           b.reason, b.until_at, b.by_uid
         FROM (SELECT CAST($2 AS TEXT) AS uid UNION SELECT CAST($3 AS TEXT) AS uid) p
         LEFT JOIN users u ON u.uid = p.uid
         LEFT JOIN members m ON m.guid = $1 AND m.uid = p.uid
         LEFT JOIN bans b ON b.guid = $1 AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > $4)",
        guid.as_str(),
        first.as_str(),
        second.as_str(),
        now
    )?;
    let people = rows.into_iter().map(PersonRow::decode).collect::<Result<Vec<_>, _>>()?;
    let find = |uid: &Uid| people.iter().find(|person| person.uid == *uid).cloned();
    let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
    Ok((find(first).ok_or_else(missing)?, find(second).ok_or_else(missing)?))
}

/// A person as stored, with their relation to a group. Columns that a query does not select are read as NULL.
#[derive(sqlx::FromRow)]
pub(super) struct PersonRow {
    uid: String,
    name: Option<String>,
    avatar: Option<String>,
    sort_key: Option<String>,
    #[sqlx(default)]
    scope: Option<i64>,
    #[sqlx(default)]
    joined_at: Option<i64>,
    #[sqlx(default)]
    seq: Option<i64>,
    #[sqlx(default)]
    banned_at: Option<i64>,
    #[sqlx(default)]
    reason: Option<String>,
    #[sqlx(default)]
    until_at: Option<i64>,
    #[sqlx(default)]
    by_uid: Option<String>,
}

impl PersonRow {
    /// The person.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<Person, StoreError> {
        let uid = parse_uid(&self.uid)?;
        let ban = match self.banned_at {
            Some(at) => Some(Ban {
                uid: uid.clone(),
                name: self.name.clone(),
                reason: self.reason,
                until: self.until_at,
                by: self.by_uid.as_deref().map(parse_uid).transpose()?,
                at,
            }),
            None => None,
        };
        let membership = match (self.scope, self.joined_at, self.seq) {
            (Some(scope), Some(joined_at), Some(seq)) => Some((parse_scope(scope)?, joined_at, seq as u64)),
            _ => None,
        };
        let avatar = self.avatar;
        let profile = self.name.zip(self.sort_key).map(|(name, sort_key)| (name, avatar, sort_key));
        Ok(Person { uid, profile, membership, ban })
    }
}
