//! Kinds of fields that several bodies have, each with its limits.

use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema, SchemaFormat};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use super::body::object;
use crate::domain::MAX_PASSWORD;
use crate::web_address::{MAX_ADDRESS, is_address, is_picture, picture_in_words};

/// Longest description, in characters.
const DESCRIPTION: usize = 255;
/// Longest role, in characters.
const ROLE: usize = 100;
/// Most metadata, in bytes of JSON.
const METADATA: usize = 5 * 1024;
/// Most tags.
const TAGS: usize = 25;
/// Longest tag, in characters.
const TAG: usize = 100;

/// What [`is_text`] accepts, for the document.
const TEXT: &str = r"^[^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*$";
/// What [`is_text`] accepts and is not blank, for the document.
const SEEN: &str = r"^[^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*[^\s\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f][^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*$";
/// The same, or "" for none.
const SEEN_OR_NONE: &str = r"^([^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*[^\s\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f][^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*)?$";
/// The beginning of what [`is_address`] accepts; the format says that the rest is an address.
const ADDRESSES: &str = r"^[Hh][Tt][Tt][Pp][Ss]?://\S+$";
/// The other beginning that [`is_picture`] accepts.
const IMAGES: &str = r"^[Dd][Aa][Tt][Aa]:[Ii][Mm][Aa][Gg][Ee]/[^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*$";

/// Declares a text with limits: what it may be, in words and as a schema, the check, and the part that is kept and checked: all of it
/// unless given.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $most:expr, $words:expr, $schema:expr, $fits:expr) => {
        text! { $(#[$doc])* $name, $most, $words, $schema, $fits, |text| text }
    };
    ($(#[$doc:meta])* $name:ident, $most:expr, $words:expr, $schema:expr, $fits:expr, $part:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub(in crate::http::v3) struct $name(pub String);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let fits: fn(&str) -> bool = $fits;
                let part: fn(&str) -> &str = $part;
                let text = part(text);
                if text.chars().count() <= $most && fits(text) { Ok(Self(text.to_owned())) } else { Err($words) }
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema($words, $most)
            }
        }

        impl ToSchema for $name {}

        impl From<$name> for String {
            fn from(text: $name) -> String {
                text.0
            }
        }
    };
}

text! {
    /// An address of a picture.
    Picture, MAX_ADDRESS, picture_in_words(), |words, most| address(words, most, Some(IMAGES)),
    is_picture
}

text! {
    /// An address of a page.
    Link, MAX_ADDRESS, format!("an http or https address of at most {MAX_ADDRESS} characters"), |words, most| address(words, most, None),
    is_address
}

text! {
    /// A sentence about a group, or of somebody about themselves.
    Description, DESCRIPTION, format!("at most {DESCRIPTION} characters of text"), |words, most| words_of(words, most, Some(TEXT)), is_text
}

text! {
    /// What somebody is in the host's application, without the white space around it: filters are read so too.
    Role, ROLE, format!("1 to {ROLE} characters of text"), |words, most| words_of(words, most, Some(SEEN_OR_NONE)),
    |text| !text.is_empty() && is_text(text), str::trim
}

text! {
    /// The password of a group.
    Password, MAX_PASSWORD, format!("at most {MAX_PASSWORD} characters"), |words, most| words_of(words, most, None), |_| true
}

fn words_of(words: String, most: usize, pattern: Option<&str>) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).max_length(Some(most)).pattern(pattern);
    RefOr::T(object.description(Some(words)).build().into())
}

/// An address, what is like this pattern, or "" for none.
fn address(words: String, most: usize, others: Option<&str>) -> RefOr<Schema> {
    let text = |most: usize| ObjectBuilder::new().schema_type(Type::String).max_length(Some(most));
    let address = text(most).pattern(Some(ADDRESSES)).format(Some(SchemaFormat::Custom("uri".into())));
    let either = AnyOfBuilder::new().item(address).item(text(0)).description(Some(words));
    let either = others.into_iter().fold(either, |either, pattern| either.item(text(most).pattern(Some(pattern))));
    RefOr::T(either.build().into())
}

fn is_text(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !c.is_whitespace())
}

/// What the host keeps with somebody or something for itself, as JSON text.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(in crate::http::v3) struct Metadata(pub String);

impl TryFrom<Value> for Metadata {
    type Error = String;

    fn try_from(value: Value) -> Result<Metadata, String> {
        let fields = object(value).ok_or("it must be an object")?;
        let text = Value::Object(fields).to_string();
        if text.len() <= METADATA { Ok(Metadata(text)) } else { Err(format!("at most {METADATA} bytes of JSON")) }
    }
}

impl PartialSchema for Metadata {
    fn schema() -> RefOr<Schema> {
        let words = format!("An object, at most {METADATA} bytes of JSON, with numbers that 64 bits keep.");
        RefOr::T(ObjectBuilder::new().schema_type(Type::Object).description(Some(words)).build().into())
    }
}

impl ToSchema for Metadata {}

impl From<Metadata> for String {
    fn from(metadata: Metadata) -> String {
        metadata.0
    }
}

/// Words to find somebody or something by, without the white space around them: filters are read so too.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(in crate::http::v3) struct Tags(pub Vec<String>);

impl TryFrom<Vec<String>> for Tags {
    type Error = String;

    fn try_from(tags: Vec<String>) -> Result<Tags, String> {
        let tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
        let fits = |tag: &String| (1..=TAG).contains(&tag.chars().count()) && is_text(tag);
        if tags.len() <= TAGS && tags.iter().all(fits) {
            Ok(Tags(tags))
        } else {
            Err(format!("at most {TAGS} tags of 1 to {TAG} characters, none of them blank"))
        }
    }
}

impl PartialSchema for Tags {
    fn schema() -> RefOr<Schema> {
        let tag = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(TAG))
            .pattern(Some(SEEN));
        RefOr::T(
            ArrayBuilder::new().items(tag).max_items(Some(TAGS)).description(Some("Words to find by.")).build().into(),
        )
    }
}

impl ToSchema for Tags {}

/// A field that is present; `null` clears it (`Some(None)`).
///
/// # Errors
/// When the value is neither a `T` nor `null`.
pub(in crate::http::v3) fn changed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A field that is present and cannot be cleared: `null` would change nothing, so it is refused.
///
/// # Errors
/// When the value is not a `T`.
pub(in crate::http::v3) fn kept<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Option::<T>::deserialize(deserializer)?;
    value.map(Some).ok_or_else(|| D::Error::custom("null takes nothing away here; give a value, or leave it out"))
}

/// The tags of a change.
pub(in crate::http::v3) fn tags_of(change: Option<Option<Tags>>) -> Option<Vec<String>> {
    change.map(|change| change.unwrap_or_default().0)
}

/// The texts of a change.
pub(in crate::http::v3) fn texts<T: Into<String>>(change: Option<Option<T>>) -> Option<Option<String>> {
    change.map(|change| change.map(Into::into))
}
