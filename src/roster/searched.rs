//! How many members match the searches in use: counted once, then updated as members come, change and go.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::{Member, Search};

/// Most searches whose counts are kept; the least recently used is evicted.
const KEPT: usize = 32;

/// Searches with their counts by section, the one asked for last at the end.
#[derive(Default)]
pub(super) struct Searched(Mutex<Vec<(Search, [usize; 4])>>);

impl Searched {
    /// The counts of this search, from `count` when they are not known. Whoever calls holds the
    /// roster, so that nobody comes or goes meanwhile.
    pub(super) fn counts(&self, search: &Search, count: impl FnOnce() -> [usize; 4]) -> [usize; 4] {
        {
            let mut kept = self.kept();
            if let Some(at) = kept.iter().position(|(other, _)| other == search) {
                kept[at..].rotate_left(1);
                return kept[kept.len() - 1].1;
            }
        }
        // Counted without the lock, so that searches with known counts do not wait.
        let counts = count();
        let mut kept = self.kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        if kept.iter().all(|(other, _)| other != search) {
            kept.push((search.clone(), counts));
        }
        counts
    }

    /// Somebody came.
    pub(super) fn put_in(&mut self, member: &Member) {
        self.move_by(member, |count| *count += 1);
    }

    /// Somebody went.
    pub(super) fn take_out(&mut self, member: &Member) {
        self.move_by(member, |count| *count -= 1);
    }

    fn move_by(&mut self, member: &Member, by: impl Fn(&mut usize)) {
        let kept = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            return;
        }
        let (name, uid) = super::filter::folded(member);
        for (_, counts) in kept.iter_mut().filter(|(search, _)| search.finds_folded(&name, &uid)) {
            by(&mut counts[member.scope.section()]);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(Search, [usize; 4])>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
