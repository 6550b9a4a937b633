//! `/v3/groups/{guid}/mutedusers`, and what the host reads of mutes and of scopes that end.

use serde_json::{Value, json};

use super::Host;
use crate::support::database::write_by_hand;

const MUTED: &str = "/v3/groups/park/mutedusers";
const DEE: &str = "/v3/groups/park/mutedusers/dee";
const NDJSON: [(&str, &str); 1] = [("accept", "application/x-ndjson")];

#[tokio::test]
async fn the_host_mutes_reads_who_is_muted_and_lets_them_speak_again() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    host.post(DEE, json!({"reason": "shouts", "message": "Hush.", "until": 3600})).await.is(200);
    let muted = host.get(MUTED).await.is(200).body;
    let record = &muted["data"][0];
    assert_eq!(
        (&record["uid"], &record["reason"], &record["message"], &muted["meta"]["pagination"]["total"]),
        (&json!("dee"), &json!("shouts"), &json!("Hush."), &json!(1))
    );
    assert!(record["mutedAt"].is_i64() && record["until"].is_string() && record.get("by").is_none(), "{record}");
    let of_cy = host.as_user("cy", "GET", MUTED, None).await.is(200).body;
    assert_eq!((&of_cy["data"][0]["conversationId"], record.get("conversationId")), (&json!("cy_user_dee"), None));
    let member = host.get("/v3/groups/park/members/dee").await.is(200).body;
    assert_eq!(member["data"]["mutedUntil"], record["until"]);
    host.delete(DEE).await.is(200);
    host.delete(DEE).await.is(200);
    assert_eq!(host.words("park", park).await, ["member_muted", "member_unmuted"]);
    assert!(host.get("/v3/groups/park/members/dee").await.is(200).body["data"].get("mutedUntil").is_none());
}

