//! `/openapi.json` and `/docs`: whatever is routed is described, and can be read.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use chat_group_members::domain::event_type::event_types;
use scraper::{Html, Selector};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::upload::{text, upload};
use super::{Host, KEY};
use crate::support::schema::mismatches;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

#[test]
fn a_route_is_made_from_its_description_alone() {
    let tables = [
        include_str!("../../../src/http/mod.rs"),
        include_str!("../../../src/http/acts/mod.rs"),
        include_str!("../../../src/http/v3/mod.rs"),
    ];
    for table in tables {
        assert!(table.contains(".routes(routes!("));
        assert!(!table.contains(".route(") && !table.contains(".route_service("), "a route without a description");
    }
}

#[tokio::test]
async fn every_operation_says_what_it_does_and_answers_as_it_says() {
    let host = Host::with_cast().await;
    let document = host.get("/openapi.json").await.is(200).body;
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS.iter().filter(|method| !item[**method].is_null()) {
            let operation = &item[*method];
            let id = operation["operationId"].as_str().unwrap().to_owned();
            assert!(ids.insert(id), "{method} {path}: its id is another's too");
            assert!(operation["summary"].as_str().is_some_and(|words| words.len() > 5), "{method} {path}");
            assert!(operation["tags"][0].is_string() && operation["security"].is_array(), "{method} {path}");
            let uri = path
                .replace("{guid}", "park")
                .replace("{uid}", "gus")
                .replace("{seq}", "1")
                .replace("{id}", "none")
                .replace("{file}", "css-variables.css");
            let request = Request::builder()
                .method(method.to_uppercase().as_str())
                .uri(&uri)
                .header("apikey", KEY)
                .body(Body::empty())
                .unwrap();
            let status = host.app.router().oneshot(request).await.unwrap().status();
            let known = operation["responses"].as_object().unwrap().contains_key(status.as_str());
            assert!(known && status != StatusCode::METHOD_NOT_ALLOWED, "{method} {path} answers {status}");
        }
    }
    assert!(ids.len() > 40, "{ids:?}");
}

#[tokio::test]
async fn every_body_answer_and_place_of_a_path_of_the_host_has_an_example() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let is_part = schema["properties"].is_null() || name.contains('_') || !schema["example"].is_null();
        let described = schema["description"].is_string() || name.contains('_');
        assert!(described, "{name} says nothing of itself");
        let refused = schema["additionalProperties"] != false || is_part;
        assert!(refused, "{name} is a body without an example");
    }
    for (path, item) in document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/v3/")) {
        for method in METHODS.iter().filter(|method| !item[**method].is_null()) {
            let responses = item[*method]["responses"].as_object().unwrap();
            assert!(responses.contains_key("200"), "{method} {path}");
            for (status, response) in responses {
                let component = response["$ref"].as_str().map(|place| document.pointer(&place[1..]).unwrap());
                let response = component.unwrap_or(response);
                let answer = &response["content"]["application/json"];
                let shown = !answer["example"].is_null() || has_example(&document, &answer["schema"]);
                assert!(shown, "{method} {path}: {status} has no example");
                let headers: Vec<&String> = response["headers"].as_object().unwrap().keys().collect();
                let count = headers.iter().filter(|name| name.starts_with("X-Rate-Limit")).count();
                assert_eq!(count, if status == "429" { 3 } else { 2 }, "{method} {path}: {status} has {headers:?}");
            }
            for parameter in item[*method]["parameters"].as_array().into_iter().flatten() {
                let shown = !parameter["example"].is_null() || has_example(&document, &parameter["schema"]);
                assert!(shown || parameter["in"] != "path", "{method} {path}: {} has no example", parameter["name"]);
            }
        }
    }
}

