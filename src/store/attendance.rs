//! Who is there, as nodes that share a PostgreSQL tell each other. Never in the log.

use sqlx::{Connection, Postgres, Transaction};

use super::apart::Apart;
use super::database::Store;
use super::db::Pool;
use super::error::StoreError;
use super::tx::parse;
use crate::domain::Uid;

/// The host's own word, under which any node may pass it on.
pub const HOST: &str = "host";

/// One node's word about one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attending {
    /// Who.
    pub uid: Uid,
    /// Whether a stream of theirs is open there.
    pub open: bool,
    /// When the last one closed, milliseconds since the epoch.
    pub closed_at: i64,
}

/// A node as it last said it was alive.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Beat {
    /// Its name.
    pub node: String,
    /// Of its words, the last one's.
    pub version: i64,
    /// When it said so, milliseconds since the epoch.
    pub beat_at: i64,
}

/// Where nodes tell each other who is there, over a connection of its own: what is said here is in no
/// act's way, and waits for no standby.
#[derive(Clone)]
pub struct Board(Apart);

impl Store {
    /// Where nodes tell each other who is there; `None` where there is one node.
    pub fn board(&self) -> Option<Board> {
        match &self.readers {
            Pool::Sqlite(_) => None,
            Pool::Postgres(primary) => Some(Board(Apart::new(primary))),
        }
    }
}

impl Board {
    /// Says that this node is alive, and what changed on it. `last` is what the last call answered;
    /// `None` when that is not what the database holds: then everything has to be said, by
    /// [`Board::introduce`].
    pub async fn beat(
        &self,
        node: &str,
        last: i64,
        changed: &[Attending],
        now: i64,
    ) -> Result<Option<i64>, StoreError> {
        let mut connection = self.0.take().await?;
        let mut tx = connection.begin().await?;
        let version: Option<i64> = sqlx::query_scalar(
            "UPDATE nodes SET version = greatest(version + 1, $3), beat_at = $3 WHERE node = $1 AND version = $2
             RETURNING version",
        )
        .bind(node)
        .bind(last)
        .bind(now)
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(version) = version {
            put(&mut tx, node, changed, version).await?;
            tx.commit().await?;
        } else {
            tx.rollback().await?;
        }
        self.0.keep(connection).await;
        Ok(version)
    }

    /// Says that this node is alive, and everything there is to say about it.
    pub async fn introduce(&self, node: &str, all: &[Attending], now: i64) -> Result<i64, StoreError> {
        let mut connection = self.0.take().await?;
        let mut tx = connection.begin().await?;
        let version = raise(&mut tx, node, now).await?;
        sqlx::query("DELETE FROM attendance WHERE node = $1").bind(node).execute(&mut *tx).await?;
        put(&mut tx, node, all, version).await?;
        tx.commit().await?;
        self.0.keep(connection).await;
        Ok(version)
    }

    /// Passes on the host's word.
    pub async fn host_says(&self, changed: &[Attending], now: i64) -> Result<(), StoreError> {
        let mut connection = self.0.take().await?;
        let mut tx = connection.begin().await?;
        let version = raise(&mut tx, HOST, now).await?;
        put(&mut tx, HOST, changed, version).await?;
        tx.commit().await?;
        self.0.keep(connection).await;
        Ok(())
    }

    /// Every node that said something of late.
    pub async fn beats(&self) -> Result<Vec<Beat>, StoreError> {
        let mut connection = self.0.take().await?;
        let beats = sqlx::query_as("SELECT node, version, beat_at FROM nodes").fetch_all(&mut connection).await?;
        self.0.keep(connection).await;
        Ok(beats)
    }

    /// What a node said after this version.
    pub async fn said_since(&self, node: &str, version: i64) -> Result<Vec<Attending>, StoreError> {
        let mut connection = self.0.take().await?;
        let rows: Vec<(String, bool, i64)> =
            sqlx::query_as("SELECT uid, is_open, closed_at FROM attendance WHERE node = $1 AND version > $2")
                .bind(node)
                .bind(version)
                .fetch_all(&mut connection)
                .await?;
        self.0.keep(connection).await;
        rows.into_iter().map(|(uid, open, closed_at)| Ok(Attending { uid: parse(&uid)?, open, closed_at })).collect()
    }

    /// Forgets nodes that were last alive before this time, and people who were.
    pub async fn forget_before(&self, time: i64) -> Result<(), StoreError> {
        let mut connection = self.0.take().await?;
        let mut tx = connection.begin().await?;
        sqlx::query("DELETE FROM nodes WHERE beat_at < $1 AND node <> $2")
            .bind(time)
            .bind(HOST)
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "DELETE FROM attendance WHERE (NOT is_open AND closed_at < $1) OR node NOT IN (SELECT node FROM nodes)",
        )
        .bind(time)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.0.keep(connection).await;
        Ok(())
    }
}

/// The next version of a node's words. Not less than the time, so that it rises even when the
/// database forgot the one before.
async fn raise(tx: &mut Transaction<'_, Postgres>, node: &str, now: i64) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(
        "INSERT INTO nodes (node, version, beat_at) VALUES ($1, $2, $2)
         ON CONFLICT (node) DO UPDATE SET version = greatest(nodes.version + 1, excluded.version),
         beat_at = excluded.beat_at RETURNING version",
    )
    .bind(node)
    .bind(now)
    .fetch_one(&mut **tx)
    .await?)
}

async fn put(
    tx: &mut Transaction<'_, Postgres>,
    node: &str,
    said: &[Attending],
    version: i64,
) -> Result<(), StoreError> {
    if said.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO attendance (node, uid, is_open, closed_at, version)
         SELECT $1, said.uid, said.is_open, said.closed_at, $2
         FROM unnest($3::text[], $4::boolean[], $5::bigint[]) AS said (uid, is_open, closed_at)
         ON CONFLICT (node, uid) DO UPDATE SET is_open = excluded.is_open, closed_at = excluded.closed_at,
         version = excluded.version",
    )
    .bind(node)
    .bind(version)
    .bind(said.iter().map(|one| one.uid.as_str()).collect::<Vec<_>>())
    .bind(said.iter().map(|one| one.open).collect::<Vec<_>>())
    .bind(said.iter().map(|one| one.closed_at).collect::<Vec<_>>())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
