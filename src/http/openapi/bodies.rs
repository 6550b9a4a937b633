//! Which bodies may be left out: those of which no field is required, since an empty body has no fields. And what holds between the
//! fields of one.

use serde_json::{Value, json};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Components, OpenApi, PathItem, RefOr, Required, Schema};

/// Says of every body whether it may be left out.
pub(super) fn describe(document: &mut OpenApi) {
    let none = Components::default();
    let components = document.components.as_ref().unwrap_or(&none);
    for item in document.paths.paths.values_mut() {
        let PathItem { put, post, delete, patch, .. } = item;
        for operation in [put, post, delete, patch].into_iter().flatten() {
            if let Some(RefOr::T(body)) = &mut operation.request_body {
                let required = needs_a_field(body, components);
                body.required = Some(if required { Required::True } else { Required::False });
            }
        }
    }
}

/// Adds what holds between fields, which the schema of a struct cannot say: a new group with a password has a type.
pub(super) fn add_rules(document: &mut Value) {
    let with_type = json!({"properties": {"type": {"type": "string"}}, "required": ["type"]});
    let without_password = json!({"properties": {"password": {"maxLength": 0}}});
    document["components"]["schemas"]["NewGroup"]["allOf"] = json!([{"anyOf": [with_type, without_password]}]);
}

fn needs_a_field(body: &RequestBody, components: &Components) -> bool {
    let contents = body.content.values().filter_map(|content| match content {
        RefOr::T(content) => content.schema.as_ref(),
        RefOr::Ref(_) => None,
    });
    contents.map(|schema| resolve(schema, components)).any(|schema| match schema {
        Some(Schema::Object(object)) => !object.required.is_empty() || object.min_properties.is_some(),
        _ => true,
    })
}

fn resolve<'s>(schema: &'s RefOr<Schema>, components: &'s Components) -> Option<&'s Schema> {
    match schema {
        RefOr::T(schema) => Some(schema),
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next()?;
            resolve(components.schemas.get(name)?, components)
        }
    }
}