/// Every example below a part of the document: where it stands, the schema that it is an example of, and itself.
fn examples<'d>(part: &'d Value, place: &str, found: &mut Vec<(String, &'d Value, &'d Value)>) {
    match part {
        Value::Object(fields) => {
            if let Some(example) = fields.get("example") {
                // That of a body or a parameter has its schema beside it; that of a schema stands in it.
                found.push((place.to_owned(), fields.get("schema").unwrap_or(part), example));
            }
            for (name, part) in fields.iter().filter(|(name, _)| *name != "example") {
                examples(part, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| examples(part, place, found)),
        _ => {}
    }
}

#[tokio::test]
async fn every_example_of_a_request_or_an_answer_fits_its_schema() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let mut found = Vec::new();
    examples(&document, "", &mut found);
    for place in ["/components/schemas/NewGroup", "/components/schemas/Group"] {
        assert!(found.iter().any(|(at, ..)| at == place), "{place} has an example");
    }
    assert!(found.len() > 80, "{}", found.len());
    let of_each = |(place, schema, example): &(String, &Value, &Value)| mismatches(&document, schema, example, place);
    let wrong: Vec<String> = found.iter().flat_map(of_each).collect();
    assert_eq!(wrong, [""; 0]);
}

#[tokio::test]
async fn what_lacks_a_field_has_another_or_is_beyond_a_limit_does_not_fit() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let schemas = &document["components"]["schemas"];
    let mut group = schemas["Group"]["example"].clone();
    group.as_object_mut().unwrap().remove("conversationId");
    group["colour"] = json!("red");
    let found = mismatches(&document, &schemas["Group"], &group, "group");
    assert_eq!(found, ["group has no conversationId", "group.colour is unknown"]);
    let text = json!({"type": "string", "minLength": 1, "maxLength": 3});
    let few = json!({"type": "array", "items": {"anyOf": [text, {"type": "integer", "minimum": 1}]}, "maxItems": 2});
    assert_eq!(mismatches(&document, &few, &json!(["äöü", 7]), "few"), [""; 0]);
    let misfits =
        [(json!(["four"]), "few[0]"), (json!([""]), "few[0]"), (json!([0]), "few[0]"), (json!([1, 2, 3]), "few")];
    for (value, place) in misfits {
        let found = mismatches(&document, &few, &value, "few");
        assert!(found.len() == 1 && found[0].starts_with(&format!("{place} is ")), "{value}: {found:?}");
    }
}

#[tokio::test]
async fn a_new_group_with_a_password_needs_a_type_and_the_document_says_so() {
    let host = Host::new().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let schema = &document["components"]["schemas"]["NewGroup"];
    let choices = schema["allOf"][0]["anyOf"].as_array().unwrap().iter();
    let named = BTreeSet::from_iter(choices.flat_map(|choice| choice["properties"].as_object().unwrap().keys()));
    assert_eq!(named.len(), 2, "{schema}");
    assert!(named.iter().all(|field| schema["properties"][field.as_str()].is_object()), "{named:?}");
    for (guid, mut group, status) in [
        ("attic", json!({"password": "sesame"}), 400),
        ("cellar", json!({"password": "sesame", "type": null}), 400),
        ("den", json!({"password": ""}), 200),
        ("vault", json!({"password": "sesame", "type": "password"}), 200),
    ] {
        group["guid"] = json!(guid);
        group["name"] = json!(guid);
        host.post("/v3/groups", group).await.is(status);
    }
}

/// Whether this schema has one, or what it is made of: the data of an answer, the entries of a list.
fn has_example(document: &Value, schema: &Value) -> bool {
    if let Some(place) = schema["$ref"].as_str() {
        return has_example(document, document.pointer(&place[1..]).unwrap());
    }
    let parts = [&schema["properties"]["data"], &schema["items"]].into_iter();
    let all = ["allOf", "oneOf"].iter().filter_map(|of| schema[*of].as_array()).flatten();
    !schema["example"].is_null() || parts.chain(all).any(|part| !part.is_null() && has_example(document, part))
}

