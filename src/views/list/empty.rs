//! The message in place of rows when a list is empty.

use askama::Template;

use crate::i18n::{Message, SafeHtml, key};
use crate::views::context::ViewContext;
use crate::views::props::{Props, QuickFilter};
use crate::views::urls::with_query;

/// The message in place of rows when no member matches; empty when some do.
#[derive(Template)]
#[template(path = "members/empty.html")]
pub struct Empty<'a> {
    pub(super) context: &'a ViewContext,
    pub(super) count: usize,
    pub(super) swap: bool,
}

impl askama::filters::HtmlSafe for Empty<'_> {}

impl<'a> Empty<'a> {
    /// The out-of-band swap for a list of this many members.
    pub fn swap(context: &'a ViewContext, count: usize) -> Empty<'a> {
        Empty { context, count, swap: true }
    }
}

impl Empty<'_> {
    /// The sentences: that nobody is there, and what the viewer can do.
    fn words(&self) -> (SafeHtml, &'static str) {
        let (props, lang) = (&self.context.props, self.context.lang);
        let (title, hint) = if !props.filter().search().is_empty() {
            (Message::from(key::EMPTY_SEARCH).with("search", &props.search), key::EMPTY_SEARCH_HINT)
        } else if props.quick_filter == QuickFilter::Online || props.online == Some(true) {
            (key::EMPTY_ONLINE.into(), key::EMPTY_ONLINE_HINT)
        } else if props.quick_filter != QuickFilter::All
            || props.scopes.is_some()
            || props.online.is_some()
            || props.joined_since.is_some()
        {
            (key::EMPTY_FILTER.into(), key::EMPTY_FILTER_HINT)
        } else {
            (key::EMPTY_TITLE.into(), key::EMPTY_HINT)
        };
        (title.html(lang), lang.text(hint))
    }

    /// The URL of the list without search and quick filter; `None` when neither is active.
    pub(super) fn clear(&self) -> Option<String> {
        let props = &self.context.props;
        let cleared = Props { search: String::new(), quick_filter: QuickFilter::All, hour_ago: None, ..props.clone() };
        props
            .is_narrowed()
            .then(|| with_query(&self.context.href(), &cleared.in_language(self.context.lang).query(), ""))
    }
}
