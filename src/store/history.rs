//! Which history of events the database tells. Under the same numbers it may come to tell another one:
//! after a failover to a standby that did not have everything, or with a backup in its place.

use super::database::Store;
use super::db::{Connection, Limited, Pool, WRITE, ask, many, placeholders, scalar};
use super::error::StoreError;
use super::facts::{put_fact, random_name};
use super::reader::Reader;
use super::session::within;
use crate::domain::Guid;

/// Events that are looked for in one statement.
const AT_ONCE: usize = 500;

/// The last event that somebody has seen of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The group.
    pub guid: Guid,
    /// The event's number.
    pub seq: u64,
    /// When it happened, milliseconds since the epoch; 0 when that is not known.
    pub at: i64,
}

impl Mark {
    /// Whether a log that ends at `head`, and in which the event of this number happened at `at`, is
    /// another one than was seen. An event that is older than the log tells nothing.
    fn is_lost(&self, head: Option<u64>, at: Option<i64>) -> bool {
        head.is_none_or(|head| head < self.seq) || (self.at != 0 && at.is_some_and(|at| at != self.at))
    }
}

impl Reader {
    /// The name of the history that the database tells now.
    pub async fn epoch(&mut self) -> Result<String, StoreError> {
        Ok(scalar!(fetch_one, self.view, "SELECT value FROM facts WHERE name = 'epoch'")?)
    }

    /// When an event happened; `None` when the log does not have it.
    pub(super) async fn happened_at(&mut self, guid: &Guid, seq: u64) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT at FROM events WHERE guid = $1 AND seq = $2";
        Ok(scalar!(fetch_optional, self.view, sql, guid.as_str(), seq as i64)?)
    }

    /// Of these events the first in whose place the log has another one.
    pub async fn first_replaced<'m>(&mut self, seen: &'m [Mark]) -> Result<Option<&'m Mark>, StoreError> {
        for seen in seen.chunks(AT_ONCE) {
            let sql =
                format!("SELECT guid, at FROM events WHERE (guid, seq) IN (VALUES {})", placeholders(seen.len(), 2));
            let there: Vec<(String, i64)> = many!(fetch_all, self.view, sql, query, {
                for mark in seen {
                    query = query.bind(mark.guid.as_str()).bind(mark.seq as i64);
                }
            })?;
            let replaced = |mark: &&Mark| {
                let of = |(guid, _): &&(String, i64)| guid == mark.guid.as_str();
                mark.is_lost(Some(mark.seq), there.iter().find(of).map(|&(_, at)| at))
            };
            if let Some(lost) = seen.iter().find(replaced) {
                return Ok(Some(lost));
            }
        }
        Ok(None)
    }
}

impl Store {
    /// How often another server may have taken the place of the one that was there. Events that were
    /// seen before may be no more.
    pub fn comebacks(&self) -> u32 {
        match &self.readers {
            Pool::Sqlite(_) => 0,
            Pool::Postgres(primary) => primary.comebacks(),
        }
    }

    /// Waits until there are more than so many.
    pub async fn comes_back(&self, comebacks: u32) {
        match &self.readers {
            Pool::Sqlite(_) => std::future::pending().await,
            Pool::Postgres(primary) => primary.comes_back(comebacks).await,
        }
    }

    /// The database tells another history from now on.
    pub fn follow_epoch(&self, epoch: &str) {
        self.epoch.send_replace(epoch.into());
    }

    /// Waits until it tells another one than this.
    pub async fn tells_other_than(&self, epoch: &str) {
        let _ = self.epoch.subscribe().wait_for(|told| **told != *epoch).await;
    }

    /// Has another history begin, if this event is lost indeed; answers the name of the one that the
    /// database tells by then.
    ///
    /// # Errors
    /// When the database cannot be written to.
    pub async fn begin_anew(&self, lost: &Mark) -> Result<String, StoreError> {
        let Pool::Postgres(primary) = &self.readers else { return Ok(self.epoch().to_string()) };
        let mut session = primary.write().await?;
        let mut on = Connection::Postgres(Limited::writing(session.connection()));
        // Nodes that notice together agree on the first one's.
        let told: String = scalar!(fetch_one, on, "SELECT value FROM facts WHERE name = 'epoch' FOR UPDATE")?;
        if *told != *self.epoch() {
            return Ok(told);
        }
        let row: Option<(i64, Option<i64>)> = ask!(
            fetch_optional,
            on,
            "SELECT g.seq, e.at FROM groups g LEFT JOIN events e ON e.guid = g.guid AND e.seq = $2 WHERE g.guid = $1",
            lost.guid.as_str(),
            lost.seq as i64
        )?;
        let (head, at) = row.map_or((None, None), |(head, at)| (Some(head as u64), at));
        if !lost.is_lost(head, at) {
            return Ok(told);
        }
        let epoch = random_name();
        put_fact(on, "epoch", &epoch).await?;
        within(WRITE, session.commit()).await?;
        tracing::error!(
            group = %lost.guid, seen = lost.seq, head, epoch,
            "events that were seen are no more: a new history begins, and every viewer looks again"
        );
        Ok(epoch)
    }
}
