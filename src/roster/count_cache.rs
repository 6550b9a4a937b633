//! Counts of recent searches: computed once, then updated as members join, change and leave.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::{Member, Search, SectionCounts};

/// Most searches in the cache; the least recently used one is evicted.
const CAPACITY: usize = 32;

/// Searches with their counts by section, the most recently used last.
#[derive(Default)]
pub(super) struct CountCache(Mutex<Vec<(Search, SectionCounts)>>);

impl CountCache {
    /// The counts of this search, computed by `count` when they are not cached. The caller holds the roster, so that
    /// members do not change meanwhile.
    pub(super) fn counts(&self, search: &Search, count: impl FnOnce() -> SectionCounts) -> SectionCounts {
        {
            let mut entries = self.entries();
            if let Some(at) = entries.iter().position(|(other, _)| other == search) {
                entries[at..].rotate_left(1);
                return entries[entries.len() - 1].1;
            }
        }
        // Computed without the lock, so that cached searches are not delayed.
        let counts = count();
        let mut entries = self.entries();
        if entries.len() == CAPACITY {
            entries.remove(0);
        }
        if entries.iter().all(|(other, _)| other != search) {
            entries.push((search.clone(), counts));
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
        for (_, counts) in entries.iter_mut().filter(|(search, _)| search.finds_folded(&name, &uid)) {
            change(&mut counts[member.section()]);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<(Search, SectionCounts)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
