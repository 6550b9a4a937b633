//! The read side: one group's members in display order, in memory. Answers a page, a search, the
//! counts and a member's place in microseconds, without the database.
//!
//! A cache: loaded from the tables, moved forward by events in order.

mod bucket;
mod filter;
mod ordered;
mod searched;
mod window;

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use filter::{Filter, Scopes};
pub use window::{Part, Span, Window};

use crate::domain::{Group, Member, Scope, Status, Uid};
use crate::store::Snapshot;
use ordered::Ordered;
use searched::Searched;

/// A group's members, in display order.
pub struct Roster {
    group: Group,
    seq: u64,
    ordered: Ordered,
    by_uid: HashSet<ByUid>,
    counts: [usize; 4],
    searched: Searched,
    present: Present,
    statuses_version: u64,
}

/// A member's status and since when, milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// Whether they are there.
    pub status: Status,
    /// When that was last told.
    pub at: i64,
}

/// Who is online or away, in display order, and what was last told of each.
#[derive(Default)]
struct Present {
    told: HashMap<Uid, Presence>,
    online: BTreeMap<Box<str>, Arc<Member>>,
    counts: [usize; 4],
    /// The status of everybody for whom none was reported: offline since this roster was loaded.
    since: i64,
}

impl Roster {
    /// Puts a loaded group in order. `now` in milliseconds since the epoch.
    pub fn new(snapshot: Snapshot, now: i64) -> Roster {
        let mut counts = [0; 4];
        for member in &snapshot.members {
            counts[member.scope.section()] += 1;
        }
        let by_uid = snapshot.members.iter().cloned().map(ByUid).collect();
        let present = Present { since: now, ..Present::default() };
        Roster {
            group: snapshot.group,
            seq: snapshot.seq,
            ordered: Ordered::new(snapshot.members),
            by_uid,
            counts,
            searched: Searched::default(),
            present,
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

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.by_uid.len()
    }

    /// Whether nobody is in the group.
    pub fn is_empty(&self) -> bool {
        self.by_uid.is_empty()
    }

    /// How many of them are online or away.
    pub fn online_len(&self) -> usize {
        self.present.online.len()
    }

    /// Everybody online or away, in display order.
    pub fn online(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.present.online.values()
    }

    /// The member of this uid.
    pub fn get(&self, uid: &str) -> Option<&Arc<Member>> {
        self.by_uid.get(uid).map(|ByUid(member)| member)
    }

    /// Who owns the group.
    pub fn owner(&self) -> Option<&Arc<Member>> {
        self.ordered.first().filter(|member| member.scope == Scope::Owner)
    }

    /// The status of this uid.
    pub fn presence(&self, uid: &str) -> Presence {
        self.present.told.get(uid).copied().unwrap_or(Presence { status: Status::Offline, at: self.present.since })
    }

    /// The status of each of these people, in their order.
    pub fn statuses(&self, members: &[Arc<Member>]) -> Vec<Status> {
        members.iter().map(|member| self.presence(member.uid()).status).collect()
    }

    /// Moves to event `seq`: each touched person as they are now, or their absence.
    pub fn apply(&mut self, seq: u64, touched: impl IntoIterator<Item = (Uid, Option<Arc<Member>>)>) {
        for (uid, member) in touched {
            self.take_out(&uid);
            if let Some(member) = member {
                self.put_in(member);
            }
        }
        self.seq = seq;
    }

    /// Takes the group under another name, picture, description or type.
    pub fn set_group(&mut self, group: Group) {
        self.group = group;
    }

    /// Sets a status; `false` when it is unchanged or no member has this uid.
    pub fn set_status(&mut self, uid: &Uid, presence: Presence) -> bool {
        let Some(member) = self.get(uid.as_str()).cloned() else { return false };
        if self.presence(uid.as_str()).status == presence.status {
            return false;
        }
        self.present.forget(&member);
        self.present.told.insert(uid.clone(), presence);
        self.present.note(&member);
        self.statuses_version += 1;
        true
    }

    /// Rises with every status that changes, and begins higher each time a group is loaded, so that
    /// the same number never stands for other statuses.
    pub fn statuses_version(&self) -> u64 {
        self.statuses_version
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        const MEMBER: usize = 56 + 16 + 4 + 24; // packed struct, allocations, position, index
        self.ordered.text_bytes() * 2 + self.len() * MEMBER
    }

    fn put_in(&mut self, member: Arc<Member>) {
        self.counts[member.scope.section()] += 1;
        self.searched.put_in(&member);
        self.present.note(&member);
        self.ordered.insert(member.clone());
        self.by_uid.insert(ByUid(member));
    }

    fn take_out(&mut self, uid: &Uid) {
        if let Some(ByUid(member)) = self.by_uid.take(uid.as_str()) {
            self.counts[member.scope.section()] -= 1;
            self.searched.take_out(&member);
            self.present.forget(&member);
            self.ordered.remove(&member);
        }
    }
}

impl Present {
    fn note(&mut self, member: &Arc<Member>) {
        if self.told.get(member.uid()).is_some_and(|told| told.status.counts_as_online()) {
            self.online.insert(member.order().into(), member.clone());
            self.counts[member.scope.section()] += 1;
        }
    }

    fn forget(&mut self, member: &Member) {
        if self.online.remove(member.order()).is_some() {
            self.counts[member.scope.section()] -= 1;
        }
    }
}

/// A member found by uid, without another copy of the uid.
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
