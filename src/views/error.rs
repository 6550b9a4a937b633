use askama::Template;

/// A refusal or failure, said where the person is looking.
#[derive(Template)]
#[template(path = "error.html")]
pub struct Alert<'a> {
    /// The contract's code.
    pub code: &'a str,
    /// What happened, in a few words.
    pub title: &'a str,
    /// Why, and what to do, as HTML.
    pub detail: &'a str,
    /// The same as plain text.
    pub plain: &'a str,
    /// The same as drawn by others, as HTML.
    pub drawn: Option<String>,
}

impl askama::filters::HtmlSafe for Alert<'_> {}
