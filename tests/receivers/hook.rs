// axum, cargo add standardwebhooks
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use standardwebhooks::Webhook;

// The router's state: Arc::new(Webhook::new(&std::env::var("CGM_WEBHOOK_SECRET")?)?).
async fn hook(State(webhook): State<Arc<Webhook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if webhook.verify(&body, &headers).is_err() {
        return StatusCode::BAD_REQUEST;
    }
    apply(headers["webhook-id"].to_str().unwrap(), serde_json::from_slice(&body).unwrap()).await;
    StatusCode::NO_CONTENT
}
