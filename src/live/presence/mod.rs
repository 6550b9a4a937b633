//! Presence: who is online or away, as a record for each person.
//!
//! Not here: the exchange of presence with other nodes (`presence_sync`); what is known of them is in `peer_nodes.rs`. Presence is
//! never in the event log.

pub(super) mod peer_nodes;
pub(super) mod record;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::timeout;

pub use self::record::HostReport;
use self::record::{AWAY, PresenceRecord, Source};
use crate::clock::Clock;
use crate::domain::{Status, Uid};
use crate::roster::PresenceSnapshot;
use crate::store::{DELETED_USER, NodePresence, is_later_report};

/// Longest wait for what the other nodes know, when this node starts.
const FIRST_ROUND: Duration = Duration::from_secs(2);

/// The records of everybody who is online or away, or was a short time ago.
#[derive(Clone)]
pub struct Presences {
    people: Arc<Mutex<People>>,
    /// Notified when this node has entries to write for the other nodes.
    pub(super) changed: Arc<Notify>,
    /// How many reports of the host, as [`People::reports`] counts them, have been written for the other nodes.
    written: Arc<watch::Sender<u64>>,
    /// Whether what the other nodes know has been read, or tried to be.
    known: Arc<watch::Sender<bool>>,
    shared: bool,
    clock: Clock,
}

#[derive(Default)]
struct People {
    records: HashMap<Uid, PresenceRecord>,
    /// The people whose entries have not been written for the other nodes yet.
    unsynced: HashMap<Source, HashSet<Uid>>,
    /// The people whom the host has deleted, until that is written for the other nodes.
    deleted: HashSet<Uid>,
    /// Counts what the host has reported here, while there are other nodes.
    reports: u64,
    /// The people whose status was reported, read from another node, or sent to viewers of this node, while there are other nodes:
    /// a node that had not read it yet may have answered viewers of this node with another status.
    unsettled: HashSet<Uid>,
}

impl People {
    fn mark_unsynced(&mut self, source: Source, uid: &Uid) {
        self.unsynced.entry(source).or_default().insert(uid.clone());
        self.reports += u64::from(source == Source::HOST);
    }
}

/// An open stream's claim that its viewer is there; ends when dropped.
pub struct PresenceGuard {
    presences: Presences,
    uid: Uid,
}

impl Presences {
    /// An empty state. `shared` when there are other nodes.
    pub fn new(clock: Clock, shared: bool) -> Presences {
        let known = Arc::new(watch::Sender::new(!shared));
        Presences { people: Arc::default(), changed: Arc::default(), written: Arc::default(), known, shared, clock }
    }

    /// Completes when what the other nodes know has been read once, or could not be within a short time: before that everybody seems to
    /// be offline.
    pub async fn until_known(&self) {
        let mut known = self.known.subscribe();
        let _ = timeout(FIRST_ROUND, known.wait_for(|&known| known)).await;
    }

    /// Records that what the other nodes know has been read, or could not be.
    pub(super) fn set_known(&self) {
        self.known.send_replace(true);
    }

    /// Counts a stream of this person as open until the returned value is dropped.
    pub fn track_stream(&self, uid: &Uid) -> PresenceGuard {
        let mut people = self.people();
        let record = people.records.entry(uid.clone()).or_default();
        if record.open() {
            self.mark_unsynced(people, Source::HERE, uid);
        }
        PresenceGuard { presences: self.clone(), uid: uid.clone() }
    }

    /// Records the host's report about somebody.
    pub fn set_host_report(&self, uid: &Uid, report: HostReport) {
        let now = self.clock.now();
        let mut people = self.people();
        people.records.entry(uid.clone()).or_default().set_by_host(report, now);
        self.mark_unsynced(people, Source::HOST, uid);
    }

    /// The host's current report about somebody, until it expires.
    pub fn host_report(&self, uid: &Uid) -> Option<HostReport> {
        let now = self.clock.now();
        self.people().records.get(uid)?.host_report(now)
    }

    /// Records the host's report that somebody has just left.
    pub fn close_host_report(&self, uid: &Uid) {
        let now = self.clock.now();
        let mut people = self.people();
        if let Some(record) = people.records.get_mut(uid) {
            record.close_by_host(now);
            self.mark_unsynced(people, Source::HOST, uid);
        }
    }

    /// Forgets somebody whom the other nodes forget by themselves; `false` when nothing was known.
    pub(super) fn drop_person(&self, uid: &Uid) -> bool {
        let mut people = self.people();
        people.unsettled.remove(uid);
        people.deleted.remove(uid);
        for uids in people.unsynced.values_mut() {
            uids.remove(uid);
        }
        people.records.remove(uid).is_some()
    }

