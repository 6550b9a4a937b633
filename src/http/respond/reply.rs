//! Small pieces of answers.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::domain::EventId;
use crate::http::problem::Problem;

/// Names the event that an answer is as of; in requests, the last one seen.
pub(in crate::http) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// HTML.
pub(in crate::http) fn html(text: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text.into()).into_response()
}

/// A template as HTML.
///
/// # Errors
/// When the template fails.
pub(in crate::http) fn rendered(template: &impl Template) -> Result<Response, Problem> {
    Ok(html(template.render()?))
}

/// JSON.
///
/// # Errors
/// When the value cannot be written as JSON.
pub(in crate::http) fn json(value: &impl serde::Serialize) -> Result<Response, Problem> {
    let text = serde_json::to_string(value).map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response())
}

/// Largest header of events, in bytes: with the others it fits into the 4 KiB that proxies keep for the head of an answer.
const LARGEST_EVENTS: usize = 3072;

/// The fields of events that a header leaves out when it cannot hold them, in this order: texts and pictures, which the stream also sends.
const DISPENSABLE: [&str; 3] = ["message", "reason", "avatar"];

/// Adds events of the component, by their names, which htmx dispatches where the request came from. Of events that are too large for a
/// header, [`DISPENSABLE`] fields are left out; those that are too large even so come by the stream alone.
pub(in crate::http) fn with_events(mut response: Response, events: &serde_json::Value) -> Response {
    if let Some(text) = header_text(events)
        && let Ok(value) = HeaderValue::from_str(&text)
    {
        response.headers_mut().insert("hx-trigger", value);
    }
    response
}

/// The events as a header holds them; `None` when it cannot.
fn header_text(events: &serde_json::Value) -> Option<String> {
    let fits = |text: &String| text.len() <= LARGEST_EVENTS;
    let whole = ascii(&events.to_string());
    if fits(&whole) {
        return Some(whole);
    }
    let mut shorter = events.clone();
    let mut texts = DISPENSABLE.iter().map(|field| {
        remove_field(&mut shorter, field);
        ascii(&shorter.to_string())
    });
    texts.find(fits)
}

/// Removes a field from the objects in this value, at any depth.
fn remove_field(value: &mut serde_json::Value, field: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(field);
        object.values_mut().for_each(|value| remove_field(value, field));
    }
}

/// JSON for a header: everything beyond ASCII escaped.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            let mut units = [0; 2];
            text.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

/// Adds the event that the response reflects: clients with a stream order the two by it, and clients that send it
/// back never see an older state.
pub(in crate::http) fn as_of(mut response: Response, id: &EventId) -> Response {
    let id = HeaderValue::from_str(&id.to_string()).expect("ids are plain ASCII");
    response.headers_mut().insert(LAST_EVENT_ID, id);
    response
}

/// See other (303): where a form's answer is.
pub(in crate::http) fn see_other(url: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(value) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    response
}
