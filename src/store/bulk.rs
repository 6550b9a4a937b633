//! Bulk syncs: a few statements for hundreds of members.

use std::collections::HashMap;

use super::decode::{parse_scope, parse_uid};
use super::error::StoreError;
use super::insert::insert;
use super::query::{bulk, fetch, fetch_scalar, placeholders};
use super::tables::{MEMBERS, MemberValues, OnConflict, USERS, UserValues};
use super::tx::Tx;
use crate::domain::{Guid, Name, Scope, Uid, sort_key};

/// One person of a bulk sync.
#[derive(Debug, Clone)]
pub struct BulkRow {
    /// Who.
    pub uid: Uid,
    /// Their name; `None` keeps the stored one.
    pub name: Option<Name>,
    /// Their picture, a URL; `None` keeps the stored one.
    pub avatar: Option<String>,
    /// Their scope afterwards.
    pub scope: Scope,
    /// When they joined, seconds since the epoch; `None` keeps the stored time, or means now for somebody new.
    pub joined_at: Option<i64>,
}

/// The result of a bulk sync.
#[derive(Debug, Default)]
pub struct BulkReport {
    /// Rows whose person is now a member as the row says, unchanged ones included.
    pub written: u64,
    /// Those of them that this sync changed.
    pub changed: u64,
    /// Members who were removed since they are not listed.
    pub removed: u64,
    /// People who are banned and so were left out.
    pub banned: Vec<Uid>,
}

/// One person of a bulk sync as stored before it.
struct Stored {
    name: String,
    avatar: Option<String>,
    /// Scope and time of joining (seconds since the epoch) of a member.
    membership: Option<(Scope, i64)>,
}

impl Stored {
    /// Whether this row has another name or picture.
    fn is_renamed_by(&self, row: &BulkRow) -> bool {
        row.name
            .as_ref()
            .is_some_and(|new| new.as_str() != self.name || (row.avatar.is_some() && row.avatar != self.avatar))
    }

    /// Whether this row changes nothing.
    fn is_unchanged_by(&self, row: &BulkRow) -> bool {
        let Some((scope, joined_at)) = self.membership else { return false };
        scope == row.scope && row.joined_at.is_none_or(|new| new >= joined_at) && !self.is_renamed_by(row)
    }
}

