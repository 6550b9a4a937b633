//! The read model: one group's members in display order, in memory. It answers pages, searches, counts and positions in
//! microseconds, without the database.
//!
//! A roster is loaded from a snapshot of the tables and updated by events in their order; it is a cache of the tables.
//!
//! `ordered` keeps the members in order, in buckets; `bucket` searches their folded names. `filter` says who is listed, `scan` walks over
//! them, `window` is the part that is asked for; `counts` and `count_cache` say how many there are.
//!
//! Not here: who may see a list (`domain`), and how it is rendered (`views`).

mod bucket;
mod count_cache;
mod counts;
mod filter;
mod ordered;
mod scan;
mod window;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use filter::{Filter, Scopes};
pub use window::{PageRange, RangePart, Window};

use crate::domain::{Group, Member, Scope, SectionCounts, Status, Uid};
use crate::store::Snapshot;
use count_cache::CountCache;
use ordered::OrderedMembers;

/// A group's members, in display order.
pub struct Roster {
    group: Group,
    seq: u64,
    ordered: OrderedMembers,
    by_uid: HashSet<ByUid>,
    counts: SectionCounts,
    count_cache: CountCache,
    /// When mutes of members end, Unix milliseconds, with whose they are.
    mute_ends: BTreeSet<(i64, Box<str>)>,
    statuses: Statuses,
    statuses_version: u64,
}

/// A member's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresenceSnapshot {
    /// The status.
    pub status: Status,
    /// When it was last reported, in Unix milliseconds.
    pub at: i64,
}

/// The known statuses, and who is online or away, in display order.
#[derive(Default)]
struct Statuses {
    known: HashMap<Uid, PresenceSnapshot>,
    online: BTreeMap<Box<str>, Arc<Member>>,
    counts: SectionCounts,
    /// The time when the roster was loaded, Unix milliseconds: people without a status count as offline
    /// since then.
    loaded_at: i64,
}

impl Roster {
    /// Sorts a loaded group. `now` is in Unix milliseconds.
    pub fn new(snapshot: Snapshot, now: i64) -> Roster {
        let mut counts = SectionCounts::default();
        for member in &snapshot.members {
            counts[member.section()] += 1;
        }
        let by_uid = snapshot.members.iter().cloned().map(ByUid).collect();
        let mute_ends = snapshot.members.iter().filter_map(|member| mute_end(member)).collect();
        let statuses = Statuses { loaded_at: now, ..Statuses::default() };
        Roster {
            group: snapshot.group,
            seq: snapshot.seq,
            ordered: OrderedMembers::new(snapshot.members),
            by_uid,
            counts,
            count_cache: CountCache::default(),
            mute_ends,
            statuses,
            statuses_version: (now as u64) << 16,
        }
    }

