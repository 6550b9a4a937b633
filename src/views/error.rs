//! An error message inside the component or on a page.

use askama::Template;

/// A refusal or failure.
#[derive(Template)]
#[template(path = "error.html")]
pub struct Alert<'a> {
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
