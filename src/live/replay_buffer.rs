//! The last events of a group, for streams that resume: when a node ends, hundreds resume at once, and
//! all have missed the same.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::domain::LoggedEvent;

/// The last events of a group, without gaps.
#[derive(Default)]
pub(super) struct ReplayBuffer(VecDeque<Arc<LoggedEvent>>);

impl ReplayBuffer {
    /// The number of events kept; older ones are read from the log.
    pub(super) const MAX_EVENTS: usize = 1000;

    /// The newest.
    pub(super) fn last(&self) -> Option<&Arc<LoggedEvent>> {
        self.0.back()
    }

    /// The events after `since` up to `head`, the group's last; `None` when some of them are no longer here.
    pub(super) fn since(&self, since: u64, head: u64) -> Option<Vec<Arc<LoggedEvent>>> {
        if since == head {
            return Some(Vec::new());
        }
        let oldest = self.0.front()?.seq;
        (since < head && oldest <= since + 1)
            .then(|| self.0.iter().filter(|event| event.seq > since).cloned().collect())
    }

    /// Adds the group's next event.
    pub(super) fn add(&mut self, event: Arc<LoggedEvent>) {
        if self.0.back().is_some_and(|last| last.seq + 1 != event.seq) {
            self.0.clear();
        }
        if self.0.len() == ReplayBuffer::MAX_EVENTS {
            self.0.pop_front();
        }
        self.0.push_back(event);
    }

    /// Adds earlier events, as far as there is room; `head` is the group's last.
    pub(super) fn prepend(&mut self, events: &[Arc<LoggedEvent>], head: u64) {
        let next = self.0.front().map_or(head + 1, |oldest| oldest.seq);
        let mut older: Vec<_> = events.iter().filter(|event| event.seq < next).cloned().collect();
        if older.last().is_none_or(|last| last.seq + 1 != next) {
            return;
        }
        older.drain(..older.len().saturating_sub(ReplayBuffer::MAX_EVENTS - self.0.len()));
        older.into_iter().rev().for_each(|event| self.0.push_front(event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cause, EventKind};

    fn event(seq: u64) -> Arc<LoggedEvent> {
        let guid = "den".parse().unwrap();
        Arc::new(LoggedEvent::new(guid, seq, 0, EventKind::MemberJoined, Cause::Viewer, vec![]))
    }

    fn events(range: std::ops::RangeInclusive<u64>) -> Vec<Arc<LoggedEvent>> {
        range.map(event).collect()
    }

    fn since(recent: &ReplayBuffer, since: u64, head: u64) -> Option<Vec<u64>> {
        Some(recent.since(since, head)?.iter().map(|event| event.seq).collect())
    }

    #[test]
    fn what_was_read_for_one_who_came_back_is_there_for_the_next() {
        let mut recent = ReplayBuffer::default();
        assert_eq!(since(&recent, 7, 9), None);
        recent.prepend(&events(5..=9), 9);
        assert_eq!(since(&recent, 7, 9), Some(vec![8, 9]));
        assert_eq!(since(&recent, 3, 9), None);
        recent.prepend(&events(2..=9), 9);
        assert_eq!(since(&recent, 3, 9), Some(vec![4, 5, 6, 7, 8, 9]));
        assert_eq!(since(&recent, 9, 9), Some(vec![]));
    }

    #[test]
    fn what_happened_while_it_was_read_comes_behind_it() {
        let mut recent = ReplayBuffer::default();
        recent.add(event(10));
        recent.prepend(&events(8..=9), 10);
        recent.add(event(11));
        assert_eq!(since(&recent, 7, 11), Some(vec![8, 9, 10, 11]));
    }

    #[test]
    fn there_is_never_a_gap() {
        let mut recent = ReplayBuffer::default();
        recent.prepend(&events(5..=7), 9);
        assert_eq!(since(&recent, 6, 9), None, "8 and 9 are missing");
        recent.add(event(12));
        recent.prepend(&events(5..=9), 12);
        assert_eq!((since(&recent, 8, 12), since(&recent, 11, 12)), (None, Some(vec![12])));
        recent.add(event(14));
        assert_eq!((since(&recent, 11, 14), since(&recent, 13, 14)), (None, Some(vec![14])));
    }

    #[test]
    fn the_newest_are_kept() {
        let mut recent = ReplayBuffer::default();
        recent.prepend(&events(1..=1999), 1999);
        assert_eq!((since(&recent, 998, 1999), since(&recent, 999, 1999).map(|all| all.len())), (None, Some(1000)));
        recent.add(event(2000));
        assert_eq!((since(&recent, 999, 2000), since(&recent, 1000, 2000).map(|all| all.len())), (None, Some(1000)));
    }
}
