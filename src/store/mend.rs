//! Repairs of rows that break an invariant, where that is safe: nobody loses what anybody could see.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use sqlx::AssertSqlSafe;

use super::error::StoreError;
use super::inspect::{self, Inspection};
use super::sqlite::{ReadOnlyFile, connect};
use crate::domain::{Guid, sort_key};
use crate::store::sql::connection::{Connection, with_timeout};
use crate::store::sql::query::{dynamic, execute, fetch};
use crate::store::transaction::tx::Tx;

/// A repair of the rows that break an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// The name of the check that finds them.
    pub check: &'static str,
    table: &'static str,
    /// The SQL condition of the broken rows.
    broken: &'static str,
    how: How,
}

/// The change that repairs a row. Rows that nodes keep in memory are repaired with an event of their group, which they follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// The row is deleted. No node keeps it in memory.
    Delete,
    /// The row is set. No node keeps the value in memory; the number of a group is polled.
    Set(&'static str),
    /// The member's row is deleted, and the group has an event that says so.
    Leave,
    /// The member's row is set, with the number of an event of the group.
    Touch(&'static str),
    /// The end of a member's scope is deleted, and the member has the number of an event of the group.
    DeleteEnd,
    /// The group's row is set, and the group has an event.
    SetGroup(&'static str),
}

macro_rules! repairs {
    ($($check:literal $table:literal $how:expr, $broken:literal;)+) => {
        /// Every repair, in the order in which they are done: numbers of groups before those of members.
        const REPAIRS: &[Repair] =
            &[$(Repair { check: $check, table: $table, broken: $broken, how: $how }),+];
    };
}

repairs! {
    "groups-number" "groups" How::Set("seq = (SELECT max(e.seq) FROM events e WHERE e.guid = groups.guid)"),
        "seq < (SELECT COALESCE(max(e.seq), 0) FROM events e WHERE e.guid = groups.guid)";
    "events-number" "groups" How::Set("seq = (SELECT max(e.seq) FROM events e WHERE e.guid = groups.guid)"),
        "seq < (SELECT COALESCE(max(e.seq), 0) FROM events e WHERE e.guid = groups.guid)";
    "groups-rewritten" "groups" How::SetGroup("rewritten_seq = seq"), "rewritten_seq < 0 OR rewritten_seq > seq";
    "members-without-group" "members" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = members.guid)";
    "members-of-deleted-group" "members" How::Delete, "scope >= 0 AND EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = members.guid AND g.deleted_at IS NOT NULL)";
    "members-hidden" "members" How::Delete, "scope BETWEEN -4 AND -1
        AND NOT EXISTS (SELECT 1 FROM syncs s WHERE s.sync = -members.seq)";
    "members-without-user" "members" How::Leave, "NOT EXISTS (SELECT 1 FROM users u WHERE u.uid = members.uid)";
    "members-scope" "members" How::Touch("scope = 0"), "scope > 3 OR scope < -4";
    "members-joined" "members" How::Touch("joined_at = $NOW / 1000"), "joined_at < 0 OR joined_at > 253402300799";
    "members-number" "members" How::Touch("scope = scope"), "scope >= 0 AND (seq < 1
        OR seq > (SELECT g.seq FROM groups g WHERE g.guid = members.guid))";
    "members-touched" "members" How::Touch("scope = scope"), "scope >= 0
        AND seq > (SELECT g.seq - 10000 FROM groups g WHERE g.guid = members.guid)
        AND EXISTS (SELECT 1 FROM events e WHERE e.guid = members.guid AND e.seq = members.seq)
        AND NOT EXISTS (SELECT 1 FROM touched t WHERE t.guid = members.guid AND t.seq = members.seq AND t.uid = members.uid)";
    "bans-without-group" "bans" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = bans.guid)";
    "bans-of-deleted-group" "bans" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = bans.guid AND g.deleted_at IS NOT NULL)";
    // A row with a malformed id belongs to nobody, and no request can name it. A row whose author is malformed cannot be read.
    "bans-uid" "bans" How::Delete, "MALFORMED(uid)";
    "bans-uid" "bans" How::Set("by_uid = NULL"), "MALFORMED(by_uid)";
    "mutes-without-group" "mutes" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = mutes.guid)";
    "mutes-of-deleted-group" "mutes" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = mutes.guid AND g.deleted_at IS NOT NULL)";
    "mutes-uid" "mutes" How::Delete, "MALFORMED(uid)";
    "mutes-uid" "mutes" How::Set("by_uid = NULL"), "MALFORMED(by_uid)";
    "notes-without-group" "notes" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = notes.guid)";
    "notes-of-deleted-group" "notes" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = notes.guid AND g.deleted_at IS NOT NULL)";
    "temporary-scopes-member" "temporary_scopes" How::Delete, "NOT EXISTS
        (SELECT 1 FROM members m WHERE m.guid = temporary_scopes.guid AND m.uid = temporary_scopes.uid)";
    "temporary-scopes-scope" "temporary_scopes" How::DeleteEnd, "scope NOT IN (1, 2) OR lasting_scope < 0 OR lasting_scope >= scope";
    "events-id" "events" How::Set("id = ''"), "id <> '' AND NO_EVENT_ID(id)";
    "events-id-twice" "events" How::Set("id = ''"), "id IN (SELECT e.id FROM events e WHERE e.id <> '' GROUP BY e.id HAVING count(*) > 1)";
    "touched-without-event" "touched" How::Delete, "NOT EXISTS
        (SELECT 1 FROM events e WHERE e.guid = touched.guid AND e.seq = touched.seq)
        AND seq >= (SELECT COALESCE(min(f.seq), 0) FROM events f WHERE f.guid = touched.guid)";
    "idempotency-group" "idempotency" How::Delete,
        "guid <> '*' AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = idempotency.guid)";
    "idempotency-caller" "idempotency" How::Delete, "(MALFORMED(caller) AND caller <> '*host*') OR act = '' OR key = ''";
    "idempotency-times" "idempotency" How::Delete, "IMPOSSIBLE(at)";
    "syncs-phase" "syncs" How::Set("phase = 2"), "phase NOT IN (0, 1, 2)";
    "sync-rows-state" "syncs" How::Set("phase = 2"), "phase = 0 AND sync IN (SELECT r.sync FROM sync_rows r
        WHERE r.state NOT IN (0, 1, 2, 3, 4) OR r.scope NOT IN (-1, 0, 1, 2, 3))";
    // The sync is not applied any more. What else it prepared is removed by the sweep of a running service.
    "sync-rows-state" "sync_rows" How::Delete, "state NOT IN (0, 1, 2, 3, 4) OR scope NOT IN (-1, 0, 1, 2, 3)";
    "sync-rows-without-sync" "sync_rows" How::Delete,
        "NOT EXISTS (SELECT 1 FROM syncs s WHERE s.sync = sync_rows.sync)";
    "sync-renames-group" "sync_renames" How::Delete,
        "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = sync_renames.guid)";
    "outbox-lanes" "outbox_lanes" How::Delete, "substr(lane, 1, 1) <> '@' OR seq < 1";
    "outbox-number" "outbox_lanes" How::Set("seq = (SELECT max(o.seq) FROM outbox o WHERE o.lane = outbox_lanes.lane)"),
        "seq < (SELECT COALESCE(max(o.seq), 0) FROM outbox o WHERE o.lane = outbox_lanes.lane)";
    "outbox-number" "outbox" How::Delete,
        "seq < 1 OR NOT EXISTS (SELECT 1 FROM outbox_lanes l WHERE l.lane = outbox.lane)";
    "outbox-kind" "outbox" How::Delete, "kind NOT IN ($OUTBOX)";
    "webhook-endpoint-numbers" "webhook_endpoints" How::Set("attempts = 0, due_at = 0, failing_since = 0,
        seen_at = CASE WHEN seen_at < 0 THEN 0 ELSE seen_at END,
        answered_at = CASE WHEN answered_at < 0 THEN 0 ELSE answered_at END"),
        "seen_at < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR answered_at < 0";
    "webhook-positions-endpoint" "webhook_positions" How::Delete,
        "NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.id = webhook_positions.endpoint)";
    "webhook-positions-group" "webhook_positions" How::Delete, "substr(lane, 1, 1) <> '@'
        AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = webhook_positions.lane)";
    "webhook-positions-number" "webhook_positions" How::Set("token = '', lease_until = 0, replay_seq = 0, seq =
        (SELECT l.seq FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
         WHERE l.lane = webhook_positions.lane)"), "EXISTS
        (SELECT 1 FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
         WHERE l.lane = webhook_positions.lane AND (webhook_positions.seq > l.seq OR webhook_positions.seq < 0
           OR webhook_positions.replay_seq > l.seq OR webhook_positions.replay_seq < 0))";
    "webhook-positions-numbers" "webhook_positions" How::Set(
        "lease_until = 0, attempts = 0, due_at = 0, failing_since = 0, dead = 0, replay_at = 0"),
        "lease_until < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR dead < 0 OR replay_at < 0";
    "erasure-positions" "erasure_positions" How::Set(
        "seq = (SELECT g.seq FROM groups g WHERE g.guid = erasure_positions.guid)"),
        "EXISTS (SELECT 1 FROM groups g WHERE g.guid = erasure_positions.guid
                 AND (erasure_positions.seq < 0 OR erasure_positions.seq > g.seq))";
    "reported-presence" "reported_presence" How::Delete, "status NOT IN ('online', 'away')";
}

