//! The directory of users and groups, which the host's back end reads by pages, searches and cursors: the queries
//! here, and the pages in `page.rs`.
//!
//! Not here: members of a group (`roster` has them in memory), and the requests that ask for pages (`http/v3`).

mod page;
mod place;
mod restricted;

use std::collections::BTreeMap;

use sqlx::AssertSqlSafe;

use self::page::DirectoryEntry;
use self::page::DirectoryPage;
pub use self::page::{Beyond, DirectoryQuery, Listing, SortBy};
use super::group::{DetailsRow, GroupDetails, GroupRow, group_details};
use crate::domain::{Group, Guid, Scope, Uid};
use crate::store::User;
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::users::{UserRow, count_users, user};
use crate::store::sql::decode::{parse_guid, parse_scope, parse_uid};
use crate::store::sql::query::{MOST_AT_ONCE, dynamic, fetch, fetch_scalar, placeholders};

/// Rows that a search reads at a time.
const SCAN_CHUNK: i64 = 1000;

/// A group in the directory.
#[derive(Debug, Clone)]
pub struct GroupSummary {
    /// The group.
    pub group: Group,
    /// The group's details that the component does not show.
    pub details: GroupDetails,
    /// Its owner.
    pub owner: Option<Uid>,
    /// The number of its members.
    pub members: u64,
}

impl Reader {
    /// Until when changes are there to be read, Unix milliseconds: a list from the host that is on its way gives people the
    /// time of its preparation, and is there when all of it is. Asked where a cursor goes on from change to change.
    async fn settled_at(&mut self, query: &DirectoryQuery) -> Result<i64, StoreError> {
        if !matches!(query.beyond, Some(Beyond::After(_))) {
            return Ok(self.now);
        }
        Ok(self.oldest_sync_begun().await?.map_or(self.now, |begun| begun.min(self.now)))
    }

    /// The user, if stored.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn user(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        user(self.tx.reborrow(), uid).await
    }

    /// These users, as far as they are stored, in no order.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn users_of(&mut self, uids: &[&str]) -> Result<Vec<User>, StoreError> {
        let mut users = Vec::with_capacity(uids.len());
        for uids in uids.chunks(MOST_AT_ONCE) {
            let sql = UserRow::select(&self.tx.reborrow(), &format!("WHERE uid IN {}", placeholders(1, uids.len())));
            let rows: Vec<UserRow> = dynamic!(fetch_all, self.tx, sql, query, {
                for uid in uids {
                    query = query.bind(*uid);
                }
            })?;
            for row in rows {
                users.push(row.decode()?);
            }
        }
        Ok(users)
    }

    /// The details of a group; `None` when there is no group of that id.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn group_details(&mut self, guid: &Guid) -> Result<Option<GroupDetails>, StoreError> {
        group_details(self.tx.reborrow(), guid).await
    }

    /// A page of users, all or those who are members of a group, out of those that are `wanted`.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn users(
        &mut self,
        query: &DirectoryQuery,
        within: Option<&Guid>,
        wanted: Option<&(dyn Fn(&User) -> bool + Send + Sync)>,
    ) -> Result<Listing<User>, StoreError> {
        if wanted.is_none() && within.is_none() && query.is_by_id() {
            let total = count_users(self.tx.reborrow()).await?;
            let sql = UserRow::select(&self.tx.reborrow(), "ORDER BY uid LIMIT $1 OFFSET $2");
            let rows: Vec<UserRow> =
                fetch!(fetch_all, self.tx, AssertSqlSafe(sql.as_str()), query.limit as i64, query.skip as i64)?;
            let entries = rows.into_iter().map(UserRow::decode).collect::<Result<Vec<_>, _>>()?;
            return Ok(Listing { entries, total, resume_at: None });
        }
        // Names are folded here and not in SQL, so that a filter reads every user.
        let mut page = DirectoryPage::new(query, self.settled_at(query).await?);
        let mut last = String::new();
        let inside = within.map_or("", |_| "AND uid IN (SELECT uid FROM members WHERE guid = $3 AND scope >= 0)");
        let sql = UserRow::select(&self.tx.reborrow(), &format!("WHERE uid > $1 {inside} ORDER BY uid LIMIT $2"));
        loop {
            let rows: Vec<UserRow> = match within {
                None => fetch!(fetch_all, self.tx, AssertSqlSafe(sql.as_str()), &last, SCAN_CHUNK)?,
                Some(guid) => {
                    fetch!(fetch_all, self.tx, AssertSqlSafe(sql.as_str()), &last, SCAN_CHUNK, guid.as_str())?
                }
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

    /// A page of groups out of those that are `wanted`. `seen_by` restricts them to those that this person may know of: the
    /// groups they are in, and those that are not private; or, when `joined`, only the groups they are in.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups(
        &mut self,
        query: &DirectoryQuery,
        seen_by: Option<&Uid>,
        joined: bool,
        wanted: &(dyn Fn(&Group, &GroupDetails) -> bool + Send + Sync),
    ) -> Result<Listing<GroupSummary>, StoreError> {
        let mut page = DirectoryPage::new(query, self.settled_at(query).await?);
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
                let (group, details) = (group.decode()?, details.decode());
                if wanted(&group, &details) {
                    page.offer((group, details));
                }
            }
        }
        let Listing { entries: kept, total, resume_at } = page.end();
        let mut entries = Vec::with_capacity(kept.len());
        for (group, details) in kept {
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            entries.push(GroupSummary { group, details, owner, members });
        }
        Ok(Listing { entries, total, resume_at })
    }
}

