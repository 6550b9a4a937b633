//! `/v3/groups/{guid}/members`, but for the full sync.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::Host;

#[tokio::test]
async fn people_are_added_each_with_an_answer_of_their_own() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let lists = json!({"admins": ["gus"], "moderators": ["gus", "dee"], "participants": ["gus", "flo", "zoe"], "usersToBan": ["eve", "ada"]});
    let answer = host.post("/v3/groups/park/members", lists).await.is(200).body["data"].clone();
    assert_eq!(
        (&answer["admins"]["gus"]["success"], &answer["moderators"]["gus"]),
        (&json!(true), &Value::Null),
        "the highest scope counts"
    );
    let code = |list: &str, uid: &str| answer[list][uid]["error"]["code"].as_str().unwrap().to_owned();
    assert_eq!(code("moderators", "dee"), "ERR_ALREADY_JOINED");
    assert_eq!(code("participants", "flo"), "ERR_BANNED_GROUPMEMBER");
    assert_eq!(code("participants", "zoe"), "ERR_UID_NOT_FOUND");
    assert_eq!(answer["usersToBan"]["eve"]["success"], true);
    assert_eq!(code("usersToBan", "ada"), "ERR_OWNER_MUST_TRANSFER");
    assert_eq!(host.words("park", park).await, ["member_added", "member_banned"]);
    assert_eq!(host.members("park").await, ["ada:owner", "ben:admin", "gus:admin", "cy:moderator", "dee:participant"]);
}

#[tokio::test]
async fn people_who_are_put_in_at_the_same_moment_are_each_answered_with_the_number_of_members_after_them() {
    let host = &Host::with_cast().await;
    let uids: Vec<String> = (0..8).map(|n| format!("u{n}")).collect();
    for uid in &uids {
        host.post("/v3/users", json!({"uid": uid, "name": uid})).await.is(200);
    }
    let put_in = uids.iter().map(|uid| async move {
        let answer = host.post("/v3/groups/park/members", json!({"participants": [uid]})).await.is(200);
        let message = &answer.body["data"]["participants"][uid]["data"];
        let count = message["data"]["entities"]["for"]["entity"]["membersCount"].as_u64().unwrap();
        (message["id"].as_str().unwrap().parse::<u64>().unwrap(), count)
    });
    let mut counts = join_all(put_in).await;
    counts.sort_unstable();
    let counts: Vec<u64> = counts.into_iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [6, 7, 8, 9, 10, 11, 12, 13]);
}

#[tokio::test]
async fn whoever_a_list_bans_is_not_counted_as_a_member_any_more() {
    let host = Host::with_cast().await;
    let lists = json!({"participants": ["gus"], "usersToBan": ["dee", "eve"]});
    let answer = host.post("/v3/groups/park/members", lists).await.is(200);
    let count = |answer: &Value, uid: &str| {
        let message = answer["data"]["participants"][uid]["data"].clone();
        message["data"]["entities"]["for"]["entity"]["membersCount"].as_u64().unwrap()
    };
    assert_eq!(count(&answer.body, "gus"), 6, "the bans of the list come after it");
    host.post("/v3/users", json!({"uid": "hal", "name": "Hal"})).await.is(200);
    let answer = host.post("/v3/groups/park/members", json!({"participants": ["hal"]})).await.is(200);
    assert_eq!(count(&answer.body, "hal"), 5);
}

#[tokio::test]
async fn nobody_new_makes_no_event_and_leaves_no_hole() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    host.post("/v3/groups/park/members", json!({"participants": ["dee", "zoe"], "usersToBan": ["flo"]})).await.is(200);
    assert_eq!(host.head("park").await, park);
    host.post("/v3/groups/park/members", json!({"participants": ["gus"]})).await.is(200);
    assert_eq!(host.head("park").await, park + 1);
}

#[tokio::test]
async fn people_are_made_known_and_renamed_on_the_way() {
    let host = Host::with_cast().await;
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "owner": "gus"})).await.is(200);
    let (park, den) = (host.head("park").await, host.head("den").await);
    let zoe =
        json!({"uid": "zoe", "name": "Zoe", "scope": "moderator", "joinedAt": 7, "avatar": "https://x.example/z.png"});
    let answer =
        host.post("/v3/groups/park/members", json!({"members": [zoe, {"uid": "gus", "name": "Gustav"}]})).await.is(200);
    assert_eq!(answer.body["data"]["members"]["zoe"]["success"], true);
    let member = host.get("/v3/groups/park/members/zoe").await.is(200).body["data"].clone();
    assert_eq!(
        (&member["scope"], &member["joinedAt"], &member["name"]),
        (&json!("moderator"), &json!(7), &json!("Zoe"))
    );
    assert_eq!(host.words("den", den).await, ["member_updated"], "a rename is told where they were already");
    assert_eq!(host.words("park", park).await, ["member_added", "member_added"]);
}