/// Whether a schema, or a part of it, has the message to the person with its limit.
fn has_message(document: &Value, schema: &Value) -> bool {
    if let Some(place) = schema["$ref"].as_str() {
        return has_message(document, document.pointer(&place[1..]).unwrap());
    }
    let mut parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|of| schema[*of].as_array()).flatten();
    schema["properties"]["message"]["maxLength"] == 512 || parts.any(|part| has_message(document, part))
}

#[tokio::test]
async fn the_message_to_the_person_is_described_of_every_act_that_takes_one() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let items = document["paths"].as_object().unwrap().values();
    let operations: Vec<&Value> = items.flat_map(|item| METHODS.map(|method| &item[method])).collect();
    for id in [
        "kick",
        "changeScope",
        "banMember",
        "muteMember",
        "bulk",
        "formMember",
        "formScope",
        "formBan",
        "formMute",
        "removeMember",
        "setScope",
        "ban",
        "mute",
    ] {
        let operation = operations.iter().find(|operation| operation["operationId"] == id).unwrap();
        let contents = operation["requestBody"]["content"].as_object().unwrap_or_else(|| panic!("{id} has no body"));
        let described = contents.values().all(|content| has_message(&document, &content["schema"]));
        assert!(described, "{id}: {}", operation["requestBody"]);
    }
}

/// The schema and the example of what webhooks send of this type.
fn sent<'d>(document: &'d Value, kind: &str) -> (&'d Value, &'d Value) {
    let content = &document["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"];
    (&content["schema"], &content["example"])
}

