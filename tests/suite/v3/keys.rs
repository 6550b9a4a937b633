//! `Idempotency-Key`: a request repeated under its key is done once, whichever it is.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use chat_group_members::config::{SigningKey, Webhook, WebhookFormat};
use serde_json::{Value, json};

use super::{Answer, Host, KEY};
use crate::support::eventually;
use crate::webhooks::receiver::SECRET;

/// Writing calls that take no key, each with its reason.
const WITHOUT_KEY: [(&str, &str); 3] = [
    ("reportPresence", "what it writes is in memory, is of the moment and ends by itself"),
    ("countOnline", "it reads: it is a POST for the length of its list"),
    ("testWebhook", "it writes nothing, and answers what came of a delivery just now"),
];

/// Method, path, with whose rights, and body.
type Call = (&'static str, &'static str, Option<&'static str>, Value);

/// A call that is done, what others do about it afterwards, and another call.
struct Case {
    call: Call,
    undone_by: Vec<Call>,
    other: Call,
}

/// For every operation.
fn cases() -> BTreeMap<&'static str, Case> {
    let host = |method, path, body| (method, path, None, body);
    let case = |call: Call, undone_by: Vec<Call>, other: Call| Case { call, undone_by, other };
    let (none, dee) = (Value::Null, json!({"participants": ["dee"]}));
    let (park, members) = ("/v3/groups/park", "/v3/groups/park/members");
    let (of_dee, ban_dee, ban_flo) =
        ("/v3/groups/park/members/dee", "/v3/groups/park/bannedusers/dee", "/v3/groups/park/bannedusers/flo");
    let mute_eve = "/v3/groups/park/mutedusers/eve";
    let (pause, resume) = ("/v3/webhooks/ENDPOINT/pause", "/v3/webhooks/ENDPOINT/resume");
    let new_park = json!({"guid": "park", "name": "Another", "owner": "eve"});
    BTreeMap::from([
        (
            "createUser",
            case(
                host("POST", "/v3/users", json!({"uid": "zoe", "name": "Zoe"})),
                vec![host("PUT", "/v3/users/zoe", json!({"name": "Zora"}))],
                host("POST", "/v3/users", json!({"uid": "zoe", "name": "Zoey"})),
            ),
        ),
        (
            "updateUser",
            case(
                host("PUT", "/v3/users/dee", json!({"name": "Deirdre", "metadata": {"b": 1, "a": 2}})),
                vec![host("PUT", "/v3/users/dee", json!({"name": "Dee"}))],
                host("PUT", "/v3/users/eve", json!({"name": "Deirdre", "metadata": {"b": 1, "a": 2}})),
            ),
        ),
        (
            "deleteUser",
            case(
                host("DELETE", "/v3/users/dee", none.clone()),
                vec![
                    host("POST", "/v3/users", json!({"uid": "dee", "name": "Dee again"})),
                    host("POST", members, dee.clone()),
                ],
                host("DELETE", "/v3/users/dee", json!({"permanent": true})),
            ),
        ),
        (
            "createAuthToken",
            case(
                host("POST", "/v3/users/dee/auth_tokens", none.clone()),
                vec![host("DELETE", "/v3/users/dee/auth_tokens", none.clone())],
                host("POST", "/v3/users/dee/auth_tokens", json!({"ttl": 60})),
            ),
        ),
        (
            "logOut",
            case(
                host("DELETE", "/v3/users/dee/auth_tokens", none.clone()),
                vec![],
                host("DELETE", "/v3/users/eve/auth_tokens", none.clone()),
            ),
        ),
        (
            "createGroup",
            case(
                host("POST", "/v3/groups", json!({"guid": "den", "name": "Den", "members": dee.clone()})),
                vec![
                    host("DELETE", "/v3/groups/den/members/dee", none.clone()),
                    host("PUT", "/v3/groups/den", json!({"name": "Cave", "owner": "ada"})),
                ],
                host("POST", "/v3/groups", json!({"guid": "pit", "name": "Pit"})),
            ),
        ),
        (
            "updateGroup",
            case(
                host("PUT", park, json!({"name": "Big park", "owner": "ben"})),
                vec![host("PUT", park, json!({"name": "Park", "owner": "ada"}))],
                host("PUT", park, json!({"name": "Small park"})),
            ),
        ),
        (
            "deleteGroup",
            case(
                host("DELETE", park, none.clone()),
                vec![host("POST", "/v3/groups", new_park)],
                host("PUT", park, json!({"name": "Big park"})),
            ),
        ),
        (
            "transferOwnership",
            case(
                host("PATCH", "/v3/groups/park/owner", json!({"owner": "ben"})),
                vec![host("PATCH", "/v3/groups/park/owner", json!({"owner": "ada"}))],
                host("PATCH", "/v3/groups/park/owner", json!({"owner": "cy"})),
            ),
        ),
        (
            "addMembers",
            case(
                host("POST", members, json!({"participants": ["gus"], "usersToBan": ["eve"]})),
                vec![
                    host("DELETE", "/v3/groups/park/members/gus", none.clone()),
                    host("DELETE", "/v3/groups/park/bannedusers/eve", none.clone()),
                ],
                host("POST", members, json!({"participants": ["gus"]})),
            ),
        ),
        (
            "replaceMembers",
            case(
                host("PUT", members, json!({"participants": ["gus"]})),
                vec![host("PUT", members, json!({"moderators": ["eve"]}))],
                host("PUT", "/v3/groups/park/members?mode=partial", json!({"participants": ["gus"]})),
            ),
        ),
        (
            "leaveGroup",
            case(
                ("DELETE", members, Some("dee"), none.clone()),
                vec![host("POST", members, dee.clone())],
                ("DELETE", ban_flo, Some("dee"), none.clone()),
            ),
        ),
        (
            "setScope",
            case(
                host("PUT", of_dee, json!({"scope": "moderator"})),
                vec![host("PUT", of_dee, json!({"scope": "participant"}))],
                host("PUT", of_dee, json!({"scope": "admin"})),
            ),
        ),
        (
            "removeMember",
            case(
                host("DELETE", of_dee, none.clone()),
                vec![host("POST", members, dee.clone())],
                host("DELETE", "/v3/groups/park/members/eve", none.clone()),
            ),
        ),
        (
            "ban",
            case(
                host("POST", ban_dee, json!({"reason": "rude"})),
                vec![host("DELETE", ban_dee, none.clone()), host("POST", members, dee)],
                host("POST", ban_dee, json!({"reason": "loud"})),
            ),
        ),
        (
            "unban",
            case(
                host("DELETE", ban_flo, none.clone()),
                vec![host("POST", ban_flo, none.clone())],
                host("DELETE", ban_dee, none.clone()),
            ),
        ),
        (
            "mute",
            case(
                host("POST", mute_eve, json!({"until": 3600})),
                vec![host("DELETE", mute_eve, none.clone())],
                host("POST", mute_eve, json!({"until": 3600, "reason": "loud"})),
            ),
        ),
        (
            "unmute",
            case(
                host("DELETE", mute_eve, none.clone()),
                vec![host("POST", mute_eve, json!({"until": 3600}))],
                host("DELETE", "/v3/groups/park/mutedusers/cy", none.clone()),
            ),
        ),
        (
            "pauseWebhook",
            case(
                host("POST", pause, none.clone()),
                vec![host("POST", resume, none.clone())],
                host("POST", resume, none.clone()),
            ),
        ),
        (
            "resumeWebhook",
            case(
                host("POST", resume, none.clone()),
                vec![host("POST", pause, none.clone())],
                host("POST", pause, none),
            ),
        ),
        (
            "replayWebhook",
            case(
                host("POST", "/v3/webhooks/ENDPOINT/replay", json!({"from": "2026-05-02T12:00:00Z"})),
                vec![],
                host("POST", "/v3/webhooks/ENDPOINT/replay", json!({"from": "2026-05-03T12:00:00Z"})),
            ),
        ),
    ])
}

