//! Who was logged out everywhere, as this node knows it.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::sync::{Arc, RwLock};

use tokio::sync::watch;

use crate::domain::Uid;
use crate::store::{Logout, Pseudonyms};

/// The logouts of everybody. Cheap to clone.
#[derive(Clone)]
pub struct Logouts {
    pseudonyms: Pseudonyms,
    /// By pseudonym: in which second, since the epoch.
    seconds: Arc<RwLock<HashMap<String, i64>>>,
    /// The newest version that was read; open streams watch it.
    version: watch::Sender<i64>,
}

impl Logouts {
    pub(super) fn new(pseudonyms: Pseudonyms) -> Logouts {
        Logouts { pseudonyms, seconds: Arc::default(), version: watch::Sender::new(0) }
    }

    /// Whether a token of this person that was issued then (seconds since the epoch) is refused. Issue times are in
    /// whole seconds, so the second of the logout is refused as well; so is a token that does not say.
    pub fn refuses(&self, uid: &Uid, issued_at: Option<i64>) -> bool {
        let first = self.first_accepted(uid);
        first.is_some_and(|first| issued_at.is_none_or(|issued_at| issued_at < first))
    }

    /// The first second since the epoch in which an accepted token of this person can have been issued; `None` when
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
    pub(super) fn add(&self, logouts: Vec<Logout>, version: i64) {
        {
            let mut seconds = self.seconds.write().unwrap_or_else(PoisonError::into_inner);
            for Logout { person, at, .. } in logouts {
                let second = seconds.entry(person).or_insert(i64::MIN);
                *second = (*second).max(at.div_euclid(1000));
            }
        }
        self.version.send_replace(version);
    }
}