/// The repairs of what a check found.
pub fn repairs(check: &str) -> Vec<Repair> {
    REPAIRS.iter().filter(|repair| repair.check == check).copied().collect()
}

impl Repair {
    /// Whether it changes what nodes keep in memory, so that the group has an event.
    pub fn emits_event(&self) -> bool {
        match self.how {
            How::Leave | How::Touch(_) | How::DeleteEnd | How::SetGroup(_) => true,
            How::Delete | How::Set(_) => false,
        }
    }

    /// The tables with rows that it changes, each with the SQL condition of these rows.
    fn changes(&self) -> impl Iterator<Item = (&'static str, String)> {
        let members = (self.how == How::DeleteEnd).then(|| {
            let whose = format!("(guid, uid) IN (SELECT guid, uid FROM {} WHERE {})", self.table, self.broken);
            ("members", whose)
        });
        std::iter::once((self.table, self.broken.to_owned())).chain(members)
    }
}

impl Inspection {
    /// Keeps what mending may change: the whole file as a copy beside it, or the rows that these repairs change as lines
    /// of JSON. `target` is the path without its ending; answers the path.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the copy cannot be made: then nothing is to be mended.
    pub async fn keep_old(&mut self, url: &str, target: &str, found: &[Repair]) -> Result<String, StoreError> {
        if !self.is_postgres() {
            let path = format!("{target}.db");
            create(&path)?;
            let mut file = connect(&ReadOnlyFile::find(url)?.options()).await?;
            sqlx::query("VACUUM INTO $1").bind(&path).execute(&mut file).await?;
            return Ok(path);
        }
        let path = format!("{target}.ndjson");
        let failed = |error: std::io::Error| StoreError::Unavailable(format!("{path} cannot be written: {error}"));
        let mut file = std::io::BufWriter::new(create(&path)?);
        for (table, changed) in found.iter().flat_map(Repair::changes) {
            let changed = self.expand(&changed);
            let sql = format!(
                "SELECT CAST(json_build_object('table', '{table}', 'row', row_to_json({table})) AS TEXT)
                 FROM {table} WHERE {changed}"
            );
            let mut written = Ok(());
            self.lines(&sql, |line| {
                if written.is_ok() {
                    written = writeln!(file, "{line}");
                }
            })
            .await?;
            written.map_err(failed)?;
        }
        file.into_inner().map_err(|error| failed(error.into_error()))?.sync_all().map_err(failed)?;
        Ok(path)
    }
}

