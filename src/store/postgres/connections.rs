//! Connections of a pool, which transactions hand on to each other while all of them are in use. The pool itself asks the server
//! first whether a connection that comes back still answers: one more round trip for each transaction, for which the next one
//! waits. Whoever gets it here finds that out by the statement that begins the transaction.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// After this long, a connection goes back to the pool, which replaces those that are old.
const LONGEST_LOAN: Duration = Duration::from_secs(60);

/// The connections of a pool. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connections {
    pool: PgPool,
    /// Connections that the pool gave before this may lead to another server.
    valid_since: Arc<Mutex<Instant>>,
    /// One permit for each connection that the pool may have. Whoever has one need not wait for another transaction.
    permits: Arc<Semaphore>,
    handed_on: Arc<HandedOn>,
}

/// Connections between two transactions, each with the moment before which the pool gave it.
#[derive(Default)]
struct HandedOn(Mutex<Vec<(PoolConnection<Postgres>, Instant)>>);

/// A connection in use. Dropped, it goes back to the pool.
pub(super) struct Lent {
    /// The connection.
    pub(super) connection: PoolConnection<Postgres>,
    /// A moment before the pool gave it.
    since: Instant,
    permit: OwnedSemaphorePermit,
}

impl Connections {
    /// The connections of this pool that are not from before `valid_since`.
    pub(super) fn new(pool: PgPool, valid_since: Arc<Mutex<Instant>>) -> Connections {
        let permits = Arc::new(Semaphore::new(pool.options().get_max_connections() as usize));
        Connections { pool, valid_since, permits, handed_on: Arc::default() }
    }

    /// The pool.
    pub(super) fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// How many are open, and how many of these no transaction uses.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.pool.size() as usize, self.pool.num_idle() + self.handed_on.lock().len())
    }

    /// A connection, when one is free.
    ///
    /// # Errors
    /// When the pool cannot make one.
    pub(super) async fn lend(&self) -> sqlx::Result<Lent> {
        let permit = self.permits.clone().acquire_owned().await.expect("nobody closes the semaphore");
        if let Some((connection, since)) = self.take_handed_on() {
            return Ok(Lent { connection, since, permit });
        }
        let since = Instant::now();
        Ok(Lent { connection: self.pool.acquire().await?, since, permit })
    }

    /// Takes back a connection on which no transaction is open.
    pub(super) fn give_back(&self, lent: Lent) {
        // While all are in use, somebody mostly waits. Otherwise the next transaction finds it here.
        if self.permits.available_permits() == 0 && self.is_usable(lent.since) {
            let Lent { connection, since, permit } = lent;
            self.handed_on.lock().push((connection, since));
            drop(permit);
        }
    }

    fn take_handed_on(&self) -> Option<(PoolConnection<Postgres>, Instant)> {
        loop {
            let (connection, since) = self.handed_on.lock().pop()?;
            if self.is_usable(since) {
                return Some((connection, since));
            }
            // Returned to the pool, it would be waited for.
            drop(connection.detach());
        }
    }

    fn is_usable(&self, since: Instant) -> bool {
        let valid_since = *self.valid_since.lock().unwrap_or_else(PoisonError::into_inner);
        since >= valid_since && since.elapsed() <= LONGEST_LOAN
    }
}

impl HandedOn {
    fn lock(&self) -> MutexGuard<'_, Vec<(PoolConnection<Postgres>, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HandedOn {
    fn drop(&mut self) {
        // A connection that is dropped goes back to the pool in a task, for which there may be no runtime any more.
        self.lock().drain(..).for_each(|(connection, _)| drop(connection.detach()));
    }
}
