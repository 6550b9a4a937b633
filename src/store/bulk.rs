//! Many members at once, a few statements for hundreds of them.

use std::collections::HashMap;

use sqlx::{QueryBuilder, Row, Sqlite};

use super::tx::parse;
use super::{StoreError, Tx};
use crate::domain::{Guid, Logged, Name, Scope, Uid, sort_key};

/// One person of a bulk sync.
#[derive(Debug, Clone)]
pub struct BulkRow {
    /// Who.
    pub uid: Uid,
    /// Their name; `None` leaves the one that is known.
    pub name: Option<Name>,
    /// Their picture; `None` leaves the one that is known.
    pub avatar: Option<String>,
    /// What they are to be.
    pub scope: Scope,
    /// Since when, seconds since the epoch; `None` keeps what is there, or means now.
    pub joined_at: Option<i64>,
}

/// What became of the rows of a bulk sync.
#[derive(Debug, Default)]
pub struct BulkReport {
    /// How many are members now as their row says, those that were so already included.
    pub written: u64,
    /// How many of them are members or something else since this.
    pub changed: u64,
    /// How many were members and are not listed any more.
    pub removed: u64,
    /// Who is banned and stayed out.
    pub banned: Vec<Uid>,
}

/// What is known of one person of a bulk sync before it.
struct Known {
    name: String,
    avatar: Option<String>,
    /// Scope and since when, of a member.
    membership: Option<(Scope, i64)>,
}

impl Known {
    /// Whether this row tells another name or picture.
    fn renamed_by(&self, row: &BulkRow) -> bool {
        row.name
            .as_ref()
            .is_some_and(|new| new.as_str() != self.name || (row.avatar.is_some() && row.avatar != self.avatar))
    }

    /// Whether this row makes nothing different.
    fn is_as(&self, row: &BulkRow) -> bool {
        let Some((scope, joined_at)) = self.membership else { return false };
        scope == row.scope && row.joined_at.is_none_or(|new| new >= joined_at) && !self.renamed_by(row)
    }
}

