//! `/v3/users`.

use serde_json::json;

use super::Host;

#[tokio::test]
async fn a_user_is_made_known_once() {
    let host = Host::new().await;
    let ada = json!({"uid": "ada", "name": "Ada", "avatar": "https://x.example/a.png"});
    let made = host.post("/v3/users", ada.clone()).await.is(200);
    assert_eq!((&made.body["data"]["uid"], &made.body["data"]["status"]), (&json!("ada"), &json!("offline")));
    host.post("/v3/users", ada).await.refuses(400, "ERR_UID_ALREADY_EXISTS");
    host.post("/v3/users", json!({"uid": "ada", "name": "Ada L."})).await.refuses(400, "ERR_UID_ALREADY_EXISTS");
    assert_eq!(host.get("/v3/users/ada").await.is(200).body, made.body);
}

#[tokio::test]
async fn what_a_user_cannot_be_is_named() {
    let host = Host::new().await;
    host.post("/v3/users", json!({"name": "Ada"})).await.refuses(400, "ERR_BAD_REQUEST").saying("uid");
    host.post("/v3/users", json!({"uid": "a b", "name": "Ada"})).await.refuses(400, "ERR_BAD_REQUEST").saying("uid");
    host.post("/v3/users", json!({"uid": "ada", "name": "x".repeat(101)}))
        .await
        .refuses(400, "ERR_BAD_REQUEST")
        .saying("name");
    host.post("/v3/users", json!({"uid": "ada", "name": 7}))
        .await
        .refuses(400, "ERR_BAD_REQUEST")
        .saying("name: a text");
    for (field, value, words) in [
        ("withAuthToken", json!("yes"), "true or false"),
        ("tags", json!("x"), "a list"),
        ("metadata", json!(7), "it must be an object"),
        ("link", json!({}), "a text"),
    ] {
        let refused = host.post("/v3/users", json!({"uid": "ada", "name": "Ada", field: value})).await;
        let refused = refused.refuses(400, "ERR_BAD_REQUEST");
        assert_eq!(refused.body["error"]["details"], json!({field: [words]}), "{}", refused.body);
    }
    let evil = json!({"uid": "ada", "name": "Ada", "avatar": "javascript:alert(1)"});
    host.post("/v3/users", evil).await.refuses(400, "ERR_BAD_REQUEST").saying("avatar");
    let odd = json!({"uid": "ada", "nickname": "A", "email": "a@x.example", "tags": "x"});
    let refused = host.post("/v3/users", odd).await.refuses(400, "ERR_BAD_REQUEST");
    assert_eq!(
        refused.body["error"]["details"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["email", "name", "nickname", "tags"]
    );
    host.get("/v3/users/ada").await.refuses(404, "ERR_UID_NOT_FOUND");
}

#[tokio::test]
async fn a_change_that_changes_nothing_answers_when_the_user_was_made() {
    let host = Host::with_cast().await;
    host.app.clock().advance(5_000);
    let same = host.put("/v3/users/ada", json!({"name": "Ada"})).await.is(200).body["data"].clone();
    assert_eq!((same["updatedAt"].is_i64(), &same["updatedAt"]), (true, &same["createdAt"]));
    let read = host.get("/v3/users/ada").await.is(200).body["data"].clone();
    assert_eq!(read.get("updatedAt"), None, "she was never changed");
}

#[tokio::test]
async fn a_user_who_is_renamed_has_the_name_in_every_group() {
    let host = Host::with_cast().await;
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "owner": "ben"})).await.is(200);
    let (park, den) = (host.head("park").await, host.head("den").await);
    let renamed =
        host.put("/v3/users/ben", json!({"name": "Benno", "avatar": "https://x.example/b.png"})).await.is(200);
    assert_eq!(renamed.body["data"]["name"], "Benno");
    assert_eq!(
        (host.words("park", park).await, host.words("den", den).await),
        (vec!["member_updated"], vec!["member_updated"])
    );
    for group in ["park", "den"] {
        let ben = host.get(&format!("/v3/groups/{group}/members/ben")).await.is(200).body["data"].clone();
        assert_eq!((&ben["name"], &ben["avatar"]), (&json!("Benno"), &json!("https://x.example/b.png")), "{group}");
    }

    host.put("/v3/users/ben", json!({"name": "Benno"})).await.is(200);
    assert_eq!(host.words("park", park).await.len(), 1, "again is no event");
    assert_eq!(host.put("/v3/users/ben", json!({"avatar": null})).await.is(200).body["data"]["avatar"], json!(null));
    host.put("/v3/users/zoe", json!({"name": "Zoe"})).await.refuses(404, "ERR_UID_NOT_FOUND");
    host.put("/v3/users/ben", json!({"status": "busy"})).await.refuses(400, "ERR_BAD_REQUEST").saying("status");
}

