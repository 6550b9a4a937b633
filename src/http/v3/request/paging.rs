//! Query strings and pages, as the original has them: by number, and by a cursor of last changes.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, RawQuery};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::IntoParams;

use super::near_miss::refuse;
use crate::http::respond::reply;
use crate::http::v3::answer::{Cursor, Meta, Page, Pagination};
use crate::http::v3::error::V3Error;
use crate::roster::Filter;
use crate::store::{Beyond, DirectoryQuery, SortBy};

/// Entries of a page, unless said otherwise.
const PER_PAGE: usize = 100;
/// Most entries of a page.
const MAX_PER_PAGE: usize = 1000;
/// Highest number of a page.
const LAST: usize = 1_000_000_000;
/// Most values of a list in a query string.
const MAX_VALUES: usize = 1000;

/// A page of what a search finds.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct Searched {
    /// Words that are parts of a name or id, compared folded.
    #[param(max_length = 100, pattern = "^[^\\u0000]*$")]
    search_key: Option<String>,
}

/// The parameters of a list that is read page by page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct Paged {
    /// Entries of a page; also spelt `per_page`.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    per_page: Option<u32>,
    /// Which page.
    #[param(minimum = 1, maximum = 1_000_000_000, default = 1)]
    page: Option<u32>,
}

/// The other way of paging: by last changes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct ByCursor {
    /// `append`: what was changed after `updatedAt`, the earliest first, without the last one or two seconds; `prepend`: what was
    /// changed before it, the latest first. The first page is the one of `append` or `prepend` alone; each answer has the cursor of
    /// the next, and the last page is empty. The cursor of a page by number begins with the latest change, unless that page is the
    /// whole list.
    #[param(pattern = "^(append|prepend)?$")]
    affix: Option<String>,
    /// The number in the cursor of an answer: Unix seconds, or microseconds (16 digits) where that page ends within a
    /// second.
    updated_at: Option<i64>,
}

/// The order.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct Ordered {
    /// `asc` or `desc`.
    #[param(pattern = "^(asc|desc)?$")]
    sort_order: Option<String>,
}

/// The parameters of a query string, with all values of a name. Like the fields of a body: accepted by being taken.
#[derive(Debug)]
pub(in crate::http::v3) struct Query {
    given: BTreeMap<String, Vec<Given>>,
    /// The names that were asked for.
    known: Vec<String>,
}

/// A value of a parameter.
#[derive(Debug)]
struct Given {
    text: String,
    /// Whether it is one value of a list, by its name: `tags[]`.
    is_entry: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = V3Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, V3Error> {
        let Ok(RawQuery(query)) = RawQuery::from_request_parts(parts, state).await;
        let mut given: BTreeMap<String, Vec<Given>> = BTreeMap::new();
        for (sent, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            let name = without_index(&sent).to_owned();
            let is_entry = name != *sent;
            // PostgreSQL takes it in no text.
            if value.contains('\0') {
                return Err(V3Error::invalid(&name, "it has a NUL character"));
            }
            given.entry(name).or_default().push(Given { text: value.into_owned(), is_entry });
        }
        Ok(Query { given, known: Vec::new() })
    }
}

/// The name of a list without the mark that PHP and some clients put behind it: `uids[]`, `uids[0]`.
fn without_index(name: &str) -> &str {
    let marked = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    marked.filter(|(_, index)| index.bytes().all(|byte| byte.is_ascii_digit())).map_or(name, |(name, _)| name)
}

impl Query {
    /// A parameter; an empty one counts as absent.
    ///
    /// # Errors
    /// 400 when it is given more than once.
    pub(in crate::http::v3) fn take(&mut self, name: &str) -> Result<Option<String>, V3Error> {
        Ok(self.take_once(name)?.filter(|value| !value.is_empty()))
    }

    /// A parameter that must not be empty: an unset variable of a shell script gives an empty value, which must not select a
    /// default that ends memberships.
    ///
    /// # Errors
    /// 400 when it is given and empty, or given more than once.
    pub(in crate::http::v3) fn take_nonempty(&mut self, name: &str) -> Result<Option<String>, V3Error> {
        match self.take_once(name)? {
            Some(value) if value.is_empty() => Err(V3Error::invalid(name, "it is empty: leave it out or give a value")),
            value => Ok(value),
        }
    }

