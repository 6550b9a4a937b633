//! The PostgreSQL server that takes writes: connections to it, and what is known of how it is. What is
//! known already is not waited for: while it is away, whoever wants something of it is told so at once.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, PgConnection, PgPool};
use tokio::sync::{Notify, watch};

use super::error::StoreError;
use super::hosts::Found;
use super::session::{Session, within};

/// Connections that read, and connections that write.
const READERS: u32 = 8;
const WRITERS: u32 = 8;
/// How long a transaction waits for its connection, when the server is not known to be away.
const TURN: Duration = Duration::from_secs(2);
/// A beginning that takes so long is reason to look how the server is.
const SOON: Duration = Duration::from_millis(100);

/// How the primary is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Health {
    /// Nobody knows where it is.
    Away,
    /// It answers and takes no writes: it is read-only, or commits wait for a standby that is away.
    ReadOnly,
    /// It does everything.
    Up,
}

/// How it is, and how often another host has taken its place.
#[derive(Debug, Clone, Copy)]
struct Present {
    health: Health,
    moves: u32,
    /// How often it may be another server than before: it moved, was away, or hung up.
    comebacks: u32,
}

/// Connections to the primary. Cheap to clone; its probe ends when the last of them is gone.
#[derive(Clone)]
pub(super) struct Primary(pub(super) Arc<Inner>);

pub(super) struct Inner {
    readers: PgPool,
    writers: PgPool,
    present: watch::Sender<Present>,
    known: Mutex<Known>,
    /// Connections from before this moment are used no more: they may lead to a server that is not the
    /// primary now, or nowhere without anybody having told.
    since: Arc<Mutex<Instant>>,
    /// Somebody has reason to look at once how it is.
    pub(super) look: Arc<Notify>,
}

struct Known {
    found: Found,
    /// A commit was not answered: none is begun until one is.
    doubt: bool,
    /// When the last trouble began.
    trouble: Instant,
}

impl Primary {
    /// Connections to this one, which is up.
    pub(super) fn new(found: Found) -> Primary {
        let since = Arc::new(Mutex::new(Instant::now()));
        let pool = |connections: u32, options: PgConnectOptions| {
            let since = since.clone();
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(TURN)
                // The first words of a transaction tell whether the connection lives.
                .test_before_acquire(false)
                .before_acquire(move |_, meta| {
                    let young = meta.age <= lock(&since).elapsed();
                    Box::pin(async move { Ok(young) })
                })
                .connect_lazy_with(options)
        };
        tell(Health::Up);
        Primary(Arc::new(Inner {
            readers: pool(READERS, reading(&found.options)),
            writers: pool(WRITERS, writing(&found.options)),
            present: watch::Sender::new(Present { health: Health::Up, moves: 0, comebacks: 0 }),
            known: Mutex::new(Known { found, doubt: false, trouble: Instant::now() }),
            since,
            look: Arc::default(),
        }))
    }

    /// Begins a transaction that sees one moment; writes through it are refused.
    pub(super) async fn read(&self) -> Result<Session, StoreError> {
        let words = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT pg_is_in_recovery()";
        self.begin(&self.0.readers, words, Health::ReadOnly).await
    }

    /// Begins a transaction that writes.
    pub(super) async fn write(&self) -> Result<Session, StoreError> {
        self.begin(&self.0.writers, "BEGIN; SELECT pg_is_in_recovery()", Health::Up).await
    }

    async fn begin(&self, pool: &PgPool, words: &'static str, needed: Health) -> Result<Session, StoreError> {
        self.check(needed)?;
        let begun = async {
            // As many as may have died in the pool, and one that is new.
            let mut tries = pool.options().get_max_connections();
            loop {
                match Session::begin(pool, words).await {
                    Err(_) if tries > 0 => {
                        self.look();
                        tries -= 1;
                    }
                    begun => return begun,
                }
            }
        };
        tokio::select! {
            begun = within(TURN, begun) => Ok(begun?),
            () = self.worse_than(needed) => Err(StoreError::Away),
            never = self.wonder() => match never {},
        }
    }

    /// The pool takes a host that refuses connections for one that starts, and waits.
    async fn wonder(&self) -> Infallible {
        tokio::time::sleep(SOON).await;
        self.look();
        std::future::pending().await
    }

    /// Whether it is as well as this, as far as is known.
    ///
    /// # Errors
    /// [`StoreError::Away`] if not.
    pub(super) fn check(&self, needed: Health) -> Result<(), StoreError> {
        if self.0.present.borrow().health < needed { Err(StoreError::Away) } else { Ok(()) }
    }

    /// Waits until it is not as well as this.
    async fn worse_than(&self, needed: Health) {
        let _ = self.0.present.subscribe().wait_for(|present| present.health < needed).await;
    }

