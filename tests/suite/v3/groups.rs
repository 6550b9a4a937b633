//! `/v3/groups`, and who owns one.

use serde_json::{Value, json};

use super::Host;

#[tokio::test]
async fn a_group_is_made_once_with_its_owner_and_members_in_it() {
    let host = Host::with_cast().await;
    let den = json!({"guid": "den", "name": "Den", "type": "private", "owner": "ada", "icon": "https://x.example/d.png", "members": {"moderators": ["ben"], "participants": ["ben", "zoe"]}});
    let made = host.post("/v3/groups", den.clone()).await.is(200);
    assert_eq!(
        (&made.body["data"]["owner"], &made.body["data"]["membersCount"], &made.body["data"]["type"]),
        (&json!("ada"), &json!(2), &json!("private"))
    );
    assert_eq!(made.body["data"]["members"]["moderators"]["ben"]["success"], true);
    assert_eq!(made.body["data"]["members"]["participants"]["zoe"]["error"]["code"], "ERR_UID_NOT_FOUND");
    let head = host.head("den").await;
    host.post("/v3/groups", den).await.refuses(400, "ERR_GUID_ALREADY_EXISTS");
    assert_eq!(host.head("den").await, head, "again is no event");
    host.post("/v3/groups", json!({"guid": "den", "name": "Other", "owner": "ada"}))
        .await
        .refuses(400, "ERR_GUID_ALREADY_EXISTS");
}

#[tokio::test]
async fn what_a_group_cannot_be_is_named() {
    let host = Host::with_cast().await;
    let cases = [
        (json!({"name": "Den", "owner": "ada"}), "guid"),
        (json!({"guid": "d e n", "name": "Den", "owner": "ada"}), "guid"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "type": "secret"}), "type"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "password": "x"}), "password"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "description": "x".repeat(256)}), "description"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "metadata": "x"}), "metadata"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "tags": vec!["x"; 26]}), "tags"),
        (json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"owners": ["ben"]}}), "members.owners"),
    ];
    for (group, named) in cases {
        host.post("/v3/groups", group).await.refuses(400, "ERR_BAD_REQUEST").saying(named);
    }
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "owner": "zoe"}))
        .await
        .refuses(404, "ERR_UID_NOT_FOUND")
        .saying("zoe");
    host.get("/v3/groups/den").await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_user_makes_a_group_of_their_own() {
    let host = Host::with_cast().await;
    let made = host.as_user("gus", "POST", "/v3/groups", Some(json!({"guid": "den", "name": "Den"}))).await.is(200);
    assert_eq!((&made.body["data"]["owner"], &made.body["data"]["scope"]), (&json!("gus"), &json!("admin")));
    assert_eq!((&made.body["data"]["hasJoined"], &made.body["data"]["membersCount"]), (&json!(true), &json!(1)));
}

#[tokio::test]
async fn a_group_is_changed_by_the_host_and_by_its_staff() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let patch = json!({"name": "Big park", "description": "Trees", "type": "password", "password": "sesame"});
    let changed = host.put("/v3/groups/park", patch.clone()).await.is(200);
    assert_eq!(
        (&changed.body["data"]["name"], &changed.body["data"]["description"]),
        (&json!("Big park"), &json!("Trees"))
    );
    host.put("/v3/groups/park", patch).await.is(200);
    assert_eq!(host.words("park", park).await, ["group_updated"], "again is no event");
    assert_eq!(
        host.put("/v3/groups/park", json!({"description": null})).await.is(200).body["data"]["description"],
        json!(null)
    );
    host.put("/v3/groups/park", json!({"guid": "other"})).await.refuses(400, "ERR_BAD_REQUEST").saying("guid");
    host.put("/v3/groups/none", json!({"name": "x"})).await.refuses(404, "ERR_GUID_NOT_FOUND");
    let rename =
        |uid: &'static str| host.as_user(uid, "PUT", "/v3/groups/park", Some(json!({"name": "x", "owner": "dee"})));
    rename("dee").await.refuses(403, "ERR_GROUP_NO_MODERATOR_SCOPE");
    rename("gus").await.refuses(401, "ERR_GROUP_NOT_JOINED");
    assert_eq!(rename("cy").await.is(200).body["data"]["owner"], "ada", "on behalf of a user no transfer");
    assert_eq!(host.events("park", park).await.last().unwrap().by.as_ref().unwrap().uid.as_str(), "cy");
    assert_eq!(host.put("/v3/groups/park", json!({"owner": "dee"})).await.is(200).body["data"]["owner"], "dee");
    host.as_user("cy", "DELETE", "/v3/groups/park", None).await.refuses(403, "ERR_GROUP_NO_ADMIN_SCOPE");
    host.as_user("ben", "DELETE", "/v3/groups/park", None).await.is(200);
}

