//! A list without rows.

use askama::Template;

use super::look::Look;
use super::props::{Props, Quick};
use crate::lang::{Html, Said, key};

/// What stands in place of rows when there are none.
#[derive(Template)]
#[template(path = "members/empty.html")]
pub(super) struct Empty<'a> {
    pub(super) look: &'a Look,
    pub(super) count: usize,
    pub(super) swap: bool,
}

impl askama::filters::HtmlSafe for Empty<'_> {}

impl Empty<'_> {
    fn words(&self) -> (Html, &'static str) {
        let (props, lang) = (&self.look.props, self.look.lang);
        let (what, hint) = if !props.filter().search().is_empty() {
            (Said::from(key::EMPTY_SEARCH).with("search", &props.search), key::EMPTY_SEARCH_HINT)
        } else if props.quick == Quick::Online || props.online == Some(true) {
            (key::EMPTY_ONLINE.into(), key::EMPTY_ONLINE_HINT)
        } else if props.quick != Quick::All || props.scopes.is_some() || props.online.is_some() {
            (key::EMPTY_FILTER.into(), key::EMPTY_FILTER_HINT)
        } else {
            (key::EMPTY_TITLE.into(), key::EMPTY_HINT)
        };
        (what.html(lang), lang.text(hint))
    }

    /// The list with nothing searched; `None` when nothing is.
    pub(super) fn clear(&self) -> Option<String> {
        let props = &self.look.props;
        let cleared = Props { search: String::new(), quick: Quick::All, ..props.clone() };
        props
            .is_narrowed()
            .then(|| super::urls::with_query(&self.look.href(), &cleared.in_language(self.look.lang).query(), ""))
    }
}
