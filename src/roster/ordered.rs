//! Members in display order, in a list of buckets.

use std::ops::Bound;
use std::sync::Arc;

use super::bucket::Bucket;
use crate::domain::Member;

/// Members of a new bucket.
const INITIAL_BUCKET: usize = 512;
/// Most members of a bucket; a larger one is split.
const MAX_BUCKET: usize = 1024;

pub(super) struct OrderedMembers {
    /// The buckets; none is empty.
    buckets: Vec<Bucket>,
}

impl OrderedMembers {
    pub(super) fn new(members: Vec<Arc<Member>>) -> OrderedMembers {
        let sorted = sorted(members);
        OrderedMembers { buckets: sorted.chunks(INITIAL_BUCKET).map(|chunk| Bucket::of(chunk.to_vec())).collect() }
    }

    pub(super) fn first(&self) -> Option<&Arc<Member>> {
        self.buckets.first()?.members().first()
    }

    pub(super) fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.buckets.iter().map(Bucket::text_bytes).sum()
    }

    pub(super) fn insert(&mut self, member: Arc<Member>) {
        if self.buckets.is_empty() {
            self.buckets.push(Bucket::default());
        }
        let at = self.bucket_of(member.order());
        self.buckets[at].insert(member);
        if self.buckets[at].members().len() > MAX_BUCKET {
            let upper = self.buckets[at].split();
            self.buckets.insert(at + 1, upper);
        }
    }

    pub(super) fn remove(&mut self, member: &Member) {
        if self.buckets.is_empty() {
            return;
        }
        let at = self.bucket_of(member.order());
        self.buckets[at].remove(member);
        if self.buckets[at].members().is_empty() {
            self.buckets.remove(at);
        }
    }

    /// The indices (bucket, member in it) of the first member after the bound.
    pub(super) fn first_from(&self, from: Bound<&str>) -> (usize, usize) {
        let (Bound::Included(key) | Bound::Excluded(key)) = from else { return (0, 0) };
        if self.buckets.is_empty() {
            return (0, 0);
        }
        let at = self.bucket_of(key);
        let members = self.buckets[at].members();
        let is_before = |order: &str| if matches!(from, Bound::Excluded(_)) { order <= key } else { order < key };
        let inner = members.partition_point(|member| is_before(member.order()));
        if inner == members.len() { (at + 1, 0) } else { (at, inner) }
    }

    /// The number of buckets with members up to the bound, and the number of those members in the last of them; `None`
    /// for all.
    pub(super) fn up_to(&self, to: Bound<&str>) -> (usize, Option<usize>) {
        let beyond = match to {
            Bound::Included(key) => Bound::Excluded(key),
            Bound::Excluded(key) => Bound::Included(key),
            Bound::Unbounded => return (self.buckets.len(), None),
        };
        match self.first_from(beyond) {
            (bucket, 0) => (bucket, None),
            (bucket, inner) => (bucket + 1, Some(inner)),
        }
    }

    /// The index of the last bucket that begins at or before `key`, or of the first bucket.
    fn bucket_of(&self, key: &str) -> usize {
        let beyond =
            self.buckets.partition_point(|bucket| bucket.members().first().is_some_and(|first| first.order() <= key));
        beyond.saturating_sub(1)
    }
}

/// Sorts by key. The first bytes of each key are compared without following a pointer: sorting is most of the time that
/// loading a large group takes.
fn sorted(members: Vec<Arc<Member>>) -> Vec<Arc<Member>> {
    let mut prefixed: Vec<(u128, Arc<Member>)> =
        members.into_iter().map(|member| (prefix(member.order()), member)).collect();
    prefixed.sort_unstable_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.order().cmp(right.order())));
    prefixed.into_iter().map(|(_, member)| member).collect()
}

/// The first 16 bytes of a key, comparable as a number.
fn prefix(key: &str) -> u128 {
    let mut bytes = [0; 16];
    let length = key.len().min(16);
    bytes[..length].copy_from_slice(&key.as_bytes()[..length]);
    u128::from_be_bytes(bytes)
}
