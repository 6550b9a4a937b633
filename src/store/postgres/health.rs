//! The health of the primary as it is known: from what the probe finds, and from what callers meet. Each change of it is
//! logged once.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use tokio::sync::watch;

use super::discovery::DiscoveredServer;
use crate::store::error::StoreError;

/// A server that fails again so soon after it came back is still in the same outage.
const RELAPSE: Duration = Duration::from_secs(10);

/// The health of the primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum Health {
    /// No host is known to be the primary.
    Unavailable,
    /// It answers and takes no writes: it is read-only, or commits wait for a standby that does not answer. So does a standby that
    /// is read in its place, as long as none was found.
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

/// What is known of the primary.
pub(in crate::store) struct KnownHealth {
    status: watch::Sender<PrimaryStatus>,
    server: Mutex<KnownServer>,
}

struct KnownServer {
    found: DiscoveredServer,
    /// Whether a commit was not answered in time: no act is begun until one is.
    commits_suspected: bool,
    /// Why it is not writable; of the last outage when it is.
    why: String,
    outages: OutageLog,
}

impl KnownHealth {
    /// This server answers, and may be read-only or a standby.
    pub(super) fn new(found: DiscoveredServer) -> KnownHealth {
        let why = found.why_unwritable();
        let health = if why.is_none() { Health::Writable } else { Health::ReadOnly };
        if let Some(why) = why {
            tracing::error!(why, "the database takes no writes; acts are refused");
        }
        set_metrics(health);
        KnownHealth {
            status: watch::Sender::new(PrimaryStatus { health, failovers: 0, reconnects: 0 }),
            server: Mutex::new(KnownServer {
                found,
                commits_suspected: false,
                why: why.unwrap_or_default().into(),
                outages: OutageLog::new(health < Health::Writable, Instant::now()),
            }),
        }
    }

    /// Whether the primary has at least this health, as far as is known.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] if not.
    pub(in crate::store) fn check(&self, needed: Health) -> Result<(), StoreError> {
        if self.status.borrow().health < needed { Err(StoreError::KnownOutage) } else { Ok(()) }
    }

    /// Whether it is a standby, which is read as long as no primary was found.
    pub(in crate::store) fn is_standby(&self) -> bool {
        self.server().found.standby
    }

