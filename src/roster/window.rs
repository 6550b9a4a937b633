//! A part of the list, as a viewer asks for it.

use std::ops::Bound::{self, Excluded, Included, Unbounded};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::bucket::Finder;
use super::{Filter, Roster, Scopes};
use crate::domain::{Member, OrderKey, Scope, Search, Status};

/// Which part of the filtered list, and how many rows of it at the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Which rows.
    pub part: Part,
    /// Rows at the most.
    pub limit: usize,
}

/// Where a window lies in the filtered list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Part {
    /// The first rows.
    #[default]
    First,
    /// The first rows after a place.
    After(OrderKey),
    /// The last rows before a place.
    Before(OrderKey),
    /// The last rows.
    Last,
    /// From a place, or the first row, to a place, or as far as the limit goes; both inclusive.
    Within {
        /// Where it begins.
        from: Option<OrderKey>,
        /// Where it ends.
        until: Option<OrderKey>,
    },
    /// Rows around a place, with the place in the middle unless the list ends nearby.
    Around(OrderKey),
}

/// A part of the filtered list.
#[derive(Debug, Clone)]
pub struct Window {
    /// The members of it, in display order.
    pub members: Vec<Arc<Member>>,
    /// Where it begins; `None` when nobody comes before it.
    pub previous: Option<OrderKey>,
    /// Where it ends; `None` when nobody comes after it.
    pub next: Option<OrderKey>,
}

impl Default for Span {
    fn default() -> Self {
        Span { part: Part::First, limit: usize::MAX }
    }
}

impl Span {
    /// The first `limit` rows.
    pub fn first(limit: usize) -> Span {
        Span { part: Part::First, limit }
    }
}

impl Roster {
    /// The members of a part of the filtered list. Only that part is walked, wherever in the group
    /// it lies; where few match, also what lies between it and the nearest match at either side.
    pub fn window(&self, filter: &Filter, span: &Span) -> Window {
        let limit = span.limit;
        match &span.part {
            Part::First => self.window_from(filter, Unbounded, None, limit),
            Part::After(place) => self.window_from(filter, Excluded(place), None, limit),
            Part::Within { from, until } => {
                self.window_from(filter, from.as_ref().map_or(Unbounded, Included), until.as_ref(), limit)
            }
            Part::Before(place) => self.window_up_to(filter, Excluded(place), limit),
            Part::Last => self.window_up_to(filter, Unbounded, limit),
            Part::Around(place) => self.window_around(filter, place, limit),
        }
    }

    fn window_from(&self, filter: &Filter, from: Place<'_>, until: Option<&OrderKey>, limit: usize) -> Window {
        let (members, more) = self.rows_from(filter, from, until, limit);
        let earlier = beyond(from).is_some_and(|to| self.rows_up_to(filter, to, 0).1);
        Window::of(members, (earlier, key(from)), (more, until.or(key(from))))
    }

    fn window_up_to(&self, filter: &Filter, to: Place<'_>, limit: usize) -> Window {
        let (members, earlier) = self.rows_up_to(filter, to, limit);
        let more = beyond(to).is_some_and(|from| self.rows_from(filter, from, None, 0).1);
        Window::of(members, (earlier, key(to)), (more, key(to)))
    }

    fn window_around(&self, filter: &Filter, middle: &OrderKey, limit: usize) -> Window {
        let (above, _) = self.rows_up_to(filter, Excluded(middle), limit / 2);
        let (below, more) = self.rows_from(filter, Included(middle), None, limit - above.len());
        // Near the end of the list there is room for more above.
        let (mut members, earlier) = self.rows_up_to(filter, Excluded(middle), limit - below.len());
        members.extend(below);
        Window::of(members, (earlier, Some(middle)), (more, Some(middle)))
    }

    /// Up to `limit` matching rows in display order, the first of them at `from`, none of them after
    /// `until`; and whether more follow.
    fn rows_from(
        &self,
        filter: &Filter,
        from: Place<'_>,
        until: Option<&OrderKey>,
        limit: usize,
    ) -> (Vec<Arc<Member>>, bool) {
        let (mut members, mut more) = (Vec::with_capacity(limit.min(128)), false);
        self.scan(filter, from, |member| {
            more = members.len() == limit || until.is_some_and(|until| member.order() > until.as_str());
            if !more {
                members.push(member.clone());
            }
            !more
        });
        (members, more)
    }

