//! Somebody, and what they are to a group.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::tx::{number, parse, scope};
use super::{StoreError, Tx};
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
        let rows = sqlx::query(
            "SELECT p.uid, u.name, u.avatar, u.sort_key, m.scope, m.joined_at, m.seq, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM (SELECT $2 AS uid UNION SELECT $3 AS uid) p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = $1 AND m.uid = p.uid
             LEFT JOIN bans b ON b.guid = $1 AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > $4)",
        )
        .bind(guid.as_str())
        .bind(first.as_str())
        .bind(second.as_str())
        .bind(self.now())
        .fetch_all(&mut *self.connection)
        .await?;
        let people = rows.iter().map(person).collect::<Result<Vec<_>, _>>()?;
        let find = |uid: &Uid| people.iter().find(|person| person.uid == *uid).cloned();
        let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
        Ok((find(first).ok_or_else(missing)?, find(second).ok_or_else(missing)?))
    }

    /// Reads one person and what they are to the group.
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

/// Reads a person's row, as [`Tx::people`] selects it.
pub(super) fn person(row: &SqliteRow) -> Result<Person, StoreError> {
    let uid = parse(row.try_get("uid")?)?;
    let name: Option<String> = row.try_get("name")?;
    let profile = match name {
        Some(name) => Some((name, row.try_get("avatar")?, row.try_get("sort_key")?)),
        None => None,
    };
    let membership = match row.try_get::<Option<i64>, _>("scope")? {
        Some(stored) => Some((scope(stored)?, row.try_get("joined_at")?, number(row, "seq")?)),
        None => None,
    };
    let ban = match row.try_get::<Option<i64>, _>("banned_at")? {
        Some(at) => Some(Ban {
            uid: uid.clone(),
            name: profile.as_ref().map(|(name, ..)| name.clone()),
            reason: row.try_get("reason")?,
            until: row.try_get("until_at")?,
            by: row.try_get::<Option<&str>, _>("by_uid")?.map(parse).transpose()?,
            at,
        }),
        None => None,
    };
    Ok(Person { uid, profile, membership, ban })
}
