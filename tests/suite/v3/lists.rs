//! Lists of people in bodies: what comes of each uid.

use serde_json::json;

use super::Host;

#[tokio::test]
async fn a_uid_that_nobody_can_have_fails_alone_in_its_list() {
    let host = Host::with_cast().await;
    let (long, huge) = ("x".repeat(101), "y".repeat(9_000));
    let lists = json!({
        "admins": ["a.b@c"], "moderators": ["app_system", "a.b@c"], "participants": ["gus", long, huge, ""],
        "usersToBan": ["e v e", "eve"],
    });
    let den = json!({"guid": "den", "name": "Den", "owner": "ada", "members": lists});
    let made = host.post("/v3/groups", den).await.is(200).body["data"]["members"].clone();
    let added = host.post("/v3/groups/park/members", lists).await.is(200).body["data"].clone();
    for answer in [made, added] {
        for (list, uid) in [
            ("admins", "a.b@c"),
            ("moderators", "app_system"),
            ("participants", &*long),
            ("participants", &huge[..255]),
            ("participants", ""),
            ("usersToBan", "e v e"),
        ] {
            let (failed, code) = (&answer[list][uid]["success"], &answer[list][uid]["error"]["code"]);
            assert_eq!((failed, code), (&json!(false), &json!("ERR_UID_NOT_FOUND")), "{list} {uid}: {answer}");
        }
        assert_eq!(answer["moderators"].as_object().unwrap().len(), 1, "the first list counts: {answer}");
        assert_eq!(answer["participants"]["gus"]["success"], true, "{answer}");
        assert_eq!(answer["usersToBan"]["eve"], json!({"success": true}), "{answer}");
        assert!(answer.to_string().len() < 6_000, "{answer}");
    }
    assert_eq!(host.members("den").await, ["ada:owner", "gus:participant"]);
    let nobody = json!({"guid": "pit", "name": "Pit", "members": {"participants": ["a.b"]}});
    let made = host.post("/v3/groups", nobody).await.is(200).body["data"]["members"].clone();
    assert_eq!(made["participants"]["a.b"]["success"], false, "{made}");
    // A full list would put out whomever it misspells.
    host.put("/v3/groups/park/members", json!({"participants": ["a.b@c"]}))
        .await
        .refuses(400, "ERR_BAD_REQUEST")
        .saying("participants[0]");
}
