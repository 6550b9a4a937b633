//! The filter of a list of members.

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

/// A filter of members: search text, scopes, status and time of joining combined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filter {
    search: Search,
    /// Members of these scopes.
    pub scopes: Scopes,
    /// Only people who are online or away (`Some(true)`), or only those who are offline (`Some(false)`).
    pub online: Option<bool>,
    /// Only people who joined then or later, Unix seconds.
    pub joined_since: Option<i64>,
}

impl Default for Filter {
    fn default() -> Self {
        Filter { search: Search::default(), scopes: Scopes::ALL, online: None, joined_since: None }
    }
}

impl Filter {
    /// Longest search text, in characters.
    pub const MAX_SEARCH: usize = 100;

    /// A filter for a search text as typed.
    pub fn new(search: &str, scopes: Scopes, online: Option<bool>) -> Filter {
        Filter { search: Search::new(search), scopes, online, joined_since: None }
    }

    /// The same filter for people who joined at this moment or later, Unix seconds.
    pub fn joined_since(self, joined_since: Option<i64>) -> Filter {
        Filter { joined_since, ..self }
    }

    /// The search text, folded.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Whether this member is shown while they have this status.
    pub fn matches(&self, member: &Member, status: Status) -> bool {
        self.scopes.contains(member.scope)
            && self.online.is_none_or(|online| online == status.counts_as_online())
            && self.accepts_joined(member)
            && self.search.finds(member.name(), member.uid())
    }

    /// Whether this member joined late enough.
    pub(super) fn accepts_joined(&self, member: &Member) -> bool {
        self.joined_since.is_none_or(|since| member.joined_at >= since)
    }
}

/// A member's name and uid, folded as search texts are.
pub(super) fn folded(member: &Member) -> (String, String) {
    (fold(member.name()), fold(member.uid()))
}