#[tokio::test]
async fn tags_and_roles_are_found_by_what_they_were_sent_as_also_with_commas_and_white_space_around() {
    let host = Host::with_cast().await;
    let change = json!({"tags": [" vip ", "Sales, EU"], "role": " head, acting "});
    let dee = host.put("/v3/users/dee", change).await.is(200).body["data"].clone();
    assert_eq!((&dee["tags"], &dee["role"]), (&json!(["vip", "Sales, EU"]), &json!("head, acting")));
    host.put("/v3/groups/park", json!({"tags": ["green, quiet "]})).await.is(200);
    for (query, count) in [
        ("users?tags=vip", 1),
        ("users?tags=x,%20vip%20", 1),
        ("users?tags[]=Sales,%20EU", 1),
        ("users?tags[0]=x&tags[1]=Sales,%20EU%20", 1),
        ("users?tags=Sales,%20EU", 0),
        ("users?role=%20head,%20acting", 1),
        ("users?roles[]=head,%20acting", 1),
        ("users?roles=head,%20acting", 0),
        ("groups?tags[]=green,%20quiet", 1),
        ("groups?tags=green,%20quiet", 0),
    ] {
        let found = host.get(&format!("/v3/{query}")).await.is(200).body;
        assert_eq!(found["data"].as_array().unwrap().len(), count, "{query}: {found}");
    }
}

#[tokio::test]
async fn a_tag_or_a_role_that_is_blank_is_refused_by_name() {
    let host = Host::with_cast().await;
    for (path, field, value) in [
        ("/v3/users/dee", "tags", json!(["red", "  "])),
        ("/v3/users/dee", "tags", json!([""])),
        ("/v3/users/dee", "role", json!(" \u{a0}")),
        ("/v3/groups/park", "tags", json!(["\t"])),
    ] {
        let refused = host.put(path, json!({field: value})).await.refuses(400, "ERR_BAD_REQUEST");
        let details = refused.body["error"]["details"].as_object().unwrap();
        assert_eq!(details.keys().collect::<Vec<_>>(), [field], "{}", refused.body);
    }
    let dee = host.put("/v3/users/dee", json!({"role": "teacher"})).await.is(200).body["data"].clone();
    assert_eq!(dee["role"], "teacher");
    let dee = host.put("/v3/users/dee", json!({"role": ""})).await.is(200).body["data"].clone();
    assert_eq!(dee["role"], "default", "an empty one takes it away");
}

#[tokio::test]
async fn tags_that_are_null_are_taken_from_ben_and_tags_that_are_not_named_stay() {
    let host = Host::with_cast().await;
    let tags = async |change| host.put("/v3/users/ben", change).await.is(200).body["data"]["tags"].clone();
    assert_eq!(tags(json!({"tags": ["red", "new"]})).await, json!(["red", "new"]));
    assert_eq!(tags(json!({"role": "teacher"})).await, json!(["red", "new"]));
    assert_eq!(tags(json!({"tags": null})).await, json!([]));
    assert_eq!(host.get("/v3/users/ben").await.is(200).body["data"]["tags"], json!([]));
}

#[tokio::test]
async fn the_host_says_who_is_online() {
    let host = Host::with_cast().await;
    assert_eq!(
        host.put("/v3/users/dee", json!({"status": "online"})).await.is(200).body["data"]["status"],
        "available"
    );
    let online = host.get("/v3/groups/park/members?status=available").await.is(200);
    assert_eq!(
        (online.body["data"][0]["uid"].as_str(), online.body["meta"]["pagination"]["total"].as_u64()),
        (Some("dee"), Some(1))
    );
    let offline = host.put("/v3/users/dee", json!({"status": "offline"})).await.is(200);
    assert_eq!(offline.body["data"]["status"], "available", "they were there a moment ago");
}

