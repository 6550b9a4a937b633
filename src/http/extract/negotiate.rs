//! Which face an answer has, from what the request says of itself.

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::domain::EventId;
use crate::lang::{self, Lang};
use crate::weighted::weighted;

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
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

/// What is asked, besides the resource itself.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The shape of the answer.
    pub face: Face,
    /// The language of the answer.
    pub lang: Lang,
    /// The query string, undecoded.
    pub query: String,
    /// Whether htmx asks.
    pub htmx: bool,
    /// The last event this client has seen: it is never shown an older state. The header wins over
    /// the query.
    pub last_event_id: Option<EventId>,
}

impl Ask {
    /// Reads the request.
    pub fn of(headers: &HeaderMap, query: &str) -> Ask {
        let last_event_id = headers
            .get("last-event-id")
            .filter(|id| !id.is_empty())
            .map(|id| id.to_str().unwrap_or_default().to_owned())
            .or_else(|| value(query, "lastEventId").filter(|id| !id.is_empty()))
            .map(|id| EventId::read(&id));
        let accepted = text(headers, header::ACCEPT_LANGUAGE.as_str());
        let lang = lang::choose(value(query, "lang").as_deref(), accepted);
        Ask { face: face(headers, query), lang, query: query.to_owned(), htmx: is_htmx(headers), last_event_id }
    }

    /// The query's names and values.
    pub fn pairs(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        form_urlencoded::parse(self.query.as_bytes())
    }

    /// The value of a query parameter, unless empty.
    pub fn value(&self, name: &str) -> Option<String> {
        value(&self.query, name).filter(|value| !value.is_empty())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Ask {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Ask>().cloned().expect("`problem::give_faces` reads what every request asks"))
    }
}

/// A header as text.
pub fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn is_htmx(headers: &HeaderMap) -> bool {
    text(headers, "hx-request") == Some("true")
}

fn value(query: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn face(headers: &HeaderMap, query: &str) -> Face {
    match value(query, "format").as_deref() {
        Some("json") => return Face::Json,
        Some("csv") => return Face::Csv,
        Some("atom") => return Face::Atom,
        _ => {}
    }
    let whole =
        ["hx-boosted", "hx-history-restore-request"].into_iter().any(|name| text(headers, name) == Some("true"))
            || text(headers, "hx-request-type") == Some("full");
    if value(query, "part").is_some() {
        return Face::Fragment;
    }
    if whole {
        return Face::Page;
    }
    if is_htmx(headers) {
        return Face::Fragment;
    }
    let accepted = text(headers, header::ACCEPT.as_str()).unwrap_or("*/*");
    let sent_json =
        text(headers, header::CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("application/json"));
    match best(accepted) {
        Some(face) => face,
        None if sent_json => Face::Json,
        None => Face::Fragment,
    }
}

/// The face of the media type with the highest weight; `None` when anything is as good.
fn best(accepted: &str) -> Option<Face> {
    let mut best: Option<(f32, Option<Face>)> = None;
    for (range, weight) in weighted(accepted) {
        let face = match range {
            "text/html" | "application/xhtml+xml" => Some(Face::Page),
            "application/json" | "application/problem+json" => Some(Face::Json),
            "text/csv" => Some(Face::Csv),
            "application/atom+xml" => Some(Face::Atom),
            "*/*" | "text/*" => None,
            _ => continue,
        };
        let weight = weight.unwrap_or(1.0);
        if weight > 0.0 && best.is_none_or(|(heaviest, _)| weight > heaviest) {
            best = Some((weight, face));
        }
    }
    best.and_then(|(_, face)| face)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face_of(headers: &[(&'static str, &'static str)], query: &str) -> Face {
        let headers = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        Ask::of(&headers, query).face
    }

    #[test]
    fn a_browser_gets_a_page_and_everybody_else_a_fragment() {
        assert_eq!(
            face_of(&[("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")], ""),
            Face::Page
        );
        assert_eq!(face_of(&[("accept", "*/*")], ""), Face::Fragment);
        assert_eq!(face_of(&[], ""), Face::Fragment);
        assert_eq!(face_of(&[("accept", "text/html"), ("hx-request", "true")], ""), Face::Fragment);
        assert_eq!(
            face_of(&[("accept", "text/html"), ("hx-request", "true"), ("hx-request-type", "partial")], ""),
            Face::Fragment
        );
        for whole in [("hx-boosted", "true"), ("hx-history-restore-request", "true"), ("hx-request-type", "full")] {
            assert_eq!(face_of(&[("hx-request", "true"), whole], ""), Face::Page);
        }
        assert_eq!(face_of(&[("accept", "text/html")], "part=component"), Face::Fragment);
    }

    #[test]
    fn a_program_gets_data() {
        assert_eq!(face_of(&[("accept", "application/json")], ""), Face::Json);
        assert_eq!(face_of(&[("accept", "text/html;q=0.5, application/json")], ""), Face::Json);
        assert_eq!(face_of(&[("accept", "text/csv")], ""), Face::Csv);
        assert_eq!(face_of(&[("accept", "application/atom+xml, */*;q=0.1")], ""), Face::Atom);
        assert_eq!(face_of(&[("accept", "text/html")], "format=json"), Face::Json);
        assert_eq!(face_of(&[("accept", "text/html")], "format=atom"), Face::Atom);
        assert_eq!(face_of(&[("content-type", "application/json")], ""), Face::Json);
    }
}
