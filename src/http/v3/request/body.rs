//! Bodies, read at the edge into the structs that describe them. An unknown field is refused by name, so that no caller
//! assumes that it was stored.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;

use axum::extract::{FromRequest, Request};
use http_body_util::LengthLimitError;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;
use utoipa::PartialSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema};

use super::exact_numbers;
use crate::http::body_progress::has_stalled;
use crate::http::extract::{JSON, LARGEST_BODY, encoding, json, media_type};
use crate::http::problem::Problem;
use crate::http::v3::error::V3Error;
use crate::json_faults;

/// Most faults that one answer names.
const FAULTS: usize = 20;

/// A body, read when it is asked for: whether it can be read is said only after whether the group
/// is there. `MAX_BYTES`: the largest body, in bytes.
#[derive(Debug)]
pub(in crate::http::v3) struct Sent<T, const MAX_BYTES: usize = { LARGEST_BODY }>(Result<(T, String), V3Error>);

/// The body of a call that takes no fields: none, or an empty object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http::v3) struct NoFields {}

impl PartialSchema for NoFields {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(ObjectBuilder::new().build()))
    }
}

impl Sent<NoFields> {
    /// Checks that the body has no fields.
    ///
    /// # Errors
    /// As [`Sent::read`].
    pub(in crate::http::v3) fn must_be_empty(self) -> Result<(), V3Error> {
        let NoFields {} = self.read()?;
        Ok(())
    }
}

impl<T, const MAX_BYTES: usize> Sent<T, MAX_BYTES> {
    /// The body, or why it cannot be read.
    ///
    /// # Errors
    /// 400 when it cannot be read, with each wrong field by name; 408 when it does not arrive in time; 413 when it is too
    /// large.
    pub(in crate::http::v3) fn read(self) -> Result<T, V3Error> {
        Ok(self.0?.0)
    }

    /// The body, and its content as a canonical text: fields in order, without a password.
    ///
    /// # Errors
    /// As [`Sent::read`].
    pub(in crate::http::v3) fn read_with_content(self) -> Result<(T, String), V3Error> {
        self.0
    }
}

impl<T: DeserializeOwned + PartialSchema, S: Send + Sync, const MAX_BYTES: usize> FromRequest<S>
    for Sent<T, MAX_BYTES>
{
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        let kind = media_type(request.headers());
        Ok(Sent(match axum::body::to_bytes(request.into_body(), MAX_BYTES).await {
            Ok(body) => fields(&kind, &body).and_then(|fields| {
                let content = content(&fields);
                Ok((parse(fields)?, content))
            }),
            Err(error) if is_too_long(&error) => Err(V3Error::too_large(MAX_BYTES)),
            Err(error) if has_stalled(&error) => Err(Problem::stalled().into()),
            Err(_) => Err(V3Error::unreadable("The body ended before it was complete.")),
        }))
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    error.source().is_some_and(|cause| cause.is::<LengthLimitError>())
}

/// The fields of a JSON object; none of an empty body, or of `null`.
fn fields(kind: &str, body: &[u8]) -> Result<Map<String, Value>, V3Error> {
    let body = encoding::without_mark(body);
    if body.is_empty() {
        return Ok(Map::new());
    }
    if kind != JSON {
        return Err(V3Error::unreadable(format!("Send the body as {JSON}.")));
    }
    let value = json::parse(body).map_err(V3Error::unreadable)?;
    exact_numbers::check(body)?;
    match value {
        // Clients write so that there is nothing to send.
        Value::Null => Ok(Map::new()),
        value => object(value).ok_or_else(|| V3Error::unreadable("The body must be a JSON object.")),
    }
}

/// The fields of an object. An empty array is an empty object, which PHP writes so.
pub(in crate::http::v3) fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields),
        Value::Array(entries) => entries.is_empty().then(Map::new),
        _ => None,
    }
}

/// The content of a body for its Idempotency-Key, without the password, which is not kept even hashed.
fn content(fields: &Map<String, Value>) -> String {
    let without_password: Map<String, Value> =
        fields.clone().into_iter().filter(|(name, _)| name != "password").collect();
    Value::Object(without_password).to_string()
}

