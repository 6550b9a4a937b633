//! The statements an act is made of, inside its savepoint.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::StoreError;
use crate::domain::{Ban, Guid, Logged, Member, Scope, Uid};

/// One act's part of a write transaction. What it writes is kept or taken back as a whole.
pub struct Tx<'c> {
    pub(super) connection: &'c mut SqliteConnection,
    now: i64,
    logged: Vec<Logged>,
}

impl<'c> Tx<'c> {
    pub(super) async fn begin(connection: &'c mut SqliteConnection, now: i64) -> Result<Tx<'c>, StoreError> {
        sqlx::query("SAVEPOINT act").execute(&mut *connection).await?;
        Ok(Tx { connection, now, logged: Vec::new() })
    }

    pub(super) async fn end(self, keep: bool) -> Result<Vec<Logged>, StoreError> {
        if !keep {
            sqlx::query("ROLLBACK TO act").execute(&mut *self.connection).await?;
        }
        sqlx::query("RELEASE act").execute(&mut *self.connection).await?;
        Ok(if keep { self.logged } else { Vec::new() })
    }

    /// The time of this act, milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Writes a membership.
    pub async fn put_member(&mut self, guid: &Guid, member: &Member) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq",
        )
        .bind(guid.as_str())
        .bind(member.uid())
        .bind(member.scope.number())
        .bind(member.joined_at)
        .bind(member.seq as i64)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Ends a membership.
    pub async fn remove_member(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM members WHERE guid = $1 AND uid = $2")
            .bind(guid.as_str())
            .bind(uid.as_str())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Writes a ban, in place of one that is there.
    pub async fn put_ban(&mut self, guid: &Guid, ban: &Ban) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO bans (guid, uid, reason, until_at, by_uid, at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (guid, uid) DO UPDATE SET reason = excluded.reason, until_at = excluded.until_at, by_uid = excluded.by_uid, at = excluded.at",
        )
        .bind(guid.as_str())
        .bind(ban.uid.as_str())
        .bind(ban.reason.as_deref())
        .bind(ban.until)
        .bind(ban.by.as_ref().map(Uid::as_str))
        .bind(ban.at)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Takes a ban away.
    pub async fn lift_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM bans WHERE guid = $1 AND uid = $2")
            .bind(guid.as_str())
            .bind(uid.as_str())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Bans that have run out, a few at a time.
    pub async fn ended_bans(&mut self, at_most: i64) -> Result<Vec<(Guid, Uid)>, StoreError> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("SELECT guid, uid FROM bans WHERE until_at <= $1 ORDER BY until_at LIMIT $2")
                .bind(self.now)
                .bind(at_most)
                .fetch_all(&mut *self.connection)
                .await?;
        rows.iter().map(|(guid, uid)| Ok((guid.parse().map_err(|_| bad("guid", guid))?, parse(uid)?))).collect()
    }

    /// Appends the event of this act to the group's log, with the members it touched.
    pub async fn append(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_head(&event).await?;
        for touched in &event.touched {
            sqlx::query("INSERT INTO touched (guid, seq, uid, old_scope, new_scope, name, avatar, joined_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
                .bind(event.guid.as_str())
                .bind(event.seq as i64)
                .bind(touched.uid.as_str())
                .bind(touched.old.map(Scope::number))
                .bind(touched.new.map(Scope::number))
                .bind(touched.name.as_deref())
                .bind(touched.member.as_deref().and_then(Member::avatar))
                .bind(touched.member.as_deref().map(|member| member.joined_at))
                .execute(&mut *self.connection)
                .await?;
        }
        self.logged.push(event);
        Ok(())
    }

    /// Appends an event whose touched members are written elsewhere (a bulk sync).
    pub(super) async fn append_bulk(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_head(&event).await?;
        self.logged.push(event);
        Ok(())
    }

    async fn append_head(&mut self, event: &Logged) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO events (guid, seq, kind, at, by_uid, by_name, reason, until_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
            .bind(event.guid.as_str())
            .bind(event.seq as i64)
            .bind(event.kind.as_str())
            .bind(event.at)
            .bind(event.by.as_ref().map(|by| by.uid.as_str()))
            .bind(event.by.as_ref().map(|by| by.name.as_str()))
            .bind(event.reason.as_deref())
            .bind(event.until)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// What was done before under this caller's key, if anything.
    pub async fn done_before(&mut self, guid: &Guid, caller: &str, key: &str) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar("SELECT act FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3")
            .bind(guid.as_str())
            .bind(caller)
            .bind(key)
            .fetch_optional(&mut *self.connection)
            .await?)
    }

    /// Remembers what was done under this caller's key.
    pub async fn remember(&mut self, guid: &Guid, caller: &str, key: &str, act: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO idempotency (guid, caller, key, act, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (guid, caller, key) DO NOTHING")
            .bind(guid.as_str())
            .bind(caller)
            .bind(key)
            .bind(act)
            .bind(self.now)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Forgets keys older than `age` milliseconds, and events beyond the last `retention` of each
    /// group; a bounded piece of work each time.
    pub async fn prune(&mut self, age: i64, retention: u64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM idempotency WHERE at < $1")
            .bind(self.now - age)
            .execute(&mut *self.connection)
            .await?;
        for sql in [
            "DELETE FROM touched WHERE (guid, seq) IN (SELECT t.guid, t.seq FROM groups g JOIN touched t ON t.guid = g.guid AND t.seq <= g.seq - $1 LIMIT 10000)",
            "DELETE FROM events WHERE (guid, seq) IN (SELECT e.guid, e.seq FROM groups g JOIN events e ON e.guid = g.guid AND e.seq <= g.seq - $1 LIMIT 10000)",
        ] {
            sqlx::query(sql).bind(retention as i64).execute(&mut *self.connection).await?;
        }
        Ok(())
    }
}

pub(super) fn parse(uid: &str) -> Result<Uid, StoreError> {
    uid.parse().map_err(|_| bad("uid", uid))
}

pub(super) fn scope(stored: i64) -> Result<Scope, StoreError> {
    Scope::from_number(stored).ok_or_else(|| bad("scope", &stored.to_string()))
}

pub(super) fn number(row: &SqliteRow, column: &str) -> Result<u64, StoreError> {
    Ok(row.try_get::<i64, _>(column)? as u64)
}

pub(super) fn bad(what: &str, value: &str) -> StoreError {
    StoreError::Inconsistent(format!("{what}: {value:?}"))
}
