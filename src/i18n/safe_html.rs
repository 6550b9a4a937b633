//! Text that is HTML already.

use std::fmt;

/// Text that is HTML already: templates print it as it is.
pub struct SafeHtml(String);

impl SafeHtml {
    /// Wraps HTML whose texts are escaped.
    pub(super) fn new(html: String) -> SafeHtml {
        SafeHtml(html)
    }

    /// Escapes plain text.
    pub fn of(text: &str) -> SafeHtml {
        SafeHtml(escape(text))
    }

    /// Joins several with spaces.
    pub fn join(parts: impl IntoIterator<Item = SafeHtml>) -> SafeHtml {
        SafeHtml(parts.into_iter().map(|part| part.0).collect::<Vec<_>>().join(" "))
    }
}

/// Escapes text for the places between tags and for quoted attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

impl fmt::Display for SafeHtml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl askama::FastWritable for SafeHtml {
    fn write_into(&self, text: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(text.write_str(&self.0)?)
    }
}

impl askama::filters::HtmlSafe for SafeHtml {}