/// A group that somebody is in.
#[derive(Debug, Clone)]
pub struct JoinedGroup {
    /// The group.
    pub group: GroupSummary,
    /// Their scope in it.
    pub scope: Scope,
    /// When they joined, Unix seconds.
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

/// A group that somebody is in, before its owner and its number of members are read.
struct JoinedEntry {
    listed: (Group, GroupDetails),
    scope: Scope,
    joined_at: i64,
}

impl JoinedRow {
    fn decode(self) -> Result<JoinedEntry, StoreError> {
        let JoinedRow { scope, joined_at, group, details } = self;
        Ok(JoinedEntry { listed: (group.decode()?, details.decode()), scope: parse_scope(scope)?, joined_at })
    }
}

impl DirectoryEntry for JoinedEntry {
    fn id(&self) -> &str {
        self.listed.id()
    }

    fn name(&self) -> &str {
        self.listed.name()
    }

    fn created_at(&self) -> i64 {
        self.listed.created_at()
    }

    fn updated_at(&self) -> i64 {
        self.listed.updated_at()
    }
}

/// People who are looked for in one statement.
const PEOPLE_PER_STATEMENT: usize = 500;

impl Reader {
    /// A page of the groups that somebody is in.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups_of(&mut self, uid: &Uid, query: &DirectoryQuery) -> Result<Listing<JoinedGroup>, StoreError> {
        // The database selects a page ordered by id. Any other page is selected here from all groups of this person.
        let by_id = query.is_by_id();
        let (limit, skip) = if by_id { (query.limit as i64, query.skip as i64) } else { (i64::MAX, 0) };
        let sql = format!(
            "SELECT {}, {}, m.scope, m.joined_at FROM members m JOIN groups g ON g.guid = m.guid
             WHERE m.uid = $1 AND m.scope >= 0 ORDER BY m.guid LIMIT $2 OFFSET $3",
            GroupRow::columns("g"),
            DetailsRow::columns("g")
        );
        let rows: Vec<JoinedRow> = fetch!(fetch_all, self.tx, AssertSqlSafe(sql), uid.as_str(), limit, skip)?;
        let found = rows.into_iter().map(JoinedRow::decode).collect::<Result<Vec<_>, _>>()?;
        let Listing { entries: kept, total, resume_at } = if by_id {
            let total: i64 = fetch_scalar!(
                fetch_one,
                self.tx,
                "SELECT count(*) FROM members WHERE uid = $1 AND scope >= 0",
                uid.as_str()
            )?;
            Listing { entries: found, total: total as u64, resume_at: None }
        } else {
            let mut page = DirectoryPage::new(query, self.settled_at(query).await?);
            found.into_iter().for_each(|entry| page.offer(entry));
            page.end()
        };
        let mut entries = Vec::with_capacity(kept.len());
        for JoinedEntry { listed: (group, details), scope, joined_at } in kept {
            let (owner, members) = (self.owner(&group.guid).await?, self.members_count(&group.guid).await?);
            let group = GroupSummary { group, details, owner, members };
            entries.push(JoinedGroup { group, scope, joined_at });
        }
        Ok(Listing { entries, total, resume_at })
    }

    /// Who is in these groups.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn members_of(&mut self, guids: &[Guid]) -> Result<Vec<(Guid, Uid)>, StoreError> {
        let listed = placeholders(1, guids.len());
        let sql = format!("SELECT guid, uid FROM members WHERE guid IN {listed} AND scope >= 0");
        let rows: Vec<(String, String)> = dynamic!(fetch_all, self.tx, sql, query, {
            for guid in guids {
                query = query.bind(guid.as_str());
            }
        })?;
        rows.iter().map(|(guid, uid)| Ok((parse_guid(guid)?, parse_uid(uid)?))).collect()
    }

    /// The number of these people in each of these groups that exists.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn count_among(&mut self, guids: &[Guid], people: &[Uid]) -> Result<Vec<(Guid, usize)>, StoreError> {
        let listed = placeholders(1, guids.len());
        let there = format!("SELECT guid, CAST(0 AS BIGINT) FROM groups WHERE deleted_at IS NULL AND guid IN {listed}");
        let rows: Vec<(String, i64)> = dynamic!(fetch_all, self.tx, there, query, {
            for guid in guids {
                query = query.bind(guid.as_str());
            }
        })?;
        let mut counts: BTreeMap<String, i64> = rows.into_iter().collect();
        for people in people.chunks(PEOPLE_PER_STATEMENT) {
            let sql = format!(
                "SELECT guid, count(*) FROM members WHERE guid IN {listed} AND uid IN {} AND scope >= 0 GROUP BY guid",
                placeholders(1, people.len())
            );
            let found: Vec<(String, i64)> = dynamic!(fetch_all, self.tx, sql, query, {
                for guid in guids {
                    query = query.bind(guid.as_str());
                }
                for uid in people {
                    query = query.bind(uid.as_str());
                }
            })?;
            for (guid, count) in found {
                if let Some(sum) = counts.get_mut(&guid) {
                    *sum += count;
                }
            }
        }
        counts.into_iter().map(|(guid, count)| Ok((parse_guid(&guid)?, count as usize))).collect()
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