impl Tx<'_> {
    /// Most rows of one statement: SQLite takes at most 32,766 parameters.
    pub const CHUNK: usize = 400;

    /// Whether nothing has to be looked up row by row: the group has no members and no bans, and no users are
    /// stored.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn is_initial_load(&mut self, guid: &Guid) -> Result<bool, StoreError> {
        let known: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM members WHERE guid = $1)
               OR EXISTS (SELECT 1 FROM bans WHERE guid = $1) OR EXISTS (SELECT 1 FROM users)) AS known",
            guid.as_str()
        )?;
        Ok(known == 0)
    }

    /// Writes those of up to [`Tx::CHUNK`] rows that change something, under the event number `seq`.
    /// `initial_load` is the answer of [`Tx::is_initial_load`] before the first chunk, or `false` when a uid may
    /// be listed twice. Answers the uids of those whose name or picture changed, since their other groups show
    /// it as well; or, as the inner error, the first uid that has neither a stored name nor one in its row.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn sync_chunk(
        &mut self,
        guid: &Guid,
        seq: u64,
        rows: &mut Vec<BulkRow>,
        initial_load: bool,
        report: &mut BulkReport,
    ) -> Result<Result<Vec<Uid>, Uid>, StoreError> {
        let mut stored = HashMap::new();
        if !initial_load {
            self.skip_banned(guid, rows, report).await?;
            stored = self.stored(guid, rows).await?;
        }
        if let Some(stranger) = rows.iter().find(|row| row.name.is_none() && !stored.contains_key(row.uid.as_str())) {
            return Ok(Err(stranger.uid.clone()));
        }
        report.written += rows.len() as u64;
        rows.retain(|row| !stored.get(row.uid.as_str()).is_some_and(|stored| stored.is_unchanged_by(row)));
        report.changed += rows.len() as u64;
        if rows.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let renamed = rows
            .iter()
            .filter(|row| stored.get(row.uid.as_str()).is_some_and(|stored| stored.is_renamed_by(row)))
            .map(|row| row.uid.clone())
            .collect();
        self.upsert_users(rows).await?;
        self.upsert_members(guid, seq, rows).await?;
        let old = |uid: &Uid| stored.get(uid.as_str()).and_then(|stored| stored.membership).map(|(scope, _)| scope);
        let touched: Vec<_> = rows.iter().map(|row| (&row.uid, old(&row.uid), Some(row.scope))).collect();
        self.insert_touched(guid, seq, &touched).await?;
        Ok(Ok(renamed))
    }

    /// Ends up to [`Tx::CHUNK`] memberships under the event number `seq`.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn remove_chunk(&mut self, guid: &Guid, seq: u64, gone: &[(Uid, Scope)]) -> Result<(), StoreError> {
        if gone.is_empty() {
            return Ok(());
        }
        let sql = format!("DELETE FROM members WHERE guid = ? AND uid IN {}", placeholders(1, gone.len()));
        bulk!(execute, self.connection, sql, query, {
            query = query.bind(guid.as_str());
            for (uid, _) in gone {
                query = query.bind(uid.as_str());
            }
        })?;
        let touched: Vec<_> = gone.iter().map(|(uid, scope)| (uid, Some(*scope), None)).collect();
        self.insert_touched(guid, seq, &touched).await
    }

    /// The members of a group with their scopes.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn scopes(&mut self, guid: &Guid) -> Result<Vec<(Uid, Scope)>, StoreError> {
        let rows: Vec<(String, i64)> =
            fetch!(fetch_all, self.connection, "SELECT uid, scope FROM members WHERE guid = $1", guid.as_str())?;
        rows.iter().map(|(uid, stored)| Ok((parse_uid(uid)?, parse_scope(*stored)?))).collect()
    }

    /// Records the people whom the event `seq` touches, with their scopes before and after. The columns that
    /// describe a person stay NULL: a bulk sync is read without them.
    async fn insert_touched(
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
        bulk!(execute, self.connection, sql, query, {
            for (uid, old, new) in touched {
                query = query.bind(guid.as_str()).bind(seq as i64).bind(uid.as_str());
                query = query.bind(old.map(Scope::number)).bind(new.map(Scope::number));
            }
        })?;
        Ok(())
    }

    async fn upsert_users(&mut self, rows: &[BulkRow]) -> Result<(), StoreError> {
        let named: Vec<_> = rows.iter().filter_map(|row| Some((row, row.name.as_ref()?.as_str()))).collect();
        if named.is_empty() {
            return Ok(());
        }
        let now = self.now;
        let sort_keys: Vec<String> = named.iter().map(|(_, name)| sort_key(name)).collect();
        let sql = USERS.upsert(
            named.len(),
            &[("avatar", OnConflict::Set("COALESCE(excluded.avatar, users.avatar)")), ("created_at", OnConflict::Keep)],
        );
        let changed = "WHERE users.name <> excluded.name
               OR (excluded.avatar IS NOT NULL AND excluded.avatar IS DISTINCT FROM users.avatar)";
        let values = named.iter().zip(&sort_keys).map(|(&(row, name), sort_key)| UserValues {
            uid: row.uid.as_str(),
            name,
            avatar: row.avatar.as_deref(),
            sort_key,
            created_at: now,
            updated_at: now,
        });
        insert(self.connection.reborrow(), &format!("{sql} {changed}"), values).await
    }

    async fn upsert_members(&mut self, guid: &Guid, seq: u64, rows: &[BulkRow]) -> Result<(), StoreError> {
        let now = self.now / 1000;
        let earlier =
            "CASE WHEN excluded.joined_at < members.joined_at THEN excluded.joined_at ELSE members.joined_at END";
        let sql = MEMBERS.upsert(rows.len(), &[("joined_at", OnConflict::Set(earlier))]);
        let values = rows.iter().map(|row| MemberValues {
            guid: guid.as_str(),
            uid: row.uid.as_str(),
            scope: row.scope.number(),
            joined_at: row.joined_at.unwrap_or(now),
            seq: seq as i64,
        });
        insert(self.connection.reborrow(), &sql, values).await
    }

    async fn skip_banned(
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
        let banned: Vec<(String,)> = bulk!(fetch_all, self.connection, sql, query, {
            query = query.bind(guid.as_str()).bind(now);
            for row in rows.iter() {
                query = query.bind(row.uid.as_str());
            }
        })?;
        for (uid,) in &banned {
            rows.retain(|row| row.uid.as_str() != uid);
            report.banned.push(parse_uid(uid)?);
        }
        if rows.is_empty() {
            return Ok(());
        }
        // Expired bans are deleted now, as when somebody joins. Lifted later, their event would say that a
        // member is outside.
        let listed = placeholders(1, rows.len());
        let sql = format!("DELETE FROM bans WHERE guid = ? AND until_at <= ? AND uid IN {listed}");
        bulk!(execute, self.connection, sql, query, {
            query = query.bind(guid.as_str()).bind(now);
            for row in rows.iter() {
                query = query.bind(row.uid.as_str());
            }
        })?;
        Ok(())
    }

    async fn stored(&mut self, guid: &Guid, rows: &[BulkRow]) -> Result<HashMap<String, Stored>, StoreError> {
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = format!(
            "SELECT u.uid, u.name, u.avatar, m.scope, m.joined_at FROM users u
             LEFT JOIN members m ON m.guid = ? AND m.uid = u.uid WHERE u.uid IN {}",
            placeholders(1, rows.len())
        );
        type Row = (String, String, Option<String>, Option<i64>, Option<i64>);
        let found: Vec<Row> = bulk!(fetch_all, self.connection, sql, query, {
            query = query.bind(guid.as_str());
            for row in rows {
                query = query.bind(row.uid.as_str());
            }
        })?;
        let stored = found.into_iter().map(|(uid, name, avatar, scope, joined_at)| {
            let membership = match scope.zip(joined_at) {
                Some((scope, joined_at)) => Some((parse_scope(scope)?, joined_at)),
                None => None,
            };
            Ok((uid, Stored { name, avatar, membership }))
        });
        stored.collect()
    }
}
