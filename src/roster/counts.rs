//! The number of members who match a filter, by section.

use std::ops::Bound::Unbounded;
use std::sync::Arc;

use super::bucket::Finder;
use super::{Filter, Roster, Scopes};
use crate::domain::{Member, Section, SectionCounts};

impl Roster {
    /// The number of matching members in each section.
    pub fn counts(&self, filter: &Filter) -> SectionCounts {
        let all = filter.search().is_empty() && filter.joined_since.is_none();
        let matches = || self.count_cache.counts(filter, || self.count_matches(filter, |_| false));
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

    /// The number of members who match a search alone, and the first `most` of them in display order; they are found by the pass that
    /// counts. `None` where the number is known already, or more than a search narrows the list.
    pub(super) fn count_and_first(&self, filter: &Filter, most: usize) -> (usize, Option<Vec<Arc<Member>>>) {
        if filter.scopes != Scopes::ALL || filter.online.is_some() || filter.joined_since.is_some() {
            return (self.counts(filter).total(), None);
        }
        let mut first = None;
        let counts = self.count_cache.counts(filter, || {
            let members = first.insert(Vec::new());
            self.count_matches(filter, |member| {
                members.push(member.clone());
                members.len() < most
            })
        });
        (counts.total(), first)
    }

    /// Counts the matches in all scopes, whatever their status, and visits them in display order as long as `visit` returns `true`. For
    /// a search alone, the others are not visited in buckets of a single section, which nearly all are.
    fn count_matches(&self, filter: &Filter, mut visit: impl FnMut(&Arc<Member>) -> bool) -> SectionCounts {
        if filter.joined_since.is_some() {
            return self.count_one_by_one(filter, None);
        }
        let finder = Finder::new(filter.search());
        let mut counts = SectionCounts::default();
        let mut goes_on = true;
        for bucket in self.ordered.buckets() {
            let mut matches = bucket.matches(&finder, 0);
            while goes_on && let Some(at) = matches.next() {
                let member = &bucket.members()[at];
                counts[member.section()] += 1;
                goes_on = visit(member);
            }
            match bucket.section() {
                Some(section) => counts[section] += matches.count(),
                None => matches.for_each(|at| counts[bucket.members()[at].section()] += 1),
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
