//! The original's REST, call by call: what its documentation sends, and what it is answered.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Answer, Host};

/// The ids of a list.
fn ids(answer: Answer, id: &str) -> Vec<String> {
    let answer = answer.is(200);
    answer.body["data"].as_array().unwrap().iter().map(|one| one[id].as_str().unwrap().to_owned()).collect()
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_user_keeps_every_field_and_leaves_out_what_is_not_there() {
    let host = Host::new().await;
    let bare = host.post("/v3/users", json!({"uid": "bob", "name": "Bob"})).await.is(200).body["data"].clone();
    assert_eq!(names(&bare), BTreeSet::from(["uid", "name", "role", "status", "tags", "createdAt"]));
    assert_eq!((&bare["role"], &bare["status"]), (&json!("default"), &json!("offline")));
    let sent = json!({
        "uid": "ann", "name": "Ann", "avatar": "http://a.example/ann.png", "link": "https://a.example/ann", "role": "teacher",
        "statusMessage": "Hi", "metadata": {"@private": {"email": "ann@a.example"}}, "tags": ["red", "new"],
    });
    let made = host.post("/v3/users", sent.clone()).await.is(200).body["data"].clone();
    for (name, value) in sent.as_object().unwrap() {
        assert_eq!(&made[name], value, "{name}");
    }
    let changed = json!({"statusMessage": "Away", "metadata": {"team": 7}, "unset": ["avatar", "link"]});
    let changed = host.put("/v3/users/ann", changed).await.is(200).body["data"].clone();
    assert_eq!((&changed["statusMessage"], &changed["metadata"]), (&json!("Away"), &json!({"team": 7})));
    assert!(!names(&changed).contains("avatar") && !names(&changed).contains("link") && changed["updatedAt"].is_i64());
    assert_eq!(
        (&changed["role"], &changed["tags"]),
        (&json!("teacher"), &json!(["red", "new"])),
        "what is not named stays"
    );
    assert_eq!(host.get("/v3/users/ann").await.is(200).body["data"], changed);
    assert!(
        !names(&host.put("/v3/users/ann", json!({"unset": ["metadata"]})).await.is(200).body["data"])
            .contains("metadata")
    );
    host.put("/v3/users/ann", json!({"unset": ["name"]})).await.refuses(400, "ERR_BAD_REQUEST").saying("unset");
    let seen = host.as_user("bob", "GET", "/v3/users/ann", None).await.is(200);
    assert_eq!(seen.body["data"]["conversationId"], "ann_user_bob");
    let gone = host.ask("DELETE", "/v3/users/ann", &[], Some(json!({"permanent": false}))).await.is(200);
    assert_eq!(names(&gone.body["data"]), BTreeSet::from(["success", "message"]));
}

#[tokio::test]
async fn what_is_over_a_limit_is_refused_with_the_limit() {
    let host = Host::new().await;
    let cases = [
        (json!({"link": "https://x.example/".to_owned() + &"x".repeat(3000)}), "link", "3000"),
        (json!({"avatar": "ftp://x.example/a.png"}), "avatar", "http"),
        (json!({"metadata": {"x": "x".repeat(6000)}}), "metadata", "5120"),
        (json!({"tags": vec!["x"; 26]}), "tags", "25"),
        (json!({"tags": ["x".repeat(101)]}), "tags", "100"),
        (json!({"name": "x".repeat(101)}), "name", "100"),
    ];
    host.post("/v3/users", json!({"uid": "ann", "name": "Ann"})).await.is(200);
    for (body, field, limit) in cases {
        let refused = host.put("/v3/users/ann", body).await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body["error"]["details"][field][0].as_str().unwrap().contains(limit), "{}", refused.body);
    }
    let missing = host.post("/v3/users", json!({})).await.refuses(400, "ERR_BAD_REQUEST");
    assert_eq!(names(&missing.body["error"]["details"]), BTreeSet::from(["name", "uid"]));
}