    /// Whether a primary answers, as far as is known. A standby has no rows of unlogged tables, and passes no messages on.
    ///
    /// # Errors
    /// [`StoreError::KnownOutage`] if not.
    pub(super) fn check_primary(&self) -> Result<(), StoreError> {
        self.check(Health::ReadOnly)?;
        if self.is_standby() { Err(StoreError::KnownOutage) } else { Ok(()) }
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
    pub(in crate::store) fn outage(&self) -> Option<String> {
        let why = self.server().why.clone();
        self.check(Health::Writable).is_err().then_some(why)
    }

    /// Waits until the health is below this one.
    pub(super) async fn below(&self, needed: Health) {
        let _ = self.status.subscribe().wait_for(|status| status.health < needed).await;
    }

    /// Waits until a transaction that runs now cannot succeed any more: the primary is unavailable, or another
    /// host has become the primary.
    pub(super) async fn lost(&self) {
        let mut status = self.status.subscribe();
        let failovers = status.borrow().failovers;
        let is_lost = |status: &PrimaryStatus| status.health == Health::Unavailable || status.failovers != failovers;
        let _ = status.wait_for(is_lost).await;
    }

    /// The number of times that the server may have been replaced by another one.
    pub(in crate::store) fn reconnects(&self) -> u32 {
        self.status.borrow().reconnects
    }

    /// Waits until there are more reconnects than this.
    pub(in crate::store) async fn wait_for_reconnect(&self, reconnects: u32) {
        let _ = self.status.subscribe().wait_for(|status| status.reconnects > reconnects).await;
    }

    /// The current options to connect to the primary.
    pub(super) fn options(&self) -> PgConnectOptions {
        self.server().found.options.clone()
    }

    /// Records whether a commit was not answered in time. Until one is, no act is begun: each would wait as long,
    /// and hold a connection of the server meanwhile.
    pub(super) fn set_commits_suspected(&self, suspected: bool) {
        let mut server = self.server();
        // During an outage nothing is known of commits.
        if self.status.borrow().health > Health::Unavailable {
            server.commits_suspected = suspected;
            self.update_health(&mut server);
        }
    }

    /// Records the server that the probe found; returns whether its commits are suspected. Calls `renew` when earlier
    /// connections are no longer usable, with the new host's options when another host is used.
    pub(super) fn set_found(&self, found: DiscoveredServer, renew: impl FnOnce(Option<&PgConnectOptions>)) -> bool {
        let mut server = self.server();
        let moved = server.found.index != found.index;
        // A standby has no timeline, and keeps its connections when it is promoted.
        let has_other_timeline = server.found.timeline != found.timeline && !server.found.standby;
        // Behind a pooler or a balancer the address stays, and connections that were open may go on to the old server.
        let replaced = server.found.started != found.started || has_other_timeline;
        if replaced && !moved {
            tracing::warn!("the PostgreSQL server was replaced or restarted");
        }
        let was_unavailable = self.status.borrow().health == Health::Unavailable;
        if moved || replaced || was_unavailable || found.reconnected {
            self.status.send_modify(|status| status.reconnects += 1);
        }
        server.found = found;
        if moved || replaced {
            // Statements that run on the previous server get no answer, or none from the new one.
            self.status.send_modify(|status| status.failovers += 1);
        }
        if moved && !server.found.standby {
            tracing::warn!(host = server.found.options.get_host(), "failover: another host takes writes now");
        }
        if moved || replaced || was_unavailable {
            renew(moved.then_some(&server.found.options));
            server.commits_suspected = false;
        }
        self.update_health(&mut server);
        server.commits_suspected
    }

    /// Records that the probe found no server to use.
    pub(super) fn set_unavailable(&self, why: &str) {
        self.set_health(&mut self.server(), Health::Unavailable, why);
    }

    fn update_health(&self, server: &mut KnownServer) {
        if let Some(why) = server.found.why_unwritable() {
            self.set_health(server, Health::ReadOnly, why);
        } else if server.commits_suspected {
            self.set_health(server, Health::ReadOnly, "a commit was not answered; perhaps a standby does not answer");
        } else {
            self.set_health(server, Health::Writable, "");
        }
    }

    /// Sets the health, and logs each outage and its end once.
    fn set_health(&self, server: &mut KnownServer, health: Health, why: &str) {
        why.clone_into(&mut server.why);
        let has_changed = self.status.borrow().health != health;
        if has_changed {
            self.status.send_modify(|status| status.health = health);
            set_metrics(health);
        }
        let now = Instant::now();
        match health {
            Health::Writable if has_changed && server.outages.end(now) => {
                let seconds = (now - server.outages.began).as_secs_f32();
                tracing::info!(seconds, "the database is available again");
            }
            Health::Unavailable if server.outages.observe(has_changed, now) => {
                tracing::error!(why, "the database is unavailable; lists and streams go on, acts are refused");
            }
            Health::ReadOnly if server.outages.observe(has_changed, now) => {
                tracing::error!(why, "the database takes no writes; acts are refused");
            }
            Health::Unavailable | Health::ReadOnly | Health::Writable => {}
        }
    }

    fn server(&self) -> MutexGuard<'_, KnownServer> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The gauge of writes is only set to 0 here: a writable server may still refuse acts, which only a try shows (`database/readiness.rs`).
fn set_metrics(health: Health) {
    metrics::gauge!("chat_group_members_store_up").set(u8::from(health > Health::Unavailable));
    if health < Health::Writable {
        metrics::gauge!("chat_group_members_store_writable").set(0.0);
    }
}

/// Decides what is logged of outages. A server that comes back may fail a few times more in its first seconds, as when commits of before
/// are not answered.
struct OutageLog {
    began: Instant,
    /// When the last outage ended whose end was logged.
    ended: Option<Instant>,
    is_down: bool,
    /// Before this time the outage is not logged.
    quiet_until: Instant,
    is_logged: bool,
}

impl OutageLog {
    /// A log in which an outage that there is now is logged already.
    fn new(is_down: bool, now: Instant) -> OutageLog {
        OutageLog { began: now, ended: None, is_down, quiet_until: now, is_logged: is_down }
    }

    /// There is an outage at `now`; `has_changed` when it was another one until then, or none. Whether it is to be logged.
    fn observe(&mut self, has_changed: bool, now: Instant) -> bool {
        if !self.is_down {
            (self.is_down, self.is_logged) = (true, false);
            if self.ended.is_some_and(|ended| now - ended < RELAPSE) {
                self.quiet_until = now + RELAPSE;
            } else {
                (self.began, self.quiet_until) = (now, now);
            }
        }
        if now < self.quiet_until {
            return false;
        }
        let is_first = !std::mem::replace(&mut self.is_logged, true);
        is_first || has_changed
    }

    /// The outage is over at `now`: whether that is to be logged.
    fn end(&mut self, now: Instant) -> bool {
        let was_logged = std::mem::replace(&mut self.is_logged, false);
        self.is_down = false;
        if was_logged {
            self.ended = Some(now);
        }
        was_logged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_again_while_it_comes_back_is_logged_as_one_outage() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut log = OutageLog::new(false, begun);
        assert!(log.observe(true, at(100)));
        assert!(!log.observe(false, at(101)));
        assert!(log.observe(true, at(102)), "it answers again, and takes no writes");
        assert!(log.end(at(105)));
        for second in [106, 108, 110, 112] {
            assert!(!log.observe(true, at(second)) && !log.end(at(second + 1)));
        }
        assert_eq!(log.began, at(100));
        assert!(log.observe(true, at(120)) && log.end(at(121)), "the next one is another");
        assert_eq!(log.began, at(120));
    }

    #[test]
    fn a_relapse_that_lasts_is_logged_after_all_with_its_end() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut log = OutageLog::new(true, begun);
        assert!(!log.observe(false, at(1)), "it was logged when it was found");
        assert!(log.end(at(2)));
        let logged: Vec<u64> = (5..60).filter(|&second| log.observe(second == 5, at(second))).collect();
        assert_eq!(logged, [15]);
        assert!(log.end(at(60)));
    }
}
