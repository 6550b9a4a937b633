//! How many members match a filter, by section.

use std::ops::Bound::Unbounded;

use super::bucket::Finder;
use super::{Filter, Roster, Scopes};
use crate::domain::{Search, Section, SectionCounts};

impl Roster {
    /// The number of matching members in each section.
    pub fn counts(&self, filter: &Filter) -> SectionCounts {
        let mut counts = match (filter.search(), filter.online) {
            (all, None) if all.is_empty() => self.counts,
            (all, Some(true)) if all.is_empty() => self.statuses.counts,
            (all, Some(false)) if all.is_empty() => self.counts - self.statuses.counts,
            (search, None) => self.count_cache.counts(search, || self.count_matches(search)),
            (_, Some(true)) => self.count_online(filter),
            (search, Some(false)) => {
                self.count_cache.counts(search, || self.count_matches(search)) - self.count_online(filter)
            }
        };
        for section in Section::all().filter(|section| !filter.scopes.contains(section.scope())) {
            counts[section] = 0;
        }
        counts
    }

    /// Counts the matches of a search. Members are not visited in buckets of a single section, which nearly all are.
    fn count_matches(&self, search: &Search) -> SectionCounts {
        let finder = Finder::new(search);
        let mut counts = SectionCounts::default();
        for bucket in self.ordered.buckets() {
            match bucket.section() {
                Some(section) => counts[section] += bucket.matches(&finder, 0).count(),
                None => {
                    bucket.matches(&finder, 0).for_each(|at| counts[bucket.members()[at].section()] += 1);
                }
            }
        }
        counts
    }

    fn count_online(&self, filter: &Filter) -> SectionCounts {
        let mut filter = filter.clone();
        (filter.scopes, filter.online) = (Scopes::ALL, Some(true));
        let mut counts = SectionCounts::default();
        self.scan(&filter, Unbounded, |member| {
            counts[member.section()] += 1;
            true
        });
        counts
    }
}