#[tokio::test]
async fn whoever_is_refused_keeps_their_name_and_picture() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let person = |uid: &str| json!({"uid": uid, "name": format!("New {uid}"), "avatar": "https://x.example/new.png"});
    let list = json!({"members": [person("dee"), person("flo"), person("gus"), {"uid": "zoe", "avatar": "https://x.example/z.png"}]});
    let answer = host.post("/v3/groups/park/members", list).await.is(200).body["data"]["members"].clone();
    for (uid, code) in [("dee", "ERR_ALREADY_JOINED"), ("flo", "ERR_BANNED_GROUPMEMBER"), ("zoe", "ERR_UID_NOT_FOUND")]
    {
        assert_eq!(answer[uid]["error"]["code"], code, "{answer}");
    }
    assert_eq!(answer["gus"]["success"], true, "{answer}");
    for (uid, name) in [("dee", "Dee"), ("flo", "Flo"), ("gus", "New gus")] {
        let user = host.get(&format!("/v3/users/{uid}")).await.is(200).body["data"].clone();
        assert_eq!((&user["name"], user["avatar"].is_string()), (&json!(name), uid == "gus"), "{user}");
    }
    host.get("/v3/users/zoe").await.refuses(404, "ERR_UID_NOT_FOUND");
    assert_eq!(host.words("park", park).await, ["member_added"]);
}

#[tokio::test]
async fn an_action_message_has_the_time_of_its_event_and_not_of_joining_also_when_the_request_is_repeated() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let list = json!({"members": [{"uid": "gus", "joinedAt": 7}, {"uid": "zoe", "name": "Zoe"}]});
    let add = || host.ask("POST", "/v3/groups/park/members", &[("idempotency-key", "k1")], Some(list.clone()));
    let added = add().await.is(200).body["data"]["members"].clone();
    let at = json!(host.events("park", park).await[0].at / 1000);
    for uid in ["gus", "zoe"] {
        let message = &added[uid]["data"];
        assert_eq!((&message["sentAt"], &message["updatedAt"]), (&at, &at), "{message}");
    }

    host.app.clock().advance(5_000);
    host.put("/v3/groups/park/members/dee", json!({"scope": "moderator"})).await.is(200);
    let again = add().await.is(200).body["data"]["members"].clone();
    for uid in ["gus", "zoe"] {
        let (first, message) = (&added[uid]["data"], &again[uid]["data"]);
        assert_eq!((&message["id"], &message["sentAt"]), (&first["id"], &at), "{message}");
    }
}

#[tokio::test]
async fn an_action_message_has_an_id_that_grows_with_the_events_and_that_no_other_group_has() {
    let host = Host::with_cast().await;
    host.post("/v3/users", json!({"uid": "hal", "name": "Hal"})).await.is(200);
    let yard = json!({
        "guid": "yard", "name": "Yard", "type": "public", "owner": "ada",
        "members": {"admins": ["ben"], "moderators": ["cy"], "participants": ["dee", "eve"], "usersToBan": ["flo"]},
    });
    host.post("/v3/groups", yard).await.is(200);
    let ids = async |guid: &str| {
        let lists = json!({"participants": ["gus", "hal"]});
        let answer = host.post(&format!("/v3/groups/{guid}/members"), lists).await.is(200).body;
        let participants = &answer["data"]["participants"];
        ["gus", "hal"].map(|uid| participants[uid]["data"]["id"].as_str().unwrap().parse::<u64>().unwrap())
    };
    let (in_park, in_yard) = (ids("park").await, ids("yard").await);
    assert_eq!(host.head("park").await, host.head("yard").await, "the events have the same numbers");
    for [gus, hal] in [in_park, in_yard] {
        assert!(hal == gus + 1 && hal < 1 << 53, "{gus} {hal}");
    }
    assert!(!in_park.iter().any(|id| in_yard.contains(id)), "{in_park:?} {in_yard:?}");
}