impl Tx<'_> {
    /// The first groups after this one with rows that a repair changes.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn groups_to_mend(&mut self, repair: &Repair, after: &str) -> Result<Vec<String>, StoreError> {
        self.lift_time_limit();
        let sql = format!(
            "SELECT DISTINCT guid FROM {} WHERE guid > ? AND ({}) ORDER BY guid LIMIT 100",
            repair.table,
            self.expand(repair.broken)
        );
        let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
            query = query.bind(after);
        })?;
        Ok(rows.into_iter().map(|(guid,)| guid).collect())
    }

    /// Makes a repair that no node has to follow: everywhere, or in this group alone.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend(&mut self, repair: &Repair, group: Option<&Guid>) -> Result<(), StoreError> {
        self.lift_time_limit();
        let broken = match group {
            Some(guid) => self.broken_in(repair, guid),
            None => self.expand(repair.broken),
        };
        let sql = match repair.how {
            How::Delete | How::Leave | How::DeleteEnd => format!("DELETE FROM {} WHERE {broken}", repair.table),
            How::Set(set) | How::Touch(set) | How::SetGroup(set) => {
                format!("UPDATE {} SET {} WHERE {broken}", repair.table, self.expand(set))
            }
        };
        self.run(sql).await
    }

    /// Mends rows of a claimed group, as its event `seq`, which touches the members whose rows these are.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend_claimed(&mut self, repair: &Repair, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        self.lift_time_limit();
        let broken = self.broken_in(repair, guid);
        match repair.how {
            How::Leave => {
                self.touch_mended(seq, &broken, "CAST(NULL AS BIGINT)").await?;
                self.run(format!("DELETE FROM members WHERE {broken}")).await?;
            }
            How::Touch(set) => {
                self.touch_mended(seq, &broken, "CASE WHEN scope BETWEEN 0 AND 3 THEN scope ELSE 0 END").await?;
                self.run(format!("UPDATE members SET {}, seq = {seq} WHERE {broken}", self.expand(set))).await?;
            }
            How::DeleteEnd => {
                let whose = format!(
                    "guid = '{guid}' AND scope BETWEEN 0 AND 3
                     AND uid IN (SELECT uid FROM temporary_scopes WHERE {broken})"
                );
                self.touch_mended(seq, &whose, "scope").await?;
                self.run(format!("UPDATE members SET seq = {seq} WHERE {whose}")).await?;
                self.run(format!("DELETE FROM temporary_scopes WHERE {broken}")).await?;
            }
            // Nobody is touched: nodes whose last event is before `rewritten_seq` load the group again.
            How::SetGroup(_) | How::Delete | How::Set(_) => self.mend(repair, Some(guid)).await?,
        }
        // An undo reads from the log what limited a member.
        self.record_readable_restrictions(guid, seq).await
    }

    /// Notes that the event `seq` touches these members, whose scopes are `new` afterwards.
    async fn touch_mended(&mut self, seq: u64, whose: &str, new: &str) -> Result<(), StoreError> {
        self.run(format!(
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
             SELECT guid, CAST({seq} AS BIGINT), uid, CASE WHEN scope BETWEEN 0 AND 3 THEN scope END, {new}, joined_at, joined_at
             FROM members WHERE {whose} ON CONFLICT (guid, seq, uid) DO NOTHING"
        ))
        .await
    }

    /// Gives the people after `last` in the order of uids the sort keys of their names, and records that their groups are to be
    /// told; answers the last uid that was looked at, `None` at the end.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend_sort_keys(&mut self, last: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT uid, name, sort_key FROM users WHERE uid > $1 ORDER BY uid LIMIT 1000";
        let people: Vec<(String, String, String)> = fetch!(fetch_all, self.connection, sql, last)?;
        for (uid, name, stored) in &people {
            let right = sort_key(name);
            if right == *stored {
                continue;
            }
            execute!(self.connection, "UPDATE users SET sort_key = $2 WHERE uid = $1", uid, &right)?;
            let record = "INSERT INTO sync_renames (guid, uid) SELECT guid, uid FROM members
                        WHERE uid = $1 AND scope >= 0 ON CONFLICT (guid, uid) DO NOTHING";
            execute!(self.connection, record, uid)?;
        }
        Ok(people.last().map(|(uid, _, _)| uid.clone()))
    }

    /// Makes the row that says which node tells webhooks of presence.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend_presence_reporter(&mut self) -> Result<(), StoreError> {
        self.run("INSERT INTO presence_reporter (id, token, lease_until) VALUES (1, '', 0)".into()).await
    }

    /// Creates again every index that is missing or different.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend_indexes(&mut self, names: &[String]) -> Result<(), StoreError> {
        self.lift_time_limit();
        for (name, create) in inspect::indexes().filter(|(name, _)| names.iter().any(|wanted| wanted == name)) {
            self.run(format!("DROP INDEX IF EXISTS {name}")).await?;
            self.run(create.to_owned()).await?;
        }
        Ok(())
    }

    /// Has the statements of this transaction take as long as there are rows. The server goes on to limit how long they wait
    /// for a lock.
    fn lift_time_limit(&mut self) {
        if let Connection::Postgres(timed) = &mut self.connection {
            timed.timeout = Duration::MAX;
        }
    }

    /// The condition of the broken rows of one group.
    fn broken_in(&self, repair: &Repair, guid: &Guid) -> String {
        // The group's id is out of a closed alphabet: it cannot end a text of SQL.
        format!("guid = '{guid}' AND ({})", self.expand(repair.broken))
    }

    fn expand(&self, sql: &str) -> String {
        inspect::expand(sql, matches!(self.connection, Connection::Postgres(_)), self.now)
    }

    async fn run(&mut self, sql: String) -> Result<(), StoreError> {
        match self.connection.reborrow() {
            Connection::Sqlite(connection) => {
                sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
            }
            Connection::Postgres(timed) => {
                with_timeout(timed.timeout, sqlx::query(AssertSqlSafe(sql)).execute(timed.connection)).await?;
            }
        }
        Ok(())
    }
}

/// A new file that its owner alone can read: it names people.
fn create(path: &str) -> Result<std::fs::File, StoreError> {
    let created = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    created.map_err(|error| StoreError::Unavailable(format!("{path} cannot be written: {error}")))
}
