//! What fails through no fault of the host's, and that every code of a refusal is documented.

use std::collections::BTreeSet;
use std::io;
use std::task::Poll;

use axum::body::{Body, Bytes};
use axum::http::Request;
use futures_util::stream;
use serde_json::json;

use super::{Host, KEY};

#[tokio::test]
async fn a_bug_is_told_by_a_number_and_the_next_request_is_answered() {
    let host = Host::with_cast().await;
    // A body that panics while it is read stands for any bug behind the interface.
    let mut read = false;
    let body = stream::poll_fn(move |_| -> Poll<Option<io::Result<Bytes>>> {
        // What is left of a body is read after the answer.
        if std::mem::replace(&mut read, true) { Poll::Ready(None) } else { panic!("the name of a secret") }
    });
    let request = Request::put("/v3/users/dee").header("apikey", KEY).header("content-type", "application/json");
    let answer = host.send(request.body(Body::from_stream(body)).unwrap()).await.refuses(500, "ERR_INTERNAL");
    let error = &answer.body["error"];
    assert_eq!(error["details"], json!({}));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(|c: char| c.is_ascii_hexdigit()) && !message.contains("secret"), "{message}");
    host.put("/v3/users/dee", json!({"name": "Deirdre"})).await.is(200);
}

/// Whether a text of the source is a code.
fn is_code(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_word && (text.starts_with("ERR_") || text.starts_with("AUTH_ERR_"))
}

#[tokio::test]
async fn every_code_of_a_refusal_is_named_by_the_document() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body.to_string();
    let sources =
        [include_str!("../../../src/http/problem.rs"), include_str!("../../../src/http/v3/error.rs")].concat();
    let codes: BTreeSet<&str> = sources.split('"').filter(|text| is_code(text)).collect();
    assert!(codes.len() > 30, "{codes:?}");
    let unnamed: Vec<&str> = codes.into_iter().filter(|code| !document.contains(code)).collect();
    assert_eq!(unnamed, [""; 0]);
}
