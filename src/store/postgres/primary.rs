//! Connections to the primary, and its health as it is known. A known outage is not waited for: while it
//! lasts, every caller gets an error at once.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, PgConnection, PgPool};
use tokio::sync::{Notify, watch};

use super::discovery::DiscoveredPrimary;
use super::hosts::settle;
use super::transaction::{FROZEN, PgTx, READ, WRITE};
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

/// The health of the primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum Health {
    /// No host is known to be the primary.
    Unavailable,
    /// It answers and takes no writes: it is read-only, or commits wait for a standby that does not answer.
    ReadOnly,
    /// It takes reads and writes.
    Writable,
}

#[derive(Debug, Clone, Copy)]
struct PrimaryStatus {
    health: Health,
    /// The number of times that another host became the primary.
    failovers: u32,
    /// The number of times that the server may have been replaced: a failover, an outage, or a connection that ended.
    reconnects: u32,
}

/// Connections to the primary. Cheap to clone; its probe ends when the last clone is dropped.
#[derive(Clone)]
pub(in crate::store) struct Primary(pub(super) Arc<Inner>);

pub(in crate::store) struct Inner {
    address: DatabaseAddress,
    readers: PgPool,
    writers: PgPool,
    status: watch::Sender<PrimaryStatus>,
    server: Mutex<Server>,
    /// Connections made before this are not used: they may lead to a server that is the primary no longer, or
    /// to none.
    valid_since: Arc<Mutex<Instant>>,
    /// A caller wants the primary checked at once.
    pub(super) probe_requested: Arc<Notify>,
}

struct Server {
    found: DiscoveredPrimary,
    /// Whether a commit was not answered in time: no act is begun until one is.
    commits_suspected: bool,
    /// Why it is not writable; of the last outage when it is.
    why: String,
    /// When the last outage began.
    outage_began: Instant,
}

impl Primary {
    /// Connections to this server, which is available and may be read-only.
    pub(super) fn new(found: DiscoveredPrimary, address: DatabaseAddress) -> Primary {
        let valid_since = Arc::new(Mutex::new(Instant::now()));
        let pooler = address.pooler;
        let pool = |connections: u32, options: PgConnectOptions| {
            let valid_since = valid_since.clone();
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                // The first statement of a transaction shows whether the connection is alive.
                .test_before_acquire(false)
                .before_acquire(move |_, meta| {
                    let valid = meta.age <= lock(&valid_since).elapsed();
                    Box::pin(async move { Ok(valid) })
                })
                .after_connect(move |connection, _| Box::pin(settle(connection, pooler)))
                .connect_lazy_with(options)
        };
        let health = if found.writable { Health::Writable } else { Health::ReadOnly };
        if health < Health::Writable {
            tracing::error!(why = FROZEN, "the database takes no writes; acts are refused");
        }
        set_metrics(health);
        Primary(Arc::new(Inner {
            address,
            readers: pool(READERS, found.options.clone()),
            writers: pool(WRITERS, found.options.clone()),
            status: watch::Sender::new(PrimaryStatus { health, failovers: 0, reconnects: 0 }),
            server: Mutex::new(Server {
                found,
                commits_suspected: false,
                why: FROZEN.into(),
                outage_began: Instant::now(),
            }),
            valid_since,
            probe_requested: Arc::default(),
        }))
    }

    /// The connections that read and those that write.
    pub(in crate::store) fn pools(&self) -> (&PgPool, &PgPool) {
        (&self.0.readers, &self.0.writers)
    }

    /// Begins a read-only transaction on one snapshot.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] while the primary is unavailable, [`StoreError::Unavailable`] when no
    /// transaction could be begun in time.
    pub(in crate::store) async fn read(&self) -> Result<PgTx, StoreError> {
        self.begin(&self.0.readers, READ, Health::ReadOnly).await
    }

    /// Begins a transaction that writes.
    ///
    /// # Errors
    /// As [`Primary::read`], and [`StoreError::KnownOutage`] while the primary takes no writes.
    pub(in crate::store) async fn write(&self) -> Result<PgTx, StoreError> {
        self.begin(&self.0.writers, WRITE, Health::Writable).await
    }