    /// Up to `limit` matching rows in display order, the last of them at `to`; and whether others
    /// come before them.
    fn rows_up_to(&self, filter: &Filter, to: Place<'_>, limit: usize) -> (Vec<Arc<Member>>, bool) {
        let (mut members, mut more) = (Vec::with_capacity(limit.min(128)), false);
        self.scan_back(filter, to, |member| {
            more = members.len() == limit;
            if !more {
                members.push(member.clone());
            }
            !more
        });
        members.reverse();
        (members, more)
    }

    /// A page of the filtered list, by number instead of by place: after so many, so many.
    pub fn page(&self, filter: &Filter, skip: usize, limit: usize) -> Vec<Arc<Member>> {
        let (mut jumped, mut members) = (0, Vec::with_capacity(limit.min(1000)));
        self.scan(filter, Unbounded, |member| {
            if jumped < skip {
                jumped += 1;
            } else if members.len() < limit {
                members.push(member.clone());
            }
            members.len() < limit
        });
        members
    }

    /// How many match, by section (owner first).
    pub fn counts(&self, filter: &Filter) -> [usize; 4] {
        let minus = |all: [usize; 4], some: [usize; 4]| std::array::from_fn(|section| all[section] - some[section]);
        let mut counts = match (filter.search(), filter.online) {
            (all, None) if all.is_empty() => self.counts,
            (all, Some(true)) if all.is_empty() => self.present.counts,
            (all, Some(false)) if all.is_empty() => minus(self.counts, self.present.counts),
            (search, None) => self.searched.counts(search, || self.count(search)),
            (_, Some(true)) => self.count_online(filter),
            (search, Some(false)) => {
                minus(self.searched.counts(search, || self.count(search)), self.count_online(filter))
            }
        };
        for scope in Scope::DESCENDING.into_iter().filter(|&scope| !filter.scopes.contains(scope)) {
            counts[scope.section()] = 0;
        }
        counts
    }

    /// How many are found, by section. No member is looked at where a whole
    /// bucket has one scope, which is nearly everywhere.
    fn count(&self, search: &Search) -> [usize; 4] {
        let finder = Finder::new(search);
        let mut counts = [0; 4];
        for bucket in self.ordered.buckets() {
            match bucket.scope() {
                Some(scope) => counts[scope.section()] += bucket.matches(&finder, 0).count(),
                None => {
                    bucket.matches(&finder, 0).for_each(|place| counts[bucket.members()[place].scope.section()] += 1);
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

    /// Whether this member is in the filtered list.
    pub fn shows(&self, filter: &Filter, member: &Member) -> bool {
        filter.matches(member.name(), member.uid(), member.scope, self.presence(member.uid()).status)
    }

    /// Hands over every matching member from `from` on, in order, until it has had enough.
    fn scan<'a>(&'a self, filter: &Filter, from: Place<'_>, mut take: impl FnMut(&'a Arc<Member>) -> bool) {
        let from = from.map(OrderKey::as_str);
        if filter.online == Some(true) {
            // Those who are there are few: their own list is walked instead of everybody's.
            let there = self.present.online.range::<str, _>((from, Unbounded)).map(|(_, member)| member);
            self.scan_present(filter, there, take);
            return;
        }
        for scope in filter.scopes.iter() {
            // Sections follow one another: those that the filter excludes are skipped as a whole.
            let start = section_start(scope.section());
            let from = if let Included(key) | Excluded(key) = from
                && key > start
            {
                from
            } else {
                Excluded(start)
            };
            if !self.scan_section(filter, scope, from, &mut take) {
                return;
            }
        }
    }

    /// The same from `to` on towards the first.
    fn scan_back<'a>(&'a self, filter: &Filter, to: Place<'_>, mut take: impl FnMut(&'a Arc<Member>) -> bool) {
        let to = to.map(OrderKey::as_str);
        if filter.online == Some(true) {
            let there = self.present.online.range::<str, _>((Unbounded, to)).rev().map(|(_, member)| member);
            self.scan_present(filter, there, take);
            return;
        }
        for scope in Scope::DESCENDING.into_iter().rev().filter(|&scope| filter.scopes.contains(scope)) {
            let end = section_start(scope.section() + 1);
            let to = if let Included(key) | Excluded(key) = to
                && key < end
            {
                to
            } else {
                Excluded(end)
            };
            if !self.scan_section_back(filter, scope, to, &mut take) {
                return;
            }
        }
    }

