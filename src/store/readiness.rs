//! Whether acts can be done. Only trying shows it: a database that answers may lack the right, the room or the
//! connection for a write. So once a second, unless an act has just shown it, something small is written the way that
//! acts are written.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::backend::Pool;
use super::commit::Readiness;
use super::connection::{Connection, with_timeout};
use super::database::Store;
use super::error::StoreError;
use super::job::Decision;
use super::metadata::WRITE_PROBE;
use super::query::execute;
use super::tx::Tx;

/// Time between two tries.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long a try is waited for: acts wait as long behind a large sync of a file.
const PATIENCE: Duration = Duration::from_secs(30);
/// Least time between two log lines while acts fail, however often the reason changes.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
impl Store {
    /// Whether acts can be done, as the last try has found.
    ///
    /// # Errors
    /// Why not, in words for operators.
    pub fn check_acts(&self) -> Result<(), Arc<str>> {
        if let Pool::Postgres(primary) = &self.pool
            && let Some(why) = primary.known_outage()
        {
            return Err(why.into());
        }
        self.readiness.borrow().clone()
    }

    /// Tries once whether acts can be done.
    pub async fn try_acts(&self) {
        let written = self.write(None, |tx| Box::pin(async move { tx.write_probe().await.map(Decision::Commit) }));
        tokio::pin!(written);
        let written = match timeout(PATIENCE, &mut written).await {
            Ok(written) => written,
            Err(_) => {
                let seconds = PATIENCE.as_secs();
                self.set_readiness(Err(format!("acts have waited for {seconds} s to be written").into()));
                written.await
            }
        };
        self.set_readiness(match written {
            Ok(()) => Ok(()),
            Err(error) => Err(self.cause(error).await.into()),
        });
    }

    /// Tries every second, and logs when acts begin to fail, why, and when they are done again.
    pub async fn try_acts_forever(self) {
        let (mut commits, mut logged) = (0, None::<(Readiness, Instant)>);
        loop {
            if let Pool::Sqlite(file) = &self.pool {
                file.look_for_damage().await;
            }
            let committed = self.listeners.outcomes.commits();
            if committed == commits || self.check_acts().is_err() {
                self.try_acts().await;
            }
            commits = self.listeners.outcomes.commits();
            let readiness = self.check_acts();
            match (&readiness, &logged) {
                (Ok(()), None) => {}
                (Ok(()), Some(_)) => {
                    tracing::info!("acts can be done again");
                    logged = None;
                }
                (now, Some((before, at))) if now == before || at.elapsed() < LOG_INTERVAL => {}
                (Err(why), _) => {
                    tracing::error!(%why, "acts are refused");
                    logged = Some((readiness, Instant::now()));
                }
            }
            sleep(INTERVAL).await;
        }
    }

    fn set_readiness(&self, readiness: Readiness) {
        drop(self.readiness.send_replace(readiness));
    }

    /// Why a write has failed with this error, in words for operators.
    async fn cause(&self, error: StoreError) -> String {
        let known = match error {
            StoreError::KnownOutage | StoreError::CommitUnknown => self.listeners.outcomes.failure(),
            StoreError::Unavailable(cause) => return cause,
            error => return error.to_string(),
        };
        match &self.pool {
            Pool::Sqlite(_) => known.unwrap_or_else(|| error.to_string()),
            Pool::Postgres(primary) => primary.cause(known).await,
        }
    }
}

impl Tx<'_> {
    /// Writes when it is tried whether acts can be done.
    async fn write_probe(&mut self) -> Result<(), StoreError> {
        let now = self.now.to_string();
        // Another node may hold the row for as long as its network is gone: it is not waited for.
        let update = match self.connection.reborrow() {
            Connection::Sqlite(_) => "UPDATE facts SET value = $2 WHERE name = $1",
            Connection::Postgres(_) => {
                "UPDATE facts SET value = $2
                 WHERE name = (SELECT name FROM facts WHERE name = $1 FOR UPDATE SKIP LOCKED)"
            }
        };
        execute!(self.connection, update, WRITE_PROBE, &now)?;
        let insert = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        execute!(self.connection, insert, WRITE_PROBE, &now)?;
        if let Connection::Postgres(timed) = self.connection.reborrow() {
            // A commit without any write does not wait for standbys.
            let message = sqlx::raw_sql("SELECT pg_logical_emit_message(true, 'chat-group-members', 'a try')");
            with_timeout(timed.timeout, message.execute(timed.connection)).await?;
        }
        Ok(())
    }
}
