//! Counts of recent searches and times of joining: computed once, then updated as members join, change and leave.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Filter;
use crate::domain::{Member, SectionCounts};

/// Most filters in the cache; the least recently used one is evicted.
const CAPACITY: usize = 32;

/// Filters with their counts by section, the most recently used last. Their scopes and statuses do not matter here.
#[derive(Default)]
pub(super) struct CountCache(Mutex<Vec<(Filter, SectionCounts)>>);

impl CountCache {
    /// The counts of this filter in all scopes, whatever people's statuses; computed by `count` when they are not cached. The caller holds the roster, so that
    /// members do not change meanwhile.
    pub(super) fn counts(&self, filter: &Filter, count: impl FnOnce() -> SectionCounts) -> SectionCounts {
        {
            let mut entries = self.entries();
            if let Some(at) = entries.iter().position(|(other, _)| is_same(other, filter)) {
                entries[at..].rotate_left(1);
                return entries[entries.len() - 1].1;
            }
        }
        // Computed without the lock, so that cached counts are not delayed.
        let counts = count();
        let mut entries = self.entries();
        if entries.len() == CAPACITY {
            entries.remove(0);
        }
        if entries.iter().all(|(other, _)| !is_same(other, filter)) {
            entries.push((filter.clone(), counts));
        }
        counts
    }

    /// Counts a new member.
    pub(super) fn insert(&mut self, member: &Member) {
        self.update(member, |count| *count += 1);
    }

    /// Uncounts a removed member.
    pub(super) fn remove(&mut self, member: &Member) {
        self.update(member, |count| *count -= 1);
    }

    fn update(&mut self, member: &Member, change: impl Fn(&mut usize)) {
        let entries = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if entries.is_empty() {
            return;
        }
        let (name, uid) = super::filter::folded(member);
        let is_match = |filter: &Filter| filter.accepts_joined(member) && filter.search().finds_folded(&name, &uid);
        for (_, counts) in entries.iter_mut().filter(|(filter, _)| is_match(filter)) {
            change(&mut counts[member.section()]);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<(Filter, SectionCounts)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether these count the same people, in all scopes and whatever their statuses.
fn is_same(one: &Filter, other: &Filter) -> bool {
    one.joined_since == other.joined_since && one.search() == other.search()
}
