//! Connections to the primary, or, as long as none was found, to a standby. A known outage is not waited for: while it lasts, every
//! caller gets an error at once.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, PgConnection};
use tokio::sync::Notify;

use super::connections::Connections;
use super::discovery::DiscoveredServer;
use super::health::{Health, KnownHealth};
use super::hosts::{configure_session, limit_session};
use super::transaction::{Begin, LIMIT_READS, LIMIT_WRITES, PgTx, READ, READ_STANDBY, WRITE};
use crate::store::address::{DatabaseAddress, Pooler};
use crate::store::error::StoreError;
use crate::store::sql::connection::with_timeout;

/// Connections that read.
const READERS: u32 = 8;
/// Connections that write.
const WRITERS: u32 = 8;
/// Longest wait of a transaction for its connection while no outage is known.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
/// A transaction that takes longer than this to begin causes a check of the primary.
const SLOW_BEGIN: Duration = Duration::from_millis(100);

/// Connections to the primary. Cheap to clone; its probe ends when the last clone is dropped.
#[derive(Clone)]
pub(in crate::store) struct Primary(pub(super) Arc<Inner>);

pub(in crate::store) struct Inner {
    address: DatabaseAddress,
    readers: Connections,
    writers: Connections,
    health: KnownHealth,
    /// Connections made before this are not used: they may lead to a server that is the primary no longer, or
    /// to none.
    valid_since: Arc<Mutex<Instant>>,
    /// A caller wants the primary checked at once.
    pub(super) probe_requested: Arc<Notify>,
}

