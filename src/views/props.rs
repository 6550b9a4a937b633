//! The component's props, as they come in a query string.

use std::borrow::Cow;

use crate::domain::Scope;
use crate::lang::Lang;
use crate::roster::{Filter, Scopes};
use crate::slots::{Chosen, Slot};

/// A known parameter with a value that is not allowed: its name and what is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {allowed}")]
pub struct BadProp {
    /// The parameter.
    pub name: String,
    /// What is allowed.
    pub allowed: String,
}

/// How a row is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// Not at all.
    #[default]
    None,
    /// One at a time.
    Single,
    /// Many.
    Multiple,
}

/// Sections by scope, or one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupBy {
    /// A heading for every scope.
    #[default]
    Scope,
    /// No headings.
    None,
}

/// Light, dark, or as the reader's system is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The quick filters above the list, on top of the embedder's own `scopes` and `status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quick {
    /// Everybody.
    #[default]
    All,
    /// Owner and admins.
    Admins,
    /// Moderators.
    Moderators,
    /// Whoever is there.
    Online,
}

impl Quick {
    /// The value of `filter`; empty for everybody.
    pub fn as_str(self) -> &'static str {
        match self {
            Quick::All => "",
            Quick::Admins => "admins",
            Quick::Moderators => "moderators",
            Quick::Online => "online",
        }
    }
}

/// The component's props.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Props {
    /// Search text as typed.
    pub search: String,
    /// The embedder's choice of scopes; `None` for all.
    pub scopes: Option<Scopes>,
    /// The embedder's choice of people who are there, or not.
    pub online: Option<bool>,
    /// The quick filter that is pressed.
    pub quick: Quick,
    /// Rows of a page; `None` for the default.
    pub limit: Option<usize>,
    /// How rows are chosen.
    pub selection: Selection,
    /// Without the search box and quick filters.
    pub hide_search: bool,
    /// Without dots and online counts.
    pub hide_user_status: bool,
    /// Kick is not offered.
    pub hide_kick: bool,
    /// Ban is not offered.
    pub hide_ban: bool,
    /// Scope change and transfer are not offered.
    pub hide_scope: bool,
    /// Leaving is not offered.
    pub hide_leave: bool,
    /// Without title and totals.
    pub hide_header: bool,
    /// Errors are told by events only.
    pub hide_error: bool,
    /// Headings.
    pub group_by: GroupBy,
    /// Forbidden acts are shown with the rule in words.
    pub explain: bool,
    /// The title; `None` for the default.
    pub title: Option<String>,
    /// The search box's placeholder; `None` for the default.
    pub placeholder: Option<String>,
    /// The language asked for.
    pub lang: Option<String>,
    /// Colours.
    pub theme: Theme,
    /// Tells two lists of one group on one page apart.
    pub instance: Option<String>,
    /// What is drawn by templates of the operator or the host.
    pub views: Chosen,
}

impl Props {
    /// Rows of a page, unless `limit` says otherwise.
    pub const LIMIT: usize = 30;
    /// Most rows of a page.
    pub const MAX_LIMIT: usize = 100;
    /// Most people who can be selected.
    pub const MOST_SELECTED: usize = 1000;
    const MAX_TEXT: usize = 200;