#[tokio::test]
async fn numbers_of_metadata_come_back_as_they_were_sent() {
    let host = Host::with_cast().await;
    for text in ["-9.091608338027143", "0.1", "48.137154399999996", "1e-7", "9007199254740993"] {
        let number: Value = serde_json::from_str(text).unwrap();
        host.put("/v3/users/dee", json!({"metadata": {"at": number}})).await.is(200);
        let body = host.get("/v3/users/dee").await.is(200).body;
        assert_eq!(body["data"]["metadata"]["at"].to_string(), number.to_string(), "{text}");
    }
}

#[tokio::test]
async fn users_are_filtered_sorted_and_paged_both_ways() {
    let host = Host::with_cast().await;
    host.put("/v3/users/dee", json!({"role": "teacher", "tags": ["red"]})).await.is(200);
    host.put("/v3/users/eve", json!({"tags": ["blue"]})).await.is(200);
    host.put("/v3/users/gus", json!({"status": "online"})).await.is(200);
    let get = |query: &'static str| {
        let host = &host;
        async move { ids(host.get(&format!("/v3/users?{query}")).await, "uid") }
    };
    assert_eq!(get("role=teacher").await, ["dee"]);
    host.put("/v3/users/flo", json!({"role": "Sales, EU"})).await.is(200);
    assert_eq!(get("role=Sales%2C%20EU").await, ["flo"], "a role is free text");
    assert_eq!(get("uids[0]=dee&uids[1]=eve").await, ["dee", "eve"], "as PHP writes lists");
    assert_eq!(get("roles=teacher,default&tags=red,blue").await, ["dee", "eve"]);
    assert_eq!(get("roles=teacher&roles=x").await, ["dee"]);
    assert_eq!(get("status=available").await, ["gus"]);
    assert_eq!(get("status=offline&uids=gus,ada").await, ["ada"]);
    assert_eq!(get("searchKey=y&searchIn=name").await, ["cy"]);
    assert_eq!(get("searchKey=ada&searchIn=uid&searchIn=name").await, ["ada"]);
    assert_eq!(get("sortBy=name&sortOrder=desc&perPage=2").await, ["gus", "flo"]);
    assert_eq!(get("onlyDeactivated=true").await, Vec::<String>::new());
    assert_eq!(get("withDeactivated=true&count=true&perPage=1").await, ["ada"]);
    let tagged = host.get("/v3/users?withTags=true&uids=dee").await.is(200);
    assert_eq!(tagged.body["data"][0]["tags"], json!(["red"]));
    assert!(host.get("/v3/users?uids=dee").await.body["data"][0]["tags"].is_null());

    host.app.clock().advance(10_000);
    host.put("/v3/users/cy", json!({"name": "Cyd"})).await.is(200);
    host.app.clock().advance(10_000);
    host.put("/v3/users/ben", json!({"name": "Benno"})).await.is(200);
    host.app.clock().advance(10_000);
    let changed = |uid: &'static str| {
        let host = &host;
        async move { host.get(&format!("/v3/users/{uid}")).await.body["data"]["updatedAt"].as_i64().unwrap() }
    };
    let (first, last) = (changed("cy").await, changed("ben").await);
    let after = host.get(&format!("/v3/users?affix=append&updatedAt={}", first - 1)).await.is(200);
    assert_eq!(after.body["cursor"], after.body["meta"]["cursor"]);
    assert_eq!(after.body["cursor"], json!({"affix": "append", "updatedAt": last}));
    assert_eq!(ids(after, "uid"), ["cy", "ben"]);
    let before = host.get(&format!("/v3/users?affix=prepend&updatedAt={last}&perPage=1")).await;
    assert_eq!(ids(before, "uid"), ["cy"]);
    let mut seen = Vec::new();
    let mut cursor = 0;
    loop {
        let page = host.get(&format!("/v3/users?affix=append&updatedAt={cursor}&perPage=2")).await.is(200);
        let Some(next) = page.body["cursor"]["updatedAt"].as_i64() else { break };
        cursor = next;
        seen.extend(ids(page, "uid"));
    }
    seen.sort();
    assert_eq!(seen, ["ada", "ben", "cy", "dee", "eve", "flo", "gus"], "nobody twice, nobody left out");
}

