//! NDJSON: a line of JSON for each thing, as it is written, and as the document describes it. A body of lines is a text there,
//! of which JSON Schema tells the content: `contentSchema`.
//!
//! Not here: the lines themselves (`snapshot.rs`, `sync.rs`), and the reading of those that are uploaded (`member_lines`).

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};

/// The media type of a line of JSON for each thing.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// A value as a line.
pub(super) fn line(value: &impl Serialize) -> Bytes {
    Bytes::from(format!("{}\n", json!(value)))
}

/// The schema of a body of lines, each of which is as `line` says.
pub(super) fn text_of(line: impl Into<ArrayItems>, words: &str) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String).description(Some(words)).content_media_type(NDJSON);
    RefOr::T(text.content_schema(Some(ArrayBuilder::new().items(line))).build().into())
}

/// The schema of a kind of lines, by its name.
pub(super) fn named<T: ToSchema>() -> Ref {
    Ref::from_schema_name(T::name())
}

/// Adds the schema of a kind of lines, and those that it refers to.
pub(super) fn add<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}