    fn scan_present<'a>(
        &self,
        filter: &Filter,
        there: impl Iterator<Item = &'a Arc<Member>>,
        mut take: impl FnMut(&'a Arc<Member>) -> bool,
    ) {
        for member in there {
            if filter.matches(member.name(), member.uid(), member.scope, Status::Online) && !take(member) {
                return;
            }
        }
    }

    /// One section's matching members from `from` on; `false` when the taker has had enough.
    fn scan_section<'a>(
        &'a self,
        filter: &Filter,
        scope: Scope,
        from: Bound<&str>,
        take: &mut impl FnMut(&'a Arc<Member>) -> bool,
    ) -> bool {
        let finder = Finder::new(filter.search());
        let (first, mut start) = self.ordered.first_from(from);
        for bucket in &self.ordered.buckets()[first..] {
            let places: &mut dyn Iterator<Item = usize> = if filter.search().is_empty() {
                &mut (start..bucket.members().len())
            } else {
                &mut bucket.matches(&finder, start)
            };
            let members = places.map(|place| &bucket.members()[place]);
            if let ControlFlow::Break(goes_on) = self.take_shown(filter, scope, members, take) {
                return goes_on;
            }
            if bucket.members().last().is_some_and(|last| last.scope != scope) {
                return true;
            }
            start = 0;
        }
        true
    }

    /// The same from `to` on towards the section's first.
    fn scan_section_back<'a>(
        &'a self,
        filter: &Filter,
        scope: Scope,
        to: Bound<&str>,
        take: &mut impl FnMut(&'a Arc<Member>) -> bool,
    ) -> bool {
        let finder = Finder::new(filter.search());
        let (buckets, mut end) = self.ordered.up_to(to);
        let mut found = Vec::new();
        for bucket in self.ordered.buckets()[..buckets].iter().rev() {
            let places: &mut dyn Iterator<Item = usize> = if filter.search().is_empty() {
                &mut (0..end.unwrap_or(bucket.members().len())).rev()
            } else {
                found.clear();
                found.extend(bucket.matches(&finder, 0).take_while(|&place| end.is_none_or(|end| place < end)));
                &mut found.iter().rev().copied()
            };
            let members = places.map(|place| &bucket.members()[place]);
            if let ControlFlow::Break(goes_on) = self.take_shown(filter, scope, members, take) {
                return goes_on;
            }
            if bucket.members().first().is_some_and(|first| first.scope != scope) {
                return true;
            }
            end = None;
        }
        true
    }

    /// Hands over those of a section whom the filter shows. Breaks at the section's end, with `true`, and
    /// when the taker has had enough, with `false`.
    fn take_shown<'a>(
        &self,
        filter: &Filter,
        scope: Scope,
        members: impl Iterator<Item = &'a Arc<Member>>,
        take: &mut impl FnMut(&'a Arc<Member>) -> bool,
    ) -> ControlFlow<bool> {
        for member in members {
            if member.scope != scope {
                return ControlFlow::Break(true);
            }
            if !self.hides(filter, member) && !take(member) {
                return ControlFlow::Break(false);
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether somebody who is there is left out.
    fn hides(&self, filter: &Filter, member: &Member) -> bool {
        filter.online == Some(false) && self.presence(member.uid()).status.counts_as_online()
    }
}

impl Window {
    /// The window of these members, with the places at which it was asked to begin and to end, and
    /// whether there are more beyond.
    fn of(
        members: Vec<Arc<Member>>,
        (earlier, from): (bool, Option<&OrderKey>),
        (more, until): (bool, Option<&OrderKey>),
    ) -> Window {
        let at = |member: Option<&Arc<Member>>, asked: Option<&OrderKey>| {
            member.map(|member| OrderKey::of(member)).or_else(|| asked.cloned())
        };
        let previous = at(members.first(), from).filter(|_| earlier);
        let next = at(members.last(), until).filter(|_| more);
        Window { members, previous, next }
    }
}

/// A place at which something begins or ends, that place included or not.
type Place<'a> = Bound<&'a OrderKey>;

/// Where what is not on this side of a place begins; `None` when everything is.
fn beyond(place: Place<'_>) -> Option<Place<'_>> {
    match place {
        Included(key) => Some(Excluded(key)),
        Excluded(key) => Some(Included(key)),
        Unbounded => None,
    }
}

fn key(place: Place<'_>) -> Option<&OrderKey> {
    match place {
        Included(key) | Excluded(key) => Some(key),
        Unbounded => None,
    }
}

/// Smaller than every key of this section and larger than every key of the sections before.
fn section_start(section: usize) -> &'static str {
    ["0", "1", "2", "3", "4"][section]
}
