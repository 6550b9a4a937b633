//! People as the host has told of them.

use super::db::{Connection, ask, run, scalar};
use super::error::StoreError;
use super::person::Person;
use super::tx::{Tx, parse};
use crate::domain::{Guid, Name, Uid, sort_key};

/// Somebody the host has told us of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Their id.
    pub uid: Uid,
    /// Their name as given.
    pub name: String,
    /// Their picture, a URL.
    pub avatar: Option<String>,
    /// When they were first told of, milliseconds since the epoch.
    pub created_at: i64,
    /// When they were last changed, milliseconds since the epoch.
    pub updated_at: i64,
}

impl Tx<'_> {
    /// The user, if known.
    pub async fn user(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        user(self.connection.lend(), uid).await
    }

    /// Writes a user: new, or under another name and picture.
    pub async fn put_user(&mut self, uid: &Uid, name: &Name, avatar: Option<&str>) -> Result<(), StoreError> {
        run!(
            self.connection,
            "INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $5)
             ON CONFLICT (uid) DO UPDATE SET name = excluded.name, avatar = excluded.avatar,
             sort_key = excluded.sort_key, updated_at = excluded.updated_at",
            uid.as_str(),
            name.as_str(),
            avatar,
            sort_key(name.as_str()),
            self.now
        )?;
        Ok(())
    }

    /// Forgets a user who is a member nowhere.
    pub async fn remove_user(&mut self, uid: &Uid) -> Result<(), StoreError> {
        run!(self.connection, "DELETE FROM users WHERE uid = $1", uid.as_str())?;
        Ok(())
    }

    /// The groups a user is in, sorted by id so that locks are always taken in one order.
    pub async fn groups_of(&mut self, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> =
            scalar!(fetch_all, self.connection, "SELECT guid FROM members WHERE uid = $1 ORDER BY guid", uid.as_str())?;
        rows.iter().map(|guid| guid.parse().map_err(|_| super::tx::bad("guid", guid))).collect()
    }

    /// Marks a membership as changed by an event, so that its row is told anew.
    pub async fn touch_member(&mut self, guid: &Guid, uid: &Uid, seq: u64) -> Result<Person, StoreError> {
        run!(
            self.connection,
            "UPDATE members SET seq = $3 WHERE guid = $1 AND uid = $2",
            guid.as_str(),
            uid.as_str(),
            seq as i64
        )?;
        self.person(guid, uid).await
    }
}

/// The user, if known.
pub(super) async fn user(mut on: Connection<'_>, uid: &Uid) -> Result<Option<User>, StoreError> {
    let row: Option<UserRow> = ask!(
        fetch_optional,
        on,
        "SELECT uid, name, avatar, created_at, updated_at FROM users WHERE uid = $1",
        uid.as_str()
    )?;
    row.map(UserRow::read).transpose()
}

/// A user as they are stored.
#[derive(sqlx::FromRow)]
pub(super) struct UserRow {
    pub(super) uid: String,
    pub(super) name: String,
    avatar: Option<String>,
    created_at: i64,
    updated_at: i64,
}

impl UserRow {
    pub(super) fn read(self) -> Result<User, StoreError> {
        let UserRow { uid, name, avatar, created_at, updated_at } = self;
        Ok(User { uid: parse(&uid)?, name, avatar, created_at, updated_at })
    }
}