#[tokio::test]
async fn a_list_that_cannot_be_is_named() {
    let host = Host::with_cast().await;
    let cases = [
        (json!({"participants": "gus"}), "participants"),
        (json!({"participants": ["gus", 7]}), "participants[1]"),
        (json!({"members": [{"uid": "g u s"}]}), "members[0].uid"),
        (json!({"members": ["gus"]}), "members[0]"),
        (json!({"members": [{"scope": "admin"}]}), "members[0].uid"),
        (json!({"members": [{"uid": "gus"}, {"uid": "gus"}]}), "members[1].uid"),
        (json!({"members": [{"uid": "gus", "scope": "owner"}]}), "owner"),
        (json!({"members": [{"uid": "gus", "joinedAt": 1_700_000_000_000_i64}]}), "joinedAt"),
        (json!({"participants": (0..1001).map(|n| format!("u{n}")).collect::<Vec<_>>()}), "1000"),
        (json!({"participants": vec!["gus"; 1001]}), "1000"),
        (json!({"owner": "gus"}), "owner"),
    ];
    for (body, named) in cases {
        host.post("/v3/groups/park/members", body).await.refuses(400, "ERR_BAD_REQUEST").saying(named);
    }
    host.post("/v3/groups/none/members", json!({"participants": ["gus"]})).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn all_that_is_wrong_with_a_list_is_named_at_once_each_at_its_place_and_by_its_first_fault() {
    let host = Host::with_cast().await;
    let details = async |body: Value| {
        let refused = host.post("/v3/groups/park/members", body).await.refuses(400, "ERR_BAD_REQUEST");
        refused.body["error"]["details"].clone()
    };
    let named = |details: &Value| details.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let people = json!([{"uid": 5}, {"uid": "x", "scope": "boss"}, {"name": "q"}]);
    let wrong = details(json!({"members": people})).await;
    assert_eq!(named(&wrong), ["members[0].uid", "members[1].scope", "members[2].uid"], "{wrong}");
    assert_eq!(wrong["members[0].uid"], json!(["a text"]), "{wrong}");
    assert_eq!(wrong["members[2].uid"], json!(["this is required"]), "{wrong}");

    let people = json!([7, {"uid": "gus"}, [], {"uid": 5, "scope": 6, "size": 7}, "x"]);
    let wrong = details(json!({"members": people, "admins": [1, "gus", 2], "more": true})).await;
    let all = [
        "admins[0]",
        "admins[2]",
        "members[0]",
        "members[2].uid",
        "members[3].scope",
        "members[3].size",
        "members[3].uid",
        "members[4]",
        "more",
    ];
    assert_eq!(named(&wrong), all, "{wrong}");
    let wrong = details(json!({"participants": vec![7; 1_000]})).await;
    assert_eq!(named(&wrong).len(), 20, "{wrong}");
}

#[tokio::test]
async fn a_thousand_people_come_in_at_once() {
    let host = Host::with_cast().await;
    let people: Vec<_> = (0..1000).map(|n| json!({"uid": format!("u{n}"), "name": format!("User {n}")})).collect();
    host.post("/v3/groups/park/members", json!({"members": people})).await.is(200);
    let page = host.get("/v3/groups/park/members?perPage=400&page=3").await.is(200);
    assert_eq!(
        page.body["meta"]["pagination"],
        json!({"total": 1005, "count": 205, "per_page": 400, "current_page": 3, "total_pages": 3})
    );
}

#[tokio::test]
async fn a_user_adds_with_their_own_rights() {
    let host = Host::with_cast().await;
    let add = |uid: &'static str, body: Value| host.as_user(uid, "POST", "/v3/groups/park/members", Some(body));
    add("dee", json!({"participants": ["gus"]})).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    let answer = add("cy", json!({"admins": ["gus"]})).await.is(200);
    assert_eq!(answer.body["data"]["admins"]["gus"]["error"]["code"], "ERR_GROUP_NO_SCOPE_CLEARANCE");
    add("cy", json!({"members": [{"uid": "gus", "name": "Goose"}]})).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    let park = host.head("park").await;
    add("cy", json!({"moderators": ["gus"], "usersToBan": ["ben", "cy"]})).await.is(200);
    let events = host.events("park", park).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].by.as_ref().unwrap().uid.as_str(), "cy");
}

