//! The page of a directory that is asked for, chosen out of all entries that match: by order, cursor, offset and limit.

use crate::domain::{Group, Restriction, fold, sort_key};
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

/// The entries beyond a time of last change, in seconds since the epoch.
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
    /// Most entries of the page; after a cursor it ends with a whole second.
    pub limit: usize,
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
/// it and, after a cursor, the rest of its last second, however many were changed in it: a cursor names a second, so they would be on
/// no other page.
pub(in crate::store) struct DirectoryPage<'q, T> {
    query: &'q DirectoryQuery,
    /// Seconds since the epoch before which no more changes are expected.
    settled: i64,
    kept: Vec<(String, T)>,
    /// How many may be kept before those that are not needed are dropped.
    room: usize,
    total: u64,
}

impl<'q, T: DirectoryEntry> DirectoryPage<'q, T> {
    /// A page of what was stored at `now`, milliseconds since the epoch.
    pub(in crate::store) fn new(query: &'q DirectoryQuery, now: i64) -> DirectoryPage<'q, T> {
        let room = 2 * (query.skip + query.limit) + SPARE;
        DirectoryPage { query, settled: (now - SETTLING) / 1000, kept: Vec::new(), room, total: 0 }
    }

    pub(in crate::store) fn offer(&mut self, entry: T) {
        let changed = entry.updated_at() / 1000;
        let is_beyond = match self.query.beyond {
            None => true,
            Some(Beyond::After(moment)) => changed > moment && changed < self.settled,
            Some(Beyond::Before(moment)) => changed < moment,
        };
        if !is_beyond {
            return;
        }
        self.total += 1;
        let by = if self.query.beyond.is_some() { SortBy::UpdatedAt } else { self.query.sort_by };
        let key = match by {
            SortBy::Id => entry.id().to_owned(),
            SortBy::Name => sort_key(&fold(entry.name())),
            SortBy::CreatedAt => format!("{:020}", entry.created_at()),
            SortBy::UpdatedAt => format!("{changed:020}"),
        };
        self.kept.push((key, entry));
        if self.kept.len() > self.room {
            self.drop_unneeded();
            self.room = 2 * self.kept.len() + SPARE;
        }
    }

    /// Drops, for now, what comes behind the page.
    fn drop_unneeded(&mut self) {
        self.sort();
        let mut end = (self.query.skip + self.query.limit).min(self.kept.len());
        if self.query.beyond.is_some() {
            while end > 0 && end < self.kept.len() && self.kept[end].0 == self.kept[end - 1].0 {
                end += 1;
            }
        }
        self.kept.truncate(end);
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

    pub(in crate::store) fn end(mut self) -> (Vec<T>, u64) {
        self.drop_unneeded();
        (self.kept.into_iter().skip(self.query.skip).map(|(_, entry)| entry).collect(), self.total)
    }
}

#[cfg(test)]
mod tests {
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

    fn page(beyond: Beyond, limit: usize, changed: impl IntoIterator<Item = i64>) -> (usize, i64) {
        let query = DirectoryQuery { beyond: Some(beyond), limit, ..DirectoryQuery::default() };
        let mut page = DirectoryPage::new(&query, 1_000_000);
        changed.into_iter().enumerate().for_each(|(n, at)| page.offer(Changed(format!("p{n}"), at)));
        let (entries, _) = page.end();
        (entries.len(), entries.last().map_or(0, Changed::updated_at) / 1000)
    }

    #[test]
    fn of_a_second_in_which_everybody_was_changed_a_cursor_leaves_nobody_out() {
        const CROWD: usize = 50_000;
        let crowd = || (0..CROWD).map(|_| 7).chain((0..CROWD as i64).map(|n| 8 + n % 9)).chain([1, 2, 3]);
        assert_eq!(page(Beyond::After(0), 2, crowd()), (2, 2));
        assert_eq!(page(Beyond::After(2), 2, crowd()), (1 + CROWD, 7));
        assert_eq!(page(Beyond::Before(8), 1, crowd()), (CROWD, 7));
        assert_eq!(page(Beyond::Before(7), 100, crowd()), (3, 1));
    }
}