    /// Forgets somebody, here and on the other nodes.
    pub fn forget(&self, uid: &Uid) {
        let mut people = self.people();
        let Some(record) = people.records.remove(uid) else { return };
        people.unsettled.remove(uid);
        if self.shared {
            // For the other nodes, entries are written that report the person as gone.
            for source in [Source::HERE, Source::HOST].into_iter().filter(|source| record.is_known_to(*source)) {
                people.mark_unsynced(source, uid);
            }
            drop(people);
            self.changed.notify_one();
        }
    }

    /// Forgets somebody whom the host has deleted, here and on the other nodes: each of those forgets the streams that it has counted.
    /// For somebody who is erased [`Presences::forget`] is enough, since every node learns of it from the database.
    pub fn forget_deleted(&self, uid: &Uid) {
        self.forget(uid);
        if self.shared {
            let mut people = self.people();
            people.deleted.insert(uid.clone());
            self.mark_unsynced(people, Source::HOST, uid);
        }
    }

    /// The status of somebody that was sent last, which is what screens show.
    pub fn last_sent_of(&self, uid: &Uid) -> Option<PresenceSnapshot> {
        self.people().records.get(uid).and_then(PresenceRecord::last_sent)
    }

    /// Like [`Self::last_sent_of`], for anybody: unknown people are offline.
    pub(super) fn last_sent_or_offline(&self, uid: &Uid) -> PresenceSnapshot {
        self.last_sent_of(uid).unwrap_or_else(|| PresenceSnapshot { status: Status::Offline, at: self.clock.now() })
    }

    /// The people who are online or away.
    pub fn online(&self) -> Vec<Uid> {
        self.online_at_most(usize::MAX).unwrap_or_default()
    }

    /// The same, `None` when they are more than `most`.
    pub fn online_at_most(&self, most: usize) -> Option<Vec<Uid>> {
        let is_online = |record: &PresenceRecord| record.last_sent().is_some_and(|sent| sent.status.counts_as_online());
        let people = self.people();
        let mut online = people.records.iter().filter(|(_, record)| is_online(record)).map(|(uid, _)| uid);
        let found: Vec<Uid> = online.by_ref().take(most).cloned().collect();
        online.next().is_none().then_some(found)
    }

    /// The presence of everybody who is not offline.
    pub fn all(&self) -> Vec<(Uid, PresenceSnapshot)> {
        self.people().records.iter().filter_map(|(uid, record)| Some((uid.clone(), record.last_sent()?))).collect()
    }

    /// The status to send for one person, if it differs from the last one sent.
    pub fn change_of(&self, uid: &Uid) -> Option<PresenceSnapshot> {
        let now = self.clock.now();
        self.people().records.get_mut(uid)?.change(now)
    }

    /// The people whose status differs from the last one sent.
    pub fn changes(&self) -> Vec<(Uid, PresenceSnapshot)> {
        let now = self.clock.now();
        let mut changes = Vec::new();
        self.people().records.retain(|uid, record| {
            changes.extend(record.change(now).map(|presence| (uid.clone(), presence)));
            record.status(now) != Status::Offline
        });
        changes
    }

    /// The people whose status differs from `known`, which has everybody who is not offline; `None` for those without
    /// a record here.
    pub fn differences(&self, known: &HashMap<Uid, Status>) -> Vec<(Uid, Option<Status>)> {
        let now = self.clock.now();
        let people = self.people();
        let records = people.records.iter().map(|(uid, record)| (uid, record.status(now)));
        let differs = |(uid, status): &(&Uid, Status)| known.get(*uid).copied().unwrap_or_default() != *status;
        let changed = records.filter(differs).map(|(uid, status)| (uid.clone(), Some(status)));
        let missing = known.keys().filter(|uid| !people.records.contains_key(*uid));
        changed.chain(missing.map(|uid| (uid.clone(), None))).collect()
    }