#[tokio::test]
async fn a_token_is_made_for_a_viewer_and_accepted() {
    let host = Host::with_cast().await;
    let made = host.post("/v3/users/ada/auth_tokens", json!({"force": true})).await.is(200).body["data"].clone();
    assert_eq!(names(&made), BTreeSet::from(["uid", "authToken", "createdAt"]));
    let bearer = format!("Bearer {}", made["authToken"].as_str().unwrap());
    let headers = [("authorization", bearer.as_str()), ("accept", "application/json")];
    host.ask("GET", "/groups/park", &headers, None).await.is(200);
    host.ask("POST", "/v3/users/ada/auth_tokens", &[], None).await.is(200);
    host.post("/v3/users/ada/auth_tokens", json!({"ttl": 86_401}))
        .await
        .refuses(400, "ERR_BAD_REQUEST")
        .saying("86400");
    host.post("/v3/users/zoe/auth_tokens", json!({})).await.refuses(404, "ERR_UID_NOT_FOUND");
    let zoe = host.post("/v3/users", json!({"uid": "zoe", "name": "Zoe", "withAuthToken": true})).await.is(200);
    assert!(zoe.body["data"]["authToken"].as_str().unwrap().starts_with("ey"));
    let blind = Host::with(|config| {
        config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)];
        config.viewer_secrets = Vec::new();
        config.viewer_jwks = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/src/identity/testkeys/jwks.json").into());
    })
    .await;
    blind.post("/v3/users", json!({"uid": "ada", "name": "Ada"})).await.is(200);
    let refused = blind.post("/v3/users/ada/auth_tokens", json!({})).await;
    assert_eq!(refused.status.as_u16(), 409);
}

