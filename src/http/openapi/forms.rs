//! The bodies from viewers that several handlers take, or that are no act's: only described here. The forms of an act are
//! described beside its handlers.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::Uid;

/// A scope that can be given.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) enum GrantedScope {
    Admin,
    Moderator,
    Participant,
}

/// Who is selected.
#[derive(ToSchema)]
#[schema(as = Selection, example = json!({"uid": ["dee", "eve"]}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct SelectionForm {
    uid: Option<SomeUids>,
    /// Where to go on, with them in the query.
    #[schema(rename = "return")]
    back: Option<String>,
    /// Whether all who match the query are selected as well, up to 1,000 in all.
    all: Option<bool>,
}

/// One person, or several; in a form the field is repeated.
struct SomeUids;

impl PartialSchema for SomeUids {
    fn schema() -> RefOr<Schema> {
        let several = ArrayBuilder::new().items(Uid::schema()).max_items(Some(1000));
        let words = "One person, or several; in a form the field is repeated.";
        RefOr::T(AnyOfBuilder::new().item(Uid::schema()).item(several).description(Some(words)).build().into())
    }
}

impl ToSchema for SomeUids {}

/// What the custom element says.
#[derive(ToSchema)]
#[schema(as = Words)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct ScriptWords {
    /// The language they are in.
    lang: String,
    failed: String,
    retry: String,
}
