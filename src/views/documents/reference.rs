//! The OpenAPI document as a page: operations by tag, webhooks, and the schemas they refer to.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::Value;

use crate::views::layout::Layout;

/// The methods in the order in which a path shows them.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document as a page.
#[derive(Template)]
#[template(path = "pages/reference.html")]
pub struct ReferencePage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    title: &'a str,
    version: &'a str,
    words: &'a str,
    chapters: Vec<Chapter<'a>>,
    schemas: Vec<SchemaEntry<'a>>,
    /// The refusals that operations have in common, by the name of their component.
    refusals: Vec<(&'a str, DocumentedResponse<'a>)>,
}

/// The operations of a tag, or the webhooks.
struct Chapter<'a> {
    name: &'a str,
    id: String,
    words: &'a str,
    operations: Vec<Operation<'a>>,
}

struct Operation<'a> {
    id: &'a str,
    method: &'a str,
    path: &'a str,
    summary: &'a str,
    words: &'a str,
    parameters: Vec<Field<'a>>,
    /// What the request body may be.
    body: Vec<BodyContent<'a>>,
    answers: Vec<DocumentedResponse<'a>>,
}

/// A parameter, or a property of a schema.
struct Field<'a> {
    name: &'a str,
    /// The location of a parameter; empty for a property.
    place: &'a str,
    kind: TypeName<'a>,
    required: bool,
    words: &'a str,
}

/// The type of a value in a few words, with the schema to read on at.
struct TypeName<'a> {
    words: String,
    schema: Option<&'a str>,
}

/// The media types of a body that have one schema.
struct BodyContent<'a> {
    types: Vec<&'a str>,
    kind: Option<TypeName<'a>>,
    example: Option<String>,
}

struct DocumentedResponse<'a> {
    status: &'a str,
    words: &'a str,
    /// The name of a refusal that is described once.
    refusal: Option<&'a str>,
    content: Vec<BodyContent<'a>>,
}

struct SchemaEntry<'a> {
    name: &'a str,
    words: &'a str,
    kind: TypeName<'a>,
    fields: Vec<Field<'a>>,
    example: Option<String>,
}

impl<'a> ReferencePage<'a> {
    /// The page of a document.
    pub fn new(layout: &'a Layout, document: &'a Value) -> ReferencePage<'a> {
        let info = &document["info"];
        let mut chapters: Vec<Chapter> = items(&document["tags"]).map(|tag| chapter(document, tag)).collect();
        let webhooks = operations(document, &document["webhooks"], |_| true);
        if !webhooks.is_empty() {
            let words = "What is sent to the host.";
            chapters.push(Chapter {
                name: "What webhooks send",
                id: "chapter-events".into(),
                words,
                operations: webhooks,
            });
        }
        let components = &document["components"];
        ReferencePage {
            layout,
            title: text(info, "title"),
            version: text(info, "version"),
            words: text(info, "description"),
            chapters,
            schemas: entries(&components["schemas"]).map(|(name, schema)| entry(document, name, schema)).collect(),
            refusals: entries(&components["responses"])
                .map(|(name, response)| (name, answer(document, name, response)))
                .collect(),
        }
    }
}

fn chapter<'a>(document: &'a Value, tag: &'a Value) -> Chapter<'a> {
    let name = text(tag, "name");
    let of_tag = |operation: &Value| items(&operation["tags"]).any(|tag| tag == name);
    Chapter {
        name,
        id: format!("chapter-{}", name.to_lowercase().replace(' ', "-")),
        words: text(tag, "description"),
        operations: operations(document, &document["paths"], of_tag),
    }
}

fn operations<'a>(document: &'a Value, paths: &'a Value, wanted: impl Fn(&Value) -> bool) -> Vec<Operation<'a>> {
    let with_methods =
        entries(paths).flat_map(|(path, item)| METHODS.map(|method| (path, method, &item[method])).into_iter());
    let wanted = with_methods.filter(|(.., operation)| operation.is_object() && wanted(operation));
    wanted.map(|(path, method, operation)| self::operation(document, path, method, operation)).collect()
}

fn operation<'a>(document: &'a Value, path: &'a str, method: &'a str, operation: &'a Value) -> Operation<'a> {
    let parameter = |parameter: &'a Value| Field {
        name: text(parameter, "name"),
        place: text(parameter, "in"),
        kind: kind(&parameter["schema"]),
        required: parameter["required"] == true,
        words: text(parameter, "description"),
    };
    Operation {
        id: text(operation, "operationId"),
        method,
        path,
        summary: text(operation, "summary"),
        words: text(operation, "description"),
        parameters: items(&operation["parameters"]).map(parameter).collect(),
        body: content(document, &operation["requestBody"]),
        answers: entries(&operation["responses"]).map(|(status, of)| answer(document, status, of)).collect(),
    }
}

