//! Content negotiation (RFC 9110, 12): the format of an answer, from the request's headers and query.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::headers::{JSON, media_type, text};
use crate::domain::{EventId, OrderKey, RestrictionPlace};
use crate::http::problem::Problem;
use crate::i18n::{self, Lang};
use crate::quality_values::quality_values;

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Format {
    /// A whole page, for a browser that navigates.
    Page,
    /// A fragment, for htmx, `curl` and hosts that include it.
    Fragment,
    /// JSON, for programs.
    Json,
    /// CSV, for tables and `import`.
    Csv,
    /// An Atom feed (RFC 4287), for feed readers; only the list of members has one.
    Atom,
}

impl Format {
    /// Whether a program reads the answer: JSON, also where only lists have CSV or Atom.
    pub(in crate::http) fn is_data(self) -> bool {
        match self {
            Format::Json | Format::Csv | Format::Atom => true,
            Format::Page | Format::Fragment => false,
        }
    }
}

/// The parts of pages.
const PARTS: [&str; 5] = ["component", "view", "rows", "menu", "dialog"];
/// The parameters that name a place in a list.
pub(in crate::http) const PLACES: [&str; 4] = ["cursor", "before", "from", "until"];
/// The value of `before` that stands for a list's end.
pub(in crate::http) const END: &str = "end";

/// The parts of a request besides the resource: format, language and query.
#[derive(Debug, Clone)]
pub(in crate::http) struct RequestInfo {
    /// The shape of the answer.
    pub format: Format,
    /// The language of the answer.
    pub lang: Lang,
    /// The query string, undecoded.
    pub query: String,
    /// Its names and values, decoded: read many times on the way to an answer, and parsed once.
    pairs: Arc<[(String, String)]>,
    /// Whether htmx asks.
    pub htmx: bool,
    /// The last event this client has seen: it is never shown an older state. The header wins over
    /// the query.
    pub last_event_id: Option<EventId>,
}

impl RequestInfo {
    /// Reads the request.
    pub(in crate::http) fn of(headers: &HeaderMap, query: &str) -> RequestInfo {
        let pairs: Arc<[_]> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let last_event_id = headers
            .get("last-event-id")
            .filter(|id| !id.is_empty())
            .map(|id| id.to_str().unwrap_or_default().to_owned())
            .or_else(|| value(&pairs, "lastEventId").map(str::to_owned))
            .map(|id| EventId::read(&id));
        let accepted = text(headers, header::ACCEPT_LANGUAGE.as_str());
        let lang = i18n::negotiate(value(&pairs, "lang"), accepted);
        RequestInfo {
            format: format(headers, &pairs),
            lang,
            query: query.to_owned(),
            htmx: is_htmx(headers),
            last_event_id,
            pairs,
        }
    }

    /// The query's names and values.
    pub(in crate::http) fn pairs(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        self.pairs.iter().map(|(name, value)| (Cow::Borrowed(name.as_str()), Cow::Borrowed(value.as_str())))
    }

    /// Refuses a `format`, a `part` or a place that there is not. It goes before whatever else is wrong with the query.
    ///
    /// # Errors
    /// When it is none of those that a request can ask for, also where nothing reads it.
    pub(in crate::http) fn check_shape(&self) -> Result<(), Problem> {
        self.one_of("format", &["json", "csv", "atom"])?;
        self.one_of("part", &PARTS)?;
        let is_wrong = |name: &&str| value(&self.pairs, name).is_some_and(|value| !is_place(name, value));
        PLACES.into_iter().find(is_wrong).map_or(Ok(()), |name| Err(Problem::no_place(name)))
    }

    /// Refuses a value of a query parameter that is none of these.
    ///
    /// # Errors
    /// When it is given, and none of them.
    pub(in crate::http) fn one_of(&self, name: &str, allowed: &[&str]) -> Result<(), Problem> {
        match value(&self.pairs, name) {
            Some(value) if !allowed.contains(&value) => {
                Err(Problem::invalid(format!("{name}: one of {}", allowed.join(", "))))
            }
            _ => Ok(()),
        }
    }

    /// The value of a query parameter, unless empty.
    pub(in crate::http) fn value(&self, name: &str) -> Option<String> {
        value(&self.pairs, name).map(str::to_owned)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestInfo {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts
            .extensions
            .get::<RequestInfo>()
            .cloned()
            .expect("`respond::render_problems` reads what every request asks"))
    }
}

