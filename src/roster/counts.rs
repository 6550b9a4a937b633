//! The number of members who match a filter, by section.

use std::ops::Bound::Unbounded;

use super::bucket::Finder;
use super::{Filter, Roster, Scopes};
use crate::domain::{Section, SectionCounts};

impl Roster {
    /// The number of matching members in each section.
    pub fn counts(&self, filter: &Filter) -> SectionCounts {
        let all = filter.search().is_empty() && filter.joined_since.is_none();
        let matches = || self.count_cache.counts(filter, || self.count_matches(filter));
        let mut counts = match filter.online {
            None if all => self.counts,
            Some(true) if all => self.statuses.counts,
            Some(false) if all => self.counts - self.statuses.counts,
            None => matches(),
            Some(true) => self.count_online(filter),
            Some(false) => matches() - self.count_online(filter),
        };
        for section in Section::all().filter(|section| !filter.scopes.contains(section.scope())) {
            counts[section] = 0;
        }
        counts
    }

    /// Counts the matches in all scopes, whatever their status. For a search alone, members are not visited in buckets of
    /// a single section, which nearly all are.
    fn count_matches(&self, filter: &Filter) -> SectionCounts {
        if filter.joined_since.is_some() {
            return self.count_one_by_one(filter, None);
        }
        let finder = Finder::new(filter.search());
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
        self.count_one_by_one(filter, Some(true))
    }

    /// Counts the matches in all scopes with this status by visiting them.
    fn count_one_by_one(&self, filter: &Filter, online: Option<bool>) -> SectionCounts {
        let mut filter = filter.clone();
        (filter.scopes, filter.online) = (Scopes::ALL, online);
        let mut counts = SectionCounts::default();
        self.scan(&filter, Unbounded, |member| {
            counts[member.section()] += 1;
            true
        });
        counts
    }
}
