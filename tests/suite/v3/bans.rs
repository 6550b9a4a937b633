//! `/v3/groups/{guid}/bannedusers`.

use serde_json::json;

use super::Host;

#[tokio::test]
async fn anybody_is_banned_once_and_again_with_other_terms() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let terms = json!({"reason": "spam", "until": "2099-01-31T12:00:00Z"});
    host.post("/v3/groups/park/bannedusers/dee", terms.clone()).await.is(200);
    host.post("/v3/groups/park/bannedusers/dee", terms).await.refuses(409, "ERR_ALREADY_BANNED");
    host.post("/v3/groups/park/bannedusers/dee", json!({})).await.refuses(409, "ERR_ALREADY_BANNED");
    host.post("/v3/groups/park/bannedusers/dee", json!({"reason": "worse", "until": 3600})).await.is(200);
    host.ask("POST", "/v3/groups/park/bannedusers/nobody-knows-them", &[], None).await.is(200);
    assert_eq!(host.words("park", park).await, ["member_banned", "member_banned", "member_banned"]);
    let banned = host.get("/v3/groups/park/bannedusers?searchKey=dee").await.is(200);
    assert_eq!((&banned.body["data"][0]["reason"], &banned.body["data"][0]["by"]), (&json!("worse"), &json!(null)));
    assert_eq!(host.get("/v3/groups/park/bannedusers").await.is(200).body["meta"]["pagination"]["total"], 3);
    host.get("/v3/groups/park/members/dee").await.refuses(404, "ERR_NOT_A_MEMBER");
}

#[tokio::test]
async fn a_ban_that_cannot_be_is_named() {
    let host = Host::with_cast().await;
    let ban = |body| host.post("/v3/groups/park/bannedusers/dee", body);
    ban(json!({"reason": "x".repeat(513)})).await.refuses(400, "ERR_BAD_REQUEST").saying("reason");
    ban(json!({"until": "yesterday"})).await.refuses(400, "ERR_BAD_REQUEST").saying("until");
    ban(json!({"until": -5})).await.refuses(400, "ERR_BAD_REQUEST").saying("until");
    ban(json!({"cause": "x"})).await.refuses(400, "ERR_BAD_REQUEST").saying("cause");
    host.post("/v3/groups/park/bannedusers/a.b", json!({})).await.refuses(400, "ERR_BAD_REQUEST").saying("uid");
    host.post("/v3/groups/park/bannedusers/ada", json!({})).await.refuses(409, "ERR_OWNER_MUST_TRANSFER");
    host.post("/v3/groups/none/bannedusers/dee", json!({})).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_ban_is_lifted_once_and_nobody_comes_back_by_it() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    host.delete("/v3/groups/park/bannedusers/flo").await.is(200);
    host.delete("/v3/groups/park/bannedusers/flo").await.refuses(409, "ERR_NOT_A_BANNED_USER");
    assert_eq!(host.words("park", park).await, ["member_unbanned"]);
    host.get("/v3/groups/park/members/flo").await.refuses(404, "ERR_NOT_A_MEMBER");
}

#[tokio::test]
async fn a_user_bans_with_their_own_rights() {
    let host = Host::with_cast().await;
    let ban = |by: &'static str, whom: &str| {
        let path = format!("/v3/groups/park/bannedusers/{whom}");
        let host = &host;
        async move { host.as_user(by, "POST", &path, Some(json!({}))).await }
    };
    ban("cy", "ben").await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    ban("cy", "cy").await.refuses(403, "ERR_GROUP_NO_SELF_ACTION");
    ban("dee", "eve").await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    ban("gus", "eve").await.refuses(401, "ERR_GROUP_NOT_JOINED");
    ban("cy", "eve").await.is(200);
    let banned = host.as_user("cy", "GET", "/v3/groups/park/bannedusers?perPage=1", None).await.is(200);
    assert_eq!((&banned.body["data"][0]["uid"], &banned.body["data"][0]["by"]), (&json!("eve"), &json!("cy")));
    host.as_user("dee", "GET", "/v3/groups/park/bannedusers", None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("dee", "DELETE", "/v3/groups/park/bannedusers/flo", None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
}

#[tokio::test]
async fn of_somebody_whom_nobody_has_named_no_date_of_creation_is_told() {
    let host = Host::with_cast().await;
    host.post("/v3/groups/park/bannedusers/nobody-knows-them", json!({})).await.is(200);
    let banned = host.get("/v3/groups/park/bannedusers?searchKey=nobody").await.is(200).body["data"][0].clone();
    assert_eq!((&banned["uid"], banned.get("createdAt")), (&json!("nobody-knows-them"), None), "{banned}");
    let flo = host.get("/v3/groups/park/bannedusers?searchKey=flo").await.is(200).body["data"][0].clone();
    assert!(flo["createdAt"].is_i64() && flo["bannedAt"].is_i64(), "{flo}");
}

#[tokio::test]
async fn the_banned_that_are_read_on_behalf_of_somebody_have_the_id_of_the_conversation_with_the_reader() {
    let host = Host::with_cast().await;
    host.post("/v3/groups/park/bannedusers/nobody-knows-them", json!({})).await.is(200);
    let banned = host.as_user("cy", "GET", "/v3/groups/park/bannedusers", None).await.is(200).body["data"].clone();
    let flo = banned.as_array().unwrap().iter().find(|one| one["uid"] == "flo").unwrap();
    assert_eq!(flo["conversationId"], "cy_user_flo");
    let stranger = banned.as_array().unwrap().iter().find(|one| one["uid"] == "nobody-knows-them").unwrap();
    assert_eq!(stranger.get("conversationId"), None, "nobody talks to somebody whom the host has not named");
    let listed = host.get("/v3/groups/park/bannedusers?searchKey=flo").await.is(200).body["data"][0].clone();
    assert_eq!(listed.get("conversationId"), None, "the key alone talks to nobody");
}

#[tokio::test]
async fn a_blank_end_is_refused_and_does_not_mean_for_ever_and_so_is_one_with_white_space_beside_it() {
    let host = Host::with_cast().await;
    for until in ["", "  "] {
        let ban = host.post("/v3/groups/park/bannedusers/dee", json!({"until": until})).await;
        ban.refuses(400, "ERR_BAD_REQUEST").saying("RFC 3339, or seconds from now");
        let scope = host.put("/v3/groups/park/members/dee", json!({"scope": "admin", "until": until})).await;
        scope.refuses(400, "ERR_BAD_REQUEST").saying("RFC 3339, or seconds from now");
    }
    for until in [" 60", "60\n", "\u{3000}60"] {
        let ban = host.post("/v3/groups/park/bannedusers/dee", json!({"until": until})).await;
        ban.refuses(400, "ERR_BAD_REQUEST").saying("until: ");
        let mute = host.post("/v3/groups/park/mutedusers/dee", json!({"until": until})).await;
        mute.refuses(400, "ERR_BAD_REQUEST").saying("until: ");
        let scope = host.put("/v3/groups/park/members/dee", json!({"scope": "admin", "until": until})).await;
        scope.refuses(400, "ERR_BAD_REQUEST").saying("until: ");
    }
    let dee = host.get("/v3/groups/park/members/dee").await.is(200).body["data"].clone();
    assert_ne!(dee["scope"], "admin", "{dee}");
}
