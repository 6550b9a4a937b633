//! The people who were logged out everywhere, as this node knows them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::watch;

use crate::domain::Uid;
use crate::store::{Logout, Pseudonyms};

/// How long a lead is remembered after it was last seen, in seconds.
const LEAD_LIFETIME: i64 = 24 * 3600;

/// The logouts of everybody. Cheap to clone.
#[derive(Clone)]
pub struct Logouts {
    pseudonyms: Pseudonyms,
    /// The Unix second of the logout, by pseudonym.
    seconds: Arc<RwLock<HashMap<String, i64>>>,
    /// The leads of received tokens' times over this node's clock, in seconds, each with the second at which it was last seen:
    /// the issuer's clock may be ahead by as much. There are few, since a token that is dated far ahead is not accepted.
    leads: Arc<Mutex<HashMap<i64, i64>>>,
    /// The newest version that was read; open streams watch it.
    version: watch::Sender<i64>,
}

impl Logouts {
    pub(super) fn new(pseudonyms: Pseudonyms) -> Logouts {
        Logouts { pseudonyms, seconds: Arc::default(), leads: Arc::default(), version: watch::Sender::new(0) }
    }

    /// Whether a token of this person that was issued then is refused `now` (both Unix seconds). Issue times are
    /// in whole seconds, so the second of the logout is refused as well; so is a token without an issue time.
    ///
    /// A token that a fast clock has dated after `now` is judged as if it were issued now. Once refused, it stays refused when its issue time
    /// has come.
    pub fn refuses(&self, uid: &Uid, issued_at: Option<i64>, now: i64) -> bool {
        let first = self.first_accepted(uid);
        let Some(issued_at) = issued_at else { return first.is_some() };
        if first.is_some_and(|first| issued_at < first) {
            return true;
        }
        // The service itself dates what it makes right after a logout to the first second that is accepted.
        if issued_at <= now || first == Some(issued_at) {
            return false;
        }
        self.leads.lock().unwrap_or_else(PoisonError::into_inner).insert(issued_at - now, now);
        let is_of_before = first.is_some_and(|first| now < first);
        if is_of_before {
            self.refuse_until(self.pseudonyms.of(uid).as_str().to_owned(), issued_at);
        }
        is_of_before
    }

    /// The assumed lead of a token issuer's clock `now` (Unix seconds), in seconds: tokens issued before a logout may be
    /// dated this far after it. It is the largest lead that was seen within a day: a clock that was set right is trusted again.
    pub fn clock_ahead(&self, now: i64) -> i64 {
        let leads = self.leads.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = leads.iter().filter(|(_, seen_at)| now - **seen_at < LEAD_LIFETIME);
        recent.map(|(lead, _)| *lead).max().unwrap_or(0)
    }

    /// The first Unix second in which an accepted token of this person can have been issued; `None` when
    /// they were never logged out.
    pub fn first_accepted(&self, uid: &Uid) -> Option<i64> {
        let seconds = self.seconds.read().unwrap_or_else(PoisonError::into_inner);
        if seconds.is_empty() {
            return None;
        }
        seconds.get(self.pseudonyms.of(uid).as_str()).map(|second| second + 1)
    }

    /// Changes with every logout.
    pub fn watch(&self) -> watch::Receiver<i64> {
        self.version.subscribe()
    }

    /// The newest version that was read; 0 before the first.
    pub(super) fn version(&self) -> i64 {
        *self.version.borrow()
    }

    /// Adds what was read. Nothing is forgotten: a database that lost a logout in a failover does not undo it here.
    /// A token from before a logout at `now` (Unix seconds) may be dated up to [`Logouts::clock_ahead`] after it, and
    /// is refused too.
    pub(super) fn add(&self, logouts: Vec<Logout>, version: i64, now: i64) {
        let clock_ahead = self.clock_ahead(now);
        for Logout { person, at, .. } in logouts {
            let second = at.div_euclid(1000);
            self.refuse_until(person, second.max(second.min(now) + clock_ahead));
        }
        self.version.send_replace(version);
    }

    /// Refuses the tokens of a person that were issued in this second or before.
    fn refuse_until(&self, person: String, second: i64) {
        let mut seconds = self.seconds.write().unwrap_or_else(PoisonError::into_inner);
        let refused = seconds.entry(person).or_insert(i64::MIN);
        *refused = (*refused).max(second);
    }
}
