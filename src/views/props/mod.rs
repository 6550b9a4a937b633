//! The component's props: parameters of the query string, named as in the original React component.
//!
//! Not here: parameters of a single request, such as `part` or `cursor` (`http`).

mod choice;
mod query;
mod value;

use std::borrow::Cow;

use choice::STATUS;
pub use choice::{GroupBy, QuickFilter, Selection, Theme};

use crate::domain::{HOUR, SECOND};
use crate::i18n::Lang;
use crate::roster::{Filter, Scopes};
use crate::slots::{Chosen, Slot};

/// A known parameter with a value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {allowed}")]
pub struct BadProp {
    /// The parameter's name.
    pub name: String,
    /// The allowed values.
    pub allowed: String,
}

/// The component's props.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Props {
    /// Search text as typed.
    pub search: String,
    /// The embedder's choice of scopes; `None` for all.
    pub scopes: Option<Scopes>,
    /// The embedder's choice of people who are online (`true`) or offline (`false`); `None` for both.
    pub online: Option<bool>,
    /// The embedder's choice of people who joined at this moment or later, Unix seconds; `None` for all.
    pub joined_since: Option<i64>,
    /// The active quick filter.
    pub quick_filter: QuickFilter,
    /// An hour before the request, Unix seconds; `None` unless the quick filter is [`QuickFilter::Joined`].
    pub hour_ago: Option<i64>,
    /// Rows of a page; `None` for the default.
    pub limit: Option<usize>,
    /// The number of rows that can be selected.
    pub selection: Selection,
    /// Hides the search box and the quick filters.
    pub hide_search: bool,
    /// Hides statuses and online counts.
    pub hide_user_status: bool,
    /// Hides kick.
    pub hide_kick: bool,
    /// No acts on all who are selected.
    pub hide_bulk: bool,
    /// Hides ban.
    pub hide_ban: bool,
    /// Whether muting is hidden.
    pub hide_mute: bool,
    /// Hides scope change and ownership transfer.
    pub hide_scope: bool,
    /// Hides leave.
    pub hide_leave: bool,
    /// Hides title and totals.
    pub hide_header: bool,
    /// Hides errors, which are then DOM events only.
    pub hide_error: bool,
    /// Headings.
    pub group_by: GroupBy,
    /// Shows forbidden acts with the reason.
    pub explain: bool,
    /// The title; `None` for the default.
    pub title: Option<String>,
    /// The search box's placeholder; `None` for the default.
    pub placeholder: Option<String>,
    /// The requested language.
    pub lang: Option<String>,
    /// Colour scheme.
    pub theme: Theme,
    /// Distinguishes two lists of one group on the same page.
    pub instance: Option<String>,
    /// The custom templates.
    pub templates: Chosen,
}

impl Props {
    /// Rows of a page by default.
    pub const LIMIT: usize = 30;
    /// Most people who can be selected.
    pub const MAX_SELECTED: usize = 1000;

    /// Whether mutes are kept off the screen: by their own prop, or where every other act on members is. A page that made a
    /// read-only list of it before there were mutes has one still.
    pub fn hides_mutes(&self) -> bool {
        self.hide_mute || (self.hide_kick && self.hide_ban && self.hide_scope)
    }

