//! Holds a value against a schema of `/openapi.json`. It knows the part of JSON Schema that the document uses, but for patterns and
//! formats, and is stricter in one matter: where a schema names fields, one that it does not name is a mistake.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The fields of an object by its schema.
#[derive(Default)]
struct Fields<'d> {
    known: BTreeMap<&'d str, &'d Value>,
    required: BTreeSet<&'d str>,
}

/// What of a value is not as its schema says, a sentence each; `place` is where the value stands.
pub fn mismatches(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(schema) = referred(document, schema) {
        return mismatches(document, schema, value, place);
    }
    if let Some(choices) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        let of_each = choices.iter().map(|choice| mismatches(document, choice, value, place));
        return of_each.min_by_key(Vec::len).unwrap();
    }
    let types = types(schema);
    if !types.is_empty() && !types.iter().any(|name| is_of(value, name)) {
        return vec![format!("{place} is {value}, not {}", types.join(" or "))];
    }
    match value {
        Value::Object(_) if names_no_field(schema) => Vec::new(),
        Value::Object(given) => {
            let mut fields = Fields::default();
            collect(document, schema, &mut fields);
            let missing = fields.required.iter().filter(|name| !given.contains_key(**name));
            let missing = missing.map(|name| format!("{place} has no {name}"));
            let of_fields = given.iter().flat_map(|(name, value)| {
                let place = format!("{place}.{name}");
                match fields.known.get(name.as_str()).copied().or_else(|| others(schema)) {
                    Some(schema) => mismatches(document, schema, value, &place),
                    None => vec![format!("{place} is unknown")],
                }
            });
            missing.chain(of_fields).collect()
        }
        Value::Array(items) => {
            let beyond = beyond_limits(schema, value, place);
            let schema = &schema["items"];
            let of_item = |(at, item): (usize, &Value)| mismatches(document, schema, item, &format!("{place}[{at}]"));
            beyond.into_iter().chain(items.iter().enumerate().flat_map(of_item)).collect()
        }
        _ => {
            let of_parts = entries(&schema["allOf"]).flat_map(|part| mismatches(document, part, value, place));
            let words = schema["enum"].as_array().filter(|words| !words.contains(value));
            let another = words.map(|words| format!("{place} is {value}, none of {words:?}"));
            of_parts.chain(another).chain(beyond_limits(schema, value, place)).collect()
        }
    }
}

/// Whether an object may have any fields, as what the host keeps with a person.
fn names_no_field(schema: &Value) -> bool {
    ["properties", "allOf"].iter().all(|part| schema[*part].is_null())
        && others(schema).is_none()
        && schema["additionalProperties"] != false
}

/// What is wrong with the length of a text or a list, or with the size of a number.
fn beyond_limits(schema: &Value, value: &Value, place: &str) -> Option<String> {
    let (size, least, most) = match value {
        Value::String(text) => (text.chars().count() as f64, "minLength", "maxLength"),
        Value::Array(items) => (items.len() as f64, "minItems", "maxItems"),
        number => (number.as_f64()?, "minimum", "maximum"),
    };
    let is_within = schema[least].as_f64().is_none_or(|least| size >= least)
        && schema[most].as_f64().is_none_or(|most| size <= most);
    (!is_within).then(|| format!("{place} is {value}, beyond its limits"))
}

/// Adds the fields of a schema and of those that it is made of. What may be another thing, such as `null`, requires none.
fn collect<'d>(document: &'d Value, schema: &'d Value, fields: &mut Fields<'d>) {
    if let Some(schema) = referred(document, schema) {
        return collect(document, schema, fields);
    }
    for part in entries(&schema["allOf"]) {
        collect(document, part, fields);
    }
    for choice in entries(&schema["oneOf"]) {
        let mut of_choice = Fields::default();
        collect(document, choice, &mut of_choice);
        fields.known.extend(of_choice.known);
    }
    let own = schema["properties"].as_object().into_iter().flatten();
    fields.known.extend(own.map(|(name, field)| (name.as_str(), field)));
    fields.required.extend(entries(&schema["required"]).filter_map(Value::as_str));
}

fn referred<'d>(document: &'d Value, schema: &Value) -> Option<&'d Value> {
    let place = schema["$ref"].as_str()?.strip_prefix('#').unwrap();
    Some(document.pointer(place).unwrap())
}

/// The schema of fields that have no name of their own, as of a number for each group.
fn others(schema: &Value) -> Option<&Value> {
    Some(&schema["additionalProperties"]).filter(|others| others.is_object())
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        many => entries(many).filter_map(Value::as_str).collect(),
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{name} is no type of JSON Schema"),
    }
}

fn entries(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
