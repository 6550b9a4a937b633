//! Somebody, and what they are to a group.

use super::db::{Connection, ask};
use super::error::StoreError;
use super::tx::{Tx, parse, scope};
use crate::domain::{Ban, Guid, Member, Scope, Standing, Uid};

/// Somebody, and what they are to a group.
#[derive(Debug, Clone)]
pub struct Person {
    /// Who.
    pub uid: Uid,
    /// Name, picture and sort key, when the host or a token has told them.
    pub profile: Option<(String, Option<String>, String)>,
    /// Scope, since when (seconds) and last change, of a member.
    pub membership: Option<(Scope, i64, u64)>,
    /// The ban in force.
    pub ban: Option<Ban>,
}

impl Person {
    /// What the rules want to know.
    pub fn standing(&self) -> Standing {
        match (&self.membership, &self.ban) {
            (Some((scope, ..)), _) => Standing::Member(*scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// The name, or the uid of somebody nobody has named.
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
    /// Reads two people (or one, named twice) and what they are to the group.
    pub async fn people(&mut self, guid: &Guid, first: &Uid, second: &Uid) -> Result<(Person, Person), StoreError> {
        people(self.connection.lend(), guid, first, second, self.now).await
    }

    /// Reads one person and what they are to the group.
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

/// Two people (or one, named twice) and what they are to the group at the moment `now`.
pub(super) async fn people(
    mut on: Connection<'_>,
    guid: &Guid,
    first: &Uid,
    second: &Uid,
    now: i64,
) -> Result<(Person, Person), StoreError> {
    let rows: Vec<PersonRow> = ask!(
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
    let people = rows.into_iter().map(PersonRow::read).collect::<Result<Vec<_>, _>>()?;
    let find = |uid: &Uid| people.iter().find(|person| person.uid == *uid).cloned();
    let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
    Ok((find(first).ok_or_else(missing)?, find(second).ok_or_else(missing)?))
}

/// A person as they are stored, with what they are to a group: what was not asked for, they are not.
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
    pub(super) fn read(self) -> Result<Person, StoreError> {
        let uid = parse(&self.uid)?;
        let ban = match self.banned_at {
            Some(at) => Some(Ban {
                uid: uid.clone(),
                name: self.name.clone(),
                reason: self.reason,
                until: self.until_at,
                by: self.by_uid.as_deref().map(parse).transpose()?,
                at,
            }),
            None => None,
        };
        let membership = match (self.scope, self.joined_at, self.seq) {
            (Some(stored), Some(joined_at), Some(seq)) => Some((scope(stored)?, joined_at, seq as u64)),
            _ => None,
        };
        let avatar = self.avatar;
        let profile = self.name.zip(self.sort_key).map(|(name, sort_key)| (name, avatar, sort_key));
        Ok(Person { uid, profile, membership, ban })
    }
}
