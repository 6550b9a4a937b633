//! The statements an act is made of, inside its savepoint.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::StoreError;
use crate::domain::{Ban, Group, GroupType, Guid, Logged, Member, Name, Scope, Standing, Uid};

/// One act's part of a write transaction. What it writes is kept or taken back as a whole.
pub struct Tx<'c> {
    pub(super) connection: &'c mut SqliteConnection,
    now: i64,
    logged: Vec<Logged>,
}

/// A group whose lock this act holds, with the number its event will have.
pub struct Claimed {
    /// The number of the event this act may append.
    pub seq: u64,
    /// The group.
    pub group: Group,
    /// Hash of the password of a password group (PHC string).
    pub password: Option<String>,
}

/// A group to be written.
pub struct NewGroup<'a> {
    /// The group.
    pub group: &'a Group,
    /// Hash of the password of a password group (PHC string).
    pub password: Option<&'a str>,
}

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

impl<'c> Tx<'c> {
    pub(super) async fn begin(connection: &'c mut SqliteConnection, now: i64) -> Result<Tx<'c>, StoreError> {
        sqlx::query("SAVEPOINT act").execute(&mut *connection).await?;
        Ok(Tx { connection, now, logged: Vec::new() })
    }

    pub(super) async fn end(self, keep: bool) -> Result<Vec<Logged>, StoreError> {
        if !keep {
            sqlx::query("ROLLBACK TO act").execute(&mut *self.connection).await?;
        }
        sqlx::query("RELEASE act").execute(&mut *self.connection).await?;
        Ok(if keep { self.logged } else { Vec::new() })
    }

    /// The time of this act, milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Takes the group's lock and its next event number; `None` when there is no such group.
    pub async fn claim(&mut self, guid: &Guid) -> Result<Option<Claimed>, StoreError> {
        let row = sqlx::query(
            "UPDATE groups SET seq = seq + 1 WHERE guid = $1 AND deleted_at IS NULL
             RETURNING guid, name, type, icon, description, password, seq",
        )
        .bind(guid.as_str())
        .fetch_optional(&mut *self.connection)
        .await?;
        row.map(|row| {
            Ok(Claimed { seq: number(&row, "seq")?, group: group(&row)?, password: row.try_get("password")? })
        })
        .transpose()
    }

    /// Creates a group, or brings one that was deleted back with its numbers going on. Claims
    /// its first number; `None` when a group of that id is there already.
    pub async fn create_group(&mut self, new: NewGroup<'_>) -> Result<Option<u64>, StoreError> {
        let NewGroup { group, password } = new;
        let seq: Option<i64> = sqlx::query_scalar(
            "INSERT INTO groups (guid, name, type, password, icon, description, seq, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7)
             ON CONFLICT (guid) DO UPDATE SET name = excluded.name, type = excluded.type, password = excluded.password,
               icon = excluded.icon, description = excluded.description, seq = groups.seq + 1,
               created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = NULL
             WHERE groups.deleted_at IS NOT NULL
             RETURNING seq",
        )
        .bind(group.guid.as_str())
        .bind(group.name.as_str())
        .bind(group.group_type.as_str())
        .bind(password)
        .bind(group.icon.as_deref())
        .bind(group.description.as_deref())
        .bind(self.now)
        .fetch_optional(&mut *self.connection)
        .await?;
        Ok(seq.map(|seq| seq as u64))
    }

    /// Writes what a group is called and how one gets in.
    pub async fn put_group(&mut self, new: NewGroup<'_>) -> Result<(), StoreError> {
        sqlx::query("UPDATE groups SET name = $2, type = $3, password = $4, icon = $5, description = $6, updated_at = $7 WHERE guid = $1")
            .bind(new.group.guid.as_str())
            .bind(new.group.name.as_str())
            .bind(new.group.group_type.as_str())
            .bind(new.password)
            .bind(new.group.icon.as_deref())
            .bind(new.group.description.as_deref())
            .bind(self.now)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Empties a group and marks it as gone; its log stays.
    pub async fn delete_group(&mut self, guid: &Guid) -> Result<(), StoreError> {
        for sql in ["DELETE FROM members WHERE guid = $1", "DELETE FROM bans WHERE guid = $1"] {
            sqlx::query(sql).bind(guid.as_str()).execute(&mut *self.connection).await?;
        }
        sqlx::query("UPDATE groups SET deleted_at = $2 WHERE guid = $1")
            .bind(guid.as_str())
            .bind(self.now)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

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
        .bind(self.now)
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

    /// The owner's uid, if the group has one.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        let uid: Option<String> = sqlx::query_scalar("SELECT uid FROM members WHERE guid = $1 AND scope = 3")
            .bind(guid.as_str())
            .fetch_optional(&mut *self.connection)
            .await?;
        uid.map(|uid| parse(&uid)).transpose()
    }

    /// Writes a membership.
    pub async fn put_member(&mut self, guid: &Guid, member: &Member) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq",
        )
        .bind(guid.as_str())
        .bind(member.uid())
        .bind(member.scope.number())
        .bind(member.joined_at)
        .bind(member.seq as i64)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Ends a membership.
    pub async fn remove_member(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM members WHERE guid = $1 AND uid = $2")
            .bind(guid.as_str())
            .bind(uid.as_str())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Writes a ban, in place of one that is there.
    pub async fn put_ban(&mut self, guid: &Guid, ban: &Ban) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO bans (guid, uid, reason, until_at, by_uid, at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (guid, uid) DO UPDATE SET reason = excluded.reason, until_at = excluded.until_at, by_uid = excluded.by_uid, at = excluded.at",
        )
        .bind(guid.as_str())
        .bind(ban.uid.as_str())
        .bind(ban.reason.as_deref())
        .bind(ban.until)
        .bind(ban.by.as_ref().map(Uid::as_str))
        .bind(ban.at)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Takes a ban away.
    pub async fn lift_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM bans WHERE guid = $1 AND uid = $2")
            .bind(guid.as_str())
            .bind(uid.as_str())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Bans that have run out, a few at a time.
    pub async fn ended_bans(&mut self, at_most: i64) -> Result<Vec<(Guid, Uid)>, StoreError> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("SELECT guid, uid FROM bans WHERE until_at <= $1 ORDER BY until_at LIMIT $2")
                .bind(self.now)
                .bind(at_most)
                .fetch_all(&mut *self.connection)
                .await?;
        rows.iter().map(|(guid, uid)| Ok((guid.parse().map_err(|_| bad("guid", guid))?, parse(uid)?))).collect()
    }

    /// Appends the event of this act to the group's log, with the members it touched.
    pub async fn append(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_head(&event).await?;
        for touched in &event.touched {
            sqlx::query("INSERT INTO touched (guid, seq, uid, old_scope, new_scope, name, avatar, joined_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
                .bind(event.guid.as_str())
                .bind(event.seq as i64)
                .bind(touched.uid.as_str())
                .bind(touched.old.map(Scope::number))
                .bind(touched.new.map(Scope::number))
                .bind(touched.name.as_deref())
                .bind(touched.member.as_deref().and_then(Member::avatar))
                .bind(touched.member.as_deref().map(|member| member.joined_at))
                .execute(&mut *self.connection)
                .await?;
        }
        self.logged.push(event);
        Ok(())
    }

    /// Appends an event whose touched members are written elsewhere (a bulk sync).
    pub(super) async fn append_bulk(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_head(&event).await?;
        self.logged.push(event);
        Ok(())
    }

    async fn append_head(&mut self, event: &Logged) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO events (guid, seq, kind, at, by_uid, by_name, reason, until_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
            .bind(event.guid.as_str())
            .bind(event.seq as i64)
            .bind(event.kind.as_str())
            .bind(event.at)
            .bind(event.by.as_ref().map(|by| by.uid.as_str()))
            .bind(event.by.as_ref().map(|by| by.name.as_str()))
            .bind(event.reason.as_deref())
            .bind(event.until)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// What was done before under this caller's key, if anything.
    pub async fn done_before(&mut self, guid: &Guid, caller: &str, key: &str) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar("SELECT act FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3")
            .bind(guid.as_str())
            .bind(caller)
            .bind(key)
            .fetch_optional(&mut *self.connection)
            .await?)
    }

    /// Remembers what was done under this caller's key.
    pub async fn remember(&mut self, guid: &Guid, caller: &str, key: &str, act: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO idempotency (guid, caller, key, act, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (guid, caller, key) DO NOTHING")
            .bind(guid.as_str())
            .bind(caller)
            .bind(key)
            .bind(act)
            .bind(self.now)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Forgets keys older than `age` milliseconds, and events beyond the last `retention` of each
    /// group; a bounded piece of work each time.
    pub async fn prune(&mut self, age: i64, retention: u64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM idempotency WHERE at < $1")
            .bind(self.now - age)
            .execute(&mut *self.connection)
            .await?;
        for sql in [
            "DELETE FROM touched WHERE (guid, seq) IN (SELECT t.guid, t.seq FROM groups g JOIN touched t ON t.guid = g.guid AND t.seq <= g.seq - $1 LIMIT 10000)",
            "DELETE FROM events WHERE (guid, seq) IN (SELECT e.guid, e.seq FROM groups g JOIN events e ON e.guid = g.guid AND e.seq <= g.seq - $1 LIMIT 10000)",
        ] {
            sqlx::query(sql).bind(retention as i64).execute(&mut *self.connection).await?;
        }
        Ok(())
    }
}

/// Reads a group's row.
pub(super) fn group(row: &SqliteRow) -> Result<Group, StoreError> {
    let (guid, name, group_type): (&str, &str, &str) =
        (row.try_get("guid")?, row.try_get("name")?, row.try_get("type")?);
    Ok(Group {
        guid: guid.parse().map_err(|_| bad("guid", guid))?,
        name: Name::parse(name).map_err(|_| bad("name of a group", guid))?,
        group_type: group_type.parse::<GroupType>().map_err(|()| bad("type of a group", group_type))?,
        icon: row.try_get("icon")?,
        description: row.try_get("description")?,
    })
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

pub(super) fn parse(uid: &str) -> Result<Uid, StoreError> {
    uid.parse().map_err(|_| bad("uid", uid))
}

pub(super) fn scope(stored: i64) -> Result<Scope, StoreError> {
    Scope::from_number(stored).ok_or_else(|| bad("scope", &stored.to_string()))
}

pub(super) fn number(row: &SqliteRow, column: &str) -> Result<u64, StoreError> {
    Ok(row.try_get::<i64, _>(column)? as u64)
}

pub(super) fn bad(what: &str, value: &str) -> StoreError {
    StoreError::Inconsistent(format!("{what}: {value:?}"))
}
