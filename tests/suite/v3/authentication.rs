//! Who is let in.

use axum::body::Body;
use axum::http::Request;
use chat_group_members::config::RateLimit;
use serde_json::json;

use super::{Answer, Host, KEY};

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
    // Calls of the original that are not offered say so, and are not among the methods that are.
    let deactivation = host.put("/v3/users", json!({"uidsToActivate": ["dee"]})).await;
    assert_eq!(deactivation.headers["allow"], "GET,HEAD,POST");
    deactivation.refuses(404, "ERR_API_NOT_FOUND").saying("not activated");
    host.ask("GET", "/v3/groups/none", &[("accept", "text/html")], None).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_path_with_a_slash_too_many_is_refused_in_the_same_shape() {
    let host = Host::new().await;
    for path in ["/v3", "/v3/", "//v3/users", "///v3/users", "//v3", "/v3//users", "/v3/users/"] {
        host.get(path).await.refuses(404, "ERR_API_NOT_FOUND");
        host.get(&format!("{path}?token=x")).await.refuses(400, "ERR_BAD_REQUEST");
    }
    // Where a proxy may not see that it is /v3, no answer tells a right key from a wrong one.
    for path in ["/v3/", "//v3/users"] {
        let right = host.get(path).await.refuses(404, "ERR_API_NOT_FOUND").body;
        for key in ["", "wrong"] {
            let other = host.ask("GET", path, &[("apikey", key)], None).await.refuses(404, "ERR_API_NOT_FOUND");
            assert_eq!(other.body, right, "{path} {key:?}");
        }
    }
    let viewers = host.get("/v3x").await.is(401);
    assert_ne!(viewers.headers["content-type"], "application/json", "it is no path of the back end: {}", viewers.body);
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
    for path in ["/chat/v3/nowhere", "/chat/v3/", "/chat//v3/users"] {
        host.get(path).await.refuses(404, "ERR_API_NOT_FOUND");
    }
    let tokens = host.get("/chat/v3/users/dee/auth_tokens").await;
    tokens.refuses(404, "ERR_API_NOT_FOUND").saying("Single tokens");
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
    send("application/json", "{\"uid\":".into()).await.refuses(400, "ERR_BAD_REQUEST").saying("it ends before");
    send("application/json", "{\"uid\":x}".into()).await.refuses(400, "ERR_BAD_REQUEST").saying("at line 1, column 8");
    send("application/json", "{\"uid\":1e400}".into()).await.refuses(400, "ERR_BAD_REQUEST").saying("too large");
    send("application/json", "[]".into()).await.refuses(400, "ERR_BAD_REQUEST");
    send("application/x-www-form-urlencoded", "uid=ada".into()).await.refuses(400, "ERR_BAD_REQUEST");
    let long = |bytes: usize| format!("{{\"uid\":\"ada\",\"name\":\"Ada\"{}}}", " ".repeat(bytes));
    send("application/json", long(64 * 1024)).await.refuses(413, "ERR_TOO_LARGE").saying("64 kB");
    send("application/json; charset=utf-8", long(64 * 1024 - 100)).await.is(200);
}

#[tokio::test]
async fn a_compressed_body_is_refused_and_a_mark_before_utf_8_is_not() {
    let host = Host::with_cast().await;
    let send = |method: &'static str, path: &'static str, kind: &'static str, encoding: &'static str, body: &str| {
        let request = Request::builder().method(method).uri(path).header("apikey", KEY).header("content-type", kind);
        let request = request.header("content-encoding", encoding);
        host.send(request.body(Body::from(body.to_owned())).unwrap())
    };
    let (users, park) = ("/v3/users", "/v3/groups/park/members");
    let zoe = "{\"uid\":\"zoe\",\"name\":\"Zoe\"}";
    for encoding in ["gzip", "br", "identity, gzip"] {
        send("POST", users, "application/json", encoding, zoe)
            .await
            .refuses(415, "ERR_BAD_REQUEST")
            .saying("Content-Encoding");
        send("PUT", park, "application/x-ndjson", encoding, zoe).await.refuses(415, "ERR_BAD_REQUEST");
    }
    send("POST", users, "application/json", "identity", &format!("\u{feff}{zoe}")).await.is(200);
    send("PUT", park, "application/x-ndjson", "", "\u{feff}{\"uid\":\"zoe\"}\n").await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner", "zoe:participant"]);
}

#[tokio::test]
async fn a_header_that_nearly_names_one_of_ours_is_refused_by_the_right_name() {
    let host = Host::with_cast().await;
    for (name, right) in [
        ("on-behalf-of", "onBehalfOf"),
        ("On_Behalf_Of", "onBehalfOf"),
        ("onBehalf", "onBehalfOf"),
        ("X-On-Behalf-Of", "onBehalfOf"),
        ("idempotency_key", "Idempotency-Key"),
        ("IdempotencyKey", "Idempotency-Key"),
        ("X-Idempotency-Key", "Idempotency-Key"),
    ] {
        let asked = host.ask("DELETE", "/v3/groups/park/members/ben", &[(name, "dee")], None).await;
        asked.refuses(400, "ERR_BAD_REQUEST").saying(right);
    }
    assert!(host.members("park").await.contains(&"ben:admin".to_owned()));
    for name in ["ONBEHALFOF", "onbehalfof", "onBehalfOf"] {
        let asked = host.ask("DELETE", "/v3/groups/park/members/ben", &[(name, "dee")], None).await;
        asked.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    }
    host.ask("GET", "/v3/groups/park", &[("x-request-id", "1"), ("forwarded", "for=1")], None).await.is(200);
}

