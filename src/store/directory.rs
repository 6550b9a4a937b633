//! The directory of users and groups, which the host's back end reads by pages and searches.

use sqlx::AssertSqlSafe;

use super::User;
use super::decode::{parse_guid, parse_scope};
use super::error::StoreError;
use super::groups::GroupRow;
use super::query::{bulk, fetch, fetch_scalar, placeholders};
use super::reader::Reader;
use super::users::{UserRow, user};
use crate::domain::{Group, Guid, Scope, Search, Uid};

/// Rows that a search reads at a time.
const SCAN_CHUNK: i64 = 1000;

/// A page of the directory, in the order of ids.
#[derive(Debug, Clone, Default)]
pub struct DirectoryQuery {
    /// Only entries that a [`Search`] for this text finds; all when `None`.
    pub search: Option<String>,
    /// Entries to skip.
    pub skip: usize,
    /// Most entries of the page.
    pub limit: usize,
}

/// A group in the directory.
#[derive(Debug, Clone)]
pub struct GroupSummary {
    /// The group.
    pub group: Group,
    /// Its owner; `None` for the host.
    pub owner: Option<Uid>,
    /// How many members it has.
    pub members: u64,
}

impl Reader {
    /// The user, if stored.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn user(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        user(self.tx.reborrow(), uid).await
    }

    /// A page of users, and how many users there are on all pages.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn users(&mut self, query: &DirectoryQuery) -> Result<(Vec<User>, u64), StoreError> {
        let Some(search) = &query.search else {
            let total: i64 = fetch_scalar!(fetch_one, self.tx, "SELECT count(*) FROM users")?;
            let rows: Vec<UserRow> = fetch!(
                fetch_all,
                self.tx,
                AssertSqlSafe(UserRow::select("ORDER BY uid LIMIT $1 OFFSET $2")),
                query.limit as i64,
                query.skip as i64
            )?;
            return Ok((rows.into_iter().map(UserRow::decode).collect::<Result<_, _>>()?, total as u64));
        };
        // Names are folded here and not in SQL, so that a search reads every user.
        let mut filter = PageFilter::new(query, search);
        let mut last = String::new();
        loop {
            let rows: Vec<UserRow> = fetch!(
                fetch_all,
                self.tx,
                AssertSqlSafe(UserRow::select("WHERE uid > $1 ORDER BY uid LIMIT $2")),
                &last,
                SCAN_CHUNK
            )?;
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.uid);
            rows.into_iter().for_each(|row| filter.offer(row, |row| (&row.uid, &row.name)));
        }
        Ok((filter.kept.into_iter().map(UserRow::decode).collect::<Result<_, _>>()?, filter.total as u64))
    }

    /// A page of groups, and how many groups there are on all pages. `seen_by` restricts them to those that
    /// this person may know of: the groups they are in, and those that are not private.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups(
        &mut self,
        query: &DirectoryQuery,
        seen_by: Option<&Uid>,
    ) -> Result<(Vec<GroupSummary>, u64), StoreError> {
        let mut filter = PageFilter::new(query, query.search.as_deref().unwrap_or_default());
        let mut last = String::new();
        loop {
            let rows: Vec<GroupRow> = fetch!(
                fetch_all,
                self.tx,
                AssertSqlSafe(GroupRow::select(
                    "WHERE g.guid > $1 AND g.deleted_at IS NULL
                       AND (CAST($2 AS TEXT) IS NULL OR g.type <> 'private'
                            OR EXISTS (SELECT 1 FROM members m WHERE m.guid = g.guid AND m.uid = $2))
                     ORDER BY g.guid LIMIT $3"
                )),
                &last,
                seen_by.map(Uid::as_str),
                SCAN_CHUNK
            )?;
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.guid);
            rows.into_iter().for_each(|row| filter.offer(row, |row| (&row.guid, &row.name)));
        }
        let mut listed = Vec::with_capacity(filter.kept.len());
        for row in filter.kept {
            let group = row.decode()?;
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            listed.push(GroupSummary { group, owner, members });
        }
        Ok((listed, filter.total as u64))
    }
}

