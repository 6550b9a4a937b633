//! Bodies, read at the edge. A field is accepted by being taken; what nobody took is refused by
//! name, so that no caller believes that something was kept which was not.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde_json::{Map, Value};

use super::error::Failure;
use crate::domain::{Name, Uid};
use crate::http::extract::text;
use crate::http::problem::Problem;
use crate::identity::avatar_url;

/// A body, read when it is asked for: whether it can be read is said only after whether the group
/// is there.
#[derive(Debug)]
pub(super) struct Sent(Result<JsonBody, Failure>);

impl Sent {
    /// The fields, or why they cannot be read.
    pub(super) fn read(self) -> Result<JsonBody, Failure> {
        self.0
    }
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let kind = text(request.headers(), header::CONTENT_TYPE.as_str()).unwrap_or_default().to_owned();
        Ok(Sent(match Bytes::from_request(request, state).await {
            Ok(body) => JsonBody::parse(&kind, &body),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Problem::too_large().into()),
            Err(_) => Err(Failure::unreadable("The body ended before it was complete.")),
        }))
    }
}

/// The fields of a JSON object.
#[derive(Debug)]
pub(super) struct JsonBody {
    /// Where it lies in the body, for sentences about it.
    path: String,
    fields: Map<String, Value>,
}

impl JsonBody {
    fn parse(kind: &str, body: &[u8]) -> Result<JsonBody, Failure> {
        if body.is_empty() {
            return Ok(JsonBody { path: String::new(), fields: Map::new() });
        }
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Failure::unreadable("Send the body as application/json."));
        }
        let value = serde_json::from_slice(body)
            .map_err(|error| Failure::unreadable(format!("The body is not JSON: {error}.")))?;
        JsonBody::of(String::new(), value).map_err(|_| Failure::unreadable("The body must be a JSON object."))
    }

    /// The fields of an object that lies at `path`.
    pub(super) fn of(path: String, value: Value) -> Result<JsonBody, Failure> {
        match value {
            Value::Object(fields) => Ok(JsonBody { path, fields }),
            _ => Err(Failure::invalid(&path, "an object")),
        }
    }

    /// A text; `null` and "" are like none.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        Ok(self.clearable(name)?.flatten())
    }

    /// A text that can be taken away by `null` or "" (`Some(None)`).
    pub(super) fn clearable(&mut self, name: &str) -> Result<Option<Option<String>>, Failure> {
        match self.fields.remove(name) {
            None => Ok(None),
            Some(Value::Null) => Ok(Some(None)),
            Some(Value::String(text)) => Ok(Some(Some(text).filter(|text| !text.is_empty()))),
            Some(_) => Err(self.invalid(name, "a text")),
        }
    }

    /// Whether this field is there and `null`; it is taken then.
    pub(super) fn take_null(&mut self, name: &str) -> bool {
        let null = self.fields.get(name).is_some_and(Value::is_null);
        null && self.fields.remove(name).is_some()
    }

    /// Whatever is there, unless `null`.
    pub(super) fn value(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// A list; none is an empty one.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<Value>, Failure> {
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.invalid(name, "a list")),
        }
    }

    /// A uid.
    pub(super) fn uid(&mut self, name: &str) -> Result<Option<Uid>, Failure> {
        self.text(name)?.map(|text| text.parse().map_err(|error| self.invalid(name, format!("{error}")))).transpose()
    }

    /// A person's or group's name, trimmed.
    pub(super) fn name(&mut self, name: &str) -> Result<Option<Name>, Failure> {
        self.text(name)?
            .map(|text| Name::parse(text.trim()).map_err(|error| self.invalid(name, format!("{error}"))))
            .transpose()
    }

    /// A picture that browsers may load.
    pub(super) fn picture(&mut self, name: &str) -> Result<Option<Option<String>>, Failure> {
        let given = self.clearable(name)?;
        match given.as_ref().and_then(Option::as_deref) {
            Some(url) if avatar_url(url).is_none() => {
                Err(self.invalid(name, "an https address of at most 2048 characters"))
            }
            _ => Ok(given),
        }
    }

    /// What must be there.
    pub(super) fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, Failure> {
        value.ok_or_else(|| self.invalid(name, "this is required"))
    }

    /// That a field is not as it must be.
    pub(super) fn invalid(&self, name: &str, words: impl Into<String>) -> Failure {
        Failure::invalid(&format!("{}{name}", self.path), words)
    }

    /// Everything accepted was taken: what is left is refused by name.
    pub(super) fn end(self) -> Result<(), Failure> {
        if self.fields.is_empty() {
            return Ok(());
        }
        let shortened = |name: &str| name.chars().take(100).collect::<String>();
        Err(Failure::invalid_all(
            self.fields
                .keys()
                .take(100)
                .map(|name| (format!("{}{}", self.path, shortened(name)), "this field is not known here".into())),
        ))
    }
}