#[tokio::test]
async fn a_header_that_is_given_twice_is_refused_whichever_came_first() {
    let host = Host::with_cast().await;
    for twice in [
        [("onBehalfOf", "ada"), ("onBehalfOf", "dee")],
        [("onBehalfOf", "dee"), ("onBehalfOf", "ada")],
        [("Idempotency-Key", "k1"), ("Idempotency-Key", "k2")],
    ] {
        let asked = host.ask("DELETE", "/v3/groups/park/members/ben", &twice, None).await;
        asked.refuses(400, "ERR_BAD_REQUEST").saying("more than once");
    }
    assert!(host.members("park").await.contains(&"ben:admin".to_owned()));
}

#[tokio::test]
async fn an_empty_mode_or_version_ends_no_membership() {
    let host = Host::with_cast().await;
    let before = host.members("park").await;
    for query in ["mode=", "version=", "mode=&version="] {
        let path = format!("/v3/groups/park/members?{query}");
        let asked = host.ask("PUT", &path, &[], Some(json!({"participants": ["dee"]}))).await;
        asked.refuses(400, "ERR_BAD_REQUEST").saying("empty");
    }
    assert_eq!(host.members("park").await, before);
}

#[tokio::test]
async fn an_array_in_place_of_an_object_is_refused_wherever_it_stands() {
    let host = Host::with_cast().await;
    let (groups, park) = ("/v3/groups", "/v3/groups/park/members");
    let den = |members: serde_json::Value| json!({"guid": "den", "name": "Den", "members": members});
    for (method, path, body, named) in [
        ("POST", "/v3/users", json!(["zoe", "Zoe"]), "object"),
        ("POST", groups, den(json!([["ben"], null, null, null])), "members"),
        ("POST", park, json!({"members": [["gus", "moderator", null, null, null]]}), "members[0]"),
        ("PUT", park, json!({"members": [["gus", "moderator", null, null, null]]}), "members[0]"),
    ] {
        host.ask(method, path, &[], Some(body)).await.refuses(400, "ERR_BAD_REQUEST").saying(named);
    }
    let line = "[\"gus\",\"Gus\",\"moderator\",null,null,null,null]\n";
    let request = Request::put(park).header("apikey", KEY).header("content-type", "application/x-ndjson");
    let answer = host.send(request.body(Body::from(line)).unwrap()).await;
    answer.refuses(422, "ERR_VALIDATION").saying("line 1: a line is an object");
    assert_eq!(host.members("park").await.len(), 5);
}

#[tokio::test]
async fn a_user_who_is_not_known_lends_nobody_their_rights() {
    let host = Host::with_cast().await;
    host.as_user("nobody", "GET", "/v3/groups/park", None).await.refuses(404, "ERR_UID_NOT_FOUND");
    host.as_user("not a uid", "GET", "/v3/groups/park", None).await.refuses(400, "ERR_BAD_REQUEST");
}

/// A host that may ask so many times an hour.
async fn limited_to(count: u32) -> Host {
    Host::with(|config| {
        config.api_keys = vec![chat_group_members::config::Secret::new(KEY)];
        let (count, per) = (count.try_into().unwrap(), std::time::Duration::from_secs(3600));
        config.rate_limit = Some(RateLimit { count, per });
    })
    .await
}

