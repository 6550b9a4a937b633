//! The service as a library, under a prefix of another axum application, which has pages of its own
//! and says who is signed in.
//!
//! `CGM_VIEWER_SECRET=… cargo run --example nested_axum`, then <http://127.0.0.1:3000>.

use std::env;
use std::net::SocketAddr;

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::identity::{NewToken, mint};
use chat_group_members::serve::{bind, serve_router, shutdown_signal};

const TTL: i64 = 900;

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harbour</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/members/static/css-variables.css">
<script src="/members/static/chat-group-members.js" defer></script>
</head>
<body>
<h1>Harbour</h1>
<div style="block-size: 480px; inline-size: 360px">
  <div data-hx-get="/members/groups/harbour/members" data-hx-trigger="load" data-hx-swap="outerHTML"></div>
</div>
</body>
</html>"#;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let secret = env::var("CGM_VIEWER_SECRET").context("CGM_VIEWER_SECRET: at least 32 bytes")?;
    let config = Config {
        base_path: "/members".into(),
        viewer_secrets: vec![Secret::new(secret)],
        database_url: env::var("CGM_DATABASE_URL").unwrap_or(Config::default().database_url),
        ..Config::default()
    };
    let port = env::var("PORT").map_or(Ok(3000), |port| port.parse()).context("PORT: a number")?;

    let listener = bind(SocketAddr::from(([127, 0, 0, 1], port))).await?;
    let app = App::open(config).await?;
    // The application's own routes, and the service beside them. axum::serve would do as well; this
    // also ends open streams when the process is told to end.
    let router = Router::new().route("/", get(page)).with_state(app.clone()).merge(app.router());
    serve_router(app, router, listener, shutdown_signal()).await
}

/// A page of the application: says who looks by a cookie, and leaves a place for the list.
async fn page(State(app): State<App>) -> impl IntoResponse {
    let (config, now) = (app.config(), app.clock().now() / 1000);
    let token = NewToken {
        uid: "ben", // whoever is signed in
        audience: &config.viewer_audience,
        issued_at: now,
        expires_at: now + TTL,
        name: None,
        avatar: None,
    };
    let token = mint(&config.viewer_secrets[0], &token);
    let cookie = format!("{}={token}; Path=/members; Max-Age={TTL}; HttpOnly; SameSite=Lax", config.viewer_cookie);
    ([(SET_COOKIE, cookie)], Html(PAGE))
}
