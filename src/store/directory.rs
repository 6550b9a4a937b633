//! The directory of users and groups, as the host's back end reads it: page by page, searched.

use super::User;
use super::db::{ask, scalar};
use super::error::StoreError;
use super::groups::GroupRow;
use super::reader::Reader;
use super::users::{UserRow, user};
use crate::domain::{Group, Search, Uid};

/// So many are looked at together when something is searched.
const PAGE: i64 = 1000;

/// Which part of a directory, in the order of ids.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    /// Only those whom a [`Search`] for this text finds; everybody without.
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
        user(self.view.lend(), uid).await
    }

    /// Users, and how many there are with and beyond this part.
    pub async fn users(&mut self, slice: &Slice) -> Result<(Vec<User>, u64), StoreError> {
        let Some(search) = &slice.search else {
            let total: i64 = scalar!(fetch_one, self.view, "SELECT count(*) FROM users")?;
            let rows: Vec<UserRow> = ask!(
                fetch_all,
                self.view,
                "SELECT uid, name, avatar, created_at, updated_at FROM users ORDER BY uid LIMIT $1 OFFSET $2",
                slice.limit as i64,
                slice.skip as i64
            )?;
            return Ok((rows.into_iter().map(UserRow::read).collect::<Result<_, _>>()?, total as u64));
        };
        // Folding is ours and not SQL's: everybody is looked at, and only the part is kept.
        let mut sieve = Sieve::new(slice, search);
        let mut last = String::new();
        loop {
            let rows: Vec<UserRow> = ask!(
                fetch_all,
                self.view,
                "SELECT uid, name, avatar, created_at, updated_at FROM users WHERE uid > $1 ORDER BY uid LIMIT $2",
                &last,
                PAGE
            )?;
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.uid);
            rows.into_iter().for_each(|row| sieve.look_at(row, |row| (&row.uid, &row.name)));
        }
        Ok((sieve.kept.into_iter().map(UserRow::read).collect::<Result<_, _>>()?, sieve.total as u64))
    }

    /// Groups, and how many there are with and beyond this part. With `seen_by`, only those that
    /// this person may know of: theirs, and those that are not private.
    pub async fn groups(&mut self, slice: &Slice, seen_by: Option<&Uid>) -> Result<(Vec<Listed>, u64), StoreError> {
        let mut sieve = Sieve::new(slice, slice.search.as_deref().unwrap_or_default());
        let mut last = String::new();
        loop {
            let rows: Vec<GroupRow> = ask!(
                fetch_all,
                self.view,
                "SELECT g.guid, g.name, g.type, g.icon, g.description FROM groups g
                 WHERE g.guid > $1 AND g.deleted_at IS NULL
                   AND (CAST($2 AS TEXT) IS NULL OR g.type <> 'private'
                        OR EXISTS (SELECT 1 FROM members m WHERE m.guid = g.guid AND m.uid = $2))
                 ORDER BY g.guid LIMIT $3",
                &last,
                seen_by.map(Uid::as_str),
                PAGE
            )?;
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.guid);
            rows.into_iter().for_each(|row| sieve.look_at(row, |row| (&row.guid, &row.name)));
        }
        let mut listed = Vec::with_capacity(sieve.kept.len());
        for row in sieve.kept {
            let group = row.read()?;
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            listed.push(Listed { group, owner, members });
        }
        Ok((listed, sieve.total as u64))
    }
}

/// Keeps the rows of a slice out of all that match, and counts the rest.
struct Sieve<'s, T> {
    slice: &'s Slice,
    search: Search,
    kept: Vec<T>,
    total: usize,
}

impl<'s, T> Sieve<'s, T> {
    fn new(slice: &'s Slice, search: &str) -> Sieve<'s, T> {
        Sieve { slice, search: Search::new(search), kept: Vec::new(), total: 0 }
    }

    fn look_at(&mut self, row: T, id_and_name: impl Fn(&T) -> (&str, &str)) {
        let (id, name) = id_and_name(&row);
        if !self.search.finds(name, id) {
            return;
        }
        if (self.slice.skip..self.slice.skip + self.slice.limit).contains(&self.total) {
            self.kept.push(row);
        }
        self.total += 1;
    }
}