    /// Parses the known parameters of a query; others are ignored. What is relative is so to `now`, Unix milliseconds;
    /// from then on it is absolute.
    ///
    /// # Errors
    /// The first known parameter with a value that is not allowed.
    pub fn parse<'q>(
        pairs: impl IntoIterator<Item = (Cow<'q, str>, Cow<'q, str>)>,
        now: i64,
    ) -> Result<Props, BadProp> {
        let mut props = Props::default();
        for (name, value) in pairs {
            props.set(&name, value.trim(), now).map_err(|allowed| BadProp { name: name.into_owned(), allowed })?;
        }
        Ok(props)
    }

    fn set(&mut self, name: &str, value: &str, now: i64) -> Result<(), String> {
        match name {
            "searchKeyword" => self.search = value::text(value, Filter::MAX_SEARCH)?,
            "scopes" => self.scopes = value::scopes(value)?,
            "status" => self.online = value::one_of(value, STATUS)?,
            "joinedSince" => self.joined_since = value::since(value, now)?,
            "filter" => {
                self.quick_filter = value::one_of(value, QuickFilter::WORDS)?;
                let is_recent = self.quick_filter == QuickFilter::Joined;
                self.hour_ago = is_recent.then(|| (now - HOUR).div_euclid(SECOND));
            }
            "limit" => self.limit = value::limit(value)?,
            "selectionMode" => self.selection = value::one_of(value, Selection::WORDS)?,
            "hideSearch" => self.hide_search = value::flag(value)?,
            "hideUserStatus" => self.hide_user_status = value::flag(value)?,
            "hideKickMemberOption" => self.hide_kick = value::flag(value)?,
            "hideBulkActions" => self.hide_bulk = value::flag(value)?,
            "hideBanMemberOption" => self.hide_ban = value::flag(value)?,
            "hideMuteMemberOption" => self.hide_mute = value::flag(value)?,
            "hideScopeChangeOption" => self.hide_scope = value::flag(value)?,
            "hideLeaveOption" => self.hide_leave = value::flag(value)?,
            "hideHeader" => self.hide_header = value::flag(value)?,
            "hideError" => self.hide_error = value::flag(value)?,
            "groupBy" => self.group_by = value::one_of(value, GroupBy::WORDS)?,
            "explain" => self.explain = value::flag(value)?,
            "title" => self.title = value::short_text(value)?,
            "searchPlaceholder" => self.placeholder = value::short_text(value)?,
            "lang" => self.lang = value::language(value)?,
            "theme" => self.theme = value::one_of(value, Theme::WORDS)?,
            "instance" => self.instance = value::instance(value)?,
            _ => {
                if let Some(slot) = Slot::ALL.into_iter().find(|slot| slot.parameter() == name) {
                    self.templates.choose(slot, value)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a value of `joinedSince` means another moment at each request.
    pub fn is_relative_time(value: &str) -> bool {
        value::seconds_ago(value.trim()).is_some()
    }

    /// Whether there is a search text or an active quick filter.
    pub fn is_narrowed(&self) -> bool {
        !self.search.is_empty() || self.quick_filter != QuickFilter::All
    }

    /// The filter of the shown members: the embedder's filter, the quick filter and the search combined.
    pub fn filter(&self) -> Filter {
        let quick = self.quick_filter.scopes();
        let scopes = self.scopes.unwrap_or(Scopes::ALL).iter().filter(|&scope| quick.contains(scope)).collect();
        let online = self.online.or((self.quick_filter == QuickFilter::Online).then_some(true));
        Filter::new(&self.search, scopes, online).joined_since(self.joined_since.max(self.hour_ago))
    }

    /// Rows of a page.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(Props::LIMIT)
    }

    /// The same props in this language.
    pub fn in_language(&self, lang: Lang) -> Props {
        Props { lang: Some(lang.tag().to_owned()), ..self.clone() }
    }

    /// The same props with this quick filter.
    pub fn with_quick_filter(&self, quick_filter: QuickFilter) -> Props {
        Props { quick_filter, hour_ago: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Scope;

    fn parse(query: &str) -> Result<Props, BadProp> {
        Props::parse(form_urlencoded::parse(query.as_bytes()), 1_700_000_000_999)
    }

    #[test]
    fn a_query_comes_back_in_its_canonical_form() {
        let query = "searchKeyword=zo%C3%AB&scopes=owner%2Cadmin&status=online&joinedSince=2023-11-14T22%3A13%3A20Z&limit=5&hideSearch=true&groupBy=none&instance=a1&itemView=card&options=menu-2";
        assert_eq!(parse(query).unwrap().query(), query);
        assert_eq!(parse("limit=&hideSearch=false&unknown=1&theme=auto").unwrap().query(), "");
    }

    #[test]
    fn a_bad_value_of_a_known_prop_is_named() {
        for query in [
            "limit=0",
            "limit=101",
            "limit=x",
            "scopes=king",
            "status=busy",
            "joinedSince=yesterday",
            "joinedSince=-1",
            "joinedSince=4294967296",
            "joinedSince=2023-11-31T00%3A00%3A00Z",
            "hideSearch=maybe",
            "instance=A",
            "theme=blue",
            "groupBy=x",
            "selectionMode=all",
            "itemView=..%2Fcard",
            "options=a.b",
        ] {
            let bad = parse(query).unwrap_err();
            assert_eq!(bad.name, query.split('=').next().unwrap());
        }
        assert_eq!(parse(&format!("searchKeyword={}", "x".repeat(101))).unwrap_err().name, "searchKeyword");
    }

    #[test]
    fn seconds_ago_become_a_moment() {
        let since = |query: &str| parse(query).unwrap().joined_since;
        assert_eq!(since("joinedSince=3600"), Some(1_699_996_400));
        assert_eq!(since("joinedSince=0"), Some(1_700_000_000));
        assert_eq!(since("joinedSince=2023-11-14T23%3A13%3A20.7%2B01%3A00"), Some(1_700_000_000));
        assert_eq!(since("joinedSince="), None);
        let query = parse("joinedSince=3600").unwrap().query();
        assert_eq!(query, "joinedSince=2023-11-14T21%3A13%3A20Z");
        assert_eq!(since(&query), Some(1_699_996_400));
    }

    #[test]
    fn a_quick_filter_narrows_the_embedders_choice() {
        let filter = parse("scopes=admin,participant&filter=admins").unwrap().filter();
        assert_eq!(filter.scopes.iter().collect::<Vec<_>>(), [Scope::Admin]);
        assert_eq!(parse("filter=online").unwrap().filter().online, Some(true));
    }
}
