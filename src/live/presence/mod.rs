//! Presence: who is online or away, as a lease for each person.
//!
//! Not here: presence on other nodes (`peer_nodes`). Presence is never in the event log.

pub(super) mod lease;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use self::lease::{AWAY, Lease, Source};
use crate::clock::Clock;
use crate::domain::{Status, Uid};
use crate::roster::Presence;
use crate::store::NodePresence;

/// The leases of everybody who is, or a moment ago was, there.
#[derive(Clone)]
pub struct Presences {
    people: Arc<Mutex<People>>,
    /// This node has something to tell the others.
    pub(super) changed: Arc<Notify>,
    shared: bool,
    clock: Clock,
}

#[derive(Default)]
struct People {
    leases: HashMap<Uid, Lease>,
    /// Of whom the other nodes were not told yet.
    untold: HashMap<Source, HashSet<Uid>>,
    /// Whose status was told to the viewers of this node, while there are others.
    told: HashSet<Uid>,
}

/// An open stream's claim that its viewer is there; ends when dropped.
pub struct Attendance {
    presences: Presences,
    uid: Uid,
}

impl Presences {
    /// Nobody is there. `shared` when other nodes are to be told who is.
    pub fn new(clock: Clock, shared: bool) -> Presences {
        Presences { people: Arc::default(), changed: Arc::default(), shared, clock }
    }

    /// A stream of this person is open as long as the answer lives.
    pub fn attend(&self, uid: &Uid) -> Attendance {
        let mut people = self.people();
        let lease = people.leases.entry(uid.clone()).or_default();
        if lease.open() {
            self.tell_later(people, Source::HERE, uid);
        }
        Attendance { presences: self.clone(), uid: uid.clone() }
    }

    /// The host says whether somebody is there.
    pub fn host_says(&self, uid: &Uid, online: bool) {
        let now = self.clock.now();
        let mut people = self.people();
        let lease = people.leases.entry(uid.clone()).or_default();
        lease.host_says(online, now);
        self.tell_later(people, Source::HOST, uid);
    }

    /// The status of somebody.
    pub fn of(&self, uid: &Uid) -> Option<Presence> {
        self.people().leases.get(uid).and_then(Lease::told)
    }

    /// Everybody who is not offline.
    pub fn all(&self) -> Vec<(Uid, Presence)> {
        self.people().leases.iter().filter_map(|(uid, lease)| Some((uid.clone(), lease.told()?))).collect()
    }

    /// Looks at one lease and answers what is to be told, if it is another status than before.
    pub fn change_of(&self, uid: &Uid) -> Option<Presence> {
        let now = self.clock.now();
        self.people().leases.get_mut(uid)?.change(now)
    }

    /// Looks at every lease and answers whose status is another than was last told.
    pub fn changes(&self) -> Vec<(Uid, Presence)> {
        let now = self.clock.now();
        let mut changes = Vec::new();
        self.people().leases.retain(|uid, lease| {
            changes.extend(lease.change(now).map(|presence| (uid.clone(), presence)));
            lease.status(now) != Status::Offline
        });
        changes
    }

    /// What the other nodes were not told yet of this source.
    pub(super) fn take_untold(&self, source: Source) -> Vec<NodePresence> {
        let mut people = self.people();
        let untold = people.untold.remove(&source).unwrap_or_default();
        let word = |uid: Uid| {
            let said = people.leases.get(&uid).and_then(|lease| lease.word_of(source, &uid));
            // Gone so long that they are forgotten here.
            said.unwrap_or(NodePresence { uid, open: false, closed_at: 0 })
        };
        untold.into_iter().map(word).collect()
    }

    /// The viewers of this node are told these statuses.
    pub(super) fn note_told(&self, changes: &[(Uid, Presence)]) {
        if self.shared {
            self.people().told.extend(changes.iter().map(|(uid, _)| uid.clone()));
        }
    }

    /// Whose status was told to the viewers of this node since this was asked last.
    pub(super) fn take_told(&self) -> HashSet<Uid> {
        std::mem::take(&mut self.people().told)
    }

    /// Could not be told: to be told again, as it is by then.
    pub(super) fn keep_untold(&self, source: Source, words: Vec<NodePresence>) {
        self.people().untold.entry(source).or_default().extend(words.into_iter().map(|word| word.uid));
    }

    /// Everything this source says.
    pub(super) fn words_of(&self, source: Source) -> Vec<NodePresence> {
        self.people().leases.iter().filter_map(|(uid, lease)| lease.word_of(source, uid)).collect()
    }

