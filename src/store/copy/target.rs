//! The PostgreSQL database that a file is moved to: one connection and one transaction, so that either
//! everything is copied or nothing.

use sqlx::{AssertSqlSafe, PgConnection, SqliteConnection};
use tokio_stream::StreamExt;

use super::rows::{self, Checksum};
use crate::store::error::{StoreError, in_words};
use crate::store::migrations::newest_step;
use crate::store::sql::connection::Connection;
use crate::store::sql::query::fetch;
use crate::store::sql::table::Table;
use crate::store::sql::tables::{FACTS, TABLES};
use crate::store::sqlite::read_only::FILE_METADATA;
use crate::store::{postgres, url};

/// Bytes that are sent at a time.
const CHUNK: usize = 256 * 1024;

/// The database that a file is moved to.
pub(super) struct CopyTarget {
    connection: PgConnection,
    /// Hosts and name of the database.
    pub(super) location: String,
}

/// The content of the target before the move.
pub(super) enum Content {
    /// No rows.
    Empty,
    /// The epoch of the file: an earlier move was committed.
    SameEpoch,
    /// Something else, described in a sentence.
    Other(String),
}

impl CopyTarget {
    /// Opens the database and brings its schema to the newest.
    ///
    /// # Errors
    /// A sentence: it does not answer, or holds tables of another program or of a newer version.
    pub(super) async fn open(url: &str) -> Result<CopyTarget, String> {
        let mut connection = postgres::connect(url).await.map_err(|error| error.to_string())?;
        let reason = |error: sqlx::Error| in_words(&error);
        sqlx::query("SET application_name = 'chat-group-members move'")
            .execute(&mut connection)
            .await
            .map_err(reason)?;
        let mut target = CopyTarget { connection, location: url::location(url) };
        target.check_tables().await.map_err(reason)??;
        postgres::bring_to_newest(&mut target.connection).await.map_err(|error| error.to_string())?;
        Ok(target)
    }

