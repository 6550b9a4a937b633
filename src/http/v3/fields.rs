//! Kinds of fields that several bodies have, each with its limits.

use std::str::FromStr;

use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::identity::avatar_url;

/// Longest description, in characters.
const DESCRIPTION: usize = 1000;
/// Longest password of a group, in characters.
const PASSWORD: usize = 128;
/// Longest address, in bytes.
const ADDRESS: usize = 2048;

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
    };
}

text! {
    /// An address of a picture.
    Picture, ADDRESS, format!("an https address of at most {ADDRESS} characters"), |text| avatar_url(text).is_some()
}

text! {
    /// A sentence about a group.
    Description, DESCRIPTION, format!("at most {DESCRIPTION} characters of text"), is_text
}

text! {
    /// The password of a group.
    Password, PASSWORD, format!("at most {PASSWORD} characters"), |_| true
}

fn is_text(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !c.is_whitespace())
}