/// The struct, or everything that is wrong with its fields.
fn parse<T: DeserializeOwned + PartialSchema>(fields: Map<String, Value>) -> Result<T, V3Error> {
    let missing = |name: &String| !fields.contains_key(name);
    let mut faults: Vec<(String, String)> =
        required::<T>().into_iter().filter(missing).map(|name| (name, "this is required".to_owned())).collect();
    let mut rest = Rest { body: Value::Object(fields), taken_out: BTreeMap::new() };
    // Each fault found is taken out, and the rest is read again, so that all of them are named at once.
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(&rest.body) {
            Ok(value) if faults.is_empty() => return Ok(value),
            Ok(_) => break,
            Err(error) => error,
        };
        let path: Vec<&Segment> = error.path().iter().collect();
        // Which fields are missing at the top is known already.
        if path.is_empty() && !faults.is_empty() {
            break;
        }
        let fault = json_faults::fault_at(&rest.spelt(&path), &error.inner().to_string());
        // A field that was taken out is missing then, if it is required.
        if faults.iter().all(|(field, _)| *field != fault.0) {
            faults.push(fault);
        }
        if faults.len() >= FAULTS || !rest.take_out(&path) {
            break;
        }
    }
    Err(V3Error::invalid_all(faults))
}

/// The fields that a struct cannot do without, as it describes itself.
fn required<T: PartialSchema>() -> Vec<String> {
    match T::schema() {
        RefOr::T(Schema::Object(object)) => object.required,
        _ => Vec::new(),
    }
}

/// What is left of a body after faults were taken out.
struct Rest {
    body: Value,
    /// The entries that were taken out of each list, by the path of the list: the places that they had when they were sent.
    taken_out: BTreeMap<String, BTreeSet<usize>>,
}

impl Rest {
    /// The path, as the caller sent it.
    fn spelt(&self, path: &[&Segment]) -> String {
        let mut spelt = String::new();
        for segment in path {
            match segment {
                Segment::Seq { index } => {
                    let place = sent_at(*index, self.taken_out.get(&spelt).into_iter().flatten());
                    spelt = format!("{spelt}[{place}]");
                }
                Segment::Map { key: name } | Segment::Enum { variant: name } => {
                    let dot = if spelt.is_empty() { "" } else { "." };
                    spelt = format!("{spelt}{dot}{name}");
                }
                Segment::Unknown => spelt.push_str(".?"),
            }
        }
        spelt
    }

    /// Takes out the field or the entry of a list at the end of this path.
    fn take_out(&mut self, path: &[&Segment]) -> bool {
        let Some((last, parents)) = path.split_last() else { return false };
        let list = self.spelt(parents);
        let parent = parents.iter().try_fold(&mut self.body, |value, segment| match segment {
            Segment::Map { key } => value.get_mut(key),
            Segment::Seq { index } => value.get_mut(index),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
        match (last, parent) {
            (Segment::Map { key }, Some(Value::Object(fields))) => fields.remove(key).is_some(),
            (Segment::Seq { index }, Some(Value::Array(entries))) if *index < entries.len() => {
                entries.remove(*index);
                let taken_out = self.taken_out.entry(list).or_default();
                let place = sent_at(*index, taken_out.iter());
                taken_out.insert(place)
            }
            _ => false,
        }
    }
}

/// The place that an entry of a list had before those at these places, in order, were taken out.
fn sent_at<'t>(index: usize, taken_out: impl Iterator<Item = &'t usize>) -> usize {
    taken_out.fold(index, |place, taken| place + usize::from(*taken <= place))
}

/// Has a struct inside a body be an object, as [`object`] reads one: derived, it would be read from an array by the places of its fields.
/// The struct derives `Deserialize` with `#[serde(remote = "Self")]`.
macro_rules! object_only {
    ($name:ident) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;

                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, fields: A) -> Result<$name, A::Error> {
                        $name::deserialize(serde::de::value::MapAccessDeserializer::new(fields))
                    }

                    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut entries: A) -> Result<$name, A::Error> {
                        if entries.next_element::<serde::de::IgnoredAny>()?.is_some() {
                            return Err(serde::de::Error::invalid_type(serde::de::Unexpected::Seq, &self));
                        }
                        let none = std::iter::empty::<(&str, &str)>();
                        $name::deserialize(serde::de::value::MapDeserializer::<_, A::Error>::new(none))
                    }
                }

                deserializer.deserialize_any(Object)
            }
        }
    };
}

pub(in crate::http::v3) use object_only;

/// A text of the type `T`; `null` and "" count as absent.
///
/// # Errors
/// When the value is neither a text nor `null`, or is not allowed as a `T`.
pub(in crate::http::v3) fn given<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Like [`given`], for a field that can be cleared: `null` and "" are `Some(None)`.
///
/// # Errors
/// As [`given`].
pub(in crate::http::v3) fn clearable<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    D: Deserializer<'de>,
{
    given(deserializer).map(Some)
}
