//! A host's receiver of webhooks that has nothing but a file: what it has confirmed is written there, and it may be
//! killed at any moment. `receiver PORT FILE SECRET`; the mirror of the rig reads the file.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

struct Receiver {
    webhook: Webhook,
    file: Mutex<File>,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = || arguments.next().expect("PORT FILE SECRET");
    let (port, file, secret) = (argument(), argument(), argument());
    let receiver = Receiver {
        webhook: Webhook::new(&secret).expect("the rig makes sound secrets"),
        file: Mutex::new(OpenOptions::new().create(true).append(true).open(file).expect("the folder is the rig's")),
    };
    let router = Router::new().route("/", post(receive)).with_state(Arc::new(receiver));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("the port is free");
    axum::serve(listener, router).await.expect("a server without an end");
}

/// Writes a webhook down and confirms it. The library of the convention's authors verifies its signature.
async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let event: Value = serde_json::from_slice(&body).unwrap_or_default();
    let sound = receiver.webhook.verify(&body, &headers).map_err(|error| error.to_string()).err();
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    // The line begins anew: the one before may have ended in the middle.
    let line = format!("\n{}", json!({"id": id, "refused": sound, "event": event}));
    let written = receiver.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    if written.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::SERVICE_UNAVAILABLE }
}
