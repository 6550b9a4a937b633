//! The body of an unsafe request: a form or JSON, read into names and texts.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde_json::Value;

use super::{ActField, FORM, JSON, encoding, json, media_type};
use crate::http::body_progress::has_stalled;
use crate::http::problem::Problem;

/// The fields of a body, unknown ones included. A body that cannot be read is reported only after the group was
/// found: an outsider gets the 404 first. With `LISTS` a field may have several values: an array in JSON.
#[derive(Debug)]
pub(in crate::http) struct FormBody<const LISTS: bool = false>(Result<Vec<(String, String)>, Problem>);

/// A body in which a field may have several values.
pub(in crate::http) type MultiValueBody = FormBody<true>;

impl<S: Send + Sync, const LISTS: bool> FromRequest<S> for FormBody<LISTS> {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        Ok(FormBody(read(request, state, LISTS).await))
    }
}

impl<const LISTS: bool> FormBody<LISTS> {
    /// The field `_method` of a plain form, in upper case; needs no group to be answered.
    pub(in crate::http) fn method(&self) -> Option<String> {
        let mut fields = self.0.as_ref().ok()?.iter().rev();
        fields.find(|(name, _)| name == ActField::Method.as_str()).map(|(_, method)| method.to_ascii_uppercase())
    }

    /// Names and values in the order given.
    ///
    /// # Errors
    /// When the body could not be read.
    pub(in crate::http) fn into_fields(self) -> Result<Vec<(String, String)>, Problem> {
        self.0
    }
}

async fn read<S: Send + Sync>(request: Request, state: &S, lists: bool) -> Result<Vec<(String, String)>, Problem> {
    encoding::refuse_encoded(request.headers())?;
    let kind = media_type(request.headers());
    let body = match Bytes::from_request(request, state).await {
        Ok(body) => body,
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => return Err(Problem::too_large()),
        Err(rejection) if has_stalled(&rejection) => return Err(Problem::stalled()),
        Err(_) => return Err(Problem::bad_request("The body ended before it was complete.")),
    };
    match kind.as_str() {
        _ if body.is_empty() => Ok(Vec::new()),
        FORM => Ok(form_urlencoded::parse(&body).into_owned().collect()),
        JSON => fields(&body, lists),
        _ => Err(Problem::bad_request(format!("Send the body as {FORM} or {JSON}."))),
    }
}

/// Stands for a value that is no text, number or boolean. Fields of text refuse this character (`act_fields.rs`), and those of certain
/// words know no such word: the value is an error where a handler reads the field, and nowhere else.
const NOT_A_TEXT: &str = "\u{fffd}";

/// The fields of a body of this kind as handlers get them; `None` when they get a problem. For the fuzzer.
#[cfg(feature = "testing")]
#[doc(hidden)]
pub async fn read_body(kind: &str, body: Vec<u8>) -> Option<Vec<(String, String)>> {
    let request = Request::post("/").header(axum::http::header::CONTENT_TYPE, kind).body(body.into()).ok()?;
    read(request, &(), false).await.ok()
}

fn fields(body: &[u8], lists: bool) -> Result<Vec<(String, String)>, Problem> {
    let value = json::parse(body).map_err(Problem::bad_request)?;
    let Value::Object(object) = value else { return Err(Problem::bad_request("The body must be a JSON object.")) };
    let mut fields = Vec::new();
    for (name, value) in object {
        match value {
            Value::Array(values) if lists => fields.extend(values.into_iter().map(|value| (name.clone(), word(value)))),
            Value::Null => {}
            value => fields.push((name, word(value))),
        }
    }
    Ok(fields)
}

fn word(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        // A non-text field is an error only if a handler reads it.
        Value::Null | Value::Array(_) | Value::Object(_) => NOT_A_TEXT.into(),
    }
}
