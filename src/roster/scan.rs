//! Walks over the matching members of a roster, in both directions, without visiting what cannot match.

use std::ops::Bound::{self, Excluded, Included, Unbounded};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::bucket::Finder;
use super::{Filter, Roster};
use crate::domain::{Member, OrderKey, Section, Status};

/// A position in display order, inclusive or exclusive.
pub(super) type KeyBound<'a> = Bound<&'a OrderKey>;

impl Roster {
    /// Whether this member is in the filtered list.
    pub fn shows(&self, filter: &Filter, member: &Member) -> bool {
        filter.matches(member, self.presence(member.uid()).status)
    }

    /// Visits the matching members from `from` on, in display order, while `visit` returns `true`.
    pub(super) fn scan<'a>(
        &'a self,
        filter: &Filter,
        from: KeyBound<'_>,
        mut visit: impl FnMut(&'a Arc<Member>) -> bool,
    ) {
        let from = from.map(OrderKey::as_str);
        if filter.online == Some(true) {
            // Few members are online, so their own index is walked.
            let online = self.statuses.online.range::<str, _>((from, Unbounded)).map(|(_, member)| member);
            self.scan_online(filter, online, visit);
            return;
        }
        for section in sections(filter) {
            // Sections follow each other, so those outside the filter are skipped.
            let start = section.key();
            let from = if let Included(key) | Excluded(key) = from
                && key > start
            {
                from
            } else {
                Excluded(start)
            };
            if !self.scan_section(filter, section, from, &mut visit) {
                return;
            }
        }
    }

    /// Visits the matching members from `to` backwards, while `visit` returns `true`.
    pub(super) fn scan_back<'a>(
        &'a self,
        filter: &Filter,
        to: KeyBound<'_>,
        mut visit: impl FnMut(&'a Arc<Member>) -> bool,
    ) {
        let to = to.map(OrderKey::as_str);
        if filter.online == Some(true) {
            let online = self.statuses.online.range::<str, _>((Unbounded, to)).rev().map(|(_, member)| member);
            self.scan_online(filter, online, visit);
            return;
        }
        for section in sections(filter).rev() {
            let end = section.end();
            let to = if let Included(key) | Excluded(key) = to
                && key < end
            {
                to
            } else {
                Excluded(end)
            };
            if !self.scan_section_back(filter, section, to, &mut visit) {
                return;
            }
        }
    }

    fn scan_online<'a>(
        &self,
        filter: &Filter,
        online: impl Iterator<Item = &'a Arc<Member>>,
        mut visit: impl FnMut(&'a Arc<Member>) -> bool,
    ) {
        for member in online {
            if filter.matches(member, Status::Online) && !visit(member) {
                return;
            }
        }
    }

    /// Visits the matching members of one section from `from` on; returns `false` when `visit` did.
    fn scan_section<'a>(
        &'a self,
        filter: &Filter,
        section: Section,
        from: Bound<&str>,
        visit: &mut impl FnMut(&'a Arc<Member>) -> bool,
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
            if let ControlFlow::Break(unfinished) = self.visit_section(filter, section, members, visit) {
                return unfinished;
            }
            if !bucket.ends_in(section) {
                return true;
            }
            start = 0;
        }
        true
    }

    /// Like [`Roster::scan_section`], from `to` backwards.
    fn scan_section_back<'a>(
        &'a self,
        filter: &Filter,
        section: Section,
        to: Bound<&str>,
        visit: &mut impl FnMut(&'a Arc<Member>) -> bool,
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
            if let ControlFlow::Break(unfinished) = self.visit_section(filter, section, members, visit) {
                return unfinished;
            }
            if !bucket.begins_in(section) {
                return true;
            }
            end = None;
        }
        true
    }

    /// Visits those of a section's members whose status and time of joining the filter accepts. Breaks with `true` at the end of the
    /// section, and with `false` when `visit` returned `false`.
    fn visit_section<'a>(
        &self,
        filter: &Filter,
        section: Section,
        members: impl Iterator<Item = &'a Arc<Member>>,
        visit: &mut impl FnMut(&'a Arc<Member>) -> bool,
    ) -> ControlFlow<bool> {
        for member in members {
            if member.section() != section {
                return ControlFlow::Break(true);
            }
            if !self.excludes(filter, member) && !visit(member) {
                return ControlFlow::Break(false);
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the filter excludes the member for being online, or for having joined earlier.
    fn excludes(&self, filter: &Filter, member: &Member) -> bool {
        !filter.accepts_joined(member)
            || (filter.online == Some(false) && self.presence(member.uid()).status.counts_as_online())
    }
}

/// The sections with members of the filter's scopes, in display order.
fn sections(filter: &Filter) -> impl DoubleEndedIterator<Item = Section> {
    Section::all().filter(|section| filter.scopes.contains(section.scope()))
}
