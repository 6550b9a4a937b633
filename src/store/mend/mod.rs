//! Repairs of rows that break an invariant, where that is safe: nobody loses what anybody could see. `repairs.rs` lists
//! them; here they are made.
//!
//! Not here: the checks that find such rows (`inspect`).

mod repairs;

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use sqlx::AssertSqlSafe;

use self::repairs::How;
pub use self::repairs::{Repair, repairs};
use super::error::StoreError;
use super::inspect::{self, Inspection};
use super::sqlite::{ReadOnlyFile, connect};
use crate::domain::{Guid, MAX_JOINED_AT, sort_key};
use crate::store::sql::connection::{Connection, with_timeout};
use crate::store::sql::query::{dynamic, execute, fetch};
use crate::store::transaction::tx::Tx;

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

    /// Mends rows of a locked group, as its event `seq`, which touches the members whose rows these are.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn mend_locked(&mut self, repair: &Repair, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        self.lift_time_limit();
        let broken = self.broken_in(repair, guid);
        match repair.how {
            How::Leave => {
                self.touch_mended(guid, seq, &broken, "CAST(NULL AS BIGINT)").await?;
                self.run(format!("DELETE FROM members WHERE {broken}")).await?;
            }
            How::Touch(set) => {
                self.touch_mended(guid, seq, &broken, "CASE WHEN scope BETWEEN 0 AND 3 THEN scope ELSE 0 END").await?;
                self.run(format!("UPDATE members SET {}, seq = {seq} WHERE {broken}", self.expand(set))).await?;
            }
            How::DeleteEnd => {
                let whose = format!(
                    "guid = '{guid}' AND scope BETWEEN 0 AND 3
                     AND uid IN (SELECT uid FROM temporary_scopes WHERE {broken})"
                );
                self.touch_mended(guid, seq, &whose, "scope").await?;
                self.run(format!("UPDATE members SET seq = {seq} WHERE {whose}")).await?;
                self.run(format!("DELETE FROM temporary_scopes WHERE {broken}")).await?;
            }
            // Nobody is touched: nodes whose last event is before `rewritten_seq` load the group again.
            How::SetGroup(_) | How::Delete | How::Set(_) => self.mend(repair, Some(guid)).await?,
        }
        Ok(())
    }

    /// Notes that the event `seq` touches these members, whose scopes are `new` afterwards, and what limits them: an undo reads it
    /// from the log.
    async fn touch_mended(&mut self, guid: &Guid, seq: u64, whose: &str, new: &str) -> Result<(), StoreError> {
        // SQLite stores what is no number as it is given: the log would be unreadable by it.
        let joined_at = format!(
            "CASE WHEN joined_at = CAST(joined_at AS BIGINT) AND joined_at BETWEEN 0 AND {MAX_JOINED_AT} THEN joined_at
             ELSE {} END",
            self.now / 1000
        );
        self.run(format!(
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
             SELECT guid, CAST({seq} AS BIGINT), uid, CASE WHEN scope BETWEEN 0 AND 3 THEN scope END, {new}, {joined_at}, {joined_at}
             FROM members WHERE {whose} ON CONFLICT (guid, seq, uid) DO NOTHING"
        ))
        .await?;
        self.record_readable_restrictions(guid, seq).await
    }

    /// Recomputes the sort keys of the people after `last`, in the order of uids, and records that their groups are to get an event.
    /// Returns the last uid that was checked, `None` at the end.
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

    /// Inserts the row that names the node which reports presence to webhooks.
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

    /// Lifts the time limit of statements in this transaction, since they take longer the more rows there are. The limit of waiting
    /// for a lock stays.
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
