//! The PostgreSQL that a file moves to: one connection, one transaction, so that everything is there or
//! nothing.

use sqlx::{AssertSqlSafe, PgConnection, SqliteConnection};
use tokio_stream::StreamExt;

use super::rows::{self, Sum};
use crate::store::db::{self, ask};
use crate::store::error::StoreError;
use crate::store::read_only::OWN;
use crate::store::tables::{TABLES, Table};
use crate::store::{address, postgres};

/// Bytes that are sent at once.
const CHUNK: usize = 256 * 1024;

/// The database that is moved to.
pub(super) struct Target {
    connection: PgConnection,
    /// Hosts and name, without whoever comes there.
    pub(super) place: String,
}

/// What is in a database that is moved to.
pub(super) enum Content {
    /// Nothing of ours.
    Nothing,
    /// This history already: an earlier move was here.
    ThisHistory,
    /// Something else, in words.
    Other(String),
}

impl Target {
    /// Opens the database and brings its schema to the newest.
    ///
    /// # Errors
    /// In words: it does not answer, or holds tables of somebody else.
    pub(super) async fn open(url: &str) -> Result<Target, String> {
        let mut connection = postgres::connect(url).await.map_err(|error| error.to_string())?;
        let words = |error: sqlx::Error| error.to_string();
        sqlx::query("SET application_name = 'chat-group-members move'")
            .execute(&mut connection)
            .await
            .map_err(words)?;
        let mut target = Target { connection, place: address::place(url) };
        target.check_tables().await.map_err(words)??;
        postgres::bring_to_newest(&mut target.connection).await.map_err(|error| error.to_string())?;
        Ok(target)
    }