impl Primary {
    /// Connections to this server, which is available and may be read-only or a standby.
    pub(super) fn new(found: DiscoveredServer, address: DatabaseAddress) -> Primary {
        let valid_since = Arc::new(Mutex::new(Instant::now()));
        let pooler = address.pooler;
        let connections = |most: u32, limits: &'static str, options: PgConnectOptions| {
            let (valid_since, of_pool) = (valid_since.clone(), valid_since.clone());
            let pool = PgPoolOptions::new()
                .max_connections(most)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                // The first statement of a transaction shows whether the connection is alive.
                .test_before_acquire(false)
                .before_acquire(move |_, meta| {
                    let valid = meta.age <= lock(&of_pool).elapsed();
                    Box::pin(async move { Ok(valid) })
                })
                .after_connect(move |connection, _| {
                    Box::pin(async move {
                        configure_session(connection, pooler).await?;
                        limit_session(connection, pooler, limits).await
                    })
                })
                .connect_lazy_with(options);
            Connections::new(pool, valid_since)
        };
        Primary(Arc::new(Inner {
            address,
            readers: connections(READERS, LIMIT_READS, found.options.clone()),
            writers: connections(WRITERS, LIMIT_WRITES, found.options.clone()),
            health: KnownHealth::new(found),
            valid_since,
            probe_requested: Arc::default(),
        }))
    }

    /// Its health, as far as is known.
    pub(in crate::store) fn health(&self) -> &KnownHealth {
        &self.0.health
    }

    /// How many connections for reads are open, and how many of these no transaction uses; the same of those for acts.
    pub(in crate::store) fn connection_counts(&self) -> [(usize, usize); 2] {
        [self.0.readers.counts(), self.0.writers.counts()]
    }

    /// Begins a read-only transaction on one snapshot.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] while the primary is unavailable, [`StoreError::Unavailable`] when no
    /// transaction could be begun in time.
    pub(in crate::store) async fn read(&self) -> Result<PgTx, StoreError> {
        let begin = if self.health().is_standby() { &READ_STANDBY } else { &READ };
        self.begin(&self.0.readers, begin, Health::ReadOnly).await
    }

    /// Begins a transaction that writes.
    ///
    /// # Errors
    /// As [`Primary::read`], and [`StoreError::KnownOutage`] while the primary takes no writes.
    pub(in crate::store) async fn write(&self) -> Result<PgTx, StoreError> {
        self.begin(&self.0.writers, &WRITE, Health::Writable).await
    }

    async fn begin(&self, connections: &Connections, begin: &Begin, needed: Health) -> Result<PgTx, StoreError> {
        self.health().check(needed)?;
        let begun = async {
            // The pool may hold this many dead connections; the last retry gets a new one.
            let mut retries = connections.pool().options().get_max_connections();
            loop {
                match PgTx::begin(connections, begin, self.0.address.pooler).await {
                    Err(_) if retries > 0 => {
                        self.probe_now();
                        retries -= 1;
                    }
                    begun => return begun,
                }
            }
        };
        tokio::select! {
            begun = with_timeout(ACQUIRE_TIMEOUT, begun) => Ok(begun?),
            () = self.health().below(needed) => Err(StoreError::KnownOutage),
            never = self.probe_when_slow() => match never {},
        }
    }

    /// The pool waits for a host that refuses connections, as it would for one that is starting.
    async fn probe_when_slow(&self) -> Infallible {
        tokio::time::sleep(SLOW_BEGIN).await;
        self.probe_now();
        std::future::pending().await
    }

    /// Why acts fail, in words for operators. `known` is the cause that the last of them failed with.
    pub(in crate::store) async fn cause(&self, known: Option<String>) -> String {
        if let Some(why) = self.health().outage() {
            return why;
        }
        // A pool that gets no connection in time does not report why the server gives it none.
        if let Err(why) = self.check_connects().await {
            return why;
        }
        // The server answers: perhaps acts got no connection since others still hold all of them.
        let (open, idle) = self.0.writers.counts();
        if open >= WRITERS as usize && idle == 0 {
            return "every connection for acts is busy; perhaps something else holds what they wait for".into();
        }
        known.unwrap_or_else(|| "no connection for acts was free in time".into())
    }

    /// Checks that it gives a new connection.
    ///
    /// # Errors
    /// Why not, in words for operators.
    pub(in crate::store) async fn check_connects(&self) -> Result<(), String> {
        let connection = self.connect().await.map_err(|error| StoreError::from(error).cause())?;
        let _ = connection.close().await;
        Ok(())
    }

    /// A new connection to it, outside the pools.
    ///
    /// # Errors
    /// When it cannot be connected to within two seconds.
    pub(super) async fn connect(&self) -> sqlx::Result<PgConnection> {
        let options = self.health().options();
        let connect = async {
            let mut connection = options.connect().await?;
            configure_session(&mut connection, self.0.address.pooler).await?;
            Ok(connection)
        };
        with_timeout(ACQUIRE_TIMEOUT, connect).await
    }

    /// Whether statements of its connections may be prepared under a name.
    pub(super) fn persistent(&self) -> bool {
        self.0.address.pooler == Pooler::Session
    }

    /// The address past a pooler; `None` when none is known.
    pub(super) fn direct_url(&self) -> Option<&str> {
        self.0.address.direct_url.as_deref()
    }

    /// Whether a connection that was made then may lead to the primary.
    pub(super) fn is_valid(&self, connected_at: Instant) -> bool {
        connected_at >= *lock(&self.0.valid_since)
    }

    /// Has the primary checked at once: a caller has met an error.
    pub(super) fn probe_now(&self) {
        self.0.probe_requested.notify_one();
    }

    /// Records that a commit was not answered in time.
    pub(super) fn suspect_commits(&self) {
        self.health().set_commits_suspected(true);
        self.probe_now();
    }

    /// Records the server that the probe found; answers whether its commits are suspected.
    pub(super) fn set_found(&self, found: DiscoveredServer) -> bool {
        self.health().set_found(found, |moved_to| {
            if let Some(options) = moved_to {
                self.0.readers.pool().set_connect_options(options.clone());
                self.0.writers.pool().set_connect_options(options.clone());
            }
            *lock(&self.0.valid_since) = Instant::now();
        })
    }
}

fn lock(since: &Mutex<Instant>) -> MutexGuard<'_, Instant> {
    since.lock().unwrap_or_else(PoisonError::into_inner)
}