#[tokio::test]
async fn too_many_requests_of_one_key_wait() {
    let host = limited_to(2).await;
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

#[tokio::test]
async fn requests_without_a_right_key_are_counted_too_and_take_nothing_from_who_has_one() {
    let host = limited_to(2).await;
    let left = |answer: &Answer| answer.headers["x-rate-limit-remaining"].to_str().unwrap().to_owned();
    let without = || Request::get("/v3/users");
    let none = host.send(without().body(Body::empty()).unwrap()).await.refuses(401, "AUTH_ERR_EMPTY_APIKEY");
    assert_eq!((none.headers["x-rate-limit"].to_str().unwrap(), &*left(&none)), ("2", "1"));
    let wrong = async || host.send(without().header("apikey", "guessed").body(Body::empty()).unwrap()).await;
    assert_eq!(left(&wrong().await.refuses(401, "AUTH_ERR_APIKEY_NOT_FOUND")), "0");
    let slow = wrong().await.refuses(429, "ERR_TOO_MANY_REQUESTS");
    assert!(slow.headers.contains_key("retry-after") && slow.headers.contains_key("x-rate-limit-reset"));
    assert_eq!(left(&host.get("/v3/users").await.is(200)), "1");
}

#[tokio::test]
async fn a_request_with_a_token_in_its_url_is_refused_and_counted_like_any_other() {
    let host = limited_to(3).await;
    for (name, left) in [("token", "2"), ("access_token", "1"), ("jwt", "0")] {
        let refused = host.get(&format!("/v3/users?{name}=x")).await.refuses(400, "ERR_BAD_REQUEST");
        let header = |header: &str| refused.headers[header].to_str().unwrap().to_owned();
        assert_eq!([header("x-rate-limit"), header("x-rate-limit-remaining")], ["3", left], "{name}");
    }
    host.get("/v3/users?token=x").await.refuses(429, "ERR_TOO_MANY_REQUESTS");
    // What is wrong with the URL is said without a key as well.
    let keyless = Request::get("/v3/users?token=x").body(Body::empty()).unwrap();
    host.send(keyless).await.refuses(400, "ERR_BAD_REQUEST");
}

#[tokio::test]
async fn a_field_that_is_given_twice_is_refused_by_name() {
    let host = Host::with_cast().await;
    for (method, path, body) in [
        ("POST", "/v3/users", r#"{"uid": "hal", "name": "Hal", "name": "Ada"}"#),
        ("POST", "/v3/users", r#"{"uid": "hal", "name": "Hal", "metadata": {"x": 1, "name": 2, "\u006eame": 3}}"#),
        ("PUT", "/v3/groups/park/members/dee", r#"{"scope": "participant", "name": "x", "name": "y"}"#),
    ] {
        let request = Request::builder().method(method).uri(path).header("apikey", KEY);
        let request = request.header("content-type", "application/json").body(Body::from(body)).unwrap();
        let refused = host.send(request).await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body.to_string().contains(r#"\"name\" is given twice"#), "{}", refused.body);
    }
    host.get("/v3/users/hal").await.refuses(404, "ERR_UID_NOT_FOUND");
}

#[tokio::test]
async fn a_parameter_that_a_write_does_not_know_is_refused_and_nothing_is_done() {
    let host = Host::with_cast().await;
    let writes = [
        ("POST", "/v3/users", json!({"uid": "hal", "name": "Hal"})),
        ("PUT", "/v3/users/dee", json!({"name": "D"})),
        ("DELETE", "/v3/users/gus", json!({})),
        ("POST", "/v3/groups", json!({"guid": "den", "name": "Den", "type": "public"})),
        ("DELETE", "/v3/groups/park", json!({})),
        ("PATCH", "/v3/groups/park/owner", json!({"owner": "ben"})),
        ("POST", "/v3/groups/park/members", json!({"participants": ["gus"]})),
        ("DELETE", "/v3/groups/park/members/dee", json!({})),
        ("PUT", "/v3/groups/park/members/dee", json!({"scope": "admin"})),
        ("POST", "/v3/groups/park/bannedusers/dee", json!({})),
        ("DELETE", "/v3/users/dee/auth_tokens", json!({})),
    ];
    for (method, path, body) in writes {
        for (query, words) in [
            ("on-behalf-of=cy", "onBehalfOf is a header"),
            ("onBehalfOf=cy&x=1", "onBehalfOf is a header"),
            ("idempotency_key=k1", "Idempotency-Key is a header"),
            ("dryrun", "this parameter is not known here"),
            ("dryRun=true", "this parameter is not known here"),
        ] {
            let refused = host.ask(method, &format!("{path}?{query}"), &[], Some(body.clone())).await;
            let refused = refused.refuses(400, "ERR_BAD_REQUEST");
            assert!(refused.body.to_string().contains(words), "{method} {path}?{query}: {}", refused.body);
        }
    }
    let sync = host.put("/v3/groups/park/members?modee=partial", json!({"participants": ["gus"]})).await;
    sync.refuses(400, "ERR_BAD_REQUEST").saying("did you mean mode?");
    host.get("/v3/users/dee?onbehalfof=cy").await.refuses(400, "ERR_BAD_REQUEST").saying("onBehalfOf is a header");
    assert_eq!(host.get("/v3/groups/park").await.is(200).body["data"]["membersCount"], 5, "everybody is there");
    host.put("/v3/groups/park/members?mode=partial", json!({"participants": ["gus"]})).await.is(200);
}

#[tokio::test]
async fn a_parameter_that_a_read_does_not_know_is_refused_by_name_also_where_it_takes_none() {
    let host = Host::with_cast().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let paths = document["paths"].as_object().unwrap().iter();
    let reads = paths.filter(|(path, item)| path.starts_with("/v3/") && item["get"].is_object());
    for path in reads.map(|(path, _)| path.replace("{guid}", "park").replace("{uid}", "dee").replace("{seq}", "1")) {
        host.get(&path).await.is(200);
        let refused = host.get(&format!("{path}?colour=red")).await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body["error"]["details"]["colour"].is_array(), "{path}: {}", refused.body);
    }
    // A parameter of the original changes nothing about a call that is not offered.
    let tokens = host.get("/v3/users/dee/auth_tokens?perPage=100").await;
    tokens.refuses(404, "ERR_API_NOT_FOUND").saying("Single tokens");
}
