//! `Idempotency-Key`: a request repeated under its key is done once, whichever it is.

mod every_call;

use axum::body::Body;
use axum::http::Request;
use chat_group_members::domain::rfc3339;
use serde_json::{Value, json};

use super::{Host, KEY};
use crate::support::eventually;

#[tokio::test]
async fn a_repeated_deletion_deletes_no_group_that_was_made_again() {
    let host = Host::with_cast().await;
    let delete = || host.ask("DELETE", "/v3/groups/park", &[("idempotency-key", "k1")], None);
    let first = delete().await.is(200);
    assert_eq!(delete().await.is(200).body, first.body, "it is confirmed while nothing is there");
    host.delete("/v3/groups/park").await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.post("/v3/groups", json!({"guid": "park", "name": "New park", "owner": "eve"})).await.is(200);
    delete().await.is(200);
    assert_eq!(host.members("park").await, ["eve:owner"]);
    host.ask("DELETE", "/v3/groups/park", &[("idempotency-key", "k2")], None).await.is(200);
    host.get("/v3/groups/park").await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_group_that_was_made_and_deleted_is_not_made_again() {
    let host = Host::with_cast().await;
    let den = json!({"guid": "den", "name": "Den", "owner": "ada"});
    let make = || host.ask("POST", "/v3/groups", &[("idempotency-key", "k1")], Some(den.clone()));
    make().await.is(200);
    host.delete("/v3/groups/den").await.is(200);
    make().await.refuses(404, "ERR_GUID_NOT_FOUND");
    let zoe = json!({"uid": "zoe", "name": "Zoe"});
    let make = || host.ask("POST", "/v3/users", &[("idempotency-key", "k2")], Some(zoe.clone()));
    make().await.is(200);
    host.delete("/v3/users/zoe").await.is(200);
    make().await.refuses(404, "ERR_UID_NOT_FOUND");
}

#[tokio::test]
async fn a_repeated_list_does_not_say_that_somebody_is_in_who_is_not_any_more() {
    let host = Host::with_cast().await;
    for (uid, name) in [("gil", "Gil"), ("hal", "Hal"), ("ida", "Ida")] {
        host.post("/v3/users", json!({"uid": uid, "name": name})).await.is(200);
    }
    let list = json!({"participants": ["gil", "hal"], "usersToBan": ["ida"]});
    let add = || host.ask("POST", "/v3/groups/park/members", &[("idempotency-key", "k1")], Some(list.clone()));
    add().await.is(200);
    host.delete("/v3/groups/park/members/gil").await.is(200);
    host.delete("/v3/groups/park/bannedusers/ida").await.is(200);
    let data = add().await.is(200).body["data"].clone();
    assert_eq!(data["participants"]["gil"]["error"]["code"], "ERR_NOT_A_MEMBER", "{data}");
    assert_eq!(data["participants"]["hal"]["success"], true, "{data}");
    assert_eq!(data["usersToBan"]["ida"]["error"]["code"], "ERR_NOT_A_BANNED_USER", "{data}");
}

#[tokio::test]
async fn a_repeated_transfer_says_who_owns_the_group_by_now() {
    let host = Host::with_cast().await;
    let to_dee = Some(json!({"owner": "dee"}));
    let give = || host.ask("PATCH", "/v3/groups/park/owner", &[("idempotency-key", "k1")], to_dee.clone());
    assert_eq!(give().await.is(200).body["data"]["owner"], "dee");
    host.ask("PATCH", "/v3/groups/park/owner", &[], Some(json!({"owner": "ada"}))).await.is(200);
    assert_eq!(give().await.is(200).body["data"]["owner"], "ada");
}

#[tokio::test]
async fn a_repeated_erasure_erases_nobody_who_came_since() {
    let host = Host::with_cast().await;
    let permanent = json!({"permanent": true});
    let erase = || host.ask("DELETE", "/v3/users/dee", &[("idempotency-key", "erase-dee")], Some(permanent.clone()));
    erase().await.is(200);
    let store = host.app.store();
    eventually("the erasure has ended", async || store.read().await.unwrap().erasures().await.unwrap().is_empty())
        .await;
    host.post("/v3/users", json!({"uid": "dee", "name": "Another Dee"})).await.is(200);
    host.post("/v3/groups/park/members", json!({"participants": ["dee"]})).await.is(200);
    erase().await.is(200);
    assert!(host.members("park").await.contains(&"dee:participant".to_owned()));
    assert!(store.read().await.unwrap().erasures().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_request_that_was_refused_has_not_used_its_key() {
    let host = Host::with_cast().await;
    let key = [("idempotency-key", "k1")];
    let unban = || host.ask("DELETE", "/v3/groups/park/bannedusers/dee", &key, None);
    unban().await.refuses(409, "ERR_NOT_A_BANNED_USER");
    unban().await.refuses(409, "ERR_NOT_A_BANNED_USER");
    host.post("/v3/groups/park/bannedusers/dee", json!({})).await.is(200);
    unban().await.is(200);
    unban().await.is(200);
    let refused = [
        ("POST", "/v3/users", json!({"uid": "dee", "name": "Dee"}), 400, "ERR_UID_ALREADY_EXISTS"),
        ("POST", "/v3/groups", json!({"guid": "park", "name": "Park"}), 400, "ERR_GUID_ALREADY_EXISTS"),
        ("PUT", "/v3/groups/park/members/eve", json!({"scope": "participant"}), 409, "ERR_SAME_SCOPE"),
        ("PUT", "/v3/groups/park/members/ada", json!({"scope": "admin"}), 409, "ERR_SAME_SCOPE"),
        ("POST", "/v3/groups/park/bannedusers/flo", Value::Null, 409, "ERR_ALREADY_BANNED"),
        ("DELETE", "/v3/users/ada", Value::Null, 409, "ERR_OWNER_MUST_TRANSFER"),
        ("DELETE", "/v3/users/ada", json!({"permanent": true}), 409, "ERR_OWNER_MUST_TRANSFER"),
    ];
    for (number, (method, path, body, status, code)) in refused.into_iter().enumerate() {
        let key = format!("refused-{number}");
        let body = Some(body).filter(|body| !body.is_null());
        for _ in 0..2 {
            host.ask(method, path, &[("idempotency-key", &key)], body.clone()).await.refuses(status, code);
        }
    }
}

#[tokio::test]
async fn a_user_who_left_is_confirmed_that_they_did() {
    let host = Host::with_cast().await;
    for (uid, path) in [("dee", "/v3/groups/park/members"), ("eve", "/v3/groups/park/members/eve")] {
        let headers = [("onBehalfOf", uid), ("idempotency-key", "k1")];
        let first = host.ask("DELETE", path, &headers, None).await.is(200);
        assert_eq!(host.ask("DELETE", path, &headers, None).await.is(200).body, first.body);
        let headers = [("onBehalfOf", uid), ("idempotency-key", "k2")];
        host.ask("DELETE", path, &headers, None).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    }
}

#[tokio::test]
async fn on_behalf_of_somebody_who_is_out_nothing_but_their_leave_is_repeated() {
    let host = Host::with_cast().await;
    let acts = [
        ("PUT", "/v3/groups/park/members/dee", json!({"scope": "moderator"})),
        ("POST", "/v3/groups/park/members", json!({"participants": ["gus"]})),
        ("POST", "/v3/groups/park/bannedusers/eve", json!({"reason": "rude"})),
        ("PUT", "/v3/groups/park", json!({"name": "Park of Ben"})),
        ("PUT", "/v3/groups/park/members/ben", json!({"scope": "moderator"})),
    ];
    let by_ben = async |number: usize| {
        let (method, path, body) = acts[number].clone();
        let key = format!("k{number}");
        host.ask(method, path, &[("onBehalfOf", "ben"), ("idempotency-key", &key)], Some(body)).await
    };
    for number in 0..acts.len() {
        by_ben(number).await.is(200);
    }
    host.delete("/v3/groups/park/members/ben").await.is(200);
    for number in 0..acts.len() {
        by_ben(number).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    }
    let leave = [("onBehalfOf", "ben"), ("idempotency-key", "k0")];
    host.ask("DELETE", "/v3/groups/park/members", &leave, None).await.refuses(401, "ERR_GROUP_NOT_JOINED");

    let join = || {
        let headers = [("onBehalfOf", "gus"), ("idempotency-key", "in")];
        let host = &host;
        async move { host.ask("POST", "/v3/groups/park/members", &headers, Some(json!({}))).await }
    };
    host.delete("/v3/groups/park/members/gus").await.is(200);
    join().await.is(200);
    host.delete("/v3/groups/park/members/gus").await.is(200);
    join().await.refuses(401, "ERR_GROUP_NOT_JOINED");
}

#[tokio::test]
async fn a_repeated_token_is_the_same_token_and_a_logout_ends_it() {
    let host = Host::with_cast().await;
    let token = async |key: &str| {
        let answer = host.ask("POST", "/v3/users/dee/auth_tokens", &[("idempotency-key", key)], None).await.is(200);
        answer.body["data"].clone()
    };
    let as_dee = async |token: &Value| {
        let request = Request::get("/groups/park").header("accept", "application/json");
        let bearer = format!("Bearer {}", token["authToken"].as_str().unwrap());
        host.send(request.header("authorization", bearer).body(Body::empty()).unwrap()).await.status.as_u16()
    };
    let first = token("k1").await;
    host.app.clock().advance(10_000);
    assert_eq!(token("k1").await, first);
    assert_eq!(as_dee(&first).await, 200);
    host.delete("/v3/users/dee/auth_tokens").await.is(200);
    assert_eq!(token("k1").await, first, "repeated after a logout it is none that was made after it");
    assert_eq!(as_dee(&first).await, 401);
    assert_eq!(as_dee(&token("k2").await).await, 200);

    let zoe = json!({"uid": "zoe", "name": "Zoe", "withAuthToken": true});
    let make = || host.ask("POST", "/v3/users", &[("idempotency-key", "k3")], Some(zoe.clone()));
    let made = make().await.is(200).body;
    host.app.clock().advance(10_000);
    assert_eq!(make().await.is(200).body, made);
}

#[tokio::test]
async fn a_ban_a_mute_and_a_scope_with_another_end_are_other_requests() {
    let host = Host::with_cast().await;
    for (number, (method, path, scope)) in [
        ("POST", "/v3/groups/park/bannedusers/gus", Value::Null),
        ("POST", "/v3/groups/park/mutedusers/eve", Value::Null),
        ("PUT", "/v3/groups/park/members/dee", json!("moderator")),
    ]
    .into_iter()
    .enumerate()
    {
        let ask = async |until: i64| {
            let mut body = json!({"until": until});
            if !scope.is_null() {
                body["scope"] = scope.clone();
            }
            host.ask(method, path, &[("idempotency-key", &format!("k{number}"))], Some(body)).await
        };
        ask(600).await.is(200);
        host.app.clock().advance(1_000);
        ask(600).await.is(200);
        ask(6_000).await.refuses(400, "ERR_BAD_REQUEST");
    }
}

#[tokio::test]
async fn a_list_with_another_name_picture_or_time_of_joining_is_another_request() {
    let host = Host::with_cast().await;
    let add = async |person: Value| {
        let key = [("idempotency-key", "k1")];
        host.ask("POST", "/v3/groups/park/members", &key, Some(json!({"members": [person]}))).await
    };
    let gus = json!({"uid": "gus", "name": "Gus"});
    add(gus.clone()).await.is(200);
    add(gus).await.is(200);
    for other in [
        json!({"uid": "gus"}),
        json!({"uid": "gus", "name": "Gustav"}),
        json!({"uid": "gus", "name": "Gus", "avatar": "https://pictures.example/gus.png"}),
        json!({"uid": "gus", "name": "Gus", "joinedAt": 1_700_000_000}),
    ] {
        add(other).await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
    }
    assert_eq!(host.get("/v3/users/gus").await.is(200).body["data"]["name"], "Gus");
}

#[tokio::test]
async fn an_upload_under_its_key_is_applied_once() {
    let host = Host::with_cast().await;
    let upload = |key: &'static str, text: &'static str| {
        let request = Request::put("/v3/groups/park/members?version=7").header("apikey", KEY);
        let request = request.header("content-type", "application/x-ndjson").header("idempotency-key", key);
        host.send(request.body(Body::from(text)).unwrap())
    };
    upload("k1", "{\"uid\":\"gus\"}\n").await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner", "gus:participant"]);
    host.put("/v3/groups/park/members?version=8", json!({"participants": ["dee"]})).await.is(200);
    let again = upload("k1", "{\"uid\":\"gus\"}\n").await.is(200);
    assert_eq!(again.body["result"]["applied"], false, "{}", again.body);
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
    upload("k1", "{\"uid\":\"eve\"}\n").await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
    upload("k2", "{\"uid\":\"eve\"}\n").await.refuses(409, "ERR_STALE_SYNC");

    let list = |version: u8| {
        let host = &host;
        let path = format!("/v3/groups/park/members?version={version}");
        async move { host.ask("PUT", &path, &[("idempotency-key", "k3")], Some(json!({"moderators": ["dee"]}))).await }
    };
    list(9).await.is(200);
    host.put("/v3/groups/park/members?version=10", json!({"participants": ["dee"]})).await.is(200);
    assert_eq!(list(9).await.is(200).body["data"]["applied"], false);
    list(11).await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
}

#[tokio::test]
async fn a_key_is_remembered_for_a_day_however_its_request_is_spelt_and_without_the_password() {
    let host = Host::with_cast().await;
    let send = |text: &'static str| {
        let request = Request::post("/v3/groups").header("apikey", KEY).header("idempotency-key", "k1");
        host.send(request.header("content-type", "application/json").body(Body::from(text)).unwrap())
    };
    send(r#"{"guid":"den","name":"Den","type":"password","password":"sesame"}"#).await.is(200);
    send(r#"{ "password": "sesame", "type": "password", "name": "Den", "guid": "den" }"#).await.is(200);
    send(r#"{"guid":"den","name":"Den","type":"password","password":"other"}"#).await.is(200);
    host.app.clock().advance(24 * 3600 * 1000 + 1000);
    chat_group_members::membership::sweep(host.app.store(), 10_000).await.unwrap();
    send(r#"{"guid":"den","name":"Den","type":"password","password":"sesame"}"#)
        .await
        .refuses(400, "ERR_GUID_ALREADY_EXISTS");
}

#[tokio::test]
async fn however_many_old_keys_there_are_they_are_forgotten() {
    let host = Host::with_cast().await;
    let many = "INSERT INTO idempotency (guid, caller, key, act, at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
         SELECT '*', 'nobody', 'k' || CAST(i AS TEXT), 'x', 0 FROM n";
    // Written again, any that is left would stand in the way.
    for _ in 0..2 {
        crate::support::database::write_by_hand(host._folder.path(), many).await;
        chat_group_members::membership::sweep(host.app.store(), 10_000).await.unwrap();
    }
}

#[tokio::test]
async fn a_key_may_have_a_blank_between_others_and_no_tab() {
    let host = Host::with_cast().await;
    let kick =
        async |key: &str| host.ask("DELETE", "/v3/groups/park/members/dee", &[("idempotency-key", key)], None).await;
    kick("kick dee").await.is(200);
    kick("kick dee").await.is(200);
    kick("kick\tdee").await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
}

#[tokio::test]
async fn an_act_whose_end_has_passed_is_confirmed_when_the_host_repeats_it() {
    let host = Host::with_cast().await;
    let soon = rfc3339(host.app.clock().now() + 10_000);
    let acts = [
        ("POST", "/v3/groups/park/bannedusers/gus", json!({"until": soon})),
        ("POST", "/v3/groups/park/mutedusers/dee", json!({"until": soon})),
        ("PUT", "/v3/groups/park/members/eve", json!({"scope": "moderator", "until": soon})),
    ];
    let ask = async |number: usize, key: &str| {
        let (method, path, body) = &acts[number];
        let key = format!("{key}{number}");
        host.ask(method, path, &[("idempotency-key", key.as_str())], Some(body.clone())).await
    };
    for number in 0..acts.len() {
        ask(number, "k").await.is(200);
    }
    host.app.clock().advance(12_000);
    for number in 0..acts.len() {
        ask(number, "k").await.is(200);
        let refused = ask(number, "new").await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body["error"]["details"]["until"].is_array(), "{}", refused.body);
    }
}

#[tokio::test]
async fn a_group_made_on_behalf_of_gus_is_not_shown_to_him_by_a_repetition_once_he_is_out() {
    let host = Host::with_cast().await;
    let cave = json!({"guid": "cave", "name": "Cave", "type": "private", "members": {"participants": ["dee"]}});
    let make =
        || host.ask("POST", "/v3/groups", &[("onBehalfOf", "gus"), ("idempotency-key", "k1")], Some(cave.clone()));
    let first = make().await.is(200).body;
    assert_eq!(make().await.is(200).body["data"]["owner"], first["data"]["owner"], "as long as he is in it");
    host.ask("PATCH", "/v3/groups/cave/owner", &[], Some(json!({"owner": "dee"}))).await.is(200);
    host.delete("/v3/groups/cave/members/gus").await.is(200);
    make().await.refuses(401, "ERR_GROUP_NOT_JOINED");
}

#[tokio::test]
async fn a_key_about_the_next_person_of_an_erased_uid_outlives_the_end_of_that_erasure() {
    let host = Host::with_cast().await;
    host.ask("DELETE", "/v3/users/dee", &[], Some(json!({"permanent": true}))).await.is(200);
    host.app.clock().advance(1);
    host.post("/v3/users", json!({"uid": "dee", "name": "Another Dee"})).await.is(200);
    let list = json!({"participants": ["dee"]});
    let add = || host.ask("POST", "/v3/groups/park/members", &[("idempotency-key", "k1")], Some(list.clone()));
    add().await.is(200);
    eventually("the erasure has ended", async || {
        host.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
    let again = add().await.is(200).body;
    assert_eq!(again["data"]["participants"]["dee"]["success"], true, "{again}");
}