/// A group that somebody is in.
#[derive(Debug, Clone)]
pub struct JoinedGroup {
    /// The group.
    pub group: GroupSummary,
    /// Their role in it.
    pub scope: Scope,
    /// Since when, seconds since the epoch.
    pub joined_at: i64,
}

#[derive(sqlx::FromRow)]
struct JoinedRow {
    scope: i64,
    joined_at: i64,
    #[sqlx(flatten)]
    group: GroupRow,
}

/// People who are looked for in one statement.
const PEOPLE_PER_STATEMENT: usize = 500;

impl Reader {
    /// Some of the groups that somebody is in, in the order of ids, and how many there are in all.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups_of(
        &mut self,
        uid: &Uid,
        skip: usize,
        limit: usize,
    ) -> Result<(Vec<JoinedGroup>, u64), StoreError> {
        let total: i64 =
            fetch_scalar!(fetch_one, self.tx, "SELECT count(*) FROM members WHERE uid = $1", uid.as_str())?;
        let sql = format!(
            "SELECT {}, m.scope, m.joined_at FROM members m JOIN groups g ON g.guid = m.guid
             WHERE m.uid = $1 ORDER BY m.guid LIMIT $2 OFFSET $3",
            GroupRow::columns("g")
        );
        let rows: Vec<JoinedRow> =
            fetch!(fetch_all, self.tx, AssertSqlSafe(sql), uid.as_str(), limit as i64, skip as i64)?;
        let mut joined = Vec::with_capacity(rows.len());
        for JoinedRow { scope, joined_at, group } in rows {
            let group = group.decode()?;
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            let group = GroupSummary { group, owner, members };
            joined.push(JoinedGroup { group, scope: parse_scope(scope)?, joined_at });
        }
        Ok((joined, total as u64))
    }

    /// How many of these people are in each of these groups that exists.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn count_among(&mut self, guids: &[Guid], people: &[Uid]) -> Result<Vec<(Guid, usize)>, StoreError> {
        let listed = placeholders(1, guids.len());
        let there =
            format!("SELECT guid, CAST(0 AS BIGINT) FROM groups WHERE deleted_at IS NULL AND guid IN {listed}");
        let mut rows: Vec<(String, i64)> = bulk!(fetch_all, self.tx, there, query, {
            for guid in guids {
                query = query.bind(guid.as_str());
            }
        })?;
        for people in people.chunks(PEOPLE_PER_STATEMENT) {
            let sql = format!(
                "SELECT guid, count(*) FROM members WHERE guid IN {listed} AND uid IN {} GROUP BY guid",
                placeholders(1, people.len())
            );
            let found: Vec<(String, i64)> = bulk!(fetch_all, self.tx, sql, query, {
                for guid in guids {
                    query = query.bind(guid.as_str());
                }
                for uid in people {
                    query = query.bind(uid.as_str());
                }
            })?;
            for (guid, count) in found {
                rows.iter_mut().filter(|(other, _)| *other == guid).for_each(|(_, sum)| *sum += count);
            }
        }
        rows.into_iter().map(|(guid, count)| Ok((parse_guid(&guid)?, count as usize))).collect()
    }
}

/// Keeps the rows of one page out of all that match, and counts them all.
struct PageFilter<'s, T> {
    query: &'s DirectoryQuery,
    search: Search,
    kept: Vec<T>,
    total: usize,
}

impl<'s, T> PageFilter<'s, T> {
    fn new(query: &'s DirectoryQuery, search: &str) -> PageFilter<'s, T> {
        PageFilter { query, search: Search::new(search), kept: Vec::new(), total: 0 }
    }

    fn offer(&mut self, row: T, id_and_name: impl Fn(&T) -> (&str, &str)) {
        let (id, name) = id_and_name(&row);
        if !self.search.finds(name, id) {
            return;
        }
        if (self.query.skip..self.query.skip + self.query.limit).contains(&self.total) {
            self.kept.push(row);
        }
        self.total += 1;
    }
}