    fn take_once(&mut self, name: &str) -> Result<Option<String>, V3Error> {
        let mut values = self.take_all(name).into_iter().map(|given| given.text);
        match (values.next(), values.next()) {
            (Some(_), Some(_)) => Err(V3Error::invalid(name, "it is given more than once")),
            (value, _) => Ok(value),
        }
    }

    fn take_all(&mut self, name: &str) -> Vec<Given> {
        self.known.push(name.to_owned());
        self.given.remove(name).unwrap_or_default()
    }

    /// The values of a list, between commas or each as a parameter of its own.
    ///
    /// # Errors
    /// 400 when there are more than 1,000.
    pub(in crate::http::v3) fn list(&mut self, name: &str) -> Result<Option<Vec<String>>, V3Error> {
        self.values(name, |_| true)
    }

    /// Like [`Query::list`], of free text, which may have commas where each value is marked as one: `tags[]`.
    ///
    /// # Errors
    /// As [`Query::list`].
    pub(in crate::http::v3) fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, V3Error> {
        self.values(name, |given| !given.is_entry)
    }

    fn values(&mut self, name: &str, is_split: fn(&Given) -> bool) -> Result<Option<Vec<String>>, V3Error> {
        let given = self.take_all(name);
        if given.iter().all(|given| given.text.is_empty()) {
            return Ok(None);
        }
        let values: Vec<String> = given
            .iter()
            .flat_map(|given| given.text.split(move |c: char| c == ',' && is_split(given)))
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
            .collect();
        if values.len() > MAX_VALUES {
            return Err(V3Error::invalid(name, format!("at most {MAX_VALUES} values")));
        }
        Ok(Some(values))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// 400 for another value, or several.
    pub(in crate::http::v3) fn flag(&mut self, name: &str) -> Result<bool, V3Error> {
        match self.take(name)?.as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(V3Error::invalid(name, "true or false")),
        }
    }

    /// The value that the parameter's word stands for, out of these.
    ///
    /// # Errors
    /// 400 for another word, or several.
    pub(in crate::http::v3) fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, V3Error> {
        let Some(text) = self.take(name)? else { return Ok(None) };
        let known = words.iter().find(|(word, _)| *word == text);
        let all = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        known.map(|(_, value)| Some(*value)).ok_or_else(|| V3Error::invalid(name, format!("one of {}", all())))
    }

    /// The search text.
    ///
    /// # Errors
    /// 400 when it is longer than [`Filter::MAX_SEARCH`] characters, or given more than once.
    pub(in crate::http::v3) fn search(&mut self) -> Result<Option<String>, V3Error> {
        let search = self.take("searchKey")?;
        if search.as_ref().is_some_and(|text| text.chars().count() > Filter::MAX_SEARCH) {
            return Err(V3Error::invalid("searchKey", format!("at most {} characters", Filter::MAX_SEARCH)));
        }
        Ok(search)
    }

    /// Whether to search the name and the id; `id` is how ids are called here.
    ///
    /// # Errors
    /// As [`Query::list`], and 400 for another place.
    pub(in crate::http::v3) fn search_in(&mut self, id: &str) -> Result<(bool, bool), V3Error> {
        let Some(places) = self.list("searchIn")? else { return Ok((true, true)) };
        match places.iter().find(|place| *place != "name" && *place != id) {
            Some(_) => Err(V3Error::invalid("searchIn", format!("out of name, {id}"))),
            None => Ok((places.iter().any(|place| place == "name"), places.iter().any(|place| place == id))),
        }
    }

    /// Whether only people who are there, or only those who are not.
    ///
    /// # Errors
    /// As [`Query::word`].
    pub(in crate::http::v3) fn status(&mut self) -> Result<Option<bool>, V3Error> {
        self.word("status", &[("available", true), ("online", true), ("away", true), ("offline", false)])
    }

