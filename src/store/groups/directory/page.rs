//! The page of a directory that is asked for, chosen out of all entries that match: by order, cursor, offset and limit.

use crate::domain::{Group, Restriction, fold, sort_key};
use crate::store::User;
use crate::store::groups::group::GroupDetails;

/// Most entries by which a page after a cursor is longer than asked for, so that it ends with a whole second.
const TIES: usize = 10_000;
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

/// Keeps the entries of one page out of all that are offered, and counts them all. No more is kept than the page and what
/// comes before it.
pub(in crate::store) struct DirectoryPage<'q, T> {
    query: &'q DirectoryQuery,
    /// Seconds since the epoch before which no more changes are expected.
    settled: i64,
    kept: Vec<(String, T)>,
    total: u64,
}

impl<'q, T: DirectoryEntry> DirectoryPage<'q, T> {
    /// A page of what was stored at `now`, milliseconds since the epoch.
    pub(in crate::store) fn new(query: &'q DirectoryQuery, now: i64) -> DirectoryPage<'q, T> {
        DirectoryPage { query, settled: (now - SETTLING) / 1000, kept: Vec::new(), total: 0 }
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
        if self.kept.len() > 2 * self.most() + 1000 {
            self.sort();
            self.kept.truncate(self.most());
        }
    }

    /// Most entries that the page can need.
    fn most(&self) -> usize {
        self.query.skip + self.query.limit + if self.query.beyond.is_some() { TIES } else { 0 }
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
        self.sort();
        let mut end = (self.query.skip + self.query.limit).min(self.kept.len());
        if self.query.beyond.is_some() {
            // A cursor names a second, so the rest of that second would be on no page.
            while end > 0 && end < self.kept.len() && self.kept[end].0 == self.kept[end - 1].0 {
                end += 1;
            }
        }
        self.kept.truncate(end);
        (self.kept.into_iter().skip(self.query.skip).map(|(_, entry)| entry).collect(), self.total)
    }
}
