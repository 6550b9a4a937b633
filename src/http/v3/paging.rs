//! Query strings and pages, as the original has them.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, RawQuery};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::IntoParams;

use super::answer::{Data, Meta, Page, Pagination, Success};
use super::error::Failure;
use crate::http::respond::reply;
use crate::roster::Filter;

/// Entries of a page, unless said otherwise.
const PER_PAGE: usize = 100;
/// Most entries of a page.
const MOST: usize = 1000;
/// Highest number of a page.
const LAST: usize = 1_000_000_000;

/// A page of what a search finds.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct PagedSearch {
    /// Part of a name or id, compared folded.
    #[param(max_length = 100)]
    search_key: Option<String>,
    /// Entries of a page; also spelt `per_page`.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    per_page: Option<u32>,
    /// Which page.
    #[param(minimum = 1, default = 1)]
    page: Option<u32>,
}

/// The parameters of a list that is read page by page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct Paged {
    /// Entries of a page; also spelt `per_page`.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    per_page: Option<u32>,
    /// Which page.
    #[param(minimum = 1, default = 1)]
    page: Option<u32>,
}

/// The parameters of a query string. Like the fields of a body: accepted by being taken.
#[derive(Debug)]
pub(super) struct Query(BTreeMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let RawQuery(query) = RawQuery::from_request_parts(parts, state).await?;
        Ok(Query(form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()))
    }
}

impl Query {
    /// A parameter; an empty one is like none.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).filter(|value| !value.is_empty())
    }

    /// The search text.
    pub(super) fn search(&mut self) -> Result<Option<String>, Failure> {
        let search = self.take("searchKey");
        if search.as_ref().is_some_and(|text| text.chars().count() > Filter::MAX_SEARCH) {
            return Err(Failure::invalid("searchKey", format!("at most {} characters", Filter::MAX_SEARCH)));
        }
        Ok(search)
    }

    /// Which page. `per_page` is how the original's SDK spells `perPage`.
    pub(super) fn paging(&mut self) -> Result<Paging, Failure> {
        let per_page = self.take("perPage").or(self.take("per_page"));
        let number = |name: &str, value: Option<String>, usual: usize, most: usize| match value {
            None => Ok(usual),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| Failure::invalid(name, format!("a number from 1 to {most}"))),
        };
        Ok(Paging {
            page: number("page", self.take("page"), 1, LAST)?,
            per_page: number("perPage", per_page, PER_PAGE, MOST)?,
        })
    }

    /// Everything accepted was taken: what is left is refused by name.
    pub(super) fn end(self) -> Result<(), Failure> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid_all(
            self.0
                .into_keys()
                .take(100)
                .map(|name| (name.chars().take(100).collect(), "this parameter is not known here".into())),
        ))
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paging {
    page: usize,
    /// How many entries it has at the most.
    pub per_page: usize,
}

impl Paging {
    /// How many entries come before it.
    pub(super) fn skip(self) -> usize {
        (self.page - 1) * self.per_page
    }

    /// The page as an answer; `total` entries are on all pages together.
    pub(super) fn answer<T: Serialize>(self, data: Vec<T>, total: usize) -> Result<Response, Failure> {
        let pagination = Pagination {
            total,
            count: data.len(),
            per_page: self.per_page,
            current_page: self.page,
            total_pages: total.div_ceil(self.per_page),
        };
        Ok(reply::json(&Page { data, meta: Meta { pagination } })?)
    }
}

/// Data as an answer.
pub(super) fn data(value: impl Serialize) -> Result<Response, Failure> {
    Ok(reply::json(&Data { data: value })?)
}

/// Yes, in the original's words.
pub(super) fn success(message: impl Into<String>) -> Result<Response, Failure> {
    data(Success { success: true, message: message.into() })
}
