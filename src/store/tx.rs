//! The statements an act is made of, inside its savepoint.

use super::db::{Connection, ask, run, scalar};
use super::error::StoreError;
use super::session::within;
use crate::domain::{Ban, Guid, Logged, Member, Scope, Uid};

/// One act's part of a write transaction. What it writes is kept or taken back as a whole.
pub struct Tx<'c> {
    pub(super) connection: Connection<'c>,
    pub(super) now: i64,
    logged: Vec<Logged>,
}

impl<'c> Tx<'c> {
    pub(super) fn new(connection: Connection<'c>, now: i64) -> Tx<'c> {
        Tx { connection, now, logged: Vec::new() }
    }

    /// What was appended.
    pub(super) fn into_logged(self) -> Vec<Logged> {
        self.logged
    }

    /// The time of this act, milliseconds since the epoch.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The work may stand still for a while, as when it reads a file that is being written. Otherwise
    /// PostgreSQL takes whoever does so for lost, and takes back what they have done.
    pub async fn take_time(&mut self) -> Result<(), StoreError> {
        if let Connection::Postgres(on) = self.connection.lend() {
            let longer = sqlx::query("SET LOCAL idle_in_transaction_session_timeout = '10min'");
            within(on.limit, longer.execute(on.connection)).await?;
        }
        Ok(())
    }

    /// Writes a membership.
    pub async fn put_member(&mut self, guid: &Guid, member: &Member) -> Result<(), StoreError> {
        run!(
            self.connection,
            "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq",
            guid.as_str(),
            member.uid(),
            member.scope.number(),
            member.joined_at,
            member.seq as i64
        )?;
        Ok(())
    }

    /// Ends a membership.
    pub async fn remove_member(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        run!(self.connection, "DELETE FROM members WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Writes a ban, in place of one that is there.
    pub async fn put_ban(&mut self, guid: &Guid, ban: &Ban) -> Result<(), StoreError> {
        run!(
            self.connection,
            "INSERT INTO bans (guid, uid, reason, until_at, by_uid, at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (guid, uid) DO UPDATE SET reason = excluded.reason, until_at = excluded.until_at,
             by_uid = excluded.by_uid, at = excluded.at",
            guid.as_str(),
            ban.uid.as_str(),
            ban.reason.as_deref(),
            ban.until,
            ban.by.as_ref().map(Uid::as_str),
            ban.at
        )?;
        Ok(())
    }

    /// Takes a ban away.
    pub async fn lift_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        run!(self.connection, "DELETE FROM bans WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Takes away a ban that has run out; `false` when it is not there any more.
    pub async fn lift_ended_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<bool, StoreError> {
        let lifted: Option<String> = scalar!(
            fetch_optional,
            self.connection,
            "DELETE FROM bans WHERE guid = $1 AND uid = $2 AND until_at <= $3 RETURNING uid",
            guid.as_str(),
            uid.as_str(),
            self.now
        )?;
        Ok(lifted.is_some())
    }

    /// Bans that have run out, a few at a time.
    pub async fn ended_bans(&mut self, at_most: i64) -> Result<Vec<(Guid, Uid)>, StoreError> {
        let rows: Vec<(String, String)> = ask!(
            fetch_all,
            self.connection,
            "SELECT guid, uid FROM bans WHERE until_at <= $1 ORDER BY until_at LIMIT $2",
            self.now,
            at_most
        )?;
        rows.iter().map(|(guid, uid)| Ok((guid.parse().map_err(|_| bad("guid", guid))?, parse(uid)?))).collect()
    }

    /// Appends the event of this act to the group's log, with the members it touched.
    pub async fn append(&mut self, event: Logged) -> Result<(), StoreError> {
        self.append_head(&event).await?;
        for touched in &event.touched {
            run!(
                self.connection,
                "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, name, avatar, joined_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                event.guid.as_str(),
                event.seq as i64,
                touched.uid.as_str(),
                touched.old.map(Scope::number),
                touched.new.map(Scope::number),
                touched.name.as_deref(),
                touched.member.as_deref().and_then(Member::avatar),
                touched.member.as_deref().map(|member| member.joined_at)
            )?;
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
        run!(
            self.connection,
            "INSERT INTO events (guid, seq, kind, at, by_uid, by_name, reason, until_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            event.guid.as_str(),
            event.seq as i64,
            event.kind.as_str(),
            event.at,
            event.by.as_ref().map(|by| by.uid.as_str()),
            event.by.as_ref().map(|by| by.name.as_str()),
            event.reason.as_deref(),
            event.until
        )?;
        Ok(())
    }

    /// What was done before under this caller's key, if anything.
    pub async fn done_before(&mut self, guid: &Guid, caller: &str, key: &str) -> Result<Option<String>, StoreError> {
        done_before(self.connection.lend(), guid, caller, key).await
    }

    /// Remembers what was done under this caller's key.
    pub async fn remember(&mut self, guid: &Guid, caller: &str, key: &str, act: &str) -> Result<(), StoreError> {
        run!(
            self.connection,
            "INSERT INTO idempotency (guid, caller, key, act, at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (guid, caller, key) DO NOTHING",
            guid.as_str(),
            caller,
            key,
            act,
            self.now
        )?;
        Ok(())
    }

    /// Forgets keys older than `age` milliseconds, and events beyond the last `retention` of each
    /// group; a bounded piece of work each time.
    pub async fn prune(&mut self, age: i64, retention: u64) -> Result<(), StoreError> {
        run!(self.connection, "DELETE FROM idempotency WHERE at < $1", self.now - age)?;
        for sql in [
            "DELETE FROM touched WHERE (guid, seq) IN (SELECT t.guid, t.seq
             FROM groups g JOIN touched t ON t.guid = g.guid AND t.seq <= g.seq - $1 LIMIT 10000)",
            "DELETE FROM events WHERE (guid, seq) IN (SELECT e.guid, e.seq
             FROM groups g JOIN events e ON e.guid = g.guid AND e.seq <= g.seq - $1 LIMIT 10000)",
        ] {
            run!(self.connection, sql, retention as i64)?;
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

pub(super) fn bad(what: &str, value: &str) -> StoreError {
    StoreError::Inconsistent(format!("{what}: {value:?}"))
}

/// What was done before under this caller's key, if anything.
pub(super) async fn done_before(
    mut on: Connection<'_>,
    guid: &Guid,
    caller: &str,
    key: &str,
) -> Result<Option<String>, StoreError> {
    Ok(scalar!(
        fetch_optional,
        on,
        "SELECT act FROM idempotency WHERE guid = $1 AND caller = $2 AND key = $3",
        guid.as_str(),
        caller,
        key
    )?)
}
