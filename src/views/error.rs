//! An error message inside the component or on a page, and where that page leads back to.

use askama::Template;

use crate::domain::Uid;
use crate::i18n::Lang;

/// A refusal or failure.
#[derive(Template)]
#[template(path = "error.html")]
pub struct Alert<'a> {
    /// The language of its texts.
    pub lang: Lang,
    /// The error code of the contract.
    pub code: &'a str,
    /// The problem in a few words.
    pub title: &'a str,
    /// Why, and what to do, as HTML.
    pub detail: &'a str,
    /// `detail` as plain text.
    pub plain: &'a str,
    /// The whole message as rendered by a custom template, as HTML.
    pub custom: Option<String>,
    /// The URL of the list in whose place the alert stands, and which it asks for again when the host has a new token.
    pub list: Option<String>,
}

impl askama::filters::HtmlSafe for Alert<'_> {}

/// Where the page of a refusal or failure leads back to.
#[derive(Debug, Clone)]
pub enum WayBack {
    /// A page.
    Page(String),
    /// The list with these people selected. It is asked for by a form: so many do not fit into an address.
    Selection {
        /// The URL that the form is sent to.
        action: String,
        /// The people.
        uids: Vec<Uid>,
    },
}