impl Tx<'_> {
    /// Rows of one statement; SQLite takes 32,766 parameters at the most.
    pub const CHUNK: usize = 400;

    /// Whether the group is empty of members and bans, and whether nobody at all is known: then
    /// nothing needs to be looked up row by row.
    pub async fn is_blank(&mut self, guid: &Guid) -> Result<bool, StoreError> {
        let known: i64 = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM members WHERE guid = $1) OR EXISTS (SELECT 1 FROM bans WHERE guid = $1) OR EXISTS (SELECT 1 FROM users)",
        )
        .bind(guid.as_str())
        .fetch_one(&mut *self.connection)
        .await?;
        Ok(known == 0)
    }

    /// Writes up to [`Tx::CHUNK`] rows under the number `seq`, those that make a difference.
    /// `blank` as [`Tx::is_blank`] said before the first chunk, when no uid comes twice. Answers
    /// with the uids of those who have another name or picture now, for their other groups; or,
    /// as the inner error, with the uid of somebody who is not known and whom no name makes known.
    pub async fn sync_chunk(
        &mut self,
        guid: &Guid,
        seq: u64,
        rows: &mut Vec<BulkRow>,
        blank: bool,
        report: &mut BulkReport,
    ) -> Result<Result<Vec<Uid>, Uid>, StoreError> {
        let mut known = HashMap::new();
        if !blank {
            self.leave_out_banned(guid, rows, report).await?;
            known = self.known(guid, rows).await?;
        }
        if let Some(stranger) = rows.iter().find(|row| row.name.is_none() && !known.contains_key(row.uid.as_str())) {
            return Ok(Err(stranger.uid.clone()));
        }
        report.written += rows.len() as u64;
        rows.retain(|row| !known.get(row.uid.as_str()).is_some_and(|known| known.is_as(row)));
        report.changed += rows.len() as u64;
        if rows.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let renamed = rows
            .iter()
            .filter(|row| known.get(row.uid.as_str()).is_some_and(|known| known.renamed_by(row)))
            .map(|row| row.uid.clone())
            .collect();
        self.put_users(rows).await?;
        self.put_members(guid, seq, rows).await?;
        let old = |uid: &Uid| known.get(uid.as_str()).and_then(|known| known.membership).map(|(scope, _)| scope);
        let touched: Vec<_> = rows.iter().map(|row| (&row.uid, old(&row.uid), Some(row.scope))).collect();
        self.touch(guid, seq, &touched).await?;
        Ok(Ok(renamed))
    }

    /// Ends up to [`Tx::CHUNK`] memberships under the number `seq`.
    pub async fn remove_chunk(&mut self, guid: &Guid, seq: u64, gone: &[(Uid, Scope)]) -> Result<(), StoreError> {
        if gone.is_empty() {
            return Ok(());
        }
        let mut query = QueryBuilder::<Sqlite>::new("DELETE FROM members WHERE guid = ");
        query.push_bind(guid.as_str().to_owned()).push(" AND uid IN (");
        list_uids(&mut query, gone.iter().map(|(uid, _)| uid));
        query.build().execute(&mut *self.connection).await?;
        let touched: Vec<_> = gone.iter().map(|(uid, scope)| (uid, Some(*scope), None)).collect();
        self.touch(guid, seq, &touched).await
    }

    /// Everybody who is in a group, and as what.
    pub async fn scopes(&mut self, guid: &Guid) -> Result<Vec<(Uid, Scope)>, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as("SELECT uid, scope FROM members WHERE guid = $1")
            .bind(guid.as_str())
            .fetch_all(&mut *self.connection)
            .await?;
        rows.iter().map(|(uid, stored)| Ok((parse(uid)?, super::tx::scope(*stored)?))).collect()
    }

    /// Closes a bulk sync with its one event.
    pub async fn append_sync(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_bulk(event).await
    }

    /// Notes people whom the event `seq` touches, with their scopes before and after.
    async fn touch(
        &mut self,
        guid: &Guid,
        seq: u64,
        touched: &[(&Uid, Option<Scope>, Option<Scope>)],
    ) -> Result<(), StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO touched (guid, seq, uid, old_scope, new_scope) ");
        query.push_values(touched, |mut values, (uid, old, new)| {
            values
                .push_bind(guid.as_str().to_owned())
                .push_bind(seq as i64)
                .push_bind(uid.as_str().to_owned())
                .push_bind(old.map(Scope::number))
                .push_bind(new.map(Scope::number));
        });
        query.push(" ON CONFLICT (guid, seq, uid) DO UPDATE SET new_scope = excluded.new_scope");
        query.build().execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn put_users(&mut self, rows: &[BulkRow]) -> Result<(), StoreError> {
        if rows.iter().all(|row| row.name.is_none()) {
            return Ok(());
        }
        let now = self.now();
        let mut query =
            QueryBuilder::<Sqlite>::new("INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at) ");
        query.push_values(rows.iter().filter_map(|row| Some((row, row.name.as_ref()?))), |mut values, (row, name)| {
            values
                .push_bind(row.uid.as_str().to_owned())
                .push_bind(name.as_str().to_owned())
                .push_bind(row.avatar.clone())
                .push_bind(sort_key(name.as_str()))
                .push_bind(now)
                .push_bind(now);
        });
        query.push(
            " ON CONFLICT (uid) DO UPDATE SET name = excluded.name, avatar = COALESCE(excluded.avatar, users.avatar),
               sort_key = excluded.sort_key, updated_at = excluded.updated_at
             WHERE users.name <> excluded.name OR (excluded.avatar IS NOT NULL AND excluded.avatar IS NOT users.avatar)",
        );
        query.build().execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn put_members(&mut self, guid: &Guid, seq: u64, rows: &[BulkRow]) -> Result<(), StoreError> {
        let now = self.now() / 1000;
        let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO members (guid, uid, scope, joined_at, seq) ");
        query.push_values(rows, |mut values, row| {
            values
                .push_bind(guid.as_str().to_owned())
                .push_bind(row.uid.as_str().to_owned())
                .push_bind(row.scope.number())
                .push_bind(row.joined_at.unwrap_or(now))
                .push_bind(seq as i64);
        });
        query.push(" ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq, joined_at = MIN(members.joined_at, excluded.joined_at)");
        query.build().execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn leave_out_banned(
        &mut self,
        guid: &Guid,
        rows: &mut Vec<BulkRow>,
        report: &mut BulkReport,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut query = QueryBuilder::<Sqlite>::new("SELECT uid FROM bans WHERE guid = ");
        query
            .push_bind(guid.as_str().to_owned())
            .push(" AND (until_at IS NULL OR until_at > ")
            .push_bind(self.now())
            .push(") AND uid IN (");
        list_uids(&mut query, rows.iter().map(|row| &row.uid));
        let banned: Vec<String> = query.build_query_scalar().fetch_all(&mut *self.connection).await?;
        for uid in &banned {
            rows.retain(|row| row.uid.as_str() != uid);
            report.banned.push(parse(uid)?);
        }
        if rows.is_empty() {
            return Ok(());
        }
        // Bans that have run out go with it, as when somebody joins: lifted later, they would tell
        // of somebody outside who is a member by then.
        let mut query = QueryBuilder::<Sqlite>::new("DELETE FROM bans WHERE guid = ");
        query.push_bind(guid.as_str().to_owned()).push(" AND until_at <= ").push_bind(self.now()).push(" AND uid IN (");
        list_uids(&mut query, rows.iter().map(|row| &row.uid));
        query.build().execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn known(&mut self, guid: &Guid, rows: &[BulkRow]) -> Result<HashMap<String, Known>, StoreError> {
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT u.uid, u.name, u.avatar, m.scope, m.joined_at FROM users u LEFT JOIN members m ON m.guid = ",
        );
        query.push_bind(guid.as_str().to_owned()).push(" AND m.uid = u.uid WHERE u.uid IN (");
        list_uids(&mut query, rows.iter().map(|row| &row.uid));
        let found = query.build().fetch_all(&mut *self.connection).await?;
        let known = found.iter().map(|row| {
            let membership = match row.try_get::<Option<i64>, _>(3)? {
                Some(stored) => Some((super::tx::scope(stored)?, row.try_get(4)?)),
                None => None,
            };
            Ok((row.try_get(0)?, Known { name: row.try_get(1)?, avatar: row.try_get(2)?, membership }))
        });
        known.collect()
    }
}

fn list_uids<'u>(query: &mut QueryBuilder<Sqlite>, uids: impl Iterator<Item = &'u Uid>) {
    let mut list = query.separated(", ");
    for uid in uids {
        list.push_bind(uid.as_str().to_owned());
    }
    query.push(")");
}