fn is_htmx(headers: &HeaderMap) -> bool {
    text(headers, "hx-request") == Some("true")
}

/// The value of a parameter, the last one where it is given twice, as in [`Props`](crate::views::Props).
fn value<'p>(pairs: &'p [(String, String)], name: &str) -> Option<&'p str> {
    let last = pairs.iter().rfind(|(key, _)| key == name);
    last.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
}

/// Whether a list gives places of this form: that of the members, or those of the banned and the muted. Each list checks
/// that it is one of its own.
fn is_place(name: &str, text: &str) -> bool {
    let is_of_list = OrderKey::parse(text).is_some() || text.parse::<RestrictionPlace>().is_ok();
    is_of_list || (name == "before" && text == END)
}

fn format(headers: &HeaderMap, pairs: &[(String, String)]) -> Format {
    match value(pairs, "format") {
        Some("json") => return Format::Json,
        Some("csv") => return Format::Csv,
        Some("atom") => return Format::Atom,
        _ => {}
    }
    let whole =
        ["hx-boosted", "hx-history-restore-request"].into_iter().any(|name| text(headers, name) == Some("true"))
            || text(headers, "hx-request-type") == Some("full");
    if value(pairs, "part").is_some() {
        return Format::Fragment;
    }
    if whole {
        return Format::Page;
    }
    if is_htmx(headers) {
        return Format::Fragment;
    }
    let accepted = text(headers, header::ACCEPT.as_str()).unwrap_or("*/*");
    match best(accepted) {
        Some(format) => format,
        None if media_type(headers) == JSON => Format::Json,
        None => Format::Fragment,
    }
}

/// The format of the media type with the highest weight; `None` when the weights prefer none.
fn best(accepted: &str) -> Option<Format> {
    let mut best: Option<(f32, Option<Format>)> = None;
    for (range, weight) in quality_values(accepted) {
        let format = match range {
            "text/html" | "application/xhtml+xml" => Some(Format::Page),
            "application/json" | "application/problem+json" => Some(Format::Json),
            "text/csv" => Some(Format::Csv),
            "application/atom+xml" => Some(Format::Atom),
            "*/*" | "text/*" => None,
            _ => continue,
        };
        let weight = weight.unwrap_or(1.0);
        if weight > 0.0 && best.is_none_or(|(heaviest, _)| weight > heaviest) {
            best = Some((weight, format));
        }
    }
    best.and_then(|(_, format)| format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_of(headers: &[(&'static str, &'static str)], query: &str) -> Format {
        let headers = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        RequestInfo::of(&headers, query).format
    }

    #[test]
    fn a_browser_gets_a_page_and_everybody_else_a_fragment() {
        assert_eq!(
            format_of(&[("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")], ""),
            Format::Page
        );
        assert_eq!(format_of(&[("accept", "text/html")], "part="), Format::Page);
        assert_eq!(format_of(&[("accept", "text/html")], "part=&part=rows"), Format::Fragment);
        assert_eq!(format_of(&[("accept", "*/*")], ""), Format::Fragment);
        assert_eq!(format_of(&[], ""), Format::Fragment);
        assert_eq!(format_of(&[("accept", "text/html"), ("hx-request", "true")], ""), Format::Fragment);
        assert_eq!(
            format_of(&[("accept", "text/html"), ("hx-request", "true"), ("hx-request-type", "partial")], ""),
            Format::Fragment
        );
        for whole in [("hx-boosted", "true"), ("hx-history-restore-request", "true"), ("hx-request-type", "full")] {
            assert_eq!(format_of(&[("hx-request", "true"), whole], ""), Format::Page);
        }
        assert_eq!(format_of(&[("accept", "text/html")], "part=component"), Format::Fragment);
    }

    #[test]
    fn a_program_gets_data() {
        assert_eq!(format_of(&[("accept", "application/json")], ""), Format::Json);
        assert_eq!(format_of(&[("accept", "text/html;q=0.5, application/json")], ""), Format::Json);
        assert_eq!(format_of(&[("accept", "text/csv")], ""), Format::Csv);
        assert_eq!(format_of(&[("accept", "application/atom+xml, */*;q=0.1")], ""), Format::Atom);
        assert_eq!(format_of(&[("accept", "text/html")], "format=json"), Format::Json);
        assert_eq!(format_of(&[("accept", "text/html")], "format=atom"), Format::Atom);
        assert_eq!(format_of(&[("content-type", "application/json")], ""), Format::Json);
    }
}
