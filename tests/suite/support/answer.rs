//! An answer of the service, and what a reader makes of it.

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use scraper::{Html, Selector};
use serde_json::Value;

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub async fn of(response: reqwest::Response) -> Answer {
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: response.text().await.unwrap() }
    }

    /// The answer, which must be a yes.
    #[track_caller]
    pub fn ok(self) -> Answer {
        assert_eq!(self.status, 200, "{}", self.body);
        self
    }

    /// The answer, which must be this no.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Answer {
        assert_eq!((self.status.as_u16(), self.code().as_str()), (status, code), "{}", self.body);
        self
    }

    /// A header, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body without what each request has of its own.
    pub fn words(&self) -> String {
        self.body.replace(&format!("\"requestId\":\"{}\"", self.header("x-request-id")), "")
    }

    /// The body as a page or a fragment.
    pub fn html(&self) -> Html {
        if self.body.starts_with("<!doctype") { Html::parse_document(&self.body) } else { fragment(&self.body) }
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The code of a refusal, in whichever face.
    pub fn code(&self) -> String {
        if self.header("content-type").contains("json") {
            return self.json()["code"].as_str().unwrap_or_default().to_owned();
        }
        let found = texts(&self.html(), "[role=alert]", Some("data-code"));
        found.first().cloned().unwrap_or_default()
    }

    /// The uids of the rows, in order.
    pub fn uids(&self) -> Vec<String> {
        texts(&self.html(), "li.chat-group-members__row", Some("data-uid"))
    }

    /// The attribute of the first element that matches.
    pub fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        let html = self.html();
        html.select(&select(selector)).next().and_then(|element| element.value().attr(name)).map(str::to_owned)
    }

    /// How many elements match.
    pub fn count(&self, selector: &str) -> usize {
        self.html().select(&select(selector)).count()
    }

    /// Whether an element matches.
    pub fn has(&self, selector: &str) -> bool {
        self.count(selector) > 0
    }

    /// The text of the first element that matches, empty when none does.
    pub fn text(&self, selector: &str) -> String {
        texts(&self.html(), selector, None).first().cloned().unwrap_or_default()
    }
}

/// A fragment, parsed as a browser parses what is put into a page.
pub fn fragment(html: &str) -> Html {
    Html::parse_fragment(html)
}

/// A CSS selector.
#[track_caller]
pub fn select(selector: &str) -> Selector {
    Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"))
}

/// The texts, or this attribute, of everything that matches.
pub fn texts(html: &Html, selector: &str, attribute: Option<&str>) -> Vec<String> {
    let selector = select(selector);
    let found = html.select(&selector);
    match attribute {
        Some(name) => found.filter_map(|element| element.value().attr(name)).map(str::to_owned).collect(),
        None => found.map(|element| element.text().collect::<String>().trim().to_owned()).collect(),
    }
}
