//! Text that is HTML already.

use std::fmt;

/// Text that is HTML already: templates print it as it is.
pub struct SafeHtml(String);

impl SafeHtml {
    /// Wraps HTML whose texts are escaped.
    pub(super) fn new(html: String) -> SafeHtml {
        SafeHtml(html)
    }

    /// Escapes plain text, in an element of its own: its direction may differ from that of the text around it.
    pub fn isolated(text: &str) -> SafeHtml {
        SafeHtml(format!("<bdi>{}</bdi>", escape(text)))
    }

    /// Escapes the value of an attribute and puts it into quotes: those that it holds fewer of, since each takes four bytes more
    /// when it is escaped. Nothing else ends such a value (WHATWG HTML, 13.2.5.36).
    pub fn attribute(value: &str) -> SafeHtml {
        let count = |quote| value.matches(quote).count();
        let (quote, reference) = if count('"') > count('\'') { ('\'', "&#39;") } else { ('"', "&quot;") };
        SafeHtml(format!("{quote}{}{quote}", value.replace('&', "&amp;").replace(quote, reference)))
    }

    /// Joins several with spaces.
    pub fn join(parts: impl IntoIterator<Item = SafeHtml>) -> SafeHtml {
        SafeHtml::joined_by(" ", parts)
    }

    /// Joins several, each on a line of its own where line breaks are kept.
    pub fn lines(parts: impl IntoIterator<Item = SafeHtml>) -> SafeHtml {
        SafeHtml::joined_by("\n", parts)
    }

    fn joined_by(separator: &str, parts: impl IntoIterator<Item = SafeHtml>) -> SafeHtml {
        SafeHtml(parts.into_iter().map(|part| part.0).collect::<Vec<_>>().join(separator))
    }
}

/// Escapes text for the places between tags and for quoted attributes.
pub fn escape(text: &str) -> String {
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