#[tokio::test]
async fn every_writing_call_takes_a_key_unless_there_is_a_reason() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let (cases, mut unkeyed) = (cases(), Vec::new());
    for (path, item) in document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/v3/")) {
        for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "get") {
            let id = operation["operationId"].as_str().unwrap();
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let takes_key = parameters.iter().any(|one| one["name"] == "Idempotency-Key" && one["in"] == "header");
            assert_eq!(takes_key, cases.contains_key(id), "{method} {path} ({id}): a case for each that takes a key");
            if !takes_key {
                unkeyed.push(id.to_owned());
            }
        }
    }
    unkeyed.sort();
    let mut listed = WITHOUT_KEY.map(|(id, _)| id.to_owned());
    listed.sort();
    assert_eq!(unkeyed, listed);
}

#[tokio::test]
async fn every_writing_call_is_done_once_for_its_key() {
    for (id, Case { call, undone_by, other }) in cases() {
        let host = host_with_webhook().await;
        host.call(&call, Some("k1")).await.is(200);
        for other in &undone_by {
            host.call(other, None).await.is(200);
        }
        host.app.clock().advance(5_000);
        let since = host.state().await;
        host.call(&call, Some("k1")).await.is(200);
        assert_eq!(host.state().await, since, "{id}: repeated under its key it changes nothing");
        host.call(&other, Some("k1")).await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
        assert_eq!(host.state().await, since, "{id}: its key does nothing else");
        assert_eq!(host.faults().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn of_two_at_once_under_one_key_one_is_done_and_the_other_is_a_repetition() {
    for (id, Case { call, .. }) in cases() {
        let (once, twice) = (host_with_webhook().await, host_with_webhook().await);
        once.call(&call, None).await.is(200);
        let (first, second) = tokio::join!(twice.call(&call, Some("k1")), twice.call(&call, Some("k1")));
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200), "{id}: {} {}", first.body, second.body);
        assert_eq!(twice.heads().await, once.heads().await, "{id}");
    }
}

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

/// The cast, and an endpoint of webhooks that takes nothing.
async fn host_with_webhook() -> Host {
    let host = Host::with_cast_and(|config| {
        config.webhooks = vec![Webhook {
            url: "http://127.0.0.1:9/".parse().unwrap(),
            keys: vec![SigningKey::parse(SECRET).unwrap()],
            events: vec!["test".into()],
            format: WebhookFormat::Standard,
            allow_private: false,
        }];
    })
    .await;
    eventually("the endpoint is registered", async || !host.get("/v3/webhooks").await.body["data"][0]["id"].is_null())
        .await;
    host
}

impl Host {
    /// Asks, perhaps under a key.
    async fn call(&self, (method, path, user, body): &Call, key: Option<&str>) -> Answer {
        let mut path = (*path).to_owned();
        if path.contains("ENDPOINT") {
            let webhooks = self.get("/v3/webhooks").await.is(200).body;
            path = path.replace("ENDPOINT", webhooks["data"][0]["id"].as_str().unwrap());
        }
        let user = user.map(|uid| ("onBehalfOf", uid));
        let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().chain(user).collect();
        self.ask(method, &path, &headers, Some(body.clone()).filter(|body| !body.is_null())).await
    }

    /// What is stored, as far as the interface tells it.
    async fn state(&self) -> Value {
        let mut state = json!({
            "users": self.get("/v3/users?perPage=1000&withTags=true").await.is(200).body,
            "groups": self.get("/v3/groups?perPage=1000").await.is(200).body,
            "heads": self.heads().await,
            "webhook": self.get("/v3/webhooks").await.is(200).body["data"][0]["state"],
        });
        for (guid, _) in self.heads().await {
            for list in ["members", "bannedusers"] {
                let path = format!("/v3/groups/{guid}/{list}?perPage=1000");
                state[format!("{guid}/{list}")] = self.get(&path).await.body;
            }
        }
        for uid in ["dee", "eve"] {
            let export = self.get(&format!("/v3/users/{uid}/export")).await.is(200).body;
            state[format!("{uid} logged out")] = export["data"]["loggedOutAt"].clone();
        }
        state
    }

    /// The number of the last event of each group.
    async fn heads(&self) -> BTreeMap<&'static str, u64> {
        let mut heads = BTreeMap::new();
        for guid in ["park", "den", "pit"] {
            let known = self.app.store().read().await.unwrap().group(&guid.parse().unwrap()).await.unwrap();
            heads.extend(known.map(|(_, head)| (guid, head)));
        }
        heads
    }
}