#[tokio::test]
async fn a_group_that_is_deleted_is_not_there_until_it_is_made_again() {
    let host = Host::with_cast().await;
    host.delete("/v3/groups/park").await.is(200);
    host.get("/v3/groups/park").await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.get("/v3/groups/park/members").await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.delete("/v3/groups/park").await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.post("/v3/groups", json!({"guid": "park", "name": "Park", "owner": "gus"})).await.is(200);
    assert_eq!(host.members("park").await, ["gus:owner"]);
    assert_eq!(host.get("/v3/groups/park/bannedusers").await.is(200).body["data"], json!([]));
}

#[tokio::test]
async fn groups_are_listed_as_far_as_one_may_know_of_them() {
    let host = Host::with_cast().await;
    host.post("/v3/groups", json!({"guid": "den", "name": "Dén", "type": "private", "owner": "ben"})).await.is(200);
    let guids = |answer: super::Answer| {
        answer.is(200).body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| group["guid"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(guids(host.get("/v3/groups").await), ["den", "park"]);
    assert_eq!(guids(host.get("/v3/groups?searchKey=DEN").await), ["den"]);
    assert_eq!(guids(host.get("/v3/groups?perPage=1&page=2").await), ["park"]);
    assert_eq!(guids(host.as_user("ben", "GET", "/v3/groups", None).await), ["den", "park"]);
    assert_eq!(guids(host.as_user("gus", "GET", "/v3/groups", None).await), ["park"]);
    host.as_user("gus", "GET", "/v3/groups/den", None).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    let face = host.as_user("gus", "GET", "/v3/groups/park", None).await.is(200);
    assert_eq!((&face.body["data"]["owner"], &face.body["data"]["onlineMembersCount"]), (&json!("ada"), &json!(null)));
    let owner = async |uid: &str| {
        let listed = host.as_user(uid, "GET", "/v3/groups?searchKey=park", None).await.is(200);
        listed.body["data"][0]["owner"].clone()
    };
    assert_eq!((owner("gus").await, owner("dee").await), (json!("ada"), json!("ada")), "in a list as well");
    assert_eq!(host.get("/v3/groups?searchKey=park").await.is(200).body["data"][0]["owner"], "ada");
    let closed = json!({"guid": "cellar", "name": "Cellar", "type": "private", "owner": "ada"});
    let made = host.as_user("gus", "POST", "/v3/groups", Some(closed)).await.is(200);
    assert_eq!(made.body["data"]["owner"], json!(null), "Gus is not in this private group");
}

#[tokio::test]
async fn a_password_beside_another_type_is_not_kept_and_without_a_type_it_is_refused() {
    let host = Host::with_cast().await;
    for kind in ["public", "private"] {
        let group = json!({"guid": kind, "name": kind, "type": kind, "password": "sesame"});
        assert_eq!(host.post("/v3/groups", group).await.is(200).body["data"]["type"], kind);
        let change = json!({"name": "Again", "type": kind, "password": "sesame"});
        assert_eq!(host.put(&format!("/v3/groups/{kind}"), change).await.is(200).body["data"]["type"], kind);
        // A password that had been kept would do for the type that needs one.
        host.put(&format!("/v3/groups/{kind}"), json!({"type": "password"})).await.refuses(400, "ERR_BAD_REQUEST");
    }
    for body in [json!({}), json!({"password": "sesame"})] {
        let join = host.as_user("gus", "POST", "/v3/groups/private/members", Some(body)).await;
        join.refuses(403, "ERR_GROUP_JOIN_NOT_ALLOWED");
    }
    let untyped = json!({"guid": "den", "name": "Den", "password": "sesame"});
    host.post("/v3/groups", untyped).await.refuses(400, "ERR_BAD_REQUEST").saying("password");
    host.get("/v3/groups/den").await.refuses(404, "ERR_GUID_NOT_FOUND");
    let alone = json!({"password": "sesame"});
    host.put("/v3/groups/public", alone).await.refuses(400, "ERR_BAD_REQUEST").saying("password");
}

#[tokio::test]
async fn a_group_is_handed_over() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    host.patch("/v3/groups/park/owner", json!({"owner": "dee"})).await.is(200);
    assert_eq!(host.members("park").await[..2], ["dee:owner", "ada:admin"]);
    host.patch("/v3/groups/park/owner", json!({"owner": "dee"})).await.is(200);
    assert_eq!(host.words("park", park).await, ["owner_transferred"]);
    host.patch("/v3/groups/park/owner", json!({"owner": "zoe"})).await.refuses(404, "ERR_UID_NOT_FOUND");
    host.patch("/v3/groups/park/owner", json!({})).await.refuses(400, "ERR_BAD_REQUEST").saying("owner");
    host.patch("/v3/groups/none/owner", json!({"owner": "dee"})).await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.as_user("ada", "PATCH", "/v3/groups/park/owner", Some(json!({"owner": "ada"})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("dee", "PATCH", "/v3/groups/park/owner", Some(json!({"owner": "ada"}))).await.is(200);
}

#[tokio::test]
async fn tags_that_are_null_are_taken_from_the_park_and_tags_that_are_not_named_stay() {
    let host = Host::with_cast().await;
    let tags = async |change| host.put("/v3/groups/park", change).await.is(200).body["data"]["tags"].clone();
    assert_eq!(tags(json!({"tags": ["green"]})).await, json!(["green"]));
    assert_eq!(tags(json!({"name": "Big park"})).await, json!(["green"]));
    assert_eq!(tags(json!({"tags": null})).await, json!(null));
    let park = host.get("/v3/groups/park").await.is(200).body["data"].clone();
    assert_eq!(park["tags"], json!(null), "as of a group without tags");
}

#[tokio::test]
async fn a_change_to_no_owner_is_refused_by_name_and_one_to_the_host_takes_the_park_from_ada() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let refused = host.put("/v3/groups/park", json!({"name": "Big park", "owner": null})).await;
    refused.refuses(400, "ERR_BAD_REQUEST").saying("owner: null").saying("app_system");
    assert_eq!((host.head("park").await, &*host.members("park").await[0]), (park, "ada:owner"), "nothing is done");
    // On behalf of a user the owner is ignored, whatever it is.
    let same = json!({"name": "Park", "owner": null});
    let by_cy = host.as_user("cy", "PUT", "/v3/groups/park", Some(same)).await.is(200);
    assert_eq!(by_cy.body["data"]["owner"], "ada");
    let taken = host.put("/v3/groups/park", json!({"owner": "app_system"})).await.is(200);
    assert_eq!(taken.body["data"]["owner"], "app_system");
    assert_eq!(host.words("park", park).await, ["owner_transferred"]);
    let document = host.get("/openapi.json").await.is(200).body;
    let change = &document["components"]["schemas"]["GroupChange"];
    let required = change["required"].as_array().is_some_and(|names| names.iter().any(|name| name == "owner"));
    let of_owner = change["properties"]["owner"].to_string();
    assert!(!required && !of_owner.contains("\"null\""), "{of_owner}");
}

#[tokio::test]
async fn an_owner_that_is_no_uid_is_ignored_on_behalf_of_cy_and_refused_by_name_from_the_host() {
    let host = Host::with_cast().await;
    for (number, owner) in [json!("a.b@c"), json!(7), json!([]), json!({"uid": "dee"})].into_iter().enumerate() {
        let change = json!({"name": format!("Park {number}"), "owner": owner});
        let refused = host.put("/v3/groups/park", change.clone()).await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body["error"]["details"]["owner"].is_array(), "{}", refused.body);
        let changed = host.as_user("cy", "PUT", "/v3/groups/park", Some(change.clone())).await.is(200);
        let park = &changed.body["data"];
        assert_eq!((&park["owner"], &park["name"]), (&json!("ada"), &change["name"]));
    }
}

#[tokio::test]
async fn rows_of_lists_say_how_many_are_online_to_the_host_and_to_members_and_not_to_eve_who_is_outside() {
    let host = Host::with_cast().await;
    let den = json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"participants": ["dee"]}});
    host.post("/v3/groups", den).await.is(200);
    for uid in ["dee", "eve"] {
        host.put(&format!("/v3/users/{uid}"), json!({"status": "online"})).await.is(200);
    }
    let counts = |list: super::Answer| {
        let groups = list.is(200).body["data"].as_array().unwrap().clone();
        groups.iter().map(|group| group["onlineMembersCount"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(counts(host.get("/v3/groups").await), [json!(1), json!(2)]);
    assert_eq!(counts(host.get("/v3/groups?affix=prepend&searchKey=park").await), [json!(2)]);
    assert_eq!(counts(host.get("/v3/users/dee/groups").await), [json!(1), json!(2)]);
    assert_eq!(counts(host.as_user("dee", "GET", "/v3/groups", None).await), [json!(1), json!(2)]);
    assert_eq!(counts(host.as_user("eve", "GET", "/v3/groups", None).await), [Value::Null, json!(2)]);
}

#[tokio::test]
async fn a_change_with_another_owner_is_done_as_a_whole_or_not_at_all() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let put = |body| host.put("/v3/groups/park", body);
    put(json!({"owner": "ben", "name": "Big park", "type": "password"})).await.refuses(400, "ERR_BAD_REQUEST");
    put(json!({"owner": "zoe", "name": "Big park"})).await.refuses(404, "ERR_UID_NOT_FOUND");
    put(json!({"owner": "flo", "name": "Big park"})).await.refuses(409, "ERR_BANNED_GROUPMEMBER");
    assert_eq!((host.head("park").await, &*host.members("park").await[0]), (park, "ada:owner"));
    put(json!({"owner": "ben", "name": "Big park"})).await.is(200);
    assert_eq!(host.words("park", park).await, ["owner_transferred", "group_updated"]);
    put(json!({"owner": "cy"})).await.is(200);
    put(json!({"owner": "cy", "name": "Big park"})).await.is(200);
    assert_eq!(host.words("park", park + 2).await, ["owner_transferred"]);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn ada_reads_that_a_group_is_hers_wherever_it_says_what_she_is_in_it_and_ben_reads_nothing_of_the_kind() {
    let host = Host::with_cast().await;
    let as_user = async |uid: &str, method: &str, path: &str, body: Option<Value>| {
        host.as_user(uid, method, path, body).await.is(200).body["data"].clone()
    };
    let den = json!({"guid": "den", "name": "Den", "type": "private"});
    let hers = [
        as_user("ada", "POST", "/v3/groups", Some(den)).await,
        as_user("ada", "PUT", "/v3/groups/park", Some(json!({"name": "Green park"}))).await,
        as_user("ada", "GET", "/v3/groups/park", None).await,
        as_user("ada", "GET", "/v3/groups?searchKey=park", None).await[0].clone(),
        host.get("/v3/users/ada/groups").await.is(200).body["data"][0].clone(),
    ];
    for group in hers {
        assert_eq!((&group["scope"], &group["isOwner"]), (&json!("admin"), &json!(true)), "{group}");
    }
    let bens = as_user("ben", "GET", "/v3/groups/park", None).await;
    assert_eq!((&bens["scope"], &bens["isOwner"]), (&json!("admin"), &Value::Null), "{bens}");
    let plain = host.get("/v3/groups/park").await.is(200).body["data"].clone();
    assert_eq!(plain["isOwner"], Value::Null, "{plain}");

    let moderator = Some(json!({"scope": "moderator"}));
    let promote = || host.ask("PUT", "/v3/groups/park/members/dee", &[("idempotency-key", "k1")], moderator.clone());
    assert_eq!(promote().await.is(200).body["data"]["isOwner"], Value::Null);
    host.patch("/v3/groups/park/owner", json!({"owner": "dee"})).await.is(200);
    let by_now = promote().await.is(200).body["data"].clone();
    assert_eq!((&by_now["scope"], &by_now["isOwner"]), (&json!("admin"), &json!(true)), "as it is now");
}

#[tokio::test]
async fn the_groups_that_somebody_joined_are_not_asked_for_without_saying_who_that_is() {
    let host = Host::with_cast().await;
    let refused = host.get("/v3/groups?hasJoined=true").await.refuses(400, "ERR_BAD_REQUEST").saying("onBehalfOf");
    assert!(refused.body["error"]["details"]["hasJoined"].is_array(), "{}", refused.body);
    host.get("/v3/groups?hasJoined=false").await.is(200);
    host.as_user("dee", "GET", "/v3/groups?hasJoined=true", None).await.is(200);
}

#[tokio::test]
async fn a_name_or_a_type_of_null_is_refused_by_name_and_nothing_else_is_changed() {
    let host = Host::with_cast().await;
    for (path, field) in [("/v3/groups/park", "name"), ("/v3/groups/park", "type"), ("/v3/users/dee", "name")] {
        let mut change = json!({"metadata": {"colour": "red"}});
        change[field] = Value::Null;
        let refused = host.put(path, change).await.refuses(400, "ERR_BAD_REQUEST");
        assert!(refused.body["error"]["details"][field].is_array(), "{path}: {}", refused.body);
        assert_eq!(host.get(path).await.is(200).body["data"]["metadata"], Value::Null, "{path}");
    }
}

#[tokio::test]
async fn who_makes_a_group_is_named_alike_by_the_answer_the_log_and_the_list_of_the_banned() {
    let host = Host::with_cast().await;
    let den = json!({
        "guid": "den", "name": "Den", "type": "private", "owner": "ada",
        "members": {"admins": ["ben"], "participants": ["dee"], "usersToBan": ["eve"]},
    });
    let made = host.as_user("gus", "POST", "/v3/groups", Some(den)).await.is(200).body;
    for (list, uid) in [("admins", "ben"), ("participants", "dee")] {
        assert_eq!(made["data"]["members"][list][uid]["data"]["sender"], "gus", "{made}");
    }
    let log = host.get("/v3/groups/den/events").await.is(200).body;
    let events = log["data"].as_array().unwrap();
    assert_eq!(events.len(), 4, "{log}");
    for event in events {
        let data = &event["data"];
        assert_eq!((&data["by"]["uid"], &data["cause"]), (&json!("gus"), &json!("viewer")), "{event}");
    }
    let banned = host.get("/v3/groups/den/bannedusers").await.is(200).body;
    assert_eq!((&banned["data"][0]["uid"], &banned["data"][0]["by"]), (&json!("eve"), &json!("gus")));
    assert_eq!(host.members("den").await, ["ada:owner", "ben:admin", "dee:participant"]);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_list_takes_one_type_or_several_types_and_names_the_one_that_is_wrong() {
    let host = Host::with_cast().await;
    for (query, field) in
        [("types=x", "types"), ("types=public,x", "types"), ("type=x", "type"), ("type=public,private", "type")]
    {
        let refused = host.get(&format!("/v3/groups?{query}")).await.refuses(400, "ERR_BAD_REQUEST");
        let details = refused.body["error"]["details"].as_object().unwrap();
        assert_eq!(details.keys().collect::<Vec<_>>(), [field], "{query}: {}", refused.body);
    }
    for (query, count) in
        [("type=public", 1), ("type=private", 0), ("types=public,private", 1), ("type=private&types=public", 1)]
    {
        let found = host.get(&format!("/v3/groups?{query}")).await.is(200).body;
        assert_eq!(found["data"].as_array().unwrap().len(), count, "{query}: {found}");
    }
}