    /// The entries of this source that were not written for the other nodes yet.
    pub(super) fn take_unsynced(&self, source: Source) -> Vec<NodePresence> {
        // The host's report about somebody of whom nothing is known any more counts as made now.
        let reported_at = if source == Source::HOST { self.clock.now() } else { 0 };
        let mut people = self.people();
        let People { records, unsynced, deleted, .. } = &mut *people;
        let entry = |uid: Uid| {
            let known = records.get(&uid).and_then(|record| record.entry_of(source, &uid));
            let is_deleted = source == Source::HOST && deleted.remove(&uid);
            // Without a record they have been offline for long, or are forgotten.
            let gone = NodePresence { uid, open: false, away: false, until: None, closed_at: 0, reported_at };
            let entry = known.unwrap_or(gone);
            if is_deleted { NodePresence { closed_at: DELETED_USER, ..entry } } else { entry }
        };
        unsynced.remove(&source).unwrap_or_default().into_iter().map(entry).collect()
    }

    /// Records that these statuses were sent to this node's viewers.
    pub(super) fn record_sent(&self, changes: &[(Uid, PresenceSnapshot)]) {
        if self.shared {
            self.people().unsettled.extend(changes.iter().map(|(uid, _)| uid.clone()));
        }
    }

    /// Completes when the other nodes can read everything that the host has reported here until now.
    pub async fn reports_written(&self) {
        let made = self.reports_made();
        let _ = self.written.subscribe().wait_for(|&written| written >= made).await;
    }

    /// Counts the reports of the host on this node.
    pub(super) fn reports_made(&self) -> u64 {
        self.people().reports
    }

    /// Records that so many reports have been written for the other nodes.
    pub(super) fn record_written(&self, reports: u64) {
        self.written.send_replace(reports);
    }

    /// The people whose status may have been shown differently by other nodes since the last call.
    pub(super) fn take_unsettled(&self) -> HashSet<Uid> {
        std::mem::take(&mut self.people().unsettled)
    }

    /// Queues entries that could not be written. They are written later, with the values that they have then.
    pub(super) fn requeue(&self, source: Source, entries: Vec<NodePresence>) {
        let mut people = self.people();
        let deleted = entries.iter().filter(|entry| entry.closed_at == DELETED_USER);
        people.deleted.extend(deleted.map(|entry| entry.uid.clone()));
        people.unsynced.entry(source).or_default().extend(entries.into_iter().map(|entry| entry.uid));
    }

    /// All entries of this source.
    pub(super) fn entries_of(&self, source: Source) -> Vec<NodePresence> {
        self.people().records.iter().filter_map(|(uid, record)| record.entry_of(source, uid)).collect()
    }

    /// Applies the entries of another source.
    pub(super) fn merge(&self, source: Source, entries: Vec<NodePresence>) {
        let now = self.clock.now();
        let mut people = self.people();
        let People { records, unsynced, unsettled, deleted, .. } = &mut *people;
        let mut has_forgotten = false;
        for mut entry in entries {
            if entry.closed_at == DELETED_USER {
                entry.closed_at = 0;
                if records.get_mut(&entry.uid).is_some_and(PresenceRecord::forget_streams) {
                    unsynced.entry(Source::HERE).or_default().insert(entry.uid.clone());
                    has_forgotten = true;
                }
            }
            // A report made here and not written yet counts, unless the host has made another one since through another node.
            if let Some(uids) = unsynced.get_mut(&source).filter(|uids| uids.contains(&entry.uid)) {
                let own = records.get(&entry.uid).and_then(PresenceRecord::reported_at);
                if deleted.contains(&entry.uid) || own.is_none_or(|own| !is_later_report(entry.reported_at, own)) {
                    continue;
                }
                uids.remove(&entry.uid);
            }
            unsettled.insert(entry.uid.clone());
            if entry.open || now - entry.closed_at < AWAY {
                records.entry(entry.uid.clone()).or_default().update(source, &entry);
            } else if let Some(record) = records.get_mut(&entry.uid) {
                record.update(source, &entry);
            }
        }
        drop(people);
        if has_forgotten {
            self.changed.notify_one();
        }
    }

    /// Drops the reports of open streams by this source, whose node has died.
    pub(super) fn drop_source(&self, source: Source) {
        for record in self.people().records.values_mut() {
            record.drop_source(source);
        }
    }

    fn mark_unsynced(&self, mut people: MutexGuard<'_, People>, source: Source, uid: &Uid) {
        if self.shared {
            people.mark_unsynced(source, uid);
            people.unsettled.insert(uid.clone());
            drop(people);
            self.changed.notify_one();
        }
    }

    fn people(&self) -> MutexGuard<'_, People> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let now = self.presences.clock.now();
        let mut people = self.presences.people();
        let Some(record) = people.records.get_mut(&self.uid) else { return };
        if record.close(now) {
            self.presences.mark_unsynced(people, Source::HERE, &self.uid);
        }
    }
}

#[cfg(test)]
mod tests;