    async fn begin(&self, pool: &PgPool, begin: &'static str, needed: Health) -> Result<PgTx, StoreError> {
        self.check(needed)?;
        let begun = async {
            // The pool may hold this many dead connections; the last retry gets a new one.
            let mut retries = pool.options().get_max_connections();
            loop {
                match PgTx::begin(pool, begin, self.0.address.pooler).await {
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
            () = self.below(needed) => Err(StoreError::KnownOutage),
            never = self.probe_when_slow() => match never {},
        }
    }

    /// The pool waits for a host that refuses connections, as it would for one that is starting.
    async fn probe_when_slow(&self) -> Infallible {
        tokio::time::sleep(SLOW_BEGIN).await;
        self.probe_now();
        std::future::pending().await
    }

    /// Whether the primary has at least this health, as far as is known.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] if not.
    pub(in crate::store) fn check(&self, needed: Health) -> Result<(), StoreError> {
        if self.0.status.borrow().health < needed { Err(StoreError::KnownOutage) } else { Ok(()) }
    }

    /// Whether rows may be written that need not wait for standbys, as far as is known.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] if not.
    pub(super) fn check_takes_rows(&self) -> Result<(), StoreError> {
        self.check(Health::ReadOnly)?;
        if self.server().found.writable { Ok(()) } else { Err(StoreError::KnownOutage) }
    }

    /// Why no act can be done, if that is known: in words for operators.
    pub(in crate::store) fn known_outage(&self) -> Option<String> {
        let why = self.server().why.clone();
        self.check(Health::Writable).is_err().then_some(why)
    }

    /// Why acts fail, in words for operators. `known` is what the last of them met.
    pub(in crate::store) async fn cause(&self, known: Option<String>) -> String {
        if let Some(why) = self.known_outage() {
            return why;
        }
        // A pool that has no connection in time keeps to itself why the server gives it none.
        match self.connect().await {
            Err(error) => StoreError::from(error).cause(),
            Ok(connection) => {
                let _ = connection.close().await;
                known.unwrap_or_else(|| "no connection for acts was free in time".into())
            }
        }
    }

    /// Waits until the health is below this one.
    async fn below(&self, needed: Health) {
        let _ = self.0.status.subscribe().wait_for(|status| status.health < needed).await;
    }

    /// Waits until a transaction that runs now cannot succeed any more: the primary is unavailable, or another
    /// host has become the primary.
    pub(super) async fn lost(&self) {
        let mut status = self.0.status.subscribe();
        let failovers = status.borrow().failovers;
        let is_lost = |status: &PrimaryStatus| status.health == Health::Unavailable || status.failovers != failovers;
        let _ = status.wait_for(is_lost).await;
    }

    /// The number of times that the server may have been replaced by another one.
    pub(in crate::store) fn reconnects(&self) -> u32 {
        self.0.status.borrow().reconnects
    }

    /// Waits until there are more reconnects than this.
    pub(in crate::store) async fn wait_for_reconnect(&self, reconnects: u32) {
        let _ = self.0.status.subscribe().wait_for(|status| status.reconnects > reconnects).await;
    }

    /// A new connection to it, outside the pools.
    ///
    /// # Errors
    /// When it cannot be connected to within two seconds.
    pub(super) async fn connect(&self) -> sqlx::Result<PgConnection> {
        let options = self.options();
        let connect = async {
            let mut connection = options.connect().await?;
            settle(&mut connection, self.0.address.pooler).await?;
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

    /// The current options to connect to the primary.
    pub(super) fn options(&self) -> PgConnectOptions {
        self.server().found.options.clone()
    }

    /// Has the primary checked at once: a caller has met an error.
    pub(super) fn probe_now(&self) {
        self.0.probe_requested.notify_one();
    }

    /// Records that a commit was not answered in time. Until one is, no act is begun: each would wait as long,
    /// and hold a connection of the server meanwhile.
    pub(super) fn suspect_commits(&self) {
        self.set_commits_suspected(true);
        self.probe_now();
    }

    /// Records that the probe's commit was answered.
    pub(super) fn trust_commits(&self) {
        self.set_commits_suspected(false);
    }

    fn set_commits_suspected(&self, suspected: bool) {
        let mut server = self.server();
        // During an outage nothing is known of commits.
        if self.0.status.borrow().health > Health::Unavailable {
            server.commits_suspected = suspected;
            self.update_health(&mut server);
        }
    }

    /// Records the primary that the probe found; answers whether its commits are suspected.
    pub(super) fn set_found(&self, found: DiscoveredPrimary) -> bool {
        let mut server = self.server();
        let moved = server.found.index != found.index;
        // A pooler keeps its own side of a connection open when the server behind it is replaced.
        let replaced = server.found.started != found.started || server.found.timeline != found.timeline;
        if replaced && !moved {
            tracing::warn!("another server answers, or the same one after a restart");
            if !self.persistent() {
                // Statements that run on the previous server get no answer, or none from the new one.
                self.0.status.send_modify(|status| status.failovers += 1);
            }
        }
        let was_unavailable = self.0.status.borrow().health == Health::Unavailable;
        if moved || replaced || was_unavailable || found.reconnected {
            self.0.status.send_modify(|status| status.reconnects += 1);
        }
        server.found = found;
        if moved {
            self.0.status.send_modify(|status| status.failovers += 1);
            tracing::warn!(host = server.found.options.get_host(), "failover: another host takes writes now");
            self.0.readers.set_connect_options(server.found.options.clone());
            self.0.writers.set_connect_options(server.found.options.clone());
        }
        if moved || was_unavailable {
            *lock(&self.0.valid_since) = Instant::now();
            server.commits_suspected = false;
        }
        self.update_health(&mut server);
        server.commits_suspected
    }

    /// Records that the probe found no primary.
    pub(super) fn set_unavailable(&self, why: &str) {
        self.set_health(&mut self.server(), Health::Unavailable, why);
    }

    fn update_health(&self, server: &mut Server) {
        if !server.found.writable {
            self.set_health(server, Health::ReadOnly, FROZEN);
        } else if server.commits_suspected {
            self.set_health(server, Health::ReadOnly, "a commit was not answered; perhaps a standby does not answer");
        } else {
            self.set_health(server, Health::Writable, "");
        }
    }

    /// Logs each change of health once.
    fn set_health(&self, server: &mut Server, health: Health, why: &str) {
        why.clone_into(&mut server.why);
        let before = self.0.status.borrow().health;
        if health == before {
            return;
        }
        self.0.status.send_modify(|status| status.health = health);
        set_metrics(health);
        if before == Health::Writable {
            server.outage_began = Instant::now();
        }
        let seconds = server.outage_began.elapsed().as_secs_f32();
        match health {
            Health::Unavailable => {
                tracing::error!(why, "the database is unavailable; lists and streams go on, acts are refused");
            }
            Health::ReadOnly => tracing::error!(why, "the database takes no writes; acts are refused"),
            Health::Writable => tracing::info!(seconds, "the database is available again"),
        }
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        lock(&self.0.server)
    }
}

fn set_metrics(health: Health) {
    metrics::gauge!("chat_group_members_store_up").set(u8::from(health > Health::Unavailable));
    metrics::gauge!("chat_group_members_store_writable").set(u8::from(health == Health::Writable));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
