//! Readiness for reads. Only reading shows it: a PostgreSQL that answers its probe may give no right or no connection for a list. So
//! once a second a row of members is read the way that lists are. A row of a SQLite file is read when somebody asks.

use std::time::Duration;

use tokio::time::sleep;

use super::backend::Pool;
use super::failure_log::FailureLog;
use super::read_tx::ReadTx;
use super::store::Store;
use crate::store::error::StoreError;
use crate::store::postgres::Health;
use crate::store::sql::query::fetch_scalar;

/// Time between two tries.
const INTERVAL: Duration = Duration::from_secs(1);

impl Store {
    /// Whether the database can be read: a PostgreSQL, as the last try has found.
    ///
    /// # Errors
    /// Why not, in words for operators.
    pub async fn check_reads(&self) -> Result<(), String> {
        match &self.pool {
            Pool::Postgres(primary) => {
                let health = primary.health();
                health.check(Health::ReadOnly).map_err(|error| health.outage().unwrap_or_else(|| error.to_string()))?;
                self.reads.borrow().clone().map_err(|why| why.to_string())
            }
            Pool::Sqlite(file) => file.try_read().await.map_err(|error| error.cause()),
        }
    }

    /// Tries once whether lists can be read from PostgreSQL.
    pub async fn try_reads(&self) {
        let Pool::Postgres(primary) = &self.pool else { return };
        let read = match ReadTx::begin(&self.pool).await {
            Ok(tx) => read_member(tx).await.map_err(|error| StoreError::from(error).cause()),
            // The health says why.
            Err(StoreError::KnownOutage) => return,
            // A pool that gets no connection in time does not report why. If the server gives one, those of the pool are busy with lists.
            Err(_) => primary.check_connects().await,
        };
        drop(self.reads.send_replace(read.map_err(Into::into)));
    }

    /// Tries every second, and logs when lists can no longer be read, why, and when they can be again.
    pub async fn try_reads_forever(self) {
        let failures = FailureLog::new();
        while let Pool::Postgres(_) = &self.pool {
            self.try_reads().await;
            failures.observe_readiness(&self.reads.borrow(), "lists cannot be read", "lists can be read again");
            sleep(INTERVAL).await;
        }
    }
}

/// Reads a row as lists have it.
async fn read_member(mut tx: ReadTx) -> sqlx::Result<()> {
    let sql = "SELECT m.uid FROM members m JOIN users u ON u.uid = m.uid JOIN groups g ON g.guid = m.guid
        ORDER BY m.guid, m.uid LIMIT 1";
    let _: Option<String> = fetch_scalar!(fetch_optional, tx, sql)?;
    Ok(())
}
