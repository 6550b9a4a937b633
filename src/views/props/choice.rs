//! Props with a fixed set of values.

use crate::domain::Scope;
use crate::roster::Scopes;

/// The words of a prop and their values. The first word of a value is its canonical form, which is empty for the
/// default.
pub(super) type Words<T> = &'static [(&'static str, T)];

/// The number of rows that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// No rows.
    #[default]
    None,
    /// One, by radio buttons.
    Single,
    /// Many, by checkboxes.
    Multiple,
}

impl Selection {
    pub(super) const WORDS: Words<Selection> = &[
        ("", Selection::None),
        ("none", Selection::None),
        ("single", Selection::Single),
        ("multiple", Selection::Multiple),
    ];
}

/// Whether the list has a heading for each section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupBy {
    /// A section for each scope.
    #[default]
    Scope,
    /// No headings.
    None,
}

impl GroupBy {
    pub(super) const WORDS: Words<GroupBy> =
        &[("", GroupBy::Scope), ("scope", GroupBy::Scope), ("none", GroupBy::None)];
}

/// The colour scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The theme of the page around the component.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    pub(super) const WORDS: Words<Theme> =
        &[("", Theme::Auto), ("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];

    /// The value of `theme`; empty for `auto`.
    pub fn as_str(self) -> &'static str {
        canonical(Theme::WORDS, self)
    }
}

/// The quick filters above the list, which narrow the embedder's own `scopes` and `status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuickFilter {
    /// All members.
    #[default]
    All,
    /// Owner and admins.
    Admins,
    /// Moderators.
    Moderators,
    /// People who are online or away.
    Online,
}

impl QuickFilter {
    pub(super) const WORDS: Words<QuickFilter> = &[
        ("", QuickFilter::All),
        ("all", QuickFilter::All),
        ("admins", QuickFilter::Admins),
        ("moderators", QuickFilter::Moderators),
        ("online", QuickFilter::Online),
    ];

    /// The value of `filter`; empty for everybody.
    pub fn as_str(self) -> &'static str {
        canonical(QuickFilter::WORDS, self)
    }

    /// Its name, `all` included.
    pub fn name(self) -> &'static str {
        if self == QuickFilter::All { "all" } else { self.as_str() }
    }

    /// The scopes that it leaves in the list.
    pub(super) fn scopes(self) -> Scopes {
        match self {
            QuickFilter::All | QuickFilter::Online => Scopes::ALL,
            QuickFilter::Admins => [Scope::Owner, Scope::Admin].into_iter().collect(),
            QuickFilter::Moderators => [Scope::Moderator].into_iter().collect(),
        }
    }
}

/// The words of `status`: whether only people who are online, or only those who are not, are shown.
pub(super) const STATUS: Words<Option<bool>> = &[("", None), ("online", Some(true)), ("offline", Some(false))];

/// The canonical word of a value.
pub(super) fn canonical<T: Copy + PartialEq>(words: Words<T>, value: T) -> &'static str {
    words.iter().find(|(_, other)| *other == value).map_or("", |(word, _)| word)
}
