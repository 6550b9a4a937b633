//! The directory of users and groups, which the host's back end reads by pages, searches and cursors.

use sqlx::AssertSqlSafe;

use super::User;
use super::decode::{parse_guid, parse_scope};
use super::error::StoreError;
use super::groups::{DetailsRow, GroupDetails, GroupRow, group_details};
use super::query::{bulk, fetch, fetch_scalar, placeholders};
use super::reader::Reader;
use super::users::{UserRow, user};
use crate::domain::{Group, Guid, Scope, Uid, fold, sort_key};

/// Rows that a search reads at a time.
const SCAN_CHUNK: i64 = 1000;
/// Most entries by which a page after a cursor is longer than asked for, so that it ends with a whole second.
const TIES: usize = 10_000;

/// By what a list is sorted. Entries that are equal are sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// The id.
    #[default]
    Id,
    /// The name, as people sort it.
    Name,
    /// When it was made.
    CreatedAt,
    /// When it was last changed.
    UpdatedAt,
}

/// Which entries lie behind a moment of last change, in seconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// Those changed later, the earliest first.
    After(i64),
    /// Those changed before, the latest first.
    Before(i64),
}

/// A page of the directory.
#[derive(Debug, Clone, Default)]
pub struct DirectoryQuery {
    /// The order; that of a cursor is by last change.
    pub sort_by: SortBy,
    /// The order backwards.
    pub descending: bool,
    /// Only entries beyond this cursor.
    pub beyond: Option<Beyond>,
    /// Entries to skip.
    pub skip: usize,
    /// Most entries of the page; after a cursor it ends with a whole second.
    pub limit: usize,
}

/// A group in the directory.
#[derive(Debug, Clone)]
pub struct GroupSummary {
    /// The group.
    pub group: Group,
    /// What else the host keeps with it.
    pub details: GroupDetails,
    /// Its owner.
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