#[tokio::test]
async fn what_is_not_offered_says_so() {
    let host = Host::with_cast().await;
    for (method, path) in [
        ("GET", "/v3/users/ada/auth_tokens"),
        ("GET", "/v3/users/ada/auth_tokens/x"),
        ("PUT", "/v3/users/ada/auth_tokens/x"),
        ("DELETE", "/v3/users/ada/auth_tokens/x"),
        ("PUT", "/v3/users"),
        ("DELETE", "/v3/users"),
    ] {
        let answer = host.ask(method, path, &[], None).await.refuses(404, "ERR_API_NOT_FOUND");
        assert!(answer.body["error"]["message"].as_str().unwrap().contains(" not "), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_group_keeps_every_field_and_tells_a_user_what_they_are_in_it() {
    let host = Host::with_cast().await;
    let sent = json!({"guid": "red", "name": "Red", "description": "d", "icon": "https://a.example/r.png", "type": "public",
        "metadata": {"a": 1}, "tags": ["x"]});
    let made = host.as_user("gus", "POST", "/v3/groups", Some(sent.clone())).await.is(200).body["data"].clone();
    for (name, value) in sent.as_object().unwrap() {
        assert_eq!(&made[name], value, "{name}");
    }
    let expected =
        json!({"scope": "admin", "hasJoined": true, "membersCount": 1, "owner": "gus", "conversationId": "group_red"});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&made[name], value, "{name}");
    }
    assert!(made["joinedAt"].is_i64() && made["createdAt"].is_i64() && made["updatedAt"].is_null());
    let plain = host.get("/v3/groups/red").await.is(200).body["data"].clone();
    assert!(plain["scope"].is_null() && plain["hasJoined"].is_null() && plain["joinedAt"].is_null());
    let outside = host.as_user("ada", "GET", "/v3/groups/red", None).await.is(200);
    assert_eq!(outside.body["data"]["hasJoined"], false);
    let changed = json!({"metadata": {"b": 2}, "tags": [], "unset": ["icon", "description"]});
    let changed = host.put("/v3/groups/red", changed).await.is(200).body["data"].clone();
    assert_eq!(changed["metadata"], json!({"b": 2}));
    assert!(changed["icon"].is_null() && changed["description"].is_null() && changed["updatedAt"].is_i64());
    host.post("/v3/groups", json!({"guid": "vault", "name": "V", "type": "password"}))
        .await
        .refuses(403, "ERR_EMPTY_GROUP_PASS");
    assert_eq!(
        host.post("/v3/groups", json!({"guid": "own", "name": "Own"})).await.is(200).body["data"]["owner"],
        "app_system"
    );
}

#[tokio::test]
async fn groups_are_filtered_and_sorted() {
    let host = Host::with_cast().await;
    host.post(
        "/v3/groups",
        json!({"guid": "den", "name": "Zebra", "type": "private", "owner": "dee", "tags": ["red"]}),
    )
    .await
    .is(200);
    host.post(
        "/v3/groups",
        json!({"guid": "vault", "name": "Apple", "type": "password", "password": "x", "owner": "gus"}),
    )
    .await
    .is(200);
    let get = |query: &'static str| {
        let host = &host;
        async move { ids(host.get(&format!("/v3/groups?{query}")).await, "guid") }
    };
    assert_eq!(get("type=private").await, ["den"]);
    assert_eq!(get("types=public,password").await, ["park", "vault"]);
    assert_eq!(get("tags=red,blue").await, ["den"]);
    assert_eq!(get("withTags=true").await, ["den"]);
    assert_eq!(get("sortBy=name").await, ["vault", "park", "den"]);
    assert_eq!(get("sortBy=guid&sortOrder=desc").await, ["vault", "park", "den"]);
    assert_eq!(get("searchKey=a&searchIn=guid").await, ["park", "vault"]);
    let of_dee = host.as_user("dee", "GET", "/v3/groups?hasJoined=true", None).await;
    assert_eq!(
        (&of_dee.body["data"][0]["scope"], &of_dee.body["data"][1]["scope"]),
        (&json!("admin"), &json!("participant"))
    );
    assert_eq!(ids(of_dee, "guid"), ["den", "park"]);
    assert_eq!(
        ids(host.as_user("dee", "GET", "/v3/groups?hasJoined=false", None).await, "guid"),
        ["den", "park", "vault"]
    );
}

#[tokio::test]
async fn people_who_are_put_in_are_answered_with_action_messages() {
    let host = Host::with_cast().await;
    for uid in ["hal", "ivy"] {
        host.post("/v3/users", json!({"uid": uid, "name": uid})).await.is(200);
    }
    let lists = json!({"moderators": ["gus"], "participants": ["hal", "flo", "zoe"], "usersToBan": ["eve", "gus"]});
    let data = host.post("/v3/groups/park/members", lists).await.is(200).body["data"].clone();
    let message = &data["moderators"]["gus"]["data"];
    assert_eq!(
        (&message["sender"], &message["receiver"], &message["category"], &message["type"], &message["receiverType"]),
        (&json!("app_system"), &json!("park"), &json!("action"), &json!("groupMember"), &json!("group"))
    );
    assert!(message["id"].as_str().unwrap().parse::<u64>().is_ok() && message["sentAt"].is_i64());
    let entities = &message["data"]["entities"];
    assert_eq!(
        (&entities["by"]["entity"]["name"], &entities["on"]["entity"]["uid"]),
        (&json!("System"), &json!("gus"))
    );
    assert_eq!((&entities["for"]["entityType"], &entities["for"]["entity"]["owner"]), (&json!("group"), &json!("ada")));
    let counts = ["/moderators/gus", "/participants/hal"].map(|at| {
        data.pointer(at).unwrap()["data"]["data"]["entities"]["for"]["entity"]["membersCount"].as_u64().unwrap()
    });
    assert_eq!(BTreeSet::from(counts), BTreeSet::from([6, 7]));
    assert_eq!(data["participants"]["flo"]["error"]["code"], "ERR_BANNED_GROUPMEMBER");
    assert_eq!(data["participants"]["zoe"]["error"]["code"], "ERR_UID_NOT_FOUND");
    assert_eq!(data["usersToBan"], json!({"eve": {"success": true}}), "the first list counts");
    let made =
        json!({"guid": "red", "name": "Red", "owner": "ada", "members": {"admins": ["ivy"], "usersToBan": ["hal"]}});
    let made = host.post("/v3/groups", made).await.is(200).body["data"]["members"].clone();
    assert_eq!(made["admins"]["ivy"]["data"]["data"]["action"], "added");
    assert_eq!(made["usersToBan"]["hal"], json!({"success": true}));
}

