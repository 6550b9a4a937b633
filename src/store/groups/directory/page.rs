//! The page of a directory that is asked for, chosen out of all entries that match: by order, cursor, offset and limit.

use super::place::{first_named, last_named, place_of};
use crate::domain::{Group, Restriction, fold_for_order, sort_key};
use crate::store::User;
use crate::store::groups::group::GroupDetails;

/// Entries beyond a page that are kept until there are more, so that few of them make it be sorted.
const SPARE: usize = 1_000;
/// Time after the end of a second before a page of later changes includes it, in milliseconds. A change that is committed after its
/// second was on a page would be on no later page.
const SETTLING: i64 = 1_000;

/// The sort order of a list. Equal entries are sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// The id.
    #[default]
    Id,
    /// The name, as people sort it.
    Name,
    /// When it was made.
    CreatedAt,
    /// When it was last changed.
    UpdatedAt,
}

/// The entries beyond a time of last change, as cursors name it: in Unix seconds, or as [`Listing::resume_at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// Entries changed later, the earliest first. The last one or two seconds are left out, since changes of theirs may not be
    /// committed yet.
    After(i64),
    /// Entries changed before, the latest first.
    Before(i64),
}

/// A page of the directory.
#[derive(Debug, Clone, Default)]
pub struct DirectoryQuery {
    /// The order; that of a cursor is by last change.
    pub sort_by: SortBy,
    /// The order backwards.
    pub descending: bool,
    /// Only entries beyond this cursor.
    pub beyond: Option<Beyond>,
    /// Entries to skip.
    pub skip: usize,
    /// Most entries of the page; beyond a cursor a few more where several have the place of the last one (`place.rs`).
    pub limit: usize,
}

/// The entries of a page, and the cursor of the next.
#[derive(Debug, Clone)]
pub struct Listing<T> {
    /// The entries, in their order.
    pub entries: Vec<T>,
    /// The number of entries on all pages; beyond a cursor, on this page and those that come after it.
    pub total: u64,
    /// The number of the next cursor, for a page beyond a cursor: the second of the last entry, or the entry's place when there
    /// is more of that second. `None` for other pages, and for an empty one.
    pub resume_at: Option<i64>,
}

impl DirectoryQuery {
    pub(super) fn is_by_id(&self) -> bool {
        self.sort_by == SortBy::Id && !self.descending && self.beyond.is_none()
    }
}

/// A kind of listed entry.
pub(in crate::store) trait DirectoryEntry {
    fn id(&self) -> &str;
    fn name(&self) -> &str;
    fn created_at(&self) -> i64;
    fn updated_at(&self) -> i64;
}

impl DirectoryEntry for User {
    fn id(&self) -> &str {
        self.uid.as_str()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn created_at(&self) -> i64 {
        self.created_at
    }

    fn updated_at(&self) -> i64 {
        self.updated_at
    }
}

impl DirectoryEntry for (Group, GroupDetails) {
    fn id(&self) -> &str {
        self.0.guid.as_str()
    }

    fn name(&self) -> &str {
        self.0.name.as_str()
    }

    fn created_at(&self) -> i64 {
        self.1.created_at
    }

    fn updated_at(&self) -> i64 {
        self.1.updated_at
    }
}

/// A ban or a mute, which changes when it is set.
impl DirectoryEntry for Restriction {
    fn id(&self) -> &str {
        self.uid.as_str()
    }

    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.uid.as_str())
    }

    fn created_at(&self) -> i64 {
        self.at
    }

    fn updated_at(&self) -> i64 {
        self.at
    }
}

/// Keeps the entries of one page out of all that are offered, and counts them all. No more is kept than the page, what comes before
/// it, and one entry behind it.
pub(in crate::store) struct DirectoryPage<'q, T> {
    query: &'q DirectoryQuery,
    /// The Unix second before which no more changes are expected.
    settled: i64,
    kept: Vec<(String, T)>,
    /// How many may be kept before those that are not needed are dropped.
    room: usize,
    total: u64,
}

