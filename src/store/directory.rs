//! The directory of users and groups, as the host's back end reads it: page by page, searched.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use tokio_stream::StreamExt;

use super::groups::group;
use super::tx::parse;
use super::{Reader, StoreError, User};
use crate::domain::{Group, Uid, fold};

/// Which part of a directory, in the order of ids.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    /// Only those with this in their name or id, compared folded; everybody without.
    pub search: Option<String>,
    /// How many are jumped over.
    pub skip: usize,
    /// How many there are at the most.
    pub limit: usize,
}

/// A group in the directory.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The group.
    pub group: Group,
    /// Who owns it.
    pub owner: Option<Uid>,
    /// How many are in it.
    pub members: u64,
}

impl Reader {
    /// The user, if known.
    pub async fn user(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        let row = sqlx::query("SELECT uid, name, avatar, created_at, updated_at FROM users WHERE uid = $1")
            .bind(uid.as_str())
            .fetch_optional(&mut *self.tx)
            .await?;
        row.as_ref().map(user).transpose()
    }

    /// Users, and how many there are with and beyond this part.
    pub async fn users(&mut self, slice: &Slice) -> Result<(Vec<User>, u64), StoreError> {
        let Some(search) = &slice.search else {
            let total: i64 = sqlx::query_scalar("SELECT count(*) FROM users").fetch_one(&mut *self.tx).await?;
            let rows = sqlx::query(
                "SELECT uid, name, avatar, created_at, updated_at FROM users ORDER BY uid LIMIT $1 OFFSET $2",
            )
            .bind(slice.limit as i64)
            .bind(slice.skip as i64)
            .fetch_all(&mut *self.tx)
            .await?;
            return Ok((rows.iter().map(user).collect::<Result<_, _>>()?, total as u64));
        };
        // Folding is ours and not SQL's: everybody is looked at, and only the part is kept.
        let needle = fold(search.trim());
        let (mut found, mut total) = (Vec::new(), 0);
        let mut rows = sqlx::query("SELECT uid, name, avatar, created_at, updated_at FROM users ORDER BY uid")
            .fetch(&mut *self.tx);
        while let Some(row) = rows.next().await {
            let row = row?;
            if has(&needle, row.try_get(0)?, row.try_get(1)?) {
                if (slice.skip..slice.skip + slice.limit).contains(&total) {
                    found.push(user(&row)?);
                }
                total += 1;
            }
        }
        Ok((found, total as u64))
    }

    /// Groups, and how many there are with and beyond this part. With `seen_by`, only those that
    /// this person may know of: theirs, and those that are not private.
    pub async fn groups(&mut self, slice: &Slice, seen_by: Option<&Uid>) -> Result<(Vec<Listed>, u64), StoreError> {
        let needle = fold(slice.search.as_deref().unwrap_or_default().trim());
        let (mut found, mut total) = (Vec::new(), 0);
        let mut rows = sqlx::query(
            "SELECT g.guid, g.name, g.type, g.icon, g.description FROM groups g
             WHERE g.deleted_at IS NULL
               AND ($1 IS NULL OR g.type <> 'private' OR EXISTS (SELECT 1 FROM members m WHERE m.guid = g.guid AND m.uid = $1))
             ORDER BY g.guid",
        )
        .bind(seen_by.map(Uid::as_str))
        .fetch(&mut *self.tx);
        while let Some(row) = rows.next().await {
            let row = row?;
            if has(&needle, row.try_get(0)?, row.try_get(1)?) {
                if (slice.skip..slice.skip + slice.limit).contains(&total) {
                    found.push(group(&row)?);
                }
                total += 1;
            }
        }
        drop(rows);
        let mut listed = Vec::with_capacity(found.len());
        for group in found {
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            listed.push(Listed { group, owner, members });
        }
        Ok((listed, total as u64))
    }
}

fn has(needle: &str, id: &str, name: &str) -> bool {
    needle.is_empty() || fold(id).contains(needle) || fold(name).contains(needle)
}

fn user(row: &SqliteRow) -> Result<User, StoreError> {
    Ok(User {
        uid: parse(row.try_get(0)?)?,
        name: row.try_get(1)?,
        avatar: row.try_get(2)?,
        created_at: row.try_get(3)?,
        updated_at: row.try_get(4)?,
    })
}
