//! Sections: the parts of a list that headings stand over, in display order.
//!
//! A section is no permission. Each scope has one today; another grouping says here which sections there
//! are and in which a member stands ([`Member::section`](crate::domain::Member::section)), and no rule changes.

use std::ops::{Index, IndexMut, Sub};

use strum::VariantArray;

use crate::domain::Scope;

/// A part of the list with a heading of its own. Declared in display order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::VariantArray)]
pub enum Section {
    /// The owner.
    Owner,
    /// The admins.
    Admin,
    /// The moderators.
    Moderator,
    /// All other members.
    Participant,
}

impl Section {
    /// The sections in display order.
    pub fn all() -> impl DoubleEndedIterator<Item = Section> {
        Section::VARIANTS.iter().copied()
    }

    /// The section of members with this scope.
    pub fn of(scope: Scope) -> Section {
        match scope {
            Scope::Owner => Section::Owner,
            Scope::Admin => Section::Admin,
            Scope::Moderator => Section::Moderator,
            Scope::Participant => Section::Participant,
        }
    }

    /// The scope of its members.
    pub fn scope(self) -> Scope {
        match self {
            Section::Owner => Scope::Owner,
            Section::Admin => Scope::Admin,
            Section::Moderator => Scope::Moderator,
            Section::Participant => Scope::Participant,
        }
    }

    /// The word of the contract, as in `data-heading`.
    pub fn as_str(self) -> &'static str {
        self.scope().as_str()
    }

    /// The prefix of its members' order keys; by itself, the key of its heading. It lies below every key of the
    /// section and above every key of the sections before it.
    pub fn key(self) -> &'static str {
        match self {
            Section::Owner => "0",
            Section::Admin => "1",
            Section::Moderator => "2",
            Section::Participant => "3",
        }
    }

    /// A bound above every key of the section and below those of the next.
    pub fn end(self) -> &'static str {
        Section::all().find(|&other| other > self).map_or("~", Section::key)
    }
}

/// A number of members for each section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SectionCounts([usize; Section::VARIANTS.len()]);

impl SectionCounts {
    /// The total of all sections.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

impl Index<Section> for SectionCounts {
    type Output = usize;

    fn index(&self, section: Section) -> &usize {
        &self.0[section as usize]
    }
}

impl IndexMut<Section> for SectionCounts {
    fn index_mut(&mut self, section: Section) -> &mut usize {
        &mut self.0[section as usize]
    }
}

impl Sub for SectionCounts {
    type Output = SectionCounts;

    fn sub(self, other: SectionCounts) -> SectionCounts {
        SectionCounts(std::array::from_fn(|at| self.0[at] - other.0[at]))
    }
}