#[tokio::test]
async fn a_mute_that_cannot_be_is_named() {
    let host = Host::with_cast().await;
    let mute = |body| host.post(DEE, body);
    for end in [json!({}), json!({"until": null}), json!({"until": ""}), json!({"until": 0}), json!({"until": -5})] {
        mute(end).await.refuses(400, "ERR_BAD_REQUEST").saying("until");
    }
    mute(json!({"until": 28 * 24 * 3600 + 60})).await.refuses(400, "ERR_BAD_REQUEST").saying("28 days");
    mute(json!({"until": "yesterday"})).await.refuses(400, "ERR_BAD_REQUEST").saying("until");
    mute(json!({"until": 60, "message": "x".repeat(513)})).await.refuses(400, "ERR_BAD_REQUEST").saying("message");
    mute(json!({"until": 60, "cause": "x"})).await.refuses(400, "ERR_BAD_REQUEST").saying("cause");
    host.post("/v3/groups/park/mutedusers/gus", json!({"until": 60})).await.refuses(404, "ERR_NOT_A_MEMBER");
    host.post("/v3/groups/none/mutedusers/dee", json!({"until": 60})).await.refuses(404, "ERR_GUID_NOT_FOUND");
    host.as_user("dee", "POST", "/v3/groups/park/mutedusers/eve", Some(json!({"until": 60})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.as_user("dee", "GET", MUTED, None).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
}

#[tokio::test]
async fn a_participant_reads_no_mute_but_their_own() {
    let host = Host::with_cast().await;
    host.post(DEE, json!({"until": 3600})).await.is(200);
    for (viewer, sees) in [("cy", true), ("dee", true), ("eve", false)] {
        let list = host.as_user(viewer, "GET", "/v3/groups/park/members", None).await.is(200).body;
        let dee = list["data"].as_array().unwrap().iter().find(|member| member["uid"] == "dee").unwrap().clone();
        assert_eq!(dee.get("mutedUntil").is_some(), sees, "{viewer}");
        let lines =
            host.ask("GET", "/v3/groups/park/members", &[NDJSON[0], ("onBehalfOf", viewer)], None).await.lines();
        let dee = lines.iter().find(|line| line["uid"] == "dee").unwrap();
        assert_eq!(dee.get("mutedUntil").is_some(), sees, "{viewer}");
    }
}

#[tokio::test]
async fn the_host_is_told_no_mute_that_is_over_also_while_its_end_is_not_written() {
    let host = Host::with_cast().await;
    let path = "/v3/groups/park/members";
    host.post(DEE, json!({"until": 60})).await.is(200);
    // The sweep finds nothing to end: only the node's memory knows of the mute.
    write_by_hand(host._folder.path(), "DELETE FROM mutes").await;
    let told = async || {
        let page = host.get(path).await.is(200).body;
        let beyond = host.get(&format!("{path}?affix=prepend")).await.is(200).body;
        let snapshot = host.ask("GET", path, &NDJSON, None).await.is(200).body;
        let own = host.as_user("dee", "GET", "/v3/groups/park/members/dee", None).await.is(200).body;
        [page, beyond, snapshot, own].map(|body| body.to_string().contains("mutedUntil"))
    };
    assert_eq!(told().await, [true; 4]);
    host.app.clock().advance(61_000);
    assert_eq!(told().await, [false; 4]);
}

#[tokio::test]
async fn a_snapshot_carries_mutes_of_people_who_left_and_can_be_put_back() {
    let host = Host::with_cast().await;
    host.post(DEE, json!({"until": 3600})).await.is(200);
    host.post("/v3/groups/park/mutedusers/eve", json!({"until": 3600})).await.is(200);
    host.delete("/v3/groups/park/members/dee").await.is(200);
    let answer = host.ask("GET", "/v3/groups/park/members", &NDJSON, None).await.is(200);
    let lines = answer.lines();
    assert_eq!((&lines[0]["count"], lines.len()), (&json!(4), 5));
    assert_eq!((&lines[0]["mutes"][0]["uid"], lines[0]["mutes"].as_array().unwrap().len()), (&json!("dee"), 1));
    assert!(lines[0]["mutes"][0]["until"].is_string());
    assert!(lines[1..5].iter().any(|line| line["uid"] == "eve" && line["mutedUntil"].is_string()));
    let Value::String(snapshot) = answer.body else { panic!("no lines") };
    let park = host.head("park").await;
    let put = |text: String| {
        let request = axum::http::Request::put("/v3/groups/park/members").header("apikey", super::KEY);
        host.send(request.header("content-type", NDJSON[0].1).body(text.into()).unwrap())
    };
    let result = put(snapshot.clone()).await.is(200).lines().pop().unwrap()["result"].clone();
    assert_eq!((&result["changed"], &result["removed"], host.head("park").await), (&json!(0), &json!(0), park));
    host.post("/v3/groups/park/members", json!({"participants": ["dee"]})).await.is(200);
    put(snapshot).await.is(200);
    assert_eq!(host.get(MUTED).await.is(200).body["meta"]["pagination"]["total"], 2, "a sync lifts no mute");
}

#[tokio::test]
async fn the_host_gives_a_scope_for_a_time_and_tells_why_somebody_is_put_out() {
    let host = Host::with_cast().await;
    let path = "/v3/groups/park/members/dee";
    host.put(path, json!({"scope": "participant", "until": 60})).await.refuses(400, "ERR_BAD_REQUEST").saying("above");
    let given =
        host.put(path, json!({"scope": "moderator", "until": 3600, "message": "Until noon."})).await.is(200).body;
    assert!(given["data"]["scopeUntil"].is_string(), "{given}");
    assert_eq!(host.get(path).await.is(200).body["data"]["scopeUntil"], given["data"]["scopeUntil"]);
    host.ask("DELETE", path, &[], Some(json!({"why": "x"}))).await.refuses(400, "ERR_BAD_REQUEST").saying("why");
    host.ask("DELETE", path, &[], Some(json!({"message": "Come back tomorrow."}))).await.is(200);
    let events = host.get("/v3/groups/park/events").await.is(200).body;
    let last = events["data"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["type"], &last["data"]["message"]), (&json!("member.kicked"), &json!("Come back tomorrow.")));
}

#[tokio::test]
async fn on_behalf_of_cy_who_steps_down_nothing_is_told_to_cy() {
    let host = Host::with_cast().await;
    let own = json!({"scope": "participant", "message": "I was away for long."});
    host.as_user("cy", "PUT", "/v3/groups/park/members/cy", Some(own)).await.is(200);
    let events = host.get("/v3/groups/park/events").await.is(200).body;
    let last = events["data"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["type"], &last["data"]["new"]), (&json!("member.scope_changed"), &json!("participant")));
    assert!(last["data"]["message"].is_null(), "{last}");
}
