//! A uid as a list of the original names it: one that nobody can have fails alone, like that of somebody who is not known.

use serde::Deserialize;
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::{InvalidId, Uid};

/// Longest part of a text that is nobody's uid that an answer repeats, in characters.
const MAX_SHOWN: usize = 255;

/// A uid of a list; or a text that is nobody's, as an answer repeats it, and why.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub(in crate::http::v3) struct ListedUid(pub(super) Result<Uid, (String, InvalidId)>);

impl From<String> for ListedUid {
    fn from(text: String) -> ListedUid {
        ListedUid(text.parse::<Uid>().map_err(|why| (text.chars().take(MAX_SHOWN).collect(), why)))
    }
}

impl From<Uid> for ListedUid {
    fn from(uid: Uid) -> ListedUid {
        ListedUid(Ok(uid))
    }
}

impl PartialSchema for ListedUid {
    fn schema() -> RefOr<Schema> {
        let words =
            format!("A uid. One that nobody can have is answered by itself, under its first {MAX_SHOWN} characters.");
        RefOr::T(ObjectBuilder::new().schema_type(Type::String).description(Some(words)).build().into())
    }
}

impl ToSchema for ListedUid {}
