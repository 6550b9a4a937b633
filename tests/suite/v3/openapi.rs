//! `/openapi.json` against the tables of routes.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::Value;
use tower::ServiceExt;

use super::{Host, KEY};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

#[tokio::test]
async fn every_route_is_described_and_nothing_else() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    assert_eq!(document["openapi"], "3.1.0");
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        described
            .extend(METHODS.iter().filter(|method| !item[**method].is_null()).map(|method| format!("{method} {path}")));
    }
    let mut routed = routes("", include_str!("../../../src/http/mod.rs"));
    routed.extend(routes("", include_str!("../../../src/http/assets.rs")));
    for route in routes("/v3", include_str!("../../../src/http/v3/mod.rs")) {
        routed.insert(route.replace("/v3/openapi.json", "/openapi.json"));
    }
    assert_eq!(described, routed);
}

#[tokio::test]
async fn every_operation_that_is_described_answers() {
    let host = Host::with_cast().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS.iter().filter(|method| !item[**method].is_null()) {
            let operation = &item[*method];
            assert!(
                ids.insert(operation["operationId"].as_str().unwrap().to_owned()),
                "{method} {path}: its id is another's too"
            );
            let uri = path
                .replace("{guid}", "park")
                .replace("{uid}", "gus")
                .replace("{seq}", "1")
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

/// The routes of a table, as it stands in the source: `method path`.
fn routes(under: &str, source: &str) -> BTreeSet<String> {
    let mut routes = BTreeSet::new();
    for part in source.split(".route(\"").skip(1) {
        let (path, rest) = part.split_once('"').unwrap();
        let handlers =
            rest.split(".route(").next().unwrap().split(';').next().unwrap().split(".fallback(").next().unwrap();
        for method in METHODS {
            let begins =
                |at: usize| !handlers[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'));
            if handlers.match_indices(&format!("{method}(")).any(|(at, _)| begins(at)) {
                routes.insert(format!("{method} {under}{path}"));
            }
        }
    }
    routes
}