#[tokio::test]
async fn a_user_joins_by_listing_nobody_and_whoever_lists_themselves_must_be_in() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let ask = |uid: &'static str, guid: &str, body: Value| {
        let path = format!("/v3/groups/{guid}/members");
        let host = &host;
        async move { host.as_user(uid, "POST", &path, Some(body)).await }
    };
    let themselves = |uid: &str| json!({"participants": [uid]});
    ask("gus", "park", themselves("gus")).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ask("gus", "park", json!({"participants": ["a.b"]})).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ask("flo", "park", themselves("flo")).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ask("dee", "park", themselves("dee")).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(host.head("park").await, park, "nobody came in");
    assert_eq!(ask("gus", "park", json!({"participants": []})).await.is(200).body["data"]["hasJoined"], true);
    assert_eq!(host.words("park", park).await, ["member_joined"]);
    ask("flo", "park", json!({})).await.refuses(409, "ERR_BANNED_GROUPMEMBER");

    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "type": "private", "owner": "ada"})).await.is(200);
    ask("gus", "den", themselves("gus")).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ask("gus", "den", json!({})).await.refuses(403, "ERR_GROUP_JOIN_NOT_ALLOWED");
    let vault = json!({"guid": "vault", "name": "Vault", "type": "password", "password": "sesame", "owner": "ada"});
    host.post("/v3/groups", vault).await.is(200);
    let with_both = json!({"participants": ["gus"], "password": "sesame"});
    ask("gus", "vault", with_both.clone()).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ask("gus", "vault", json!({})).await.refuses(403, "ERR_EMPTY_GROUP_PASS");
    ask("gus", "vault", json!({"password": "wrong"})).await.refuses(403, "ERR_WRONG_GROUP_PASS");
    ask("gus", "vault", json!({"password": "sesame"})).await.is(200);
    ask("gus", "vault", json!({"password": "sesame"})).await.refuses(409, "ERR_ALREADY_JOINED");
    ask("gus", "vault", with_both).await.refuses(400, "ERR_BAD_REQUEST").saying("password");
}

#[tokio::test]
async fn a_scope_is_changed_once() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let changed = host.put("/v3/groups/park/members/dee", json!({"scope": "admin"})).await.is(200);
    assert_eq!((&changed.body["data"]["scope"], &changed.body["data"]["guid"]), (&json!("admin"), &json!("park")));
    host.put("/v3/groups/park/members/dee", json!({"scope": "admin"})).await.refuses(409, "ERR_SAME_SCOPE");
    assert_eq!(host.words("park", park).await, ["member_scope_changed"]);
    host.put("/v3/groups/park/members/ada", json!({"scope": "admin"})).await.refuses(409, "ERR_SAME_SCOPE");
    host.put("/v3/groups/park/members/ada", json!({})).await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    host.put("/v3/groups/park/members/gus", json!({"scope": "admin"})).await.refuses(404, "ERR_NOT_A_MEMBER");
    host.put("/v3/groups/park/members/zoe", json!({"scope": "admin"})).await.refuses(404, "ERR_UID_NOT_FOUND");
    for bad in [json!({"scope": "owner"}), json!({"scope": "king"})] {
        host.put("/v3/groups/park/members/dee", bad).await.refuses(400, "ERR_BAD_REQUEST").saying("scope");
    }
    let set = |uid: &'static str, target: &str, scope: &str| {
        let (path, body) = (format!("/v3/groups/park/members/{target}"), json!({"scope": scope}));
        let host = &host;
        async move { host.as_user(uid, "PUT", &path, Some(body)).await }
    };
    set("cy", "eve", "admin").await.refuses(403, "ERR_GROUP_NO_SCOPE_CLEARANCE");
    set("cy", "ben", "participant").await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    set("gus", "eve", "moderator").await.refuses(401, "ERR_GROUP_NOT_JOINED");
    set("cy", "eve", "moderator").await.is(200);
}

#[tokio::test]
async fn a_member_is_removed_once_and_leaves_for_themselves() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let gone = host.delete("/v3/groups/park/members/dee").await.is(200);
    assert_eq!(gone.body["data"]["success"], true);
    host.delete("/v3/groups/park/members/dee").await.refuses(404, "ERR_NOT_A_MEMBER");
    host.delete("/v3/groups/park/members/zoe").await.refuses(404, "ERR_UID_NOT_FOUND");
    host.delete("/v3/groups/park/members/ada").await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    host.delete("/v3/groups/none/members/dee").await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.as_user("eve", "DELETE", "/v3/groups/park/members/cy", None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("eve", "DELETE", "/v3/groups/park/members/eve", None).await.is(200);
    host.as_user("ada", "DELETE", "/v3/groups/park/members/ada", None).await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    assert_eq!(host.words("park", park).await, ["member_kicked", "member_left"]);
}