    /// Reads the known parameters out of a query; unknown ones are ignored.
    ///
    /// # Errors
    /// The first known parameter with a value that is not allowed.
    pub fn parse<'q>(pairs: impl IntoIterator<Item = (Cow<'q, str>, Cow<'q, str>)>) -> Result<Props, BadProp> {
        let mut props = Props::default();
        for (name, value) in pairs {
            props.set(&name, value.trim()).map_err(|allowed| BadProp { name: name.into_owned(), allowed })?;
        }
        Ok(props)
    }

    /// Whether the viewer searches, or has pressed a quick filter.
    pub fn is_narrowed(&self) -> bool {
        !self.search.is_empty() || self.quick != Quick::All
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "searchKeyword" => self.search = text(value, Filter::MAX_SEARCH)?,
            "scopes" => self.scopes = scopes(value)?,
            "status" => self.online = one_of(value, &[("", None), ("online", Some(true)), ("offline", Some(false))])?,
            "filter" => {
                let quick = [
                    ("", Quick::All),
                    ("all", Quick::All),
                    ("admins", Quick::Admins),
                    ("moderators", Quick::Moderators),
                    ("online", Quick::Online),
                ];
                self.quick = one_of(value, &quick)?;
            }
            "limit" => self.limit = limit(value)?,
            "selectionMode" => {
                self.selection = one_of(
                    value,
                    &[
                        ("", Selection::None),
                        ("none", Selection::None),
                        ("single", Selection::Single),
                        ("multiple", Selection::Multiple),
                    ],
                )?;
            }
            "hideSearch" => self.hide_search = flag(value)?,
            "hideUserStatus" => self.hide_user_status = flag(value)?,
            "hideKickMemberOption" => self.hide_kick = flag(value)?,
            "hideBanMemberOption" => self.hide_ban = flag(value)?,
            "hideScopeChangeOption" => self.hide_scope = flag(value)?,
            "hideLeaveOption" => self.hide_leave = flag(value)?,
            "hideHeader" => self.hide_header = flag(value)?,
            "hideError" => self.hide_error = flag(value)?,
            "groupBy" => {
                self.group_by =
                    one_of(value, &[("", GroupBy::Scope), ("scope", GroupBy::Scope), ("none", GroupBy::None)])?;
            }
            "explain" => self.explain = flag(value)?,
            "title" => self.title = Some(text(value, Props::MAX_TEXT)?).filter(|text| !text.is_empty()),
            "searchPlaceholder" => {
                self.placeholder = Some(text(value, Props::MAX_TEXT)?).filter(|text| !text.is_empty());
            }
            "lang" => self.lang = Some(language(value)?).filter(|lang| !lang.is_empty()),
            "theme" => {
                self.theme = one_of(
                    value,
                    &[("", Theme::Auto), ("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)],
                )?;
            }
            "instance" => self.instance = Some(instance(value)?).filter(|instance| !instance.is_empty()),
            _ => {
                if let Some(slot) = Slot::ALL.into_iter().find(|slot| slot.parameter() == name) {
                    self.views.choose(slot, value)?;
                }
            }
        }
        Ok(())
    }

    /// Who is shown: the embedder's filter, the quick filter and the search together.
    pub fn filter(&self) -> Filter {
        let quick = match self.quick {
            Quick::All | Quick::Online => Scopes::ALL,
            Quick::Admins => [Scope::Owner, Scope::Admin].into_iter().collect(),
            Quick::Moderators => [Scope::Moderator].into_iter().collect(),
        };
        let scopes = self.scopes.unwrap_or(Scopes::ALL).iter().filter(|&scope| quick.contains(scope)).collect();
        let online = if self.quick == Quick::Online && self.online.is_none() { Some(true) } else { self.online };
        Filter::new(&self.search, scopes, online)
    }

    /// Rows of a page.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(Props::LIMIT)
    }

    /// The same view as a query string, in one canonical form; empty for all defaults.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded();
        let mut put = |name: &str, value: &str| {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        };
        let on = |flag: bool| if flag { "true" } else { "" };
        put("searchKeyword", &self.search);
        put(
            "scopes",
            &self
                .scopes
                .map(|scopes| scopes.iter().map(Scope::as_str).collect::<Vec<_>>().join(","))
                .unwrap_or_default(),
        );
        put(
            "status",
            match self.online {
                None => "",
                Some(true) => "online",
                Some(false) => "offline",
            },
        );
        put("filter", self.quick.as_str());
        put("limit", &self.limit.map(|limit| limit.to_string()).unwrap_or_default());
        put(
            "selectionMode",
            match self.selection {
                Selection::None => "",
                Selection::Single => "single",
                Selection::Multiple => "multiple",
            },
        );
        put("hideSearch", on(self.hide_search));
        put("hideUserStatus", on(self.hide_user_status));
        put("hideKickMemberOption", on(self.hide_kick));
        put("hideBanMemberOption", on(self.hide_ban));
        put("hideScopeChangeOption", on(self.hide_scope));
        put("hideLeaveOption", on(self.hide_leave));
        put("hideHeader", on(self.hide_header));
        put("hideError", on(self.hide_error));
        put("groupBy", if self.group_by == GroupBy::None { "none" } else { "" });
        put("explain", on(self.explain));
        put("title", self.title.as_deref().unwrap_or_default());
        put("searchPlaceholder", self.placeholder.as_deref().unwrap_or_default());
        put("lang", self.lang.as_deref().unwrap_or_default());
        put(
            "theme",
            match self.theme {
                Theme::Auto => "",
                Theme::Light => "light",
                Theme::Dark => "dark",
            },
        );
        put("instance", self.instance.as_deref().unwrap_or_default());
        for (slot, name) in self.views.iter() {
            put(slot.parameter(), name);
        }
        query.finish()
    }

    /// The same view in this language.
    pub fn in_language(&self, lang: Lang) -> Props {
        Props { lang: Some(lang.tag().to_owned()), ..self.clone() }
    }

    /// The same view with nothing typed and another quick filter.
    pub fn with_quick(&self, quick: Quick) -> Props {
        Props { quick, ..self.clone() }
    }
}

