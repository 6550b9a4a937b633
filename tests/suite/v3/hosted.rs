//! Groups that the host owns itself, and how they come to an owner and back.

use serde_json::json;

use super::Host;

#[tokio::test]
async fn a_group_that_nobody_owns_is_the_hosts() {
    let host = Host::with_cast().await;
    let den = json!({"guid": "den", "name": "Den", "type": "public", "members": {"admins": ["ben"]}});
    let made = host.post("/v3/groups", den.clone()).await.is(200);
    assert_eq!((&made.body["data"]["owner"], &made.body["data"]["membersCount"]), (&json!("app_system"), &json!(1)));
    host.post("/v3/groups", den).await.refuses(400, "ERR_GUID_ALREADY_EXISTS");
    assert_eq!(host.members("den").await, ["ben:admin"]);
    assert_eq!(host.get("/v3/groups/den").await.is(200).body["data"]["owner"], "app_system");
    assert_eq!(host.get("/v3/groups?searchKey=den").await.is(200).body["data"][0]["owner"], "app_system");
    assert_eq!(host.as_user("ben", "GET", "/v3/groups/den", None).await.is(200).body["data"]["owner"], "app_system");
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "type": "public", "owner": "ada"}))
        .await
        .refuses(400, "ERR_GUID_ALREADY_EXISTS");
    host.as_user("ben", "PATCH", "/v3/groups/den/owner", Some(json!({"owner": "ben"})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.put("/v3/groups/den/members/ben", json!({"scope": "participant"})).await.is(200);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_host_makes_anybody_the_owner_of_its_group_and_takes_it_back() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let given = host.patch("/v3/groups/park/owner", json!({"owner": null})).await.is(200);
    assert_eq!(given.body["data"]["owner"], "app_system");
    assert_eq!(host.members("park").await[..2], ["ada:admin", "ben:admin"]);
    host.patch("/v3/groups/park/owner", json!({"owner": null})).await.is(200);
    assert_eq!(host.words("park", park).await, ["owner_transferred"], "again is no event");
    let released = &host.events("park", park).await[0];
    assert_eq!((released.by.as_ref(), released.touched.len(), released.touched[0].uid.as_str()), (None, 1, "ada"));

    host.patch("/v3/groups/park/owner", json!({"owner": "gus"})).await.is(200);
    assert_eq!(host.members("park").await[0], "gus:owner", "who was no member came in by it");
    host.patch("/v3/groups/park/owner", json!({"owner": "zoe"})).await.refuses(404, "ERR_UID_NOT_FOUND").saying("zoe");
    host.patch("/v3/groups/park/owner", json!({"owner": "flo"})).await.refuses(409, "ERR_BANNED_GROUPMEMBER");
    host.patch("/v3/groups/park/owner", json!({"owner": "dee"})).await.is(200);
    assert_eq!(host.members("park").await[..2], ["dee:owner", "ada:admin"]);
    assert_eq!(host.words("park", park + 1).await, ["owner_transferred", "owner_transferred"]);
}

#[tokio::test]
async fn ada_hands_the_park_to_gus_who_comes_in_by_it_and_ben_hands_it_to_nobody() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let give = |uid: &'static str, to: &str| {
        let (host, body) = (&host, json!({"owner": to}));
        async move { host.as_user(uid, "PATCH", "/v3/groups/park/owner", Some(body)).await }
    };
    give("ben", "gus").await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    give("gus", "gus").await.refuses(401, "ERR_GROUP_NOT_JOINED");
    give("ada", "flo").await.refuses(409, "ERR_BANNED_GROUPMEMBER").saying("They are banned");
    give("ada", "zoe").await.refuses(404, "ERR_UID_NOT_FOUND").saying("zoe");
    give("ada", "ada").await.is(200);
    assert_eq!(host.head("park").await, park, "nothing is done");

    assert_eq!(give("ada", "gus").await.is(200).body["data"]["owner"], "gus");
    assert_eq!(host.members("park").await[..3], ["gus:owner", "ada:admin", "ben:admin"]);
    let events = host.events("park", park).await;
    assert_eq!((events.len(), events[0].kind.as_str()), (1, "owner_transferred"));
    assert_eq!(events[0].by.as_ref().unwrap().uid.as_str(), "ada");
    give("ada", "dee").await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn only_the_host_itself_gives_a_group_to_the_host() {
    let host = Host::with_cast().await;
    host.as_user("ada", "PATCH", "/v3/groups/park/owner", Some(json!({"owner": null})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    for bad in [json!({}), json!({"owner": ""})] {
        host.patch("/v3/groups/park/owner", bad).await.refuses(400, "ERR_BAD_REQUEST").saying("owner");
    }
    assert_eq!(host.members("park").await[0], "ada:owner");
}

#[tokio::test]
async fn the_host_is_named_as_an_owner_like_anybody() {
    let host = Host::with_cast().await;
    host.as_user("ada", "PATCH", "/v3/groups/park/owner", Some(json!({"owner": "app_system"})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    let given = host.patch("/v3/groups/park/owner", json!({"owner": "app_system"})).await.is(200);
    assert_eq!(given.body["data"]["owner"], "app_system");
    host.put("/v3/groups/park", json!({"owner": "ben"})).await.is(200);
    host.put("/v3/groups/park", json!({"owner": "app_system"})).await.is(200);
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "owner": "app_system"})).await.is(200);
    for guid in ["park", "den"] {
        assert_eq!(host.get(&format!("/v3/groups/{guid}")).await.is(200).body["data"]["owner"], "app_system");
    }
}

#[tokio::test]
async fn taking_a_group_over_is_done_once_for_its_key() {
    let host = Host::with_cast().await;
    let (park, key) = (host.head("park").await, [("idempotency-key", "k1")]);
    host.ask("PATCH", "/v3/groups/park/owner", &key, Some(json!({"owner": null}))).await.is(200);
    host.patch("/v3/groups/park/owner", json!({"owner": "ada"})).await.is(200);
    host.ask("PATCH", "/v3/groups/park/owner", &key, Some(json!({"owner": null}))).await.is(200);
    assert_eq!(host.members("park").await[0], "ada:owner");
    assert_eq!(host.head("park").await, park + 2);
}

#[tokio::test]
async fn the_name_of_the_host_is_nobodys_uid() {
    let host = Host::with_cast().await;
    host.post("/v3/users", json!({"uid": "app_system", "name": "Me"}))
        .await
        .refuses(400, "ERR_BAD_REQUEST")
        .saying("uid");
    host.post("/v3/groups/park/bannedusers/app_system", json!({})).await.refuses(400, "ERR_BAD_REQUEST");
    host.as_user("app_system", "GET", "/v3/groups/park", None).await.refuses(400, "ERR_BAD_REQUEST");
    host.put("/v3/groups/park/members", json!({"participants": ["app_system"]})).await.refuses(400, "ERR_BAD_REQUEST");
}

#[tokio::test]
async fn an_owner_who_is_alone_may_leave_and_the_group_is_the_hosts() {
    let host = Host::with_cast().await;
    host.post(
        "/v3/groups",
        json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"participants": ["dee"]}}),
    )
    .await
    .is(200);
    let leave = || host.as_user("ada", "DELETE", "/v3/groups/den/members/ada", None);
    leave().await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    host.delete("/v3/groups/den/members/dee").await.is(200);
    host.delete("/v3/groups/den/members/ada").await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    leave().await.is(200);
    let den = host.get("/v3/groups/den").await.is(200);
    assert_eq!((&den.body["data"]["owner"], &den.body["data"]["membersCount"]), (&json!("app_system"), &json!(0)));
    host.patch("/v3/groups/den/owner", json!({"owner": "dee"})).await.is(200);
    assert_eq!(host.members("den").await, ["dee:owner"]);
}

#[tokio::test]
async fn a_full_list_without_an_owner_leaves_the_group_to_whoever_has_it() {
    let host = Host::with_cast().await;
    host.put("/v3/groups/park/members", json!({"participants": ["dee"]})).await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"], "Ada is not listed and stays");
    host.put("/v3/groups/park/members", json!({"admins": ["ada", "ben"]})).await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner", "ben:admin"], "Ada is listed as another and stays");

    host.patch("/v3/groups/park/owner", json!({"owner": null})).await.is(200);
    host.put("/v3/groups/park/members", json!({"admins": ["ben"]})).await.is(200);
    assert_eq!(host.members("park").await, ["ben:admin"], "the host stays");
    host.put("/v3/groups/park/members", json!({"owner": "gus"})).await.is(200);
    assert_eq!(host.members("park").await, ["gus:owner"]);
}
