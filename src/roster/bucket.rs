//! A few hundred consecutive members, with their folded names and uids in one searchable text.

use std::sync::Arc;

use memchr::memmem;

use crate::domain::{Member, Search, Section, fold};

/// Separates names and uids in the text; no search word contains it.
const SEPARATOR: char = '\n';

/// A prepared search. The longest word, which is usually the rarest, is searched in the whole text, the others only in
/// the rows that contain it.
pub(super) struct Finder<'n> {
    longest: memmem::Finder<'n>,
    others: Vec<memmem::Finder<'n>>,
}

impl<'n> Finder<'n> {
    pub(super) fn new(search: &'n Search) -> Finder<'n> {
        let mut words = search.as_str().split(' ').map(memmem::Finder::new);
        let longest = words.next().unwrap_or_else(|| memmem::Finder::new(""));
        Finder { longest, others: words.collect() }
    }
}

#[derive(Default)]
pub(super) struct Bucket {
    members: Vec<Arc<Member>>,
    text: String,
    /// The offset of each member's part of the text, in bytes.
    starts: Vec<u32>,
    /// The sections of the first and the last member; `None` without members. Kept here because a search passes most
    /// buckets without a look at their members.
    ends: Option<(Section, Section)>,
}

impl Bucket {
    pub(super) fn of(members: Vec<Arc<Member>>) -> Bucket {
        let mut bucket = Bucket {
            text: String::with_capacity(members.len() * 32),
            starts: Vec::with_capacity(members.len()),
            ..Bucket::default()
        };
        for member in &members {
            bucket.starts.push(bucket.text.len() as u32);
            push_folded(&mut bucket.text, member);
        }
        bucket.text.shrink_to_fit();
        bucket.members = members;
        bucket.record_ends();
        bucket
    }

    pub(super) fn members(&self) -> &[Arc<Member>] {
        &self.members
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    pub(super) fn insert(&mut self, member: Arc<Member>) {
        let at = self.members.partition_point(|other| other.order() < member.order());
        let mut part = String::new();
        push_folded(&mut part, &member);
        let start = self.start(at);
        self.text.insert_str(start, &part);
        self.starts.insert(at, start as u32);
        for later in &mut self.starts[at + 1..] {
            *later += part.len() as u32;
        }
        self.members.insert(at, member);
        self.record_ends();
    }

    /// Returns whether the member was present.
    pub(super) fn remove(&mut self, member: &Member) -> bool {
        let Ok(at) = self.members.binary_search_by(|other| other.order().cmp(member.order())) else { return false };
        let (start, end) = (self.start(at), self.start(at + 1));
        self.text.replace_range(start..end, "");
        self.starts.remove(at);
        for later in &mut self.starts[at..] {
            *later -= (end - start) as u32;
        }
        self.members.remove(at);
        self.record_ends();
        true
    }

    /// Splits off the upper half.
    pub(super) fn split(&mut self) -> Bucket {
        let upper = Bucket::of(self.members.split_off(self.members.len() / 2));
        *self = Bucket::of(std::mem::take(&mut self.members));
        upper
    }

    /// The indices of matching members from `from` on, in order.
    pub(super) fn matches<'a>(&'a self, finder: &'a Finder<'_>, from: usize) -> impl Iterator<Item = usize> + 'a {
        let mut next = from;
        std::iter::from_fn(move || {
            loop {
                let start = self.start(next);
                let found = start + finder.longest.find(&self.text.as_bytes()[start..])?;
                let at = next + self.row_of(found, &self.starts[next..]);
                next = at + 1;
                if self.has_others(at, finder) {
                    return Some(at);
                }
            }
        })
    }

    /// Whether the row of the longest word contains all other words.
    fn has_others(&self, at: usize, finder: &Finder<'_>) -> bool {
        let row = || &self.text.as_bytes()[self.start(at)..self.start(at + 1)];
        finder.others.iter().all(|word| word.find(row()).is_some())
    }

    /// The index of the row that contains the offset `found`; the rows begin at `starts`. Matches of common words are
    /// near, so a few rows are tried in sequence before a binary search.
    fn row_of(&self, found: usize, starts: &[u32]) -> usize {
        const NEAR: usize = 8;
        let near = starts.iter().take(NEAR).take_while(|&&start| start as usize <= found).count();
        let beyond = if near == NEAR { starts.partition_point(|&start| start as usize <= found) } else { near };
        beyond - 1
    }

    /// The section of all members; `None` when they stand in several.
    pub(super) fn section(&self) -> Option<Section> {
        self.ends.filter(|(first, last)| first == last).map(|(first, _)| first)
    }

    /// Whether the section may begin in an earlier bucket.
    pub(super) fn begins_in(&self, section: Section) -> bool {
        self.ends.is_none_or(|(first, _)| first == section)
    }

    /// Whether the section may go on in the next bucket.
    pub(super) fn ends_in(&self, section: Section) -> bool {
        self.ends.is_none_or(|(_, last)| last == section)
    }

    fn record_ends(&mut self) {
        let ends = self.members.first().zip(self.members.last());
        self.ends = ends.map(|(first, last)| (first.section(), last.section()));
    }

    fn start(&self, at: usize) -> usize {
        self.starts.get(at).map_or(self.text.len(), |&start| start as usize)
    }
}

fn push_folded(text: &mut String, member: &Member) {
    text.push_str(&fold(member.name()));
    text.push(SEPARATOR);
    text.push_str(&fold(member.uid()));
    text.push(SEPARATOR);
}