#[tokio::test]
async fn every_kind_of_event_that_webhooks_send_has_a_schema_and_an_example_with_exactly_its_fields() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let described: BTreeSet<String> = document["webhooks"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(described, BTreeSet::from_iter(event_types()));
    for kind in described {
        let (schema, example) = sent(&document, &kind);
        assert_eq!(schema["properties"]["type"]["enum"], json!([kind]));
        assert_eq!((&example["type"], example["data"].is_object()), (&json!(kind), true));
        assert_eq!(mismatches(&document, schema, example, &kind), [""; 0], "{example}");
    }
    for name in ["GroupEvent", "EventPage", "PeoplePage"] {
        let schema = &document["components"]["schemas"][name];
        assert_eq!(mismatches(&document, schema, &schema["example"], name), [""; 0]);
    }
    assert_eq!(document["components"]["schemas"]["EventPage"]["example"]["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_field_that_is_missing_unknown_or_of_another_type_is_no_field_of_an_event() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let (schema, example) = sent(&document, "members.synced");
    let mut other = example.clone();
    let data = other["data"].as_object_mut().unwrap();
    data.remove("by");
    data.insert("colour".into(), json!("red"));
    data["seq"] = json!("412");
    data["members"][0]["old"] = json!(7);
    data["group"]["owner"] = json!(null);
    let found = mismatches(&document, schema, &other, "event");
    for wrong in [
        "event.data has no by",
        "event.data.colour is unknown",
        "event.data.seq is \"412\", not integer",
        "event.data.members[0].old is 7, not string or null",
    ] {
        assert!(found.iter().any(|sentence| sentence == wrong), "{wrong}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

/// The schema of a line of the NDJSON that this body or answer may be.
fn line_of<'d>(document: &'d Value, described: &Value) -> &'d Value {
    let place = described["content"]["application/x-ndjson"]["schema"]["$ref"].as_str().unwrap();
    let text = document.pointer(&place[1..]).unwrap();
    assert_eq!((&text["type"], &text["contentMediaType"]), (&json!("string"), &json!("application/x-ndjson")));
    assert_eq!(text["contentSchema"]["type"], "array", "{text}");
    &text["contentSchema"]["items"]
}

#[tokio::test]
async fn every_line_of_a_snapshot_of_an_upload_and_of_its_answer_has_a_schema_with_exactly_its_fields() {
    let host = Host::with_cast().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let (members, path) = ("/v3/groups/park/members", &document["paths"]["/v3/groups/{guid}/members"]);
    for uid in ["dee", "eve"] {
        host.post(&format!("/v3/groups/park/mutedusers/{uid}"), json!({"until": 3600})).await.is(200);
    }
    host.delete(&format!("{members}/eve")).await.is(200);
    host.put(&format!("{members}/dee"), json!({"scope": "moderator", "until": 3600})).await.is(200);
    host.put("/v3/users/cy", json!({"avatar": "https://pictures.example/cy.png"})).await.is(200);
    let snapshot = host.ask("GET", members, &[("accept", "application/x-ndjson")], None).await.is(200).lines();
    assert!(snapshot[0]["mutes"][0].is_object(), "{}", snapshot[0]);
    for wanted in ["avatar", "isOwner", "mutedUntil", "scopeUntil"] {
        assert!(snapshot.iter().any(|line| !line[wanted].is_null()), "{wanted}");
    }
    let avatar = "https://pictures.example/zoe.png";
    let row = json!({"uid": "zoe", "name": "Zoe", "scope": "moderator", "avatar": avatar, "joinedAt": 7});
    let answers = upload(&host, members, &text(&[row.clone(), json!({"uid": "ada"})])).await.is(200).lines();
    assert!(answers[0]["progress"].is_object() && answers[1]["result"].is_object(), "{answers:?}");
    let refusal = json!({"error": {"code": "ERR_STALE_SYNC", "message": "It is older.", "details": {"last": 9}}});

    let of_snapshot = line_of(&document, &path["get"]["responses"]["200"]);
    let of_upload = line_of(&document, &path["put"]["requestBody"]);
    let of_answer = line_of(&document, &path["put"]["responses"]["200"]);
    let uploaded = snapshot.iter().chain([&row]).map(|line| (of_upload, line));
    let answered = answers.iter().chain([&refusal]).map(|line| (of_answer, line));
    for (schema, line) in snapshot.iter().map(|line| (of_snapshot, line)).chain(uploaded).chain(answered) {
        assert_eq!(mismatches(&document, schema, line, "line"), [""; 0], "{line}");
    }
    for schema in [of_snapshot, of_upload, of_answer] {
        assert_ne!(mismatches(&document, schema, &json!({"uid": "dee", "colour": "red"}), "line"), [""; 0]);
    }
}

#[tokio::test]
async fn every_reference_in_the_document_leads_somewhere() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                    assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
                }
                open.extend(fields.values());
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_page_shows_every_operation_with_each_of_its_bodies_and_loads_nothing_from_elsewhere() {
    let host = Host::new().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let page = host.get("/docs").await.is(200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let page = Html::parse_document(page.body.as_str().unwrap());
    let all = |selector: &str| page.select(&Selector::parse(selector).unwrap()).count();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in METHODS.iter().map(|method| &item[*method]).filter(|operation| operation.is_object()) {
            let id = operation["operationId"].as_str().unwrap();
            assert_eq!(all(&format!("article#{id} h3")), 1, "{id}");
            let answers = operation["responses"].as_object().unwrap().values();
            let bodies = answers.chain([&operation["requestBody"]]).filter_map(|body| body["content"].as_object());
            for schema in bodies.flat_map(|body| body.values()).filter_map(|of| of["schema"]["$ref"].as_str()) {
                let name = schema.rsplit('/').next().unwrap();
                assert!(all(&format!("article#{id} a[href='#schema-{name}']")) > 0, "{id} has no link to {name}");
            }
        }
    }
    assert_eq!((all("script"), all("img"), all("style"), all("[style]")), (0, 0, 0, 0));
    assert_eq!(all("link[rel=stylesheet][href^='/static/']"), all("link"));
    let ids: BTreeSet<&str> = page.select(&Selector::parse("[id]").unwrap()).filter_map(|e| e.attr("id")).collect();
    for link in page.select(&Selector::parse("a[href^='#']").unwrap()) {
        assert!(ids.contains(&link.attr("href").unwrap()[1..]), "{}", link.html());
    }
}
