//! A part of the list, as a viewer asks for it.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::{Filter, Roster, Scopes};
use crate::domain::{Member, OrderKey, Scope, Status};

/// Which part of the filtered list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// After this place; from the start without one.
    pub after: Option<OrderKey>,
    /// Up to and with this place.
    pub until: Option<OrderKey>,
    /// So many rows at the most.
    pub limit: usize,
}

/// A part of the filtered list.
#[derive(Debug, Clone)]
pub struct Window {
    /// The members of it, in display order.
    pub members: Vec<Arc<Member>>,
    /// Where it ends; `None` when nobody comes after it.
    pub end: Option<OrderKey>,
}

impl Roster {
    /// The members of a part of the filtered list. Stops at the part's end, wherever the group's is.
    pub fn window(&self, filter: &Filter, span: &Span) -> Window {
        let until = span.until.as_ref().map(OrderKey::as_str);
        let mut members = Vec::with_capacity(span.limit.min(128));
        let mut end = None;
        self.scan(filter, span.after.as_ref().map_or("", OrderKey::as_str), |member| {
            if until.is_some_and(|until| member.order() > until) {
                end = span.until.clone();
            } else if members.len() == span.limit {
                end = members.last().map(|last: &Arc<Member>| OrderKey::of(last)).or_else(|| span.after.clone());
            } else {
                members.push(member.clone());
                return true;
            }
            false
        });
        Window { members, end }
    }

    /// A page of the filtered list, by number instead of by place: after so many, so many.
    pub fn page(&self, filter: &Filter, skip: usize, limit: usize) -> Vec<Arc<Member>> {
        let (mut jumped, mut members) = (0, Vec::with_capacity(limit.min(1000)));
        self.scan(filter, "", |member| {
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
        let mut counts = match (filter.needle(), filter.online) {
            ("", None) => self.counts,
            ("", Some(true)) => self.present.counts,
            ("", Some(false)) => minus(self.counts, self.present.counts),
            (needle, None) => self.searched.counts(needle, || self.count(needle)),
            (_, Some(true)) => self.count_online(filter),
            (needle, Some(false)) => {
                minus(self.searched.counts(needle, || self.count(needle)), self.count_online(filter))
            }
        };
        for scope in Scope::DESCENDING.into_iter().filter(|&scope| !filter.scopes.contains(scope)) {
            counts[scope.section()] = 0;
        }
        counts
    }

    /// How many names or uids hold the needle, by section. No member is looked at where a whole
    /// bucket has one scope, which is nearly everywhere.
    fn count(&self, needle: &str) -> [usize; 4] {
        let finder = Finder::new(needle);
        let mut counts = [0; 4];
        for bucket in self.ordered.buckets() {
            match bucket.scope() {
                Some(scope) => counts[scope.section()] += bucket.matches(&finder, 0).count(),
                None => {
                    bucket.matches(&finder, 0).for_each(|place| counts[bucket.members()[place].scope.section()] += 1)
                }
            }
        }
        counts
    }

    fn count_online(&self, filter: &Filter) -> [usize; 4] {
        let mut filter = filter.clone();
        (filter.scopes, filter.online) = (Scopes::ALL, Some(true));
        let mut counts = [0; 4];
        self.scan(&filter, "", |member| {
            counts[member.scope.section()] += 1;
            true
        });
        counts
    }

    /// Whether this member is in the filtered list.
    pub fn shows(&self, filter: &Filter, member: &Member) -> bool {
        filter.matches(member.name(), member.uid(), member.scope, self.presence(member.uid()).status)
    }

    /// Hands over every matching member after `key`, in order, until it has had enough.
    fn scan<'a>(&'a self, filter: &Filter, key: &str, mut take: impl FnMut(&'a Arc<Member>) -> bool) {
        if filter.online == Some(true) {
            // Those who are there are few: their own list is walked instead of everybody's.
            let range = (std::ops::Bound::Excluded(key), std::ops::Bound::Unbounded);
            for (_, member) in self.present.online.range::<str, _>(range) {
                if filter.matches(member.name(), member.uid(), member.scope, Status::Online) && !take(member) {
                    return;
                }
            }
            return;
        }
        for scope in filter.scopes.iter() {
            // Sections lie one behind the other: those that are not asked for are jumped over.
            let start = key.max(section_start(scope));
            if !self.scan_section(filter, scope, start, &mut take) {
                return;
            }
        }
    }

    /// One section's matching members after `key`; `false` when the taker has had enough.
    fn scan_section<'a>(
        &'a self,
        filter: &Filter,
        scope: Scope,
        key: &str,
        take: &mut impl FnMut(&'a Arc<Member>) -> bool,
    ) -> bool {
        let finder = Finder::new(filter.needle());
        let hidden =
            |member: &Member| filter.online == Some(false) && self.presence(member.uid()).status.counts_as_online();
        let (first, mut from) = self.ordered.after(key);
        for bucket in &self.ordered.buckets()[first.min(self.ordered.buckets().len())..] {
            let places: &mut dyn Iterator<Item = usize> = if filter.needle().is_empty() {
                &mut (from..bucket.members().len())
            } else {
                &mut bucket.matches(&finder, from)
            };
            for place in places {
                let member = &bucket.members()[place];
                if member.scope != scope {
                    return true;
                }
                if !hidden(member) && !take(member) {
                    return false;
                }
            }
            if bucket.members().last().is_some_and(|last| last.scope != scope) {
                return true;
            }
            from = 0;
        }
        true
    }
}

/// Smaller than every key of this section and larger than every key of the sections before.
fn section_start(scope: Scope) -> &'static str {
    match scope {
        Scope::Owner => "0",
        Scope::Admin => "1",
        Scope::Moderator => "2",
        Scope::Participant => "3",
    }
}