#[tokio::test]
async fn a_request_repeated_with_its_key_is_not_a_second_act() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let key = [("idempotency-key", "k1")];
    let added = host.ask("POST", "/v3/groups/park/members", &key, Some(json!({"participants": ["gus"]}))).await.is(200);
    let again = host.ask("POST", "/v3/groups/park/members", &key, Some(json!({"participants": ["gus"]}))).await.is(200);
    assert_eq!(added.body, again.body, "the second answer is the first one");
    host.ask("DELETE", "/v3/groups/park/members/dee", &key, None).await.refuses(400, "ERR_BAD_REQUEST");
    let key = [("idempotency-key", "k2")];
    host.ask("DELETE", "/v3/groups/park/members/dee", &key, None).await.is(200);
    host.ask("DELETE", "/v3/groups/park/members/dee", &key, None).await.is(200);
    assert_eq!(host.words("park", park).await, ["member_added", "member_kicked"]);
}

#[tokio::test]
async fn members_are_listed_in_display_order_filtered_and_searched() {
    let host = Host::with_cast().await;
    assert_eq!(
        host.members("park").await,
        ["ada:owner", "ben:admin", "cy:moderator", "dee:participant", "eve:participant"]
    );
    let uids = |answer: super::Answer| {
        answer.is(200).body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["uid"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(uids(host.get("/v3/groups/park/members?scopes=admin,moderator").await), ["ada", "ben", "cy"]);
    assert_eq!(
        uids(host.get("/v3/groups/park/members?searchKey=E&scopes=participant&perPage=1&page=2").await),
        ["eve"]
    );
    assert_eq!(uids(host.get("/v3/groups/park/members?page=9").await), Vec::<String>::new());
    assert_eq!(uids(host.as_user("eve", "GET", "/v3/groups/park/members", None).await).len(), 5);
    host.as_user("gus", "GET", "/v3/groups/park/members", None).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    for bad in ["scopes=king", "status=busy", "affix=sideways", "sortBy=name"] {
        host.get(&format!("/v3/groups/park/members?{bad}")).await.refuses(400, "ERR_BAD_REQUEST");
    }
}

#[tokio::test]
async fn a_thousand_people_come_in_at_once_however_long_their_ids_and_one_more_is_one_too_many() {
    let host = Host::with_cast().await;
    let uids: Vec<String> = (0..1_001).map(|number| format!("{number:0>100}")).collect();
    let people: Vec<Value> = uids.iter().map(|uid| json!({"uid": uid, "name": "Somebody"})).collect();
    let members = json!({"members": people[..1_000]});
    assert!(members.to_string().len() > 64 * 1024, "larger than other bodies may be");
    let added = host.post("/v3/groups/park/members", members).await.is(200);
    let answers = added.body["data"]["members"].as_object().unwrap();
    assert_eq!(answers.values().filter(|answer| answer["success"] == true).count(), 1_000);

    let made = json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"participants": uids[..1_000]}});
    assert_eq!(host.post("/v3/groups", made).await.is(200).body["data"]["membersCount"], 1_001);

    for (path, body) in [
        ("/v3/groups/park/members", json!({"participants": uids})),
        ("/v3/groups", json!({"guid": "hall", "name": "Hall", "owner": "ada", "members": {"participants": uids}})),
    ] {
        host.post(path, body).await.refuses(400, "ERR_BAD_REQUEST").saying("at most 1000 people");
    }
    let huge = json!({"participants": (0..11_000).map(|number| format!("{number:0>100}")).collect::<Vec<_>>()});
    host.post("/v3/groups/park/members", huge).await.refuses(413, "ERR_TOO_LARGE").saying("at most 1024 kB");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_scope_of_null_is_refused_by_name_and_nobody_steps_down() {
    let host = Host::with_cast().await;
    let refused = host.put("/v3/groups/park/members/cy", json!({"scope": null})).await.refuses(400, "ERR_BAD_REQUEST");
    assert!(refused.body["error"]["details"]["scope"].is_array(), "{}", refused.body);
    let members = ["ada:owner", "ben:admin", "cy:moderator", "dee:participant", "eve:participant"];
    assert_eq!(host.members("park").await, members);
    let change = host.put("/v3/groups/park/members/cy", json!({})).await.is(200);
    assert_eq!(change.body["data"]["scope"], "participant", "without one it is this");
}
