//! Which members a list shows.

use crate::domain::{Member, Scope, Search, Status, fold};

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scopes(u8);

impl Scopes {
    /// All scopes.
    pub const ALL: Scopes = Scopes(0b1111);

    /// Whether this scope is in the set.
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & 1 << scope as u8 != 0
    }

    /// The scopes of the set, highest first.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::DESCENDING.into_iter().filter(move |&scope| self.contains(scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Scopes(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

/// Which members a list shows: search text, scopes and status combined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filter {
    search: Search,
    /// Members of these scopes.
    pub scopes: Scopes,
    /// Only people who are online or away (`Some(true)`), or only those who are offline (`Some(false)`).
    pub online: Option<bool>,
}

impl Default for Filter {
    fn default() -> Self {
        Filter { search: Search::default(), scopes: Scopes::ALL, online: None }
    }
}

impl Filter {
    /// Longest search text, in characters.
    pub const MAX_SEARCH: usize = 100;

    /// A filter for a search text as typed.
    pub fn new(search: &str, scopes: Scopes, online: Option<bool>) -> Filter {
        Filter { search: Search::new(search), scopes, online }
    }

    /// The search text, folded.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Whether a member with this name, uid, scope and status is shown.
    pub fn matches(&self, name: &str, uid: &str, scope: Scope, status: Status) -> bool {
        self.scopes.contains(scope)
            && self.online.is_none_or(|online| online == status.counts_as_online())
            && self.search.finds(name, uid)
    }
}

/// A member's name and uid, folded as search texts are.
pub(super) fn folded(member: &Member) -> (String, String) {
    (fold(member.name()), fold(member.uid()))
}