    /// Which page. `per_page` is how the original's SDK spells `perPage`.
    ///
    /// # Errors
    /// 400 when a number, `affix` or `updatedAt` has a value that is not allowed, or several.
    pub(in crate::http::v3) fn paging(&mut self) -> Result<Paging, V3Error> {
        let per_page = self.take("perPage")?.or(self.take("per_page")?);
        let number = |name: &str, value: Option<String>, usual: usize, most: usize| match value {
            None => Ok(usual),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| V3Error::invalid(name, format!("a number from 1 to {most}"))),
        };
        let (page, per_page) =
            (number("page", self.take("page")?, 1, LAST)?, number("perPage", per_page, PER_PAGE, MAX_PER_PAGE)?);
        Ok(Paging { page, per_page, beyond: self.beyond()? })
    }

    /// The cursor; `updatedAt` alone is what was changed since.
    fn beyond(&mut self) -> Result<Option<Beyond>, V3Error> {
        let is_after = self.word("affix", &[("append", true), ("prepend", false)])?;
        let moment = self
            .take("updatedAt")?
            .map(|text| text.parse::<i64>().map_err(|_| V3Error::invalid("updatedAt", "a number, as a cursor has it")));
        Ok(match (is_after, moment.transpose()?) {
            (None, None) => None,
            (None | Some(true), moment) => Some(Beyond::After(moment.unwrap_or(i64::MIN))),
            (Some(false), moment) => Some(Beyond::Before(moment.unwrap_or(i64::MAX))),
        })
    }

    /// The page in the directory that `paging` asks for; `id` is how ids are called there.
    ///
    /// # Errors
    /// 400 when `sortBy` or `sortOrder` has a value that is not allowed, or several.
    pub(in crate::http::v3) fn directory(&mut self, paging: &Paging, id: &str) -> Result<DirectoryQuery, V3Error> {
        let words = [
            ("name", SortBy::Name),
            (id, SortBy::Id),
            ("createdAt", SortBy::CreatedAt),
            ("updatedAt", SortBy::UpdatedAt),
        ];
        Ok(DirectoryQuery {
            sort_by: self.word("sortBy", &words)?.unwrap_or_default(),
            descending: self.word("sortOrder", &[("asc", false), ("desc", true)])?.unwrap_or(false),
            ..paging.query()
        })
    }

    /// Refuses parameters that were not taken, by name.
    ///
    /// # Errors
    /// 400 with the names of these parameters.
    pub(in crate::http::v3) fn end(self) -> Result<(), V3Error> {
        refuse(self.given.into_keys(), &self.known)
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(in crate::http::v3) struct Paging {
    page: usize,
    /// How many entries it has at the most.
    pub per_page: usize,
    /// Only what lies beyond this cursor.
    pub beyond: Option<Beyond>,
}

impl Paging {
    /// How many entries come before it.
    pub(in crate::http::v3) fn skip(&self) -> usize {
        (self.page - 1) * self.per_page
    }

    /// The page in the directory, by id or after the cursor.
    pub(in crate::http::v3) fn query(&self) -> DirectoryQuery {
        DirectoryQuery { beyond: self.beyond, skip: self.skip(), limit: self.per_page, ..DirectoryQuery::default() }
    }

    /// The second of the cursor that goes on after a page by number, of a list of `total` entries. `changed` is when each entry of the
    /// page was changed; it and `now` are Unix milliseconds.
    ///
    /// A page by number has another order than a cursor, and the entries of the other pages may have been changed at any time. Its
    /// cursor begins with the latest change: some entries come again, and none is left out.
    pub(in crate::http::v3) fn resume_by_number(
        changed: impl Iterator<Item = i64>,
        total: usize,
        now: i64,
    ) -> Option<i64> {
        let seconds: Vec<i64> = changed.map(|moment| moment / 1000).collect();
        let is_whole_list = seconds.len() == total;
        let earliest = seconds.into_iter().min()?;
        Some(if is_whole_list { earliest } else { now / 1000 + 1 })
    }

    /// The page as an answer; `total` entries are on all pages together (beyond a cursor: on this one and those after it), and its cursor
    /// goes on at `updated_at` (Unix seconds, or as [`Listing::resume_at`](crate::store::Listing::resume_at)).
    ///
    /// # Errors
    /// When an entry cannot be written as JSON.
    pub(in crate::http::v3) fn answer<T: Serialize>(
        self,
        data: Vec<T>,
        total: usize,
        updated_at: Option<i64>,
    ) -> Result<Response, V3Error> {
        let pagination = Pagination {
            total,
            count: data.len(),
            per_page: self.per_page,
            current_page: self.page,
            total_pages: total.div_ceil(self.per_page),
        };
        let affix = if matches!(self.beyond, Some(Beyond::After(_))) { "append" } else { "prepend" };
        let cursor = updated_at.map(|updated_at| Cursor { updated_at, affix });
        Ok(reply::json(&Page { data, meta: Meta { pagination, cursor }, cursor })?)
    }
}