#[tokio::test]
async fn a_status_is_taken_in_the_words_of_both_vocabularies_wherever_the_host_sends_one() {
    let host = Host::with_cast().await;
    for (status, kept) in [("away", "away"), ("available", "online"), ("online", "online")] {
        let changed = host.put("/v3/users/dee", json!({"status": status})).await.is(200);
        assert_eq!(changed.body["data"]["status"], "available", "{status}");
        let export = host.get("/v3/users/dee/export").await.is(200);
        assert_eq!(export.body["data"]["presenceReport"]["status"], kept);
        let reported = host.put("/v3/users/dee/presence", json!({"status": status})).await.is(200);
        assert_eq!(reported.body["data"]["status"], "available", "{status}");
        for list in ["/v3/users", "/v3/groups/park/members"] {
            let there = host.get(&format!("{list}?status={status}")).await.is(200);
            let total = there.body["meta"]["pagination"]["total"].as_u64();
            assert_eq!((there.body["data"][0]["uid"].as_str(), total), (Some("dee"), Some(1)), "{list} {status}");
        }
    }
    for list in ["/v3/users", "/v3/groups/park/members"] {
        host.get(&format!("{list}?status=busy")).await.refuses(400, "ERR_BAD_REQUEST").saying("status: one of");
    }
    host.put("/v3/users/dee", json!({"status": "busy"})).await.refuses(400, "ERR_BAD_REQUEST").saying("status: one of");
}

#[tokio::test]
async fn a_user_who_is_deleted_is_in_no_group_any_more() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    host.delete("/v3/users/dee").await.is(200);
    assert_eq!(host.words("park", park).await, ["member_left"]);
    host.get("/v3/groups/park/members/dee").await.refuses(404, "ERR_NOT_A_MEMBER");
    host.delete("/v3/users/dee").await.refuses(404, "ERR_UID_NOT_FOUND");
    host.delete("/v3/users/ada").await.refuses(409, "ERR_OWNER_MUST_TRANSFER").saying("park");
    assert_eq!(host.delete("/v3/users/ada").await.body["error"]["details"], json!({"groups": ["park"]}));
    assert_eq!(host.members("park").await, ["ada:owner", "ben:admin", "cy:moderator", "eve:participant"]);
}

#[tokio::test]
async fn users_are_listed_page_by_page_and_searched_folded() {
    let host = Host::with_cast().await;
    host.post("/v3/users", json!({"uid": "rene", "name": "René"})).await.is(200);
    let page = host.get("/v3/users?perPage=3&page=2").await.is(200);
    let uids: Vec<_> = page.body["data"].as_array().unwrap().iter().map(|user| user["uid"].as_str().unwrap()).collect();
    assert_eq!(uids, ["dee", "eve", "flo"]);
    assert_eq!(
        page.body["meta"]["pagination"],
        json!({"total": 8, "count": 3, "per_page": 3, "current_page": 2, "total_pages": 3})
    );
    let found = host.get("/v3/users?searchKey=RENE&per_page=1").await.is(200);
    assert_eq!(
        (found.body["data"][0]["uid"].as_str(), found.body["meta"]["pagination"]["total"].as_u64()),
        (Some("rene"), Some(1))
    );
    host.post("/v3/users", json!({"uid": "ana", "name": "Ana Gar\u{ad}cía"})).await.is(200);
    let found = host.get("/v3/users?searchKey=garcia%20%20ana").await.is(200);
    assert_eq!(found.body["data"][0]["uid"], "ana", "by words in any order, as lists of members are");
    for bad in ["perPage=0", "perPage=1001", "page=0", "page=x", "searchKey=a&searchKey=b", "updatedAt=x", "nickname=7"]
    {
        let name = bad.split('=').next().unwrap();
        host.get(&format!("/v3/users?{bad}")).await.refuses(400, "ERR_BAD_REQUEST").saying(name);
    }
}

#[tokio::test]
async fn users_are_the_hosts_alone() {
    let host = Host::with_cast().await;
    host.as_user("ada", "GET", "/v3/users", None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("ada", "PUT", "/v3/users/ada", Some(json!({"name": "Queen"})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("ada", "DELETE", "/v3/users/dee", None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
}