    /// The group.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The last event included.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.by_uid.len()
    }

    /// Whether the group has no members.
    pub fn is_empty(&self) -> bool {
        self.by_uid.is_empty()
    }

    /// The number of members who are online or away.
    pub fn online_len(&self) -> usize {
        self.statuses.online.len()
    }

    /// The members who are online or away, in display order.
    pub fn online(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.statuses.online.values()
    }

    /// The member of this uid.
    pub fn get(&self, uid: &str) -> Option<&Arc<Member>> {
        self.by_uid.get(uid).map(|ByUid(member)| member)
    }

    /// The owner; `None` when it is the host.
    pub fn owner(&self) -> Option<&Arc<Member>> {
        self.ordered.first().filter(|member| member.scope == Scope::Owner)
    }

    /// The number of members whose mute is over at `now`, Unix milliseconds, and not taken back in the database yet.
    pub fn mutes_over_at(&self, now: i64) -> usize {
        self.mute_ends.iter().take_while(|(until, _)| *until <= now).count()
    }

    /// The status of this uid.
    pub fn presence(&self, uid: &str) -> PresenceSnapshot {
        self.statuses
            .known
            .get(uid)
            .copied()
            .unwrap_or(PresenceSnapshot { status: Status::Offline, at: self.statuses.loaded_at })
    }

    /// The status of each of these members, in the same order.
    pub fn statuses(&self, members: &[Arc<Member>]) -> Vec<Status> {
        members.iter().map(|member| self.presence(member.uid()).status).collect()
    }

    /// Advances to event `seq`, with each affected person as they are now; `None` for people who are not members.
    pub fn apply(&mut self, seq: u64, touched: impl IntoIterator<Item = (Uid, Option<Arc<Member>>)>) {
        for (uid, member) in touched {
            self.remove(&uid);
            if let Some(member) = member {
                self.insert(member);
            }
        }
        self.seq = seq;
    }

    /// Replaces the group's name, picture, description and type.
    pub fn set_group(&mut self, group: Group) {
        self.group = group;
    }

    /// Sets a status; `false` when nothing changes: the status is the same, or the uid is not a member's.
    pub fn set_status(&mut self, uid: &Uid, presence: PresenceSnapshot) -> bool {
        let Some(member) = self.get(uid.as_str()).cloned() else { return false };
        if self.presence(uid.as_str()).status == presence.status {
            return false;
        }
        self.statuses.remove(&member);
        self.statuses.known.insert(uid.clone(), presence);
        self.statuses.add(&member);
        self.statuses_version += 1;
        true
    }

    /// Forgets statuses of people who are no members any more.
    pub fn forget_statuses_of_others(&mut self) {
        let by_uid = &self.by_uid;
        self.statuses.known.retain(|uid, _| by_uid.contains(uid.as_str()));
    }

    /// A number that rises with every change of a status and starts higher at each load, so that it identifies the
    /// statuses.
    pub fn statuses_version(&self) -> u64 {
        self.statuses_version
    }

    /// Approximate memory of the roster, in bytes.
    pub fn bytes(&self) -> usize {
        const MEMBER: usize = 56 + 16 + 4 + 24; // packed struct, allocations, order, index
        const GROUP: usize = 2_048; // locks, maps and buffers, also of a group of two
        GROUP + self.ordered.text_bytes() * 2 + self.len() * MEMBER
    }

    fn insert(&mut self, member: Arc<Member>) {
        self.counts[member.section()] += 1;
        self.count_cache.insert(&member);
        self.mute_ends.extend(mute_end(&member));
        self.statuses.add(&member);
        self.ordered.insert(member.clone());
        self.by_uid.insert(ByUid(member));
    }

    fn remove(&mut self, uid: &Uid) {
        if let Some(ByUid(member)) = self.by_uid.take(uid.as_str()) {
            self.counts[member.section()] -= 1;
            self.count_cache.remove(&member);
            if let Some(end) = mute_end(&member) {
                self.mute_ends.remove(&end);
            }
            self.statuses.remove(&member);
            self.ordered.remove(&member);
        }
    }
}

impl Statuses {
    fn add(&mut self, member: &Arc<Member>) {
        if self.known.get(member.uid()).is_some_and(|known| known.status.counts_as_online()) {
            self.online.insert(member.order().into(), member.clone());
            self.counts[member.section()] += 1;
        }
    }

    fn remove(&mut self, member: &Member) {
        if self.online.remove(member.order()).is_some() {
            self.counts[member.section()] -= 1;
        }
    }
}

/// The end of a member's mute, with whose it is.
fn mute_end(member: &Member) -> Option<(i64, Box<str>)> {
    member.muted().map(|muted| (muted.until, member.uid().into()))
}

/// A member in a set keyed by uid, without a second copy of the uid.
struct ByUid(Arc<Member>);

impl Borrow<str> for ByUid {
    fn borrow(&self) -> &str {
        self.0.uid()
    }
}

impl Hash for ByUid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.uid().hash(state);
    }
}

impl PartialEq for ByUid {
    fn eq(&self, other: &Self) -> bool {
        self.0.uid() == other.0.uid()
    }
}

impl Eq for ByUid {}

#[cfg(test)]
mod tests;