    /// Refuses tables of these names that another program made, and a schema of a newer version, which may hold
    /// data that this version cannot copy.
    async fn check_tables(&mut self) -> sqlx::Result<Result<(), String>> {
        let existing: Vec<String> = sqlx::query_scalar(
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
        )
        .fetch_all(&mut self.connection)
        .await?;
        if existing.iter().any(|name| name == "_sqlx_migrations") {
            let step: Option<i64> =
                sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut self.connection).await?;
            let newer = step.is_some_and(|step| step > newest_step());
            return Ok(if newer { Err(newer_version(&self.location)) } else { Ok(()) });
        }
        let ours = |name: &&String| TABLES.iter().map(|table| table.name).chain([FACTS]).any(|ours| ours == **name);
        let foreign: Vec<&str> = existing.iter().filter(ours).map(String::as_str).collect();
        Ok(match foreign.is_empty() {
            true => Ok(()),
            false => Err(format!("{} holds tables of something else: {}", self.location, foreign.join(", "))),
        })
    }

    /// The content of the target. `epoch` is the epoch of the file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the target does not answer.
    pub(super) async fn content(&mut self, epoch: &str) -> Result<Content, StoreError> {
        let stored: Option<String> = sqlx::query_scalar("SELECT value FROM facts WHERE name = 'epoch'")
            .fetch_optional(&mut self.connection)
            .await?;
        let mut found = Vec::new();
        for table in TABLES {
            let sql = format!("SELECT count(*) FROM {}", table.name);
            let rows: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.connection).await?;
            if rows > 0 {
                found.push(format!("{} {rows}", table.name));
            }
        }
        if !found.is_empty() && stored.as_deref() == Some(epoch) {
            return Ok(Content::SameEpoch);
        }
        if !found.is_empty() {
            return Ok(Content::Other(format!("{} is not empty: {}", self.location, found.join(", "))));
        }
        let nodes: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
        )
        .bind(postgres::APPLICATION_NAME)
        .fetch_one(&mut self.connection)
        .await?;
        // Running nodes hold the epoch of this database, which the move would replace.
        Ok(match nodes {
            0 => Content::Empty,
            _ => Content::Other(format!("a service runs beside {} already: stop it", self.location)),
        })
    }

    /// Begins the transaction of the move, without time limits. It locks all tables: a node that starts
    /// meanwhile waits.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the tables cannot be locked.
    pub(super) async fn begin(&mut self) -> Result<(), StoreError> {
        for sql in [postgres::BEGIN_WRITE, postgres::NO_TIME_LIMITS] {
            sqlx::query(sql).execute(&mut self.connection).await?;
        }
        let tables: Vec<&str> = TABLES.iter().map(|table| table.name).chain([FACTS]).collect();
        let sql = format!("LOCK TABLE {} IN EXCLUSIVE MODE", tables.join(", "));
        sqlx::query(AssertSqlSafe(sql)).execute(&mut self.connection).await?;
        Ok(())
    }

    /// Copies a table. `on_rows` is called with the number of rows sent since its last call.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file cannot be read or the target does not take its rows.
    pub(super) async fn copy(
        &mut self,
        file: &mut SqliteConnection,
        table: &Table,
        on_rows: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Checksum, StoreError> {
        let statement = format!("COPY {} ({}) FROM STDIN", table.name, table.column_list());
        let mut copy = self.connection.copy_in_raw(&statement).await?;
        let (mut checksum, mut chunk, mut rows) = (Checksum::default(), Vec::with_capacity(CHUNK + 4096), 0);
        rows::read(file, table, async |line| {
            checksum.add(line);
            chunk.extend(line);
            rows += 1;
            if chunk.len() >= CHUNK {
                copy.send(&chunk[..]).await?;
                chunk.clear();
                on_rows(std::mem::take(&mut rows));
            }
            Ok(())
        })
        .await?;
        copy.send(&chunk[..]).await?;
        copy.finish().await?;
        on_rows(rows);
        Ok(checksum)
    }

    /// The checksum of a table of the target. `on_rows` is called for each row.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the target does not answer.
    pub(super) async fn checksum(
        &mut self,
        table: &Table,
        on_rows: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Checksum, StoreError> {
        let statement = format!("COPY ({}) TO STDOUT", rows::select_all(table));
        let mut lines = self.connection.copy_out_raw(&statement).await?;
        let mut checksum = Checksum::default();
        while let Some(line) = lines.next().await {
            checksum.add(&line?);
            on_rows(1);
        }
        Ok(checksum)
    }

    /// Copies the database's metadata, except those that describe the file itself.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file cannot be read or the target not be written.
    pub(super) async fn put_metadata(&mut self, file: &mut SqliteConnection) -> Result<(), StoreError> {
        let mut from = Connection::Sqlite(file);
        let metadata: Vec<(String, String)> = fetch!(fetch_all, from, "SELECT name, value FROM facts")?;
        sqlx::query("DELETE FROM facts").execute(&mut self.connection).await?;
        // Without it the first node would take the copy for a restored backup and start a new epoch.
        let identity = ("file".to_owned(), postgres::identity(&mut self.connection).await?);
        for (name, value) in
            metadata.into_iter().filter(|(name, _)| !FILE_METADATA.contains(&name.as_str())).chain([identity])
        {
            let insert = sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2)");
            insert.bind(name).bind(value).execute(&mut self.connection).await?;
        }
        Ok(())
    }

    /// How many groups there are, and which of them have several owners.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the target does not answer.
    pub(super) async fn groups(&mut self) -> Result<(u64, Vec<String>), StoreError> {
        let groups: i64 = sqlx::query_scalar("SELECT count(*) FROM groups WHERE deleted_at IS NULL")
            .fetch_one(&mut self.connection)
            .await?;
        let wrong_owners = sqlx::query_scalar(
            "SELECT g.guid FROM groups g JOIN members m ON m.guid = g.guid AND m.scope = 3
             WHERE g.deleted_at IS NULL GROUP BY g.guid HAVING count(m.uid) > 1 ORDER BY g.guid",
        )
        .fetch_all(&mut self.connection)
        .await?;
        Ok((groups as u64, wrong_owners))
    }

    /// Commits the copy.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the commit is not confirmed: its outcome is then unknown.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        Ok(())
    }

    /// Gathers the statistics by which the target plans its first queries.
    pub(super) async fn analyze(&mut self) {
        for table in TABLES {
            let sql = format!("ANALYZE {}", table.name);
            if let Err(error) = sqlx::query(AssertSqlSafe(sql)).execute(&mut self.connection).await {
                tracing::debug!(%error, table = table.name, "ANALYZE failed; the database repeats it later by itself");
            }
        }
    }
}

/// The sentence that refuses a schema of a newer version.
pub(super) fn newer_version(location: &str) -> String {
    format!("{location} was brought to a newer schema than this version knows: move with the newer version")
}