    /// Another source says this.
    pub(super) fn hear(&self, source: Source, words: Vec<NodePresence>) {
        let now = self.clock.now();
        let mut people = self.people();
        let People { leases, untold, .. } = &mut *people;
        for NodePresence { uid, open, closed_at } in words {
            // What was said here meanwhile, and is still to be passed on, is newer.
            if untold.get(&source).is_some_and(|uids| uids.contains(&uid)) {
                continue;
            }
            if open || now - closed_at < AWAY {
                leases.entry(uid).or_default().hear(source, open, closed_at);
            } else if let Some(lease) = leases.get_mut(&uid) {
                lease.hear(source, open, closed_at);
            }
        }
    }

    /// Another node is no more: nobody is there by its word.
    pub(super) fn forget(&self, source: Source) {
        for lease in self.people().leases.values_mut() {
            lease.forget(source);
        }
    }

    fn tell_later(&self, mut people: MutexGuard<'_, People>, source: Source, uid: &Uid) {
        if self.shared {
            people.untold.entry(source).or_default().insert(uid.clone());
            drop(people);
            self.changed.notify_one();
        }
    }

    fn people(&self) -> MutexGuard<'_, People> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let now = self.presences.clock.now();
        let mut people = self.presences.people();
        let Some(lease) = people.leases.get_mut(&self.uid) else { return };
        if lease.close(now) {
            self.presences.tell_later(people, Source::HERE, &self.uid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lease::GRACE;
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
        let presences = Presences::new(clock.clone(), true);
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
        let presences = Presences::new(clock.clone(), true);
        let (one, _two) = (presences.attend(&ada()), presences.attend(&ada()));
        presences.changes();
        drop(one);
        clock.advance(AWAY * 2);
        assert_eq!(told(&presences), []);
    }

    #[test]
    fn somebody_who_goes_is_away_then_offline_then_forgotten() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone(), true);
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
        let presences = Presences::new(clock.clone(), true);
        presences.host_says(&ada(), true);
        assert_eq!(told(&presences), [Status::Online]);
        presences.host_says(&ada(), false);
        assert_eq!(told(&presences), [Status::Away]);
    }

    #[test]
    fn somebody_with_tabs_on_two_nodes_is_one_person() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone(), true);
        let there = |open, closed_at| vec![NodePresence { uid: ada(), open, closed_at }];
        let here = presences.attend(&ada());
        presences.hear(Source(2), there(true, 0));
        assert_eq!(told(&presences), [Status::Online]);
        drop(here);
        clock.advance(AWAY * 2);
        assert_eq!(told(&presences), [], "the other tab is open");
        presences.hear(Source(2), there(false, clock.now()));
        clock.advance(GRACE + 1);
        assert_eq!(told(&presences), [Status::Away]);
    }

    #[test]
    fn when_a_node_dies_its_people_are_offline_and_those_who_came_elsewhere_are_not() {
        let clock = Clock::default();
        let presences = Presences::new(clock.clone(), true);
        let dee: Uid = "dee".parse().unwrap();
        let open = |uid: Uid| NodePresence { uid, open: true, closed_at: 0 };
        presences.hear(Source(2), vec![open(ada()), open(dee.clone())]);
        let _dee = presences.attend(&dee);
        assert_eq!(told(&presences).len(), 2);
        presences.forget(Source(2));
        let changes = presences.changes();
        assert_eq!(changes.len(), 1, "once");
        assert_eq!((&changes[0].0, changes[0].1.status), (&ada(), Status::Offline));
        assert_eq!(told(&presences), []);
    }

    #[test]
    fn what_the_host_says_while_its_last_word_is_passed_on_is_not_lost_when_that_is_read_back() {
        let presences = Presences::new(Clock::default(), true);
        presences.host_says(&ada(), true);
        let passed_on = presences.take_untold(Source::HOST);
        presences.host_says(&ada(), false);
        presences.hear(Source::HOST, passed_on);
        assert_eq!(told(&presences), [Status::Away]);
        assert!(!presences.take_untold(Source::HOST)[0].open, "and the others are told that");
    }

    #[test]
    fn other_nodes_are_told_once_of_what_changed() {
        let presences = Presences::new(Clock::default(), true);
        let one = presences.attend(&ada());
        let _two = presences.attend(&ada());
        let untold = presences.take_untold(Source::HERE);
        assert_eq!(untold.iter().map(|word| word.open).collect::<Vec<_>>(), [true]);
        drop(one);
        assert_eq!(presences.take_untold(Source::HERE), [], "still there");
        presences.keep_untold(Source::HERE, untold);
        assert_eq!(presences.take_untold(Source::HERE).len(), 1, "it could not be told");
    }
}