fn form_urlencoded() -> form_urlencoded::Serializer<'static, String> {
    form_urlencoded::Serializer::new(String::new())
}

fn text(value: &str, most: usize) -> Result<String, String> {
    if value.chars().count() > most { Err(format!("at most {most} characters")) } else { Ok(value.to_owned()) }
}

fn flag(value: &str) -> Result<bool, String> {
    one_of(value, &[("true", true), ("1", true), ("false", false), ("0", false), ("", false)])
}

fn one_of<T: Copy>(value: &str, allowed: &[(&str, T)]) -> Result<T, String> {
    let words = || allowed.iter().map(|(word, _)| *word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    allowed
        .iter()
        .find(|(word, _)| *word == value)
        .map(|&(_, meaning)| meaning)
        .ok_or_else(|| format!("one of {}", words()))
}

fn scopes(value: &str) -> Result<Option<Scopes>, String> {
    if value.is_empty() {
        return Ok(None);
    }
    let scopes = value.split(',').map(|word| word.trim().parse::<Scope>()).collect::<Result<Scopes, ()>>();
    scopes.map(Some).map_err(|()| "a comma-separated list of owner, admin, moderator, participant".into())
}

fn limit(value: &str) -> Result<Option<usize>, String> {
    if value.is_empty() {
        return Ok(None);
    }
    let limit = value.parse().ok().filter(|limit| (1..=Props::MAX_LIMIT).contains(limit));
    limit.map(Some).ok_or_else(|| format!("a number from 1 to {}", Props::MAX_LIMIT))
}

fn language(value: &str) -> Result<String, String> {
    let fits = value.len() <= 35 && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if fits { Ok(value.to_owned()) } else { Err("a language tag such as en or pt-BR".into()) }
}

fn instance(value: &str) -> Result<String, String> {
    let fits = value.len() <= 8 && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if fits { Ok(value.to_owned()) } else { Err("1 to 8 characters out of a-z and 0-9".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Result<Props, BadProp> {
        Props::parse(form_urlencoded::parse(query.as_bytes()))
    }

    #[test]
    fn a_query_comes_back_in_its_canonical_form() {
        let query = "searchKeyword=zo%C3%AB&scopes=owner%2Cadmin&status=online&limit=5&hideSearch=true&groupBy=none&instance=a1&itemView=card&options=menu-2";
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
    fn a_quick_filter_narrows_the_embedders_choice() {
        let filter = parse("scopes=admin,participant&filter=admins").unwrap().filter();
        assert_eq!(filter.scopes.iter().collect::<Vec<_>>(), [Scope::Admin]);
        assert_eq!(parse("filter=online").unwrap().filter().online, Some(true));
    }
}
