//! The group row: the lock and the clock.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::tx::{bad, number, parse};
use super::{StoreError, Tx};
use crate::domain::{Group, GroupType, Guid, Name, Uid};

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

impl Tx<'_> {
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
        .bind(self.now())
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
            .bind(self.now())
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
            .bind(self.now())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// The owner's uid, if the group has one.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        let uid: Option<String> = sqlx::query_scalar("SELECT uid FROM members WHERE guid = $1 AND scope = 3")
            .bind(guid.as_str())
            .fetch_optional(&mut *self.connection)
            .await?;
        uid.map(|uid| parse(&uid)).transpose()
    }

    /// Gives a claimed number back, when no event came of it after all.
    pub async fn unclaim(&mut self, guid: &Guid) -> Result<(), StoreError> {
        sqlx::query("UPDATE groups SET seq = seq - 1 WHERE guid = $1")
            .bind(guid.as_str())
            .execute(&mut *self.connection)
            .await?;
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
