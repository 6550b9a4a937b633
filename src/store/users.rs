//! People as the host has told of them.

use sqlx::Row;

use super::tx::parse;
use super::{Person, StoreError, Tx};
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
        let row = sqlx::query("SELECT uid, name, avatar, created_at, updated_at FROM users WHERE uid = $1")
            .bind(uid.as_str())
            .fetch_optional(&mut *self.connection)
            .await?;
        row.map(|row| {
            Ok(User {
                uid: parse(row.try_get(0)?)?,
                name: row.try_get(1)?,
                avatar: row.try_get(2)?,
                created_at: row.try_get(3)?,
                updated_at: row.try_get(4)?,
            })
        })
        .transpose()
    }

    /// Writes a user: new, or under another name and picture.
    pub async fn put_user(&mut self, uid: &Uid, name: &Name, avatar: Option<&str>) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
             ON CONFLICT (uid) DO UPDATE SET name = excluded.name, avatar = excluded.avatar, sort_key = excluded.sort_key, updated_at = excluded.updated_at",
        )
        .bind(uid.as_str())
        .bind(name.as_str())
        .bind(avatar)
        .bind(sort_key(name.as_str()))
        .bind(self.now())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Forgets a user who is a member nowhere.
    pub async fn remove_user(&mut self, uid: &Uid) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM users WHERE uid = $1").bind(uid.as_str()).execute(&mut *self.connection).await?;
        Ok(())
    }

    /// The groups a user is in, sorted by id so that locks are always taken in one order.
    pub async fn groups_of(&mut self, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> = sqlx::query_scalar("SELECT guid FROM members WHERE uid = $1 ORDER BY guid")
            .bind(uid.as_str())
            .fetch_all(&mut *self.connection)
            .await?;
        rows.iter().map(|guid| guid.parse().map_err(|_| super::tx::bad("guid", guid))).collect()
    }

    /// Marks a membership as changed by an event, so that its row is told anew.
    pub async fn touch_member(&mut self, guid: &Guid, uid: &Uid, seq: u64) -> Result<Person, StoreError> {
        sqlx::query("UPDATE members SET seq = $3 WHERE guid = $1 AND uid = $2")
            .bind(guid.as_str())
            .bind(uid.as_str())
            .bind(seq as i64)
            .execute(&mut *self.connection)
            .await?;
        self.person(guid, uid).await
    }
}
