//! Who is let in.

use axum::body::Body;
use axum::http::Request;
use chat_group_members::config::RateLimit;
use serde_json::json;

use super::{Host, KEY};

#[tokio::test]
async fn nobody_comes_in_without_a_key_or_with_a_wrong_one() {
    let host = Host::new().await;
    host.ask("GET", "/v3/users", &[("apikey", "")], None).await.refuses(401, "AUTH_ERR_EMPTY_APIKEY");
    let bare = Request::get("/v3/users").body(Body::empty()).unwrap();
    host.send(bare).await.refuses(401, "AUTH_ERR_EMPTY_APIKEY");
    host.ask("GET", "/v3/users", &[("apikey", "0123456789abcdeF")], None)
        .await
        .refuses(401, "AUTH_ERR_APIKEY_NOT_FOUND");
    host.ask("GET", "/v3/nowhere", &[("apikey", "wrong")], None).await.refuses(401, "AUTH_ERR_APIKEY_NOT_FOUND");
    host.ask("GET", "/v3/users", &[("apikey", "another-key")], None).await.is(200);
    host.get("/v3/users").await.is(200);
}

#[tokio::test]
async fn without_configured_keys_no_key_is_right() {
    let host = Host::with(|_| {}).await;
    host.get("/v3/users").await.refuses(401, "AUTH_ERR_APIKEY_NOT_FOUND");
    host.ask("GET", "/v3/users", &[("apikey", "")], None).await.refuses(401, "AUTH_ERR_EMPTY_APIKEY");
}

#[tokio::test]
async fn a_browser_is_refused_even_with_a_key() {
    let host = Host::new().await;
    host.ask("GET", "/v3/users", &[("origin", "https://chat.example")], None).await.refuses(403, "ERR_BAD_REQUEST");
}

#[tokio::test]
async fn a_path_or_method_that_is_not_there_is_told_in_the_same_shape() {
    let host = Host::new().await;
    host.get("/v3/nowhere").await.refuses(404, "ERR_API_NOT_FOUND");
    host.get("/v3/users?token=x").await.refuses(400, "ERR_BAD_REQUEST");
    host.patch("/v3/users", json!({})).await.refuses(404, "ERR_API_NOT_FOUND");
    host.ask("GET", "/v3/groups/none", &[("accept", "text/html")], None).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn below_a_base_path_everything_is_the_same() {
    let host = Host::with(|config| {
        config.api_keys = vec![chat_group_members::config::Secret::new(KEY)];
        config.base_path = "/chat".into();
    })
    .await;
    host.get("/chat/v3/users").await.is(200);
    host.get("/chat/v3/users?token=x").await.refuses(400, "ERR_BAD_REQUEST");
    host.get("/chat/v3/nowhere").await.refuses(404, "ERR_API_NOT_FOUND");
    host.get("/chat/openapi.json").await.is(200);
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_told_so() {
    let host = Host::new().await;
    let send = |kind: &'static str, body: String| {
        let request = Request::post("/v3/users")
            .header("apikey", KEY)
            .header("content-type", kind)
            .body(Body::from(body))
            .unwrap();
        host.send(request)
    };
    send("application/json", "{\"uid\":".into()).await.refuses(400, "ERR_BAD_REQUEST");
    send("application/json", "[]".into()).await.refuses(400, "ERR_BAD_REQUEST");
    send("application/x-www-form-urlencoded", "uid=ada".into()).await.refuses(400, "ERR_BAD_REQUEST");
    let long = |bytes: usize| format!("{{\"uid\":\"ada\",\"name\":\"Ada\"{}}}", " ".repeat(bytes));
    send("application/json", long(64 * 1024)).await.refuses(413, "ERR_TOO_LARGE").saying("64 kB");
    send("application/json; charset=utf-8", long(64 * 1024 - 100)).await.is(200);
}

#[tokio::test]
async fn a_user_who_is_not_known_lends_nobody_their_rights() {
    let host = Host::with_cast().await;
    host.as_user("nobody", "GET", "/v3/groups/park", None).await.refuses(404, "ERR_UID_NOT_FOUND");
    host.as_user("not a uid", "GET", "/v3/groups/park", None).await.refuses(400, "ERR_BAD_REQUEST");
}

#[tokio::test]
async fn too_many_requests_of_one_key_wait() {
    let host = Host::with(|config| {
        config.api_keys = vec![chat_group_members::config::Secret::new(KEY)];
        config.rate_limit = Some(RateLimit { count: 2.try_into().unwrap(), per: std::time::Duration::from_secs(3600) });
    })
    .await;
    let first = host.get("/v3/users").await.is(200);
    assert_eq!(
        (&first.headers["x-rate-limit"], &first.headers["x-rate-limit-remaining"]),
        (&"2".parse().unwrap(), &"1".parse().unwrap())
    );
    host.get("/v3/nowhere").await.refuses(404, "ERR_API_NOT_FOUND");
    let slow = host.get("/v3/users").await.refuses(429, "ERR_TOO_MANY_REQUESTS");
    assert_eq!(slow.headers["x-rate-limit-remaining"], "0");
    assert!(
        slow.headers["x-rate-limit-reset"].to_str().unwrap().parse::<i64>().unwrap() > host.app.clock().now() / 1000
    );
    assert!(slow.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
}
