//! Windows: the part of the filtered list that a viewer has asked for.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

use super::scan::KeyBound;
use super::{Filter, Roster};
use crate::domain::{Member, OrderKey};

/// A requested part of the filtered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRange {
    /// The wanted part.
    pub part: RangePart,
    /// Most rows.
    pub limit: usize,
}

/// A part of the filtered list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RangePart {
    /// The first rows.
    #[default]
    First,
    /// The first rows after a position.
    After(OrderKey),
    /// The last rows before a position.
    Before(OrderKey),
    /// The last rows.
    Last,
    /// From a position (or the first row) to a position (or as far as the limit allows), both inclusive.
    Within {
        /// The start.
        from: Option<OrderKey>,
        /// The end.
        until: Option<OrderKey>,
    },
    /// Rows around a position, which is in the middle unless the list ends nearby.
    Around(OrderKey),
}

/// A part of the filtered list.
#[derive(Debug, Clone)]
pub struct Window {
    /// Its members, in display order.
    pub members: Vec<Arc<Member>>,
    /// The position of its first row; `None` when no row precedes it.
    pub previous: Option<OrderKey>,
    /// The position of its last row; `None` when no row follows it.
    pub next: Option<OrderKey>,
}

impl Default for PageRange {
    fn default() -> Self {
        PageRange { part: RangePart::First, limit: usize::MAX }
    }
}

impl PageRange {
    /// The first `limit` rows.
    pub fn first(limit: usize) -> PageRange {
        PageRange { part: RangePart::First, limit }
    }
}

impl Roster {
    /// The window of this range. The cost depends on the window, not on its position; where few members match, also on
    /// the distance to the nearest match at either side.
    pub fn window(&self, filter: &Filter, range: &PageRange) -> Window {
        let limit = range.limit;
        match &range.part {
            RangePart::First => self.window_from(filter, Unbounded, None, limit),
            RangePart::After(place) => self.window_from(filter, Excluded(place), None, limit),
            RangePart::Within { from, until } => {
                self.window_from(filter, from.as_ref().map_or(Unbounded, Included), until.as_ref(), limit)
            }
            RangePart::Before(place) => self.window_up_to(filter, Excluded(place), limit),
            RangePart::Last => self.window_up_to(filter, Unbounded, limit),
            RangePart::Around(place) => self.window_around(filter, place, limit),
        }
    }

    fn window_from(&self, filter: &Filter, from: KeyBound<'_>, until: Option<&OrderKey>, limit: usize) -> Window {
        let (members, more) = self.rows_from(filter, from, until, limit);
        let earlier = beyond(from).is_some_and(|to| self.rows_up_to(filter, to, 0).1);
        Window::of(members, (earlier, key(from)), (more, until.or(key(from))))
    }

    fn window_up_to(&self, filter: &Filter, to: KeyBound<'_>, limit: usize) -> Window {
        let (members, earlier) = self.rows_up_to(filter, to, limit);
        let more = beyond(to).is_some_and(|from| self.rows_from(filter, from, None, 0).1);
        Window::of(members, (earlier, key(to)), (more, key(to)))
    }

    fn window_around(&self, filter: &Filter, middle: &OrderKey, limit: usize) -> Window {
        let (above, _) = self.rows_up_to(filter, Excluded(middle), limit / 2);
        let (below, more) = self.rows_from(filter, Included(middle), None, limit - above.len());
        // Fewer rows below leave room for more above.
        let (mut members, earlier) = self.rows_up_to(filter, Excluded(middle), limit - below.len());
        members.extend(below);
        Window::of(members, (earlier, Some(middle)), (more, Some(middle)))
    }

    /// Up to `limit` matching rows in display order, from `from` to `until`; and whether more rows follow.
    fn rows_from(
        &self,
        filter: &Filter,
        from: KeyBound<'_>,
        until: Option<&OrderKey>,
        limit: usize,
    ) -> (Vec<Arc<Member>>, bool) {
        // A search also needs the number of matches, so all are counted. After the last match there is nothing left
        // to look for.
        let (all, first) = if matches!(from, Unbounded) && !filter.search().is_empty() {
            self.count_and_first(filter, limit)
        } else {
            (usize::MAX, None)
        };
        if let Some(mut members) = first {
            members.truncate(
                until.map_or(limit, |until| {
                    members.partition_point(|member| member.order() <= until.as_str()).min(limit)
                }),
            );
            let more = members.len() < all;
            return (members, more);
        }
        let (mut members, mut more) = (Vec::with_capacity(limit.min(128)), false);
        if all == 0 {
            return (members, more);
        }
        self.scan(filter, from, |member| {
            more = members.len() == limit || until.is_some_and(|until| member.order() > until.as_str());
            if !more {
                members.push(member.clone());
            }
            !more && members.len() < all
        });
        (members, more)
    }

    /// The last `limit` matching rows up to `to`, in display order; and whether more rows precede them.
    fn rows_up_to(&self, filter: &Filter, to: KeyBound<'_>, limit: usize) -> (Vec<Arc<Member>>, bool) {
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

    /// A page of the filtered list by offset: `limit` members after the first `skip`.
    pub fn page(&self, filter: &Filter, skip: usize, limit: usize) -> Vec<Arc<Member>> {
        let (mut skipped, mut members) = (0, Vec::with_capacity(limit.min(1000)));
        self.scan(filter, Unbounded, |member| {
            if skipped < skip {
                skipped += 1;
            } else if members.len() < limit {
                members.push(member.clone());
            }
            members.len() < limit
        });
        members
    }
}

impl Window {
    /// The window of these members. Each side has whether there are more rows beyond it, and the requested position,
    /// which stands in for a first or last row when there is none.
    fn of(
        members: Vec<Arc<Member>>,
        (earlier, from): (bool, Option<&OrderKey>),
        (more, until): (bool, Option<&OrderKey>),
    ) -> Window {
        let position = |member: Option<&Arc<Member>>, requested: Option<&OrderKey>| {
            member.map(|member| OrderKey::of(member)).or_else(|| requested.cloned())
        };
        let previous = position(members.first(), from).filter(|_| earlier);
        let next = position(members.last(), until).filter(|_| more);
        Window { members, previous, next }
    }
}

/// The bound of the rows on the other side of a bound; `None` when there are none.
fn beyond(place: KeyBound<'_>) -> Option<KeyBound<'_>> {
    match place {
        Included(key) => Some(Excluded(key)),
        Excluded(key) => Some(Included(key)),
        Unbounded => None,
    }
}

fn key(place: KeyBound<'_>) -> Option<&OrderKey> {
    match place {
        Included(key) | Excluded(key) => Some(key),
        Unbounded => None,
    }
}
