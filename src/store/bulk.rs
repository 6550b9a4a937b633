//! Many members at once, a few statements for hundreds of them.

use std::collections::HashMap;

use super::db::{ask, many, placeholders, scalar};
use super::error::StoreError;
use super::tx::{Tx, parse};
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
        let known: i64 = scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM members WHERE guid = $1)
               OR EXISTS (SELECT 1 FROM bans WHERE guid = $1) OR EXISTS (SELECT 1 FROM users)) AS known",
            guid.as_str()
        )?;
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
        let sql = format!("DELETE FROM members WHERE guid = ? AND uid IN {}", placeholders(1, gone.len()));
        many!(execute, self.connection, sql, query, {
            query = query.bind(guid.as_str());
            for (uid, _) in gone {
                query = query.bind(uid.as_str());
            }
        })?;
        let touched: Vec<_> = gone.iter().map(|(uid, scope)| (uid, Some(*scope), None)).collect();
        self.touch(guid, seq, &touched).await
    }

    /// Everybody who is in a group, and as what.
    pub async fn scopes(&mut self, guid: &Guid) -> Result<Vec<(Uid, Scope)>, StoreError> {
        let rows: Vec<(String, i64)> =
            ask!(fetch_all, self.connection, "SELECT uid, scope FROM members WHERE guid = $1", guid.as_str())?;
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
        let sql = format!(
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope) VALUES {}
             ON CONFLICT (guid, seq, uid) DO UPDATE SET new_scope = excluded.new_scope",
            placeholders(touched.len(), 5)
        );
        many!(execute, self.connection, sql, query, {
            for (uid, old, new) in touched {
                query = query.bind(guid.as_str()).bind(seq as i64).bind(uid.as_str());
                query = query.bind(old.map(Scope::number)).bind(new.map(Scope::number));
            }
        })?;
        Ok(())
    }

    async fn put_users(&mut self, rows: &[BulkRow]) -> Result<(), StoreError> {
        let named: Vec<_> = rows.iter().filter_map(|row| Some((row, row.name.as_ref()?.as_str()))).collect();
        if named.is_empty() {
            return Ok(());
        }
        let now = self.now;
        let sql = format!(
            "INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at) VALUES {}
             ON CONFLICT (uid) DO UPDATE SET name = excluded.name, avatar = COALESCE(excluded.avatar,
             users.avatar),
               sort_key = excluded.sort_key, updated_at = excluded.updated_at
             WHERE users.name <> excluded.name
               OR (excluded.avatar IS NOT NULL AND excluded.avatar IS DISTINCT FROM users.avatar)",
            placeholders(named.len(), 6)
        );
        many!(execute, self.connection, sql, query, {
            for (row, name) in &named {
                query = query.bind(row.uid.as_str()).bind(*name).bind(row.avatar.as_deref());
                query = query.bind(sort_key(name)).bind(now).bind(now);
            }
        })?;
        Ok(())
    }

    async fn put_members(&mut self, guid: &Guid, seq: u64, rows: &[BulkRow]) -> Result<(), StoreError> {
        let now = self.now / 1000;
        let sql = format!(
            "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES {}
             ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq,
               joined_at = CASE WHEN excluded.joined_at < members.joined_at THEN excluded.joined_at ELSE members.joined_at END",
            placeholders(rows.len(), 5)
        );
        many!(execute, self.connection, sql, query, {
            for row in rows {
                query = query.bind(guid.as_str()).bind(row.uid.as_str()).bind(row.scope.number());
                query = query.bind(row.joined_at.unwrap_or(now)).bind(seq as i64);
            }
        })?;
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
        let (now, listed) = (self.now, placeholders(1, rows.len()));
        let sql =
            format!("SELECT uid FROM bans WHERE guid = ? AND (until_at IS NULL OR until_at > ?) AND uid IN {listed}");
        let banned: Vec<(String,)> = many!(fetch_all, self.connection, sql, query, {
            query = query.bind(guid.as_str()).bind(now);
            for row in rows.iter() {
                query = query.bind(row.uid.as_str());
            }
        })?;
        for (uid,) in &banned {
            rows.retain(|row| row.uid.as_str() != uid);
            report.banned.push(parse(uid)?);
        }
        if rows.is_empty() {
            return Ok(());
        }
        // Bans that have run out go with it, as when somebody joins: lifted later, they would tell
        // of somebody outside who is a member by then.
        let listed = placeholders(1, rows.len());
        let sql = format!("DELETE FROM bans WHERE guid = ? AND until_at <= ? AND uid IN {listed}");
        many!(execute, self.connection, sql, query, {
            query = query.bind(guid.as_str()).bind(now);
            for row in rows.iter() {
                query = query.bind(row.uid.as_str());
            }
        })?;
        Ok(())
    }

    async fn known(&mut self, guid: &Guid, rows: &[BulkRow]) -> Result<HashMap<String, Known>, StoreError> {
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = format!(
            "SELECT u.uid, u.name, u.avatar, m.scope, m.joined_at FROM users u
             LEFT JOIN members m ON m.guid = ? AND m.uid = u.uid WHERE u.uid IN {}",
            placeholders(1, rows.len())
        );
        type Row = (String, String, Option<String>, Option<i64>, Option<i64>);
        let found: Vec<Row> = many!(fetch_all, self.connection, sql, query, {
            query = query.bind(guid.as_str());
            for row in rows {
                query = query.bind(row.uid.as_str());
            }
        })?;
        let known = found.into_iter().map(|(uid, name, avatar, stored, joined_at)| {
            let membership = match stored.zip(joined_at) {
                Some((stored, joined_at)) => Some((super::tx::scope(stored)?, joined_at)),
                None => None,
            };
            Ok((uid, Known { name, avatar, membership }))
        });
        known.collect()
    }
}
