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
    /// How many were written.
    pub written: u64,
    /// Who is banned and stayed out.
    pub banned: Vec<Uid>,
}

impl Tx<'_> {
    /// Rows of one statement; SQLite takes 32,766 parameters at the most.
    pub const CHUNK: usize = 400;

    /// Whether the group is empty of members and bans, and whether nobody at all is known: then
    /// nothing needs to be looked up row by row.
    pub async fn is_blank(&mut self, guid: &Guid) -> Result<bool, StoreError> {
        let known: i64 = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM members WHERE guid = $1) OR EXISTS (SELECT 1 FROM bans WHERE guid = $1)",
        )
        .bind(guid.as_str())
        .fetch_one(&mut *self.connection)
        .await?;
        Ok(known == 0)
    }

    /// Writes up to [`Tx::CHUNK`] rows under the number `seq`. `blank` as [`Tx::is_blank`] said
    /// before the first chunk, when no uid comes twice.
    pub async fn sync_chunk(&mut self, guid: &Guid, seq: u64, rows: &mut Vec<BulkRow>, blank: bool, report: &mut BulkReport) -> Result<(), StoreError> {
        let mut old = HashMap::new();
        if !blank {
            self.leave_out_banned(guid, rows, report).await?;
            old = self.scopes_of(guid, rows).await?;
        }
        if rows.is_empty() {
            return Ok(());
        }
        self.put_users(rows).await?;
        self.put_members(guid, seq, rows).await?;
        let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO touched (guid, seq, uid, old_scope, new_scope) ");
        query.push_values(rows.iter(), |mut values, row| {
            values
                .push_bind(guid.as_str().to_owned())
                .push_bind(seq as i64)
                .push_bind(row.uid.as_str().to_owned())
                .push_bind(old.get(row.uid.as_str()).map(|scope| scope.number()))
                .push_bind(row.scope.number());
        });
        query.push(" ON CONFLICT (guid, seq, uid) DO UPDATE SET new_scope = excluded.new_scope");
        query.build().execute(&mut *self.connection).await?;
        report.written += rows.len() as u64;
        Ok(())
    }

    /// Closes a bulk sync with its one event.
    pub async fn append_sync(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_bulk(event).await
    }

    async fn put_users(&mut self, rows: &[BulkRow]) -> Result<(), StoreError> {
        let now = self.now();
        let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at) ");
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

    async fn leave_out_banned(&mut self, guid: &Guid, rows: &mut Vec<BulkRow>, report: &mut BulkReport) -> Result<(), StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT uid FROM bans WHERE guid = ");
        query.push_bind(guid.as_str().to_owned()).push(" AND (until_at IS NULL OR until_at > ").push_bind(self.now()).push(") AND uid IN (");
        list_uids(&mut query, rows);
        let banned: Vec<String> = query.build_query_scalar().fetch_all(&mut *self.connection).await?;
        for uid in &banned {
            rows.retain(|row| row.uid.as_str() != uid);
            report.banned.push(parse(uid)?);
        }
        Ok(())
    }

    async fn scopes_of(&mut self, guid: &Guid, rows: &[BulkRow]) -> Result<HashMap<String, Scope>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT uid, scope FROM members WHERE guid = ");
        query.push_bind(guid.as_str().to_owned()).push(" AND uid IN (");
        list_uids(&mut query, rows);
        let found = query.build().fetch_all(&mut *self.connection).await?;
        found.iter().map(|row| Ok((row.try_get(0)?, super::tx::scope(row.try_get(1)?)?))).collect()
    }
}

fn list_uids(query: &mut QueryBuilder<Sqlite>, rows: &[BulkRow]) {
    let mut list = query.separated(", ");
    for row in rows {
        list.push_bind(row.uid.as_str().to_owned());
    }
    query.push(")");
}