    /// These users, as far as they are stored, in no order; at most a thousand.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn users_of(&mut self, uids: &[&str]) -> Result<Vec<User>, StoreError> {
        if uids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = UserRow::select(&format!("WHERE uid IN {}", placeholders(1, uids.len())));
        let rows: Vec<UserRow> = bulk!(fetch_all, self.tx, sql, query, {
            for uid in uids {
                query = query.bind(*uid);
            }
        })?;
        rows.into_iter().map(UserRow::decode).collect()
    }

    /// What the host keeps with a group, if there is one of that id.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn group_details(&mut self, guid: &Guid) -> Result<Option<GroupDetails>, StoreError> {
        group_details(self.tx.reborrow(), guid).await
    }

    /// A page of users, all or those who are members of a group, out of those that are `wanted`; and how many there are on
    /// all pages.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn users(
        &mut self,
        query: &DirectoryQuery,
        within: Option<&Guid>,
        wanted: Option<&(dyn Fn(&User) -> bool + Send + Sync)>,
    ) -> Result<(Vec<User>, u64), StoreError> {
        if wanted.is_none() && within.is_none() && query.is_by_id() {
            let total: i64 = fetch_scalar!(fetch_one, self.tx, "SELECT count(*) FROM users")?;
            let rows: Vec<UserRow> = fetch!(
                fetch_all,
                self.tx,
                AssertSqlSafe(UserRow::select("ORDER BY uid LIMIT $1 OFFSET $2")),
                query.limit as i64,
                query.skip as i64
            )?;
            return Ok((rows.into_iter().map(UserRow::decode).collect::<Result<_, _>>()?, total as u64));
        }
        // Names are folded here and not in SQL, so that a filter reads every user.
        let mut page = Page::new(query);
        let mut last = String::new();
        loop {
            let rows: Vec<UserRow> = match within {
                None => fetch!(
                    fetch_all,
                    self.tx,
                    AssertSqlSafe(UserRow::select("WHERE uid > $1 ORDER BY uid LIMIT $2")),
                    &last,
                    SCAN_CHUNK
                )?,
                Some(guid) => fetch!(
                    fetch_all,
                    self.tx,
                    AssertSqlSafe(UserRow::select(
                        "WHERE uid > $1 AND uid IN (SELECT uid FROM members WHERE guid = $3 AND scope >= 0) ORDER BY uid LIMIT $2"
                    )),
                    &last,
                    SCAN_CHUNK,
                    guid.as_str()
                )?,
            };
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.uid);
            for row in rows {
                let user = row.decode()?;
                if wanted.is_none_or(|wanted| wanted(&user)) {
                    page.offer(user);
                }
            }
        }
        Ok(page.end())
    }

    /// A page of groups out of those that are `wanted`, and how many there are on all pages. `seen_by` restricts them to
    /// those that this person may know of: the groups they are in, and those that are not private; or, when `joined`, only
    /// the groups they are in.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups(
        &mut self,
        query: &DirectoryQuery,
        seen_by: Option<&Uid>,
        joined: bool,
        wanted: &(dyn Fn(&Group, &GroupDetails) -> bool + Send + Sync),
    ) -> Result<(Vec<GroupSummary>, u64), StoreError> {
        let mut page = Page::new(query);
        let mut last = String::new();
        let open = if joined { "" } else { "g.type <> 'private' OR " };
        let sql = format!(
            "SELECT {}, {} FROM groups g WHERE g.guid > $1 AND g.deleted_at IS NULL
               AND (CAST($2 AS TEXT) IS NULL OR {open}EXISTS (SELECT 1 FROM members m WHERE m.guid = g.guid AND m.uid = $2 AND m.scope >= 0))
             ORDER BY g.guid LIMIT $3",
            GroupRow::columns("g"),
            DetailsRow::columns("g")
        );
        loop {
            let rows: Vec<ListedRow> =
                fetch!(fetch_all, self.tx, AssertSqlSafe(sql.clone()), &last, seen_by.map(Uid::as_str), SCAN_CHUNK)?;
            let Some(end) = rows.last() else { break };
            last.clone_from(&end.group.guid);
            for ListedRow { group, details } in rows {
                let (group, details) = (group.decode()?, details.decode()?);
                if wanted(&group, &details) {
                    page.offer((group, details));
                }
            }
        }
        let (kept, total) = page.end();
        let mut listed = Vec::with_capacity(kept.len());
        for (group, details) in kept {
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            listed.push(GroupSummary { group, details, owner, members });
        }
        Ok((listed, total))
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
    #[sqlx(flatten)]
    details: DetailsRow,
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
        let total: i64 = fetch_scalar!(
            fetch_one,
            self.tx,
            "SELECT count(*) FROM members WHERE uid = $1 AND scope >= 0",
            uid.as_str()
        )?;
        let sql = format!(
            "SELECT {}, {}, m.scope, m.joined_at FROM members m JOIN groups g ON g.guid = m.guid
             WHERE m.uid = $1 AND m.scope >= 0 ORDER BY m.guid LIMIT $2 OFFSET $3",
            GroupRow::columns("g"),
            DetailsRow::columns("g")
        );
        let rows: Vec<JoinedRow> =
            fetch!(fetch_all, self.tx, AssertSqlSafe(sql), uid.as_str(), limit as i64, skip as i64)?;
        let mut joined = Vec::with_capacity(rows.len());
        for JoinedRow { scope, joined_at, group, details } in rows {
            let (group, details) = (group.decode()?, details.decode()?);
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            let group = GroupSummary { group, details, owner, members };
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
        let there = format!("SELECT guid, CAST(0 AS BIGINT) FROM groups WHERE deleted_at IS NULL AND guid IN {listed}");
        let mut rows: Vec<(String, i64)> = bulk!(fetch_all, self.tx, there, query, {
            for guid in guids {
                query = query.bind(guid.as_str());
            }
        })?;
        for people in people.chunks(PEOPLE_PER_STATEMENT) {
            let sql = format!(
                "SELECT guid, count(*) FROM members WHERE guid IN {listed} AND uid IN {} AND scope >= 0 GROUP BY guid",
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

/// A group as it is listed.
#[derive(sqlx::FromRow)]
struct ListedRow {
    #[sqlx(flatten)]
    group: GroupRow,
    #[sqlx(flatten)]
    details: DetailsRow,
}

impl DirectoryQuery {
    fn is_by_id(&self) -> bool {
        self.sort_by == SortBy::Id && !self.descending && self.beyond.is_none()
    }
}

/// What is listed.
trait Entry {
    fn id(&self) -> &str;
    fn name(&self) -> &str;
    fn created_at(&self) -> i64;
    fn updated_at(&self) -> i64;
}

impl Entry for User {
    fn id(&self) -> &str {
        self.uid.as_str()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn created_at(&self) -> i64 {
        self.created_at
    }

    fn updated_at(&self) -> i64 {
        self.updated_at
    }
}

impl Entry for (Group, GroupDetails) {
    fn id(&self) -> &str {
        self.0.guid.as_str()
    }

    fn name(&self) -> &str {
        self.0.name.as_str()
    }

    fn created_at(&self) -> i64 {
        self.1.created_at
    }

    fn updated_at(&self) -> i64 {
        self.1.updated_at
    }
}

/// Keeps the entries of one page out of all that are offered, and counts them all. No more is kept than the page and what
/// comes before it.
struct Page<'q, T> {
    query: &'q DirectoryQuery,
    kept: Vec<(String, T)>,
    total: u64,
}

impl<'q, T: Entry> Page<'q, T> {
    fn new(query: &'q DirectoryQuery) -> Page<'q, T> {
        Page { query, kept: Vec::new(), total: 0 }
    }

    fn offer(&mut self, entry: T) {
        let changed = entry.updated_at() / 1000;
        let is_beyond = match self.query.beyond {
            None => true,
            Some(Beyond::After(moment)) => changed > moment,
            Some(Beyond::Before(moment)) => changed < moment,
        };
        if !is_beyond {
            return;
        }
        self.total += 1;
        let by = if self.query.beyond.is_some() { SortBy::UpdatedAt } else { self.query.sort_by };
        let key = match by {
            SortBy::Id => entry.id().to_owned(),
            SortBy::Name => sort_key(&fold(entry.name())),
            SortBy::CreatedAt => format!("{:020}", entry.created_at()),
            SortBy::UpdatedAt => format!("{changed:020}"),
        };
        self.kept.push((key, entry));
        if self.kept.len() > 2 * self.most() + 1000 {
            self.sort();
            self.kept.truncate(self.most());
        }
    }

    /// Most entries that the page can need.
    fn most(&self) -> usize {
        self.query.skip + self.query.limit + if self.query.beyond.is_some() { TIES } else { 0 }
    }

    fn sort(&mut self) {
        let descending = match self.query.beyond {
            None => self.query.descending,
            Some(Beyond::After(_)) => false,
            Some(Beyond::Before(_)) => true,
        };
        self.kept.sort_by(|(one, first), (other, second)| {
            let order = if descending { other.cmp(one) } else { one.cmp(other) };
            order.then_with(|| first.id().cmp(second.id()))
        });
    }

    fn end(mut self) -> (Vec<T>, u64) {
        self.sort();
        let mut end = (self.query.skip + self.query.limit).min(self.kept.len());
        if self.query.beyond.is_some() {
            // A cursor names a second: what is left of it would be on no page.
            while end > 0 && end < self.kept.len() && self.kept[end].0 == self.kept[end - 1].0 {
                end += 1;
            }
        }
        self.kept.truncate(end);
        (self.kept.into_iter().skip(self.query.skip).map(|(_, entry)| entry).collect(), self.total)
    }
}
