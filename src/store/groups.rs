//! The group row: the lock and the clock.

use super::db::{Connection, ask, run, scalar};
use super::error::StoreError;
use super::tx::{Tx, bad, parse};
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
        let row: Option<ClaimedRow> = ask!(
            fetch_optional,
            self.connection,
            "UPDATE groups SET seq = seq + 1 WHERE guid = $1 AND deleted_at IS NULL
             RETURNING guid, name, type, icon, description, password, seq",
            guid.as_str()
        )?;
        row.map(|row| {
            let ClaimedRow { seq, password, group } = row;
            Ok(Claimed { seq: seq as u64, group: group.read()?, password })
        })
        .transpose()
    }

    /// Creates a group, or brings one that was deleted back with its numbers going on. Claims
    /// its first number; `None` when a group of that id is there already.
    pub async fn create_group(&mut self, new: NewGroup<'_>) -> Result<Option<u64>, StoreError> {
        let NewGroup { group, password } = new;
        let seq: Option<i64> = scalar!(
            fetch_optional,
            self.connection,
            "INSERT INTO groups (guid, name, type, password, icon, description, seq, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7)
             ON CONFLICT (guid) DO UPDATE SET name = excluded.name, type = excluded.type,
             password = excluded.password,
               icon = excluded.icon, description = excluded.description, seq = groups.seq + 1,
               created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = NULL
             WHERE groups.deleted_at IS NOT NULL
             RETURNING seq",
            group.guid.as_str(),
            group.name.as_str(),
            group.group_type.as_str(),
            password,
            group.icon.as_deref(),
            group.description.as_deref(),
            self.now
        )?;
        Ok(seq.map(|seq| seq as u64))
    }

    /// Writes what a group is called and how one gets in.
    pub async fn put_group(&mut self, new: NewGroup<'_>) -> Result<(), StoreError> {
        run!(
            self.connection,
            "UPDATE groups SET name = $2, type = $3, password = $4, icon = $5, description = $6,
             updated_at = $7 WHERE guid = $1",
            new.group.guid.as_str(),
            new.group.name.as_str(),
            new.group.group_type.as_str(),
            new.password,
            new.group.icon.as_deref(),
            new.group.description.as_deref(),
            self.now
        )?;
        Ok(())
    }

    /// Empties a group and marks it as gone; its log stays.
    pub async fn delete_group(&mut self, guid: &Guid) -> Result<(), StoreError> {
        for sql in ["DELETE FROM members WHERE guid = $1", "DELETE FROM bans WHERE guid = $1"] {
            run!(self.connection, sql, guid.as_str())?;
        }
        run!(self.connection, "UPDATE groups SET deleted_at = $2 WHERE guid = $1", guid.as_str(), self.now)?;
        Ok(())
    }

    /// The owner's uid, if the group has one.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        owner(self.connection.lend(), guid).await
    }

    /// Gives a claimed number back, when no event came of it after all.
    pub async fn unclaim(&mut self, guid: &Guid) -> Result<(), StoreError> {
        run!(self.connection, "UPDATE groups SET seq = seq - 1 WHERE guid = $1", guid.as_str())?;
        Ok(())
    }
}

/// The owner's uid, if there is such a group and it has one.
pub(super) async fn owner(mut on: Connection<'_>, guid: &Guid) -> Result<Option<Uid>, StoreError> {
    let uid: Option<String> =
        scalar!(fetch_optional, on, "SELECT uid FROM members WHERE guid = $1 AND scope = 3", guid.as_str())?;
    uid.as_deref().map(parse).transpose()
}

#[derive(sqlx::FromRow)]
struct ClaimedRow {
    seq: i64,
    password: Option<String>,
    #[sqlx(flatten)]
    group: GroupRow,
}

/// A group as it is stored.
#[derive(sqlx::FromRow)]
pub(super) struct GroupRow {
    pub(super) guid: String,
    pub(super) name: String,
    r#type: String,
    icon: Option<String>,
    description: Option<String>,
}

impl GroupRow {
    pub(super) fn read(self) -> Result<Group, StoreError> {
        Ok(Group {
            guid: self.guid.parse().map_err(|_| bad("guid", &self.guid))?,
            name: Name::parse(&self.name).map_err(|_| bad("name of a group", &self.guid))?,
            group_type: self.r#type.parse::<GroupType>().map_err(|()| bad("type of a group", &self.r#type))?,
            icon: self.icon,
            description: self.description,
        })
    }
}

/// A group's row with its place in the log.
#[derive(sqlx::FromRow)]
pub(super) struct HeadRow {
    pub(super) seq: i64,
    pub(super) deleted_at: Option<i64>,
    #[sqlx(flatten)]
    pub(super) group: GroupRow,
}
