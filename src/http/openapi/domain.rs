//! The schemas of the domain's values: ids, names, scopes and types of groups.

use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::{GroupType, Guid, Name, Scope, Uid};

fn id(words: &str) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(words));
    RefOr::T(object.pattern(Some("^[A-Za-z0-9_-]{1,100}$")).max_length(Some(100)).build().into())
}

impl PartialSchema for Uid {
    fn schema() -> RefOr<Schema> {
        id("A person's id, compared exactly.")
    }
}

impl ToSchema for Uid {}

impl PartialSchema for Guid {
    fn schema() -> RefOr<Schema> {
        id("A group's id, compared exactly.")
    }
}

impl ToSchema for Guid {}

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(100));
        // Something other than white space, and no control character.
        let pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$";
        let words = "Not white space alone, and without control characters.";
        RefOr::T(object.pattern(Some(pattern)).description(Some(words)).build().into())
    }
}

impl ToSchema for Name {}

fn word(description: &str, words: &[&str]) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    RefOr::T(object.enum_values(Some(words.iter().copied())).build().into())
}

impl PartialSchema for Scope {
    fn schema() -> RefOr<Schema> {
        word("What a member is in a group, from the highest to the lowest.", &Scope::DESCENDING.map(Scope::as_str))
    }
}

impl ToSchema for Scope {}

impl PartialSchema for GroupType {
    fn schema() -> RefOr<Schema> {
        word(
            "How one gets in: by joining, by being added, or by joining with a password.",
            &[GroupType::Public, GroupType::Private, GroupType::Password].map(GroupType::as_str),
        )
    }
}

impl ToSchema for GroupType {}