impl<'q, T: DirectoryEntry> DirectoryPage<'q, T> {
    /// A page of what was stored; all changes until `settled_at`, Unix milliseconds, are there.
    pub(in crate::store) fn new(query: &'q DirectoryQuery, settled_at: i64) -> DirectoryPage<'q, T> {
        let room = 2 * (query.skip + query.limit) + SPARE;
        DirectoryPage { query, settled: (settled_at - SETTLING) / 1000, kept: Vec::new(), room, total: 0 }
    }

    pub(in crate::store) fn offer(&mut self, entry: T) {
        let changed = second(&entry);
        let key = match (self.query.beyond, self.query.sort_by) {
            (Some(beyond), _) => {
                let place = place_of(changed, entry.id());
                let is_beyond = match beyond {
                    Beyond::After(number) => place > last_named(number) && changed < self.settled,
                    Beyond::Before(number) => place < first_named(number),
                };
                if !is_beyond {
                    return;
                }
                format!("{place:020}")
            }
            (None, SortBy::Id) => entry.id().to_owned(),
            (None, SortBy::Name) => sort_key(&fold_for_order(entry.name())),
            (None, SortBy::CreatedAt) => format!("{:020}", entry.created_at()),
            (None, SortBy::UpdatedAt) => format!("{changed:020}"),
        };
        self.total += 1;
        self.kept.push((key, entry));
        if self.kept.len() > self.room {
            self.drop_unneeded();
            self.room = 2 * self.kept.len() + SPARE;
        }
    }

    /// Drops, for now, what comes behind the page, but for the first entry there; answers where the page ends.
    fn drop_unneeded(&mut self) -> usize {
        self.sort();
        let mut end = (self.query.skip + self.query.limit).min(self.kept.len());
        if self.query.beyond.is_some() {
            // A cursor names a place, so what has the same one is on the same page.
            while end > 0 && end < self.kept.len() && self.kept[end].0 == self.kept[end - 1].0 {
                end += 1;
            }
        }
        self.kept.truncate(end + 1);
        end
    }

    fn sort(&mut self) {
        let descending = match self.query.beyond {
            None => self.query.descending,
            Some(Beyond::After(_)) => false,
            Some(Beyond::Before(_)) => true,
        };
        self.kept.sort_by(|(one, first), (other, second)| {
            let order = if descending { other.cmp(one) } else { one.cmp(other) };
            order.then_with(|| first.id().cmp(second.id()))
        });
    }

    pub(in crate::store) fn end(mut self) -> Listing<T> {
        let end = self.drop_unneeded();
        let behind = self.kept.get(end).map(|(_, entry)| second(entry));
        self.kept.truncate(end);
        let entries: Vec<T> = self.kept.into_iter().skip(self.query.skip).map(|(_, entry)| entry).collect();
        let last = entries.last().filter(|_| self.query.beyond.is_some());
        let resume_at = last.map(|last| {
            let changed = second(last);
            if behind == Some(changed) { place_of(changed, last.id()) } else { changed }
        });
        Listing { entries, total: self.total, resume_at }
    }
}

/// The Unix second of the last change.
fn second(entry: &impl DirectoryEntry) -> i64 {
    entry.updated_at() / 1000
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Somebody who was changed at a time, in seconds.
    struct Changed(String, i64);

    impl DirectoryEntry for Changed {
        fn id(&self) -> &str {
            &self.0
        }

        fn name(&self) -> &str {
            &self.0
        }

        fn created_at(&self) -> i64 {
            0
        }

        fn updated_at(&self) -> i64 {
            self.1 * 1000
        }
    }

    /// A Unix second, by its number in the test.
    fn at(second: i64) -> i64 {
        1_700_000_000 + second
    }

    /// A page out of people who were changed in these seconds.
    fn page(beyond: Beyond, limit: usize, changed: &[i64]) -> Listing<Changed> {
        let query = DirectoryQuery { beyond: Some(beyond), limit, ..DirectoryQuery::default() };
        let mut page = DirectoryPage::new(&query, at(1_000) * 1000);
        changed.iter().enumerate().for_each(|(n, second)| page.offer(Changed(format!("p{n}"), at(*second))));
        page.end()
    }

    #[test]
    fn of_a_second_in_which_everybody_was_changed_pages_are_small_and_leave_nobody_out() {
        const CROWD: i64 = 5_000;
        let crowd = (0..CROWD).map(|_| 7).chain((0..CROWD).map(|n| 8 + n % 9));
        let changed: Vec<i64> = crowd.chain([1, 2, 3]).collect();
        for (is_after, first) in [(true, at(0)), (false, at(99))] {
            let beyond = |number| if is_after { Beyond::After(number) } else { Beyond::Before(number) };
            let (mut next, mut seen) = (Some(first), HashSet::new());
            while let Some(number) = next {
                let Listing { entries, resume_at, .. } = page(beyond(number), 400, &changed);
                assert!(entries.len() < 410, "{}", entries.len());
                for Changed(id, _) in entries {
                    assert!(seen.insert(id), "once");
                }
                next = resume_at;
            }
            assert_eq!(seen.len(), changed.len());
        }
    }

    #[test]
    fn a_cursor_names_a_second_unless_the_page_ends_within_one() {
        let numbers = |beyond, limit| {
            let Listing { entries, resume_at, .. } = page(beyond, limit, &[1, 2, 2, 3]);
            (entries.len(), resume_at)
        };
        assert_eq!(numbers(Beyond::After(at(0)), 3), (3, Some(at(2))));
        assert_eq!(numbers(Beyond::Before(at(3)), 2), (2, Some(at(2))));
        let (count, within) = numbers(Beyond::After(at(0)), 2);
        assert_eq!((count, within.map(|place| place / 1_000_000)), (2, Some(at(2))));
        assert_eq!(numbers(Beyond::After(within.unwrap()), 2), (2, Some(at(3))));
        assert_eq!(numbers(Beyond::Before(within.unwrap()), 5), (1, Some(at(1))));
        assert_eq!(numbers(Beyond::After(at(3)), 5), (0, None));
    }
}