    /// Refuses, in words, tables with names of ours that we did not make, and those of a newer version: it
    /// knows of things to move that we do not know.
    async fn check_tables(&mut self) -> sqlx::Result<Result<(), String>> {
        let there: Vec<String> = sqlx::query_scalar(
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
        )
        .fetch_all(&mut self.connection)
        .await?;
        if there.iter().any(|name| name == "_sqlx_migrations") {
            let step: Option<i64> =
                sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut self.connection).await?;
            let newer = step.is_some_and(|step| step > postgres::newest_step());
            return Ok(if newer { Err(of_a_newer_version(&self.place)) } else { Ok(()) });
        }
        let ours = |name: &&String| TABLES.iter().map(|table| table.name).chain(["facts"]).any(|ours| ours == **name);
        let strange: Vec<&str> = there.iter().filter(ours).map(String::as_str).collect();
        Ok(match strange.is_empty() {
            true => Ok(()),
            false => Err(format!("{} holds tables of something else: {}", self.place, strange.join(", "))),
        })
    }

    /// What is there. `epoch` names the history that is to move.
    pub(super) async fn content(&mut self, epoch: &str) -> Result<Content, StoreError> {
        let held: Option<String> = sqlx::query_scalar("SELECT value FROM facts WHERE name = 'epoch'")
            .fetch_optional(&mut self.connection)
            .await?;
        let mut found = Vec::new();
        for table in &TABLES {
            let sql = format!("SELECT count(*) FROM {}", table.name);
            let rows: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.connection).await?;
            if rows > 0 {
                found.push(format!("{} {rows}", table.name));
            }
        }
        if !found.is_empty() && held.as_deref() == Some(epoch) {
            return Ok(Content::ThisHistory);
        }
        if !found.is_empty() {
            return Ok(Content::Other(format!("{} is not empty: {}", self.place, found.join(", "))));
        }
        let nodes: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
        )
        .bind(postgres::NODE)
        .fetch_one(&mut self.connection)
        .await?;
        // They remember the name of a history that would be another one afterwards.
        Ok(match nodes {
            0 => Content::Nothing,
            _ => Content::Other(format!("a service runs beside {} already: stop it", self.place)),
        })
    }

    /// Begins the one transaction: nobody else writes, and a node that starts meanwhile waits. It may take
    /// longer than is good for those of other people.
    pub(super) async fn begin(&mut self) -> Result<(), StoreError> {
        for sql in ["BEGIN", "SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0"] {
            sqlx::query(sql).execute(&mut self.connection).await?;
        }
        let tables: Vec<&str> = TABLES.iter().map(|table| table.name).chain(["facts"]).collect();
        let sql = format!("LOCK TABLE {} IN EXCLUSIVE MODE", tables.join(", "));
        sqlx::query(AssertSqlSafe(sql)).execute(&mut self.connection).await?;
        Ok(())
    }

    /// Copies a table; `told` hears how many rows went since it last heard.
    pub(super) async fn copy(
        &mut self,
        file: &mut SqliteConnection,
        table: &Table,
        told: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Sum, StoreError> {
        let statement = format!("COPY {} ({}) FROM STDIN", table.name, table.columns);
        let mut copy = self.connection.copy_in_raw(&statement).await?;
        let (mut sum, mut chunk, mut rows) = (Sum::default(), Vec::with_capacity(CHUNK + 4096), 0);
        rows::read(file, table, async |line| {
            sum.add(line);
            chunk.extend(line);
            rows += 1;
            if chunk.len() >= CHUNK {
                copy.send(&chunk[..]).await?;
                chunk.clear();
                told(std::mem::take(&mut rows));
            }
            Ok(())
        })
        .await?;
        copy.send(&chunk[..]).await?;
        copy.finish().await?;
        told(rows);
        Ok(sum)
    }

    /// What the table has now; `told` as with [`Target::copy`].
    pub(super) async fn sum(&mut self, table: &Table, told: &mut (dyn FnMut(u64) + Send)) -> Result<Sum, StoreError> {
        let statement = format!("COPY ({}) TO STDOUT", table.select());
        let mut lines = self.connection.copy_out_raw(&statement).await?;
        let mut sum = Sum::default();
        while let Some(line) = lines.next().await {
            sum.add(&line?);
            told(1);
        }
        Ok(sum)
    }

    /// Facts: those of the file, but for what it says of itself.
    pub(super) async fn put_facts(&mut self, file: &mut SqliteConnection) -> Result<(), StoreError> {
        let mut from = db::Connection::Sqlite(file);
        let facts: Vec<(String, String)> = ask!(fetch_all, from, "SELECT name, value FROM facts")?;
        sqlx::query("DELETE FROM facts").execute(&mut self.connection).await?;
        // Otherwise the first node would take it for a restored backup, and begin another history.
        let here = ("file".to_owned(), postgres::identity(&mut self.connection).await?);
        for (name, value) in facts.into_iter().filter(|(name, _)| !OWN.contains(&name.as_str())).chain([here]) {
            let insert = sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2)");
            insert.bind(name).bind(value).execute(&mut self.connection).await?;
        }
        Ok(())
    }

    /// How many groups there are, and which of them have no owner, or several.
    pub(super) async fn groups(&mut self) -> Result<(u64, Vec<String>), StoreError> {
        let groups: i64 = sqlx::query_scalar("SELECT count(*) FROM groups WHERE deleted_at IS NULL")
            .fetch_one(&mut self.connection)
            .await?;
        let odd = sqlx::query_scalar(
            "SELECT g.guid FROM groups g LEFT JOIN members m ON m.guid = g.guid AND m.scope = 3
             WHERE g.deleted_at IS NULL GROUP BY g.guid HAVING count(m.uid) <> 1 ORDER BY g.guid",
        )
        .fetch_all(&mut self.connection)
        .await?;
        Ok((groups as u64, odd))
    }

    /// Makes it so.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        Ok(())
    }

    /// Lets the database look at what it has got, so that its first plans are good ones.
    pub(super) async fn analyze(&mut self) {
        for table in &TABLES {
            let sql = format!("ANALYZE {}", table.name);
            if let Err(error) = sqlx::query(AssertSqlSafe(sql)).execute(&mut self.connection).await {
                tracing::debug!(%error, table = table.name, "not analyzed: the database does so by itself, later");
            }
        }
    }
}

pub(super) fn of_a_newer_version(place: &str) -> String {
    format!("{place} was brought to a newer schema than this version knows: move with the newer version")
}