fn answer<'a>(document: &'a Value, status: &'a str, answer: &'a Value) -> DocumentedResponse<'a> {
    match reference(answer) {
        Some(name) => {
            let words = text(&document["components"]["responses"][name], "description");
            DocumentedResponse { status, words, refusal: Some(name), content: Vec::new() }
        }
        None => DocumentedResponse {
            status,
            words: text(answer, "description"),
            refusal: None,
            content: content(document, answer),
        },
    }
}

/// What a body may be, in the order of the document.
fn content<'a>(document: &'a Value, owner: &'a Value) -> Vec<BodyContent<'a>> {
    let mut by_schema: Vec<(Option<&Value>, BodyContent)> = Vec::new();
    for (media_type, content) in entries(&owner["content"]) {
        let schema = content.get("schema");
        match by_schema.iter_mut().find(|(other, _)| *other == schema) {
            Some((_, same)) => same.types.push(media_type),
            None => by_schema.push((schema, body_content(document, media_type, content))),
        }
    }
    by_schema.into_iter().map(|(_, content)| content).collect()
}

fn body_content<'a>(document: &'a Value, media_type: &'a str, content: &'a Value) -> BodyContent<'a> {
    let schema = content.get("schema");
    let example = content.get("example").cloned().or_else(|| schema.and_then(|schema| example(document, schema, 0)));
    BodyContent { types: vec![media_type], kind: schema.map(kind), example: example.as_ref().map(pretty) }
}

fn entry<'a>(document: &'a Value, name: &'a str, schema: &'a Value) -> SchemaEntry<'a> {
    let required: Vec<&Value> = items(&schema["required"]).collect();
    let field = |(name, property): (&'a str, &'a Value)| Field {
        name,
        place: "",
        kind: kind(property),
        required: required.iter().any(|required| *required == name),
        words: text(property, "description"),
    };
    SchemaEntry {
        name,
        words: text(schema, "description"),
        kind: kind(schema),
        fields: entries(&schema["properties"]).map(field).collect(),
        example: example(document, schema, 0).filter(Value::is_object).as_ref().map(pretty),
    }
}

/// An example of a value: the one that is given, or one put together from those of its parts.
fn example(document: &Value, schema: &Value, depth: usize) -> Option<Value> {
    if let Some(example) = schema.get("example") {
        return Some(example.clone());
    }
    if depth > 8 {
        return None;
    }
    if let Some(name) = reference(schema) {
        return example(document, &document["components"]["schemas"][name], depth + 1);
    }
    if let Some(of) = items(&schema["oneOf"]).chain(items(&schema["allOf"])).find(|one| one["type"] != "null") {
        return example(document, of, depth + 1);
    }
    if schema["type"] == "array" {
        return example(document, &schema["items"], depth + 1).map(|item| Value::Array(vec![item]));
    }
    let parts = entries(&schema["properties"]);
    let parts: BTreeMap<_, _> =
        parts.filter_map(|(name, part)| Some((name, example(document, part, depth + 1)?))).collect();
    (!parts.is_empty()).then(|| serde_json::json!(parts))
}

fn kind(schema: &Value) -> TypeName<'_> {
    if let Some(name) = reference(schema) {
        return TypeName { words: name.to_owned(), schema: Some(name) };
    }
    let options: Vec<TypeName> = items(&schema["oneOf"]).chain(items(&schema["allOf"])).map(kind).collect();
    if !options.is_empty() {
        let words = options.iter().map(|kind| kind.words.as_str()).collect::<Vec<_>>().join(" or ");
        return TypeName { words, schema: options.iter().find_map(|kind| kind.schema) };
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        many => items(many).filter_map(Value::as_str).collect(),
    };
    let mut words = types.join(" or ");
    let of = kind_of_items(schema);
    if let Some(of) = &of {
        let whole = if schema.get("contentSchema").is_some() { "lines" } else { words.as_str() };
        words = format!("{whole} of {}", of.words);
    }
    let limits = ["minLength", "maxLength", "minimum", "maximum", "maxItems", "pattern", "default"];
    let limits = limits.iter().filter_map(|name| schema.get(name).map(|value| format!("{name} {value}")));
    let choices: Vec<String> = items(&schema["enum"]).map(Value::to_string).collect();
    let choices = (!choices.is_empty()).then(|| choices.join(" | "));
    for more in limits.chain(choices) {
        words = format!("{words}, {more}");
    }
    TypeName { words, schema: of.and_then(|of| of.schema) }
}

/// The type of the items of a list, of the values of a map, or of the lines of a text that is NDJSON.
fn kind_of_items(schema: &Value) -> Option<TypeName<'_>> {
    let of = schema.get("items").or_else(|| schema.get("additionalProperties").filter(|of| of.is_object()));
    of.or_else(|| schema.get("contentSchema")?.get("items")).map(kind)
}

/// The name of the component that is referred to.
fn reference(value: &Value) -> Option<&str> {
    value["$ref"].as_str().and_then(|path| path.rsplit('/').next())
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