#[tokio::test]
async fn members_are_listed_as_users_with_scope_both_ways() {
    let host = Host::with_cast().await;
    host.put("/v3/users/dee", json!({"metadata": {"a": 1}, "status": "online"})).await.is(200);
    let list = host.as_user("ada", "GET", "/v3/groups/park/members", None).await.is(200);
    let ada = &list.body["data"][0];
    assert_eq!((&ada["uid"], &ada["scope"], &ada["isOwner"]), (&json!("ada"), &json!("admin"), &json!(true)));
    assert!(ada["conversationId"].is_null() && ada["joinedAt"].is_i64() && ada["role"] == "default");
    let dee = &list.body["data"][3];
    assert_eq!(
        (&dee["status"], &dee["metadata"], &dee["conversationId"], &dee["isOwner"]),
        (&json!("available"), &json!({"a": 1}), &json!("ada_user_dee"), &Value::Null)
    );
    let pagination = json!({"total": 5, "count": 5, "per_page": 100, "current_page": 1, "total_pages": 1});
    assert_eq!(list.body["meta"]["pagination"], pagination);
    assert!(list.body["cursor"]["updatedAt"].is_i64() && list.body["cursor"]["affix"].is_string());
    assert_eq!(ids(host.get("/v3/groups/park/members?status=available").await, "uid"), ["dee"]);
    host.app.clock().advance(2_000);
    let since = ids(host.get("/v3/groups/park/members?affix=append&updatedAt=0&scopes=participant").await, "uid");
    assert_eq!(since.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(["dee".into(), "eve".into()]));
    let changed = host.put("/v3/groups/park/members/cy", json!({})).await.is(200);
    assert_eq!(names(&changed.body["data"]), BTreeSet::from(["guid", "uid", "scope", "joinedAt"]));
    assert_eq!(changed.body["data"]["scope"], "participant");
}

#[tokio::test]
async fn a_user_joins_and_leaves_without_being_listed() {
    let host = Host::with_cast().await;
    let join = |uid: &'static str, body: Option<Value>| host.as_user(uid, "POST", "/v3/groups/park/members", body);
    let joined = join("gus", None).await.is(200);
    assert_eq!(
        (&joined.body["data"]["hasJoined"], &joined.body["data"]["scope"]),
        (&json!(true), &json!("participant"))
    );
    join("gus", Some(json!({}))).await.refuses(409, "ERR_ALREADY_JOINED");
    join("flo", None).await.refuses(409, "ERR_BANNED_GROUPMEMBER");
    host.as_user("gus", "DELETE", "/v3/groups/park/members", None).await.is(200);
    host.as_user("gus", "DELETE", "/v3/groups/park/members", None).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    host.delete("/v3/groups/park/members").await.refuses(400, "ERR_BAD_REQUEST");
    assert!(!host.members("park").await.contains(&"gus:participant".to_owned()));
}

#[tokio::test]
async fn the_banned_are_listed_as_users() {
    let host = Host::with_cast().await;
    let list = host.get("/v3/groups/park/bannedusers").await.is(200);
    let flo = &list.body["data"][0];
    assert_eq!((&flo["uid"], &flo["name"], &flo["status"]), (&json!("flo"), &json!("Flo"), &json!("offline")));
    assert!(flo["scope"].is_null() && flo["joinedAt"].is_null() && list.body["meta"]["pagination"]["total"] == 1);
}
