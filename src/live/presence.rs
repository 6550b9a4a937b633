//! Who is there: leases that expire by themselves, never in the log.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::Clock;
use crate::domain::{Status, Uid};
use crate::roster::Presence;

/// After the last stream closed, so long nobody notices: a reload, a lift, a deploy. Milliseconds.
const GRACE: i64 = 5_000;
/// After the last stream closed, so long they are away; then offline. Milliseconds.
const AWAY: i64 = 5 * 60_000;

/// The leases of everybody who has, or a moment ago had, a stream open.
#[derive(Clone)]
pub struct Presences {
    leases: Arc<Mutex<HashMap<Uid, Lease>>>,
    clock: Clock,
}

#[derive(Debug, Default)]
struct Lease {
    streams: u32,
    host: bool,
    closed_at: i64,
    told: Option<Presence>,
}

/// An open stream's claim that its viewer is there; ends when dropped.
pub struct Attendance {
    presences: Presences,
    uid: Uid,
}

impl Presences {
    /// Nobody is there.
    pub fn new(clock: Clock) -> Presences {
        Presences { leases: Arc::default(), clock }
    }

    /// A stream of this person is open as long as the answer lives.
    pub fn attend(&self, uid: &Uid) -> Attendance {
        self.leases().entry(uid.clone()).or_default().streams += 1;
        Attendance { presences: self.clone(), uid: uid.clone() }
    }

    /// The host says whether somebody is there.
    pub fn host_says(&self, uid: &Uid, online: bool) {
        let now = self.clock.now();
        let mut leases = self.leases();
        let lease = leases.entry(uid.clone()).or_default();
        if lease.host && !online {
            // Somebody the host sends away is away at once.
            lease.closed_at = now - GRACE;
        }
        lease.host = online;
    }

    /// The status of somebody.
    pub fn of(&self, uid: &Uid) -> Option<Presence> {
        self.leases().get(uid).and_then(|lease| lease.told)
    }

    /// Everybody who is not offline.
    pub fn all(&self) -> Vec<(Uid, Presence)> {
        self.leases().iter().filter_map(|(uid, lease)| Some((uid.clone(), lease.told?))).collect()
    }

    /// Looks at one lease and answers what is to be told, if it is another status than before.
    pub fn change_of(&self, uid: &Uid) -> Option<Presence> {
        let now = self.clock.now();
        self.leases().get_mut(uid)?.change(now)
    }

    /// Looks at every lease and answers whose status is another than was last told.
    pub fn changes(&self) -> Vec<(Uid, Presence)> {
        let now = self.clock.now();
        let mut changes = Vec::new();
        self.leases().retain(|uid, lease| {
            changes.extend(lease.change(now).map(|presence| (uid.clone(), presence)));
            lease.status(now) != Status::Offline
        });
        changes
    }

    fn leases(&self) -> std::sync::MutexGuard<'_, HashMap<Uid, Lease>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    fn change(&mut self, now: i64) -> Option<Presence> {
        let presence = Presence { status: self.status(now), at: now };
        if self.told.is_some_and(|told| told.status == presence.status) {
            return None;
        }
        self.told = Some(presence);
        Some(presence)
    }

    fn status(&self, now: i64) -> Status {
        if self.streams > 0 || self.host || now - self.closed_at < GRACE {
            Status::Online
        } else if now - self.closed_at < AWAY {
            Status::Away
        } else {
            Status::Offline
        }
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let now = self.presences.clock.now();
        if let Some(lease) = self.presences.leases().get_mut(&self.uid) {
            lease.streams = lease.streams.saturating_sub(1);
            lease.closed_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> Uid {
        "ada".parse().unwrap()
    }

    fn told(presences: &Presences) -> Vec<Status> {
        presences.changes().into_iter().map(|(_, presence)| presence.status).collect()
    }

    #[test]
    fn somebody_who_reloads_the_page_never_goes() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone());
        let first = presences.attend(&ada());
        assert_eq!(told(&presences), [Status::Online]);
        drop(first);
        clock.advance(2_000);
        let _second = presences.attend(&ada());
        clock.advance(60_000);
        assert_eq!(told(&presences), []);
    }

    #[test]
    fn of_two_tabs_one_closes_and_they_are_still_there() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone());
        let (one, _two) = (presences.attend(&ada()), presences.attend(&ada()));
        presences.changes();
        drop(one);
        clock.advance(AWAY * 2);
        assert_eq!(told(&presences), []);
    }

    #[test]
    fn somebody_who_goes_is_away_then_offline_then_forgotten() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone());
        drop(presences.attend(&ada()));
        assert_eq!(told(&presences), [Status::Online]);
        clock.advance(GRACE + 1);
        assert_eq!(told(&presences), [Status::Away]);
        clock.advance(AWAY);
        assert_eq!(told(&presences), [Status::Offline]);
        assert_eq!(presences.all(), []);
    }

    #[test]
    fn the_host_says_who_is_there() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone());
        presences.host_says(&ada(), true);
        assert_eq!(told(&presences), [Status::Online]);
        presences.host_says(&ada(), false);
        assert_eq!(told(&presences), [Status::Away]);
    }
}
