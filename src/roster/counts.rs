//! How many members match a filter, by section.

use std::ops::Bound::Unbounded;

use super::bucket::Finder;
use super::{Filter, Roster, Scopes};
use crate::domain::{Scope, Search};

impl Roster {
    /// The number of matching members in each section, owner first.
    pub fn counts(&self, filter: &Filter) -> [usize; 4] {
        let subtract = |all: [usize; 4], some: [usize; 4]| std::array::from_fn(|section| all[section] - some[section]);
        let mut counts = match (filter.search(), filter.online) {
            (all, None) if all.is_empty() => self.counts,
            (all, Some(true)) if all.is_empty() => self.presences.counts,
            (all, Some(false)) if all.is_empty() => subtract(self.counts, self.presences.counts),
            (search, None) => self.count_cache.counts(search, || self.count_matches(search)),
            (_, Some(true)) => self.count_online(filter),
            (search, Some(false)) => {
                subtract(self.count_cache.counts(search, || self.count_matches(search)), self.count_online(filter))
            }
        };
        for scope in Scope::DESCENDING.into_iter().filter(|&scope| !filter.scopes.contains(scope)) {
            counts[scope.section()] = 0;
        }
        counts
    }

    /// Counts the matches of a search. Members are not visited in buckets of a single scope, which nearly all are.
    fn count_matches(&self, search: &Search) -> [usize; 4] {
        let finder = Finder::new(search);
        let mut counts = [0; 4];
        for bucket in self.ordered.buckets() {
            match bucket.scope() {
                Some(scope) => counts[scope.section()] += bucket.matches(&finder, 0).count(),
                None => {
                    bucket.matches(&finder, 0).for_each(|at| counts[bucket.members()[at].scope.section()] += 1);
                }
            }
        }
        counts
    }

    fn count_online(&self, filter: &Filter) -> [usize; 4] {
        let mut filter = filter.clone();
        (filter.scopes, filter.online) = (Scopes::ALL, Some(true));
        let mut counts = [0; 4];
        self.scan(&filter, Unbounded, |member| {
            counts[member.scope.section()] += 1;
            true
        });
        counts
    }
}
