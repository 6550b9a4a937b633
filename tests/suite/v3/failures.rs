//! What fails through no fault of the host's.

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