    /// Waits until a transaction that runs now leads nowhere: the server is away, or another one has
    /// taken its place.
    pub(super) async fn lost(&self) {
        let mut present = self.0.present.subscribe();
        let moves = present.borrow().moves;
        let _ = present.wait_for(|present| present.health == Health::Away || present.moves != moves).await;
    }

    /// How often it may have become another server.
    pub(super) fn comebacks(&self) -> u32 {
        self.0.present.borrow().comebacks
    }

    /// Waits until that is more often than this.
    pub(super) async fn comes_back(&self, comebacks: u32) {
        let _ = self.0.present.subscribe().wait_for(|present| present.comebacks > comebacks).await;
    }

    /// A new connection to it, for a use of its own.
    pub(super) async fn connect(&self) -> sqlx::Result<PgConnection> {
        let options = self.options();
        within(TURN, options.connect()).await
    }

    /// How to connect to it at the moment.
    pub(super) fn options(&self) -> PgConnectOptions {
        writing(&self.known().found.options)
    }

    /// Has the probe look at once: somebody has met with an error.
    pub(super) fn look(&self) {
        self.0.look.notify_one();
    }

    /// A commit was not answered in time. As long as no other one is, acts would only wait as long, and
    /// each of them would take a connection of the server with it.
    pub(super) fn doubt_commits(&self) {
        self.set_doubt(true);
        self.look();
    }

    /// The probe has had a commit answered.
    pub(super) fn trust_commits(&self) {
        self.set_doubt(false);
    }

    fn set_doubt(&self, doubt: bool) {
        let mut known = self.known();
        // One that is away is not there again because of this.
        if self.0.present.borrow().health > Health::Away {
            known.doubt = doubt;
            self.judge(&mut known);
        }
    }

    /// The probe has found it; answers whether its commits are in doubt.
    pub(super) fn is_there(&self, found: Found) -> bool {
        let mut known = self.known();
        let moved = known.found.place != found.place;
        let was_away = self.0.present.borrow().health == Health::Away;
        if moved || was_away || found.anew {
            self.0.present.send_modify(|present| present.comebacks += 1);
        }
        known.found = found;
        if moved {
            self.0.present.send_modify(|present| present.moves += 1);
            tracing::warn!(host = known.found.options.get_host(), "another host takes writes now");
            self.0.readers.set_connect_options(reading(&known.found.options));
            self.0.writers.set_connect_options(writing(&known.found.options));
        }
        if moved || was_away {
            *lock(&self.0.since) = Instant::now();
            known.doubt = false;
        }
        self.judge(&mut known);
        known.doubt
    }

    /// The probe has not found it.
    pub(super) fn is_away(&self, why: &str) {
        self.becomes(&mut self.known(), Health::Away, why);
    }

    fn judge(&self, known: &mut Known) {
        if !known.found.writable {
            self.becomes(known, Health::ReadOnly, "it is read-only");
        } else if known.doubt {
            self.becomes(known, Health::ReadOnly, "a commit was not answered; perhaps a standby is away");
        } else {
            self.becomes(known, Health::Up, "");
        }
    }

    /// Says once what is the matter, and once that it is over.
    fn becomes(&self, known: &mut Known, health: Health, why: &str) {
        let before = self.0.present.borrow().health;
        if health == before {
            return;
        }
        self.0.present.send_modify(|present| present.health = health);
        tell(health);
        if before == Health::Up {
            known.trouble = Instant::now();
        }
        let seconds = known.trouble.elapsed().as_secs_f32();
        match health {
            Health::Away => tracing::error!(why, "the database is away; lists and streams go on, acts are refused"),
            Health::ReadOnly => tracing::error!(why, "the database takes no writes; acts are refused"),
            Health::Up => tracing::info!(seconds, "the database is back"),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.0.known)
    }
}

/// Whoever reads holds nothing that others wait for.
fn reading(options: &PgConnectOptions) -> PgConnectOptions {
    bounded(options, "10s", "60s")
}

/// Without a limit to statements: what cancels a commit that waits for a standby has it reported as
/// done, though a failover would lose it. We stop waiting by ourselves, and say that we do not know.
/// Whoever stands still with a group in their hands does not keep it for long.
fn writing(options: &PgConnectOptions) -> PgConnectOptions {
    bounded(options, "0", "5s")
}

fn bounded(options: &PgConnectOptions, statement: &str, idle: &str) -> PgConnectOptions {
    options.clone().options([
        ("statement_timeout", statement),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", idle),
        // The server notices within about ten seconds that a node has vanished.
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
    ])
}

fn tell(health: Health) {
    metrics::gauge!("store_up").set(u8::from(health > Health::Away));
    metrics::gauge!("store_writable").set(u8::from(health == Health::Up));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
