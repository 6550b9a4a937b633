//! Kinds of fields that several bodies have, each with its limits.

use std::str::FromStr;

use reqwest::Url;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

/// Longest description, in characters.
const DESCRIPTION: usize = 255;
/// Longest password of a group, in characters.
const PASSWORD: usize = 100;
/// Longest address, in characters.
const ADDRESS: usize = 3000;
/// Longest role, in characters.
const ROLE: usize = 100;
/// Most metadata, in bytes of JSON.
const METADATA: usize = 5 * 1024;
/// Most tags.
const TAGS: usize = 25;
/// Longest tag, in characters.
const TAG: usize = 100;

/// Declares a text with limits: what it may be, in words, and the check.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $most:expr, $words:expr, $fits:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub(super) struct $name(pub String);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let fits: fn(&str) -> bool = $fits;
                if text.chars().count() <= $most && fits(text) { Ok(Self(text.to_owned())) } else { Err($words) }
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let object = ObjectBuilder::new().schema_type(Type::String).max_length(Some($most));
                RefOr::T(object.description(Some($words)).build().into())
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
    Picture, ADDRESS, format!("an http or https address of at most {ADDRESS} characters"),
    |text| is_address(text) || (is_image_data(text) && is_text(text))
}

text! {
    /// An address of a page.
    Link, ADDRESS, format!("an http or https address of at most {ADDRESS} characters"), is_address
}

text! {
    /// A sentence about a group, or of somebody about themselves.
    Description, DESCRIPTION, format!("at most {DESCRIPTION} characters of text"), is_text
}

text! {
    /// What somebody is in the host's application.
    Role, ROLE, format!("at most {ROLE} characters of text"), is_text
}

text! {
    /// The password of a group.
    Password, PASSWORD, format!("at most {PASSWORD} characters"), |_| true
}

fn is_text(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !c.is_whitespace())
}

fn is_address(text: &str) -> bool {
    let is_plain = !text.contains(|c: char| c.is_control() || c.is_whitespace());
    is_plain && Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// A picture inside its address, as pages load it.
fn is_image_data(text: &str) -> bool {
    text.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

/// What the host keeps with somebody or something for itself, as JSON text.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(super) struct Metadata(pub String);

impl TryFrom<Map<String, Value>> for Metadata {
    type Error = String;

    fn try_from(fields: Map<String, Value>) -> Result<Metadata, String> {
        let text = Value::Object(fields).to_string();
        if text.len() <= METADATA { Ok(Metadata(text)) } else { Err(format!("at most {METADATA} bytes of JSON")) }
    }
}

impl PartialSchema for Metadata {
    fn schema() -> RefOr<Schema> {
        let words = format!("An object, at most {METADATA} bytes of JSON.");
        RefOr::T(ObjectBuilder::new().schema_type(Type::Object).description(Some(words)).build().into())
    }
}

impl ToSchema for Metadata {}

impl From<Metadata> for String {
    fn from(metadata: Metadata) -> String {
        metadata.0
    }
}

/// Words to find somebody or something by.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(super) struct Tags(pub Vec<String>);

impl TryFrom<Vec<String>> for Tags {
    type Error = String;

    fn try_from(tags: Vec<String>) -> Result<Tags, String> {
        let fits = |tag: &String| (1..=TAG).contains(&tag.chars().count()) && is_text(tag);
        if tags.len() <= TAGS && tags.iter().all(fits) {
            Ok(Tags(tags))
        } else {
            Err(format!("at most {TAGS} tags of 1 to {TAG} characters"))
        }
    }
}

impl PartialSchema for Tags {
    fn schema() -> RefOr<Schema> {
        let tag = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(TAG));
        RefOr::T(
            ArrayBuilder::new().items(tag).max_items(Some(TAGS)).description(Some("Words to find by.")).build().into(),
        )
    }
}

impl ToSchema for Tags {}

/// What is there, and may be `null` to take it away (`Some(None)`).
pub(super) fn changed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// The texts of a change.
pub(super) fn texts<T: Into<String>>(change: Option<Option<T>>) -> Option<Option<String>> {
    change.map(|change| change.map(Into::into))
}
