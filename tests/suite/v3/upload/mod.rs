//! `PUT /v3/groups/{guid}/members` as NDJSON: a list of any length, read aside, checked by line, applied as one event.

mod unfinished;

use axum::body::Body;
use axum::http::Request;
use chat_group_members::config::Secret;
use serde_json::{Value, json};

use super::{Answer, Host, KEY};
use crate::support::{World, eventually};

const PARK: &str = "/v3/groups/park/members";

#[tokio::test]
async fn an_upload_makes_the_members_exactly_its_rows_in_one_event() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let rows = [
        json!({"uid": "zoe", "name": "Zoe", "scope": "moderator", "avatar": "https://x.example/z.png", "joinedAt": 7}),
        json!({"uid": "ada", "name": "Ada L.", "scope": "owner"}),
        json!({"uid": "dee"}),
    ];
    let lines = upload(&host, PARK, &text(&rows)).await.is(200).lines();
    let (result, progress) = lines.split_last().unwrap();
    assert_eq!(progress, [json!({"progress": {"applied": 3, "rows": 3}})]);
    let result = &result["result"];
    assert_eq!(
        (&result["success"], &result["applied"], &result["membersCount"]),
        (&json!(true), &json!(true), &json!(3))
    );
    assert_eq!((&result["changed"], &result["removed"]), (&json!(2), &json!(3)));
    assert_eq!(host.members("park").await, ["ada:owner", "zoe:moderator", "dee:participant"]);
    let zoe = host.get("/v3/groups/park/members/zoe").await.is(200).body["data"].clone();
    assert_eq!((&zoe["joinedAt"], &zoe["avatar"]), (&json!(7), &json!("https://x.example/z.png")));
    assert_eq!(host.words("park", park).await, ["members_synced"]);

    let again = upload(&host, PARK, &text(&rows)).await.is(200).result();
    assert_eq!((&again["changed"], &again["removed"]), (&json!(0), &json!(0)));
    assert_eq!(host.head("park").await, park + 1, "again is no event");
}

#[tokio::test]
async fn a_partial_upload_puts_nobody_out() {
    let host = Host::with_cast().await;
    let rows = [json!({"uid": "eve", "scope": "moderator"}), json!({"uid": "zoe", "name": "Zoe"})];
    let result = upload(&host, &format!("{PARK}?mode=partial"), &text(&rows)).await.is(200).result();
    assert_eq!((&result["membersCount"], &result["changed"], &result["removed"]), (&json!(6), &json!(2), &json!(0)));
    assert_eq!(
        host.members("park").await,
        ["ada:owner", "ben:admin", "cy:moderator", "eve:moderator", "dee:participant", "zoe:participant"]
    );
    host.put(&format!("{PARK}?mode=partial"), json!({"admins": ["cy"]})).await.is(200);
    assert_eq!(host.members("park").await[..3], ["ada:owner", "ben:admin", "cy:admin"], "a list in JSON as well");
    assert_eq!(host.members("park").await.len(), 6);
}

#[tokio::test]
async fn an_upload_hands_the_group_over_and_never_leaves_two_owners() {
    let host = Host::with_cast().await;
    let put = |mode: &'static str, rows: Vec<Value>| {
        let host = &host;
        async move { upload(host, &format!("{PARK}?mode={mode}"), &text(&rows)).await.is(200).result() }
    };
    let row = |uid: &str, scope: &str| json!({"uid": uid, "scope": scope});
    put("partial", vec![row("ben", "owner")]).await;
    assert_eq!(host.members("park").await[..2], ["ben:owner", "ada:admin"], "who is not listed becomes admin");
    put("partial", vec![row("gus", "owner"), row("ben", "moderator")]).await;
    assert_eq!(host.members("park").await[..2], ["gus:owner", "ada:admin"]);
    assert!(
        host.members("park").await.contains(&"ben:moderator".to_owned()),
        "who is listed becomes what the list says"
    );
    put("partial", vec![row("gus", "participant"), row("dee", "moderator")]).await;
    assert_eq!(host.members("park").await[0], "gus:owner", "without an owner's row the owner stays");
    put("full", vec![row("dee", "moderator")]).await;
    assert_eq!(host.members("park").await, ["gus:owner", "dee:moderator"]);
    put("full", vec![row("dee", "owner")]).await;
    assert_eq!(host.members("park").await, ["dee:owner"], "who is missing leaves, an owner before as well");

    host.patch("/v3/groups/park/owner", json!({"owner": null})).await.is(200);
    put("full", vec![row("ada", "admin")]).await;
    assert_eq!(host.members("park").await, ["ada:admin"], "the host stays the owner");
    put("full", vec![row("ada", "owner")]).await;
    assert_eq!(host.members("park").await, ["ada:owner"]);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn who_is_banned_stays_out_of_an_upload_and_is_named() {
    let host = Host::with_cast().await;
    let rows = [json!({"uid": "ada", "scope": "owner"}), json!({"uid": "flo"}), json!({"uid": "dee"})];
    let result = upload(&host, PARK, &text(&rows)).await.is(200).result();
    assert_eq!(
        (&result["banned"], &result["bannedCount"], &result["membersCount"]),
        (&json!(["flo"]), &json!(1), &json!(2))
    );
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
    assert_eq!(host.get("/v3/groups/park/bannedusers").await.is(200).body["data"][0]["uid"], "flo");
    let flo = upload(&host, PARK, &text(&[json!({"uid": "dee"}), json!({"uid": "flo", "scope": "owner"})])).await;
    let refused = flo.refuses(422, "ERR_VALIDATION").saying("line 2").saying("banned");
    assert!(refused.body["error"]["details"]["line 2"][0].is_string(), "{}", refused.body);
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
}

#[tokio::test]
async fn a_bad_row_is_named_by_its_line_and_nothing_of_the_upload_is_applied() {
    let host = Host::with_cast().await;
    let (before, head) = (host.members("park").await, host.head("park").await);
    let good = text(&[json!({"uid": "ada", "scope": "owner"}), json!({"uid": "zoe", "name": "Zoe"})]);
    for (line, word) in [
        ("{\"uid\":\"x y\"}", "uid"),
        ("{\"uid\":\"app_system\"}", "uid"),
        ("{\"uid\":\"x\",\"scope\":\"king\"}", "scope"),
        ("{\"uid\":\"x\",\"name\":\"X\",\"avatar\":\"javascript:alert(1)\"}", "avatar"),
        ("{\"uid\":\"x\",\"name\":\"X\",\"joinedAt\":1700000000000}", "joinedAt"),
        ("{\"uid\":\"x\",\"name\":\"X\",\"role\":\"y\"}", "role"),
        ("{\"uid\":\"x\"}", "x is not known"),
        ("{\"uid\":\"ada\"}", "twice"),
        ("{\"uid\":\"ben\",\"scope\":\"owner\"}", "second owner"),
        ("{\"uid\":\"x\",\"na", "it ends before it is complete"),
        ("<html>", "it is not JSON from column 1 on"),
    ] {
        let refused = upload(&host, PARK, &format!("{good}{line}\n{{\"uid\":\"cy\"}}\n")).await;
        let refused = refused.refuses(422, "ERR_VALIDATION").saying("line 3").saying(word);
        assert!(refused.body["error"]["details"]["line 3"][0].is_string(), "{}", refused.body);
    }
    upload(&host, PARK, "").await.refuses(422, "ERR_VALIDATION").saying("nobody");
    host.put(PARK, json!({})).await.refuses(400, "ERR_BAD_REQUEST").saying("nobody");
    for bad in ["mode=half", "version=1.5", "versoin=1"] {
        upload(&host, &format!("{PARK}?{bad}"), &good).await.refuses(400, "ERR_BAD_REQUEST");
    }
    assert_eq!((host.members("park").await, host.head("park").await), (before, head));
    host.get("/v3/users/zoe").await.refuses(404, "ERR_UID_NOT_FOUND");
    let store = host.app.store();
    let later = store.clock().now() + 1;
    eventually("what was staged is forgotten", async || {
        store.read().await.unwrap().abandoned_sync(later).await.unwrap().is_none()
    })
    .await;
}

#[tokio::test]
async fn a_row_and_an_entry_of_a_list_in_json_are_refused_in_the_same_words() {
    let host = Host::with_cast().await;
    let before = host.members("park").await;
    for (row, words) in [
        (json!({"uid": "x", "joinedAt": "7"}), "joinedAt: a whole number"),
        (json!({"uid": "x", "joinedAt": 1.5}), "joinedAt: a whole number"),
        (json!({"uid": "x", "joinedAt": -1}), "joinedAt: whole seconds since the epoch"),
        (json!({"uid": 7}), "uid: a text"),
        (json!({"uid": "x", "name": ["X"]}), "name: a text"),
        (json!({"uid": "x", "name": "X".repeat(101)}), "name: a name has 1 to 100 characters"),
        (json!({"uid": "x", "name": ""}), "name: a name has 1 to 100 characters"),
        (json!({"uid": "x", "avatar": "ftp://x.example"}), "avatar: an http or https address or data of an image"),
        (json!({"uid": "x", "avatar": " https://x.example/x.png"}), "avatar: an http or https address"),
        (json!({"uid": "x", "role": "y"}), "role: this field is not known here"),
        (json!({"name": "X"}), "uid: this is required"),
    ] {
        let uploaded = upload(&host, PARK, &text(std::slice::from_ref(&row))).await;
        uploaded.refuses(422, "ERR_VALIDATION").saying(&format!("line 1: {words}"));
        let listed = host.put(PARK, json!({"members": [row]})).await;
        listed.refuses(400, "ERR_BAD_REQUEST").saying(&format!("members[0].{words}"));
    }
    assert_eq!(host.members("park").await, before);
}

#[tokio::test]
async fn white_space_and_empty_texts_are_refused_in_a_row_as_in_an_entry_of_a_list_in_json() {
    let host = Host::with_cast().await;
    let before = host.members("park").await;
    for row in [
        json!({"uid": " ben "}),
        json!({"uid": "ben", "scope": " admin "}),
        json!({"uid": "ben", "scope": ""}),
        json!({"uid": "ben", "name": " "}),
    ] {
        let refused = upload(&host, PARK, &text(std::slice::from_ref(&row))).await;
        refused.refuses(422, "ERR_VALIDATION").saying("line 1");
        host.put(PARK, json!({"members": [row]})).await.refuses(400, "ERR_BAD_REQUEST");
    }
    assert_eq!(host.members("park").await, before);
    let nulls = json!({"uid": "ben", "scope": null, "name": null, "avatar": null, "joinedAt": null});
    let empty = json!({"uid": "cy", "avatar": ""});
    let partial = format!("{PARK}?mode=partial");
    upload(&host, &partial, &text(&[nulls.clone(), empty.clone()])).await.is(200).result();
    host.put(&partial, json!({"members": [nulls, empty]})).await.is(200);
    assert_eq!(host.members("park").await, before);
}

#[tokio::test]
async fn an_upload_is_the_hosts_alone_and_needs_a_group() {
    let host = Host::with_cast().await;
    let rows = text(&[json!({"uid": "ada", "scope": "owner"})]);
    send(&host, PARK, &[("onBehalfOf", "ada")], &rows).await.refuses(403, "ERR_GROUP_NO_CLEARANCE");
    upload(&host, "/v3/groups/none/members", &rows).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn an_older_version_never_overwrites_a_newer_one() {
    let host = Host::with_cast().await;
    let with = |version: i64, uids: &[&str]| {
        let rows: Vec<Value> = uids.iter().map(|uid| json!({"uid": uid})).collect();
        let (host, text) = (&host, text(&rows));
        async move { upload(host, &format!("{PARK}?version={version}"), &text).await }
    };
    assert_eq!(with(7, &["dee"]).await.is(200).result()["version"], 7);
    let head = host.head("park").await;
    let stale = with(6, &["eve"]).await.refuses(409, "ERR_STALE_SYNC");
    assert_eq!(stale.body["error"]["details"]["last"], 7);
    assert_eq!(with(7, &["eve"]).await.is(200).result()["applied"], false, "the same again does nothing");
    assert_eq!(
        (host.members("park").await, host.head("park").await),
        (vec!["ada:owner".into(), "dee:participant".into()], head)
    );

    with(8, &["dee"]).await.is(200);
    assert_eq!(host.head("park").await, head, "nothing changed, and the version counts all the same");
    let list = json!({"participants": ["eve"]});
    host.put(&format!("{PARK}?version=7"), list.clone()).await.refuses(409, "ERR_STALE_SYNC").saying("8");
    host.put(&format!("{PARK}?version=9"), list).await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner", "eve:participant"]);
    host.put(PARK, json!({"participants": ["dee"]})).await.is(200);
    with(8, &["eve"]).await.refuses(409, "ERR_STALE_SYNC");
    host.delete("/v3/groups/park").await.is(200);
    host.post("/v3/groups", json!({"guid": "park", "name": "Park"})).await.is(200);
    with(1, &["eve"]).await.is(200);
    assert_eq!(host.members("park").await, ["eve:participant"], "a group made again begins anew");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_versions_that_race_the_newest_is_there_in_the_end() {
    let host = Host::with_cast().await;
    let uploads = (1..=12).rev().map(|version: i64| {
        let rows = text(&[json!({"uid": format!("v{version}"), "name": "V"}), json!({"uid": "ada", "scope": "owner"})]);
        let host = &host;
        async move { upload(host, &format!("{PARK}?version={}", version % 7), &rows).await }
    });
    let answers = futures_util::future::join_all(uploads).await;
    for answer in &answers {
        let stale = answer.status == 409 || answer.lines().last().unwrap()["error"]["code"] == "ERR_STALE_SYNC";
        assert!(stale || answer.lines().last().unwrap()["result"]["success"] == true, "{}", answer.body);
    }
    let members = host.members("park").await;
    assert_eq!(members[0], "ada:owner");
    assert_eq!(members.len(), 2, "{members:?}");
    assert_eq!(members[1], "v6:participant");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn new_names_reach_the_other_groups_of_few_one_by_one_and_of_many_in_one_event() {
    let host = Host::with_cast().await;
    let people: Vec<Value> = (0..30).map(|n| json!({"uid": format!("u{n}"), "name": format!("User {n}")})).collect();
    for guid in ["den", "pit"] {
        host.post("/v3/groups", json!({"guid": guid, "name": guid})).await.is(200);
    }
    upload(&host, "/v3/groups/den/members", &text(&people)).await.is(200);
    upload(&host, "/v3/groups/pit/members", &text(&people[..2])).await.is(200);
    let (den, pit) = (host.head("den").await, host.head("pit").await);
    let renamed: Vec<Value> = (0..30).map(|n| json!({"uid": format!("u{n}"), "name": format!("Person {n}")})).collect();
    upload(&host, &format!("{PARK}?mode=partial"), &text(&renamed)).await.is(200);
    assert_eq!(host.words("den", den).await, ["members_synced"]);
    assert_eq!(host.words("pit", pit).await, ["member_updated", "member_updated"]);
    for guid in ["den", "pit"] {
        // A group in memory follows its log; only the one that was synced is waited for by the answer.
        let path = format!("/v3/groups/{guid}/members/u1");
        eventually("the new name is in the other group", async || {
            host.get(&path).await.is(200).body["data"]["name"] == "Person 1"
        })
        .await;
        assert_eq!(host.faults().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_picture_without_a_name_is_taken_and_the_other_groups_of_its_person_are_told() {
    let host = Host::with_cast().await;
    let den = json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"participants": ["dee"]}});
    host.post("/v3/groups", den).await.is(200);
    for (round, mode) in ["full", "partial", "full", "partial"].into_iter().enumerate() {
        let (park, den) = (host.head("park").await, host.head("den").await);
        let (path, picture) = (format!("{PARK}?mode={mode}"), format!("https://x.example/{round}.png"));
        // Gus comes in by the first list, and Dee is inside.
        let people = ["dee", "gus"].map(|uid| json!({"uid": uid, "avatar": picture}));
        if round < 2 {
            upload(&host, &path, &text(&people)).await.is(200).result();
        } else {
            host.put(&path, json!({"members": people})).await.is(200);
        }
        for (uid, name) in [("dee", "Dee"), ("gus", "Gus")] {
            let user = host.get(&format!("/v3/users/{uid}")).await.is(200).body["data"].clone();
            assert_eq!((&user["name"], &user["avatar"]), (&json!(name), &json!(picture)), "{round} {mode}");
        }
        let words = (host.words("park", park).await, host.words("den", den).await);
        assert_eq!(words, (vec!["members_synced"], vec!["member_updated"]), "{round} {mode}");
    }
    let dee = host.get("/v3/groups/park/members/dee").await.is(200).body["data"].clone();
    assert_eq!(dee["avatar"], "https://x.example/3.png", "{dee}");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

/// The cast, with a key for the host.
pub(super) async fn world() -> World {
    World::with(|config| config.api_keys = vec![Secret::new(KEY)]).await
}

pub(super) fn text(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

pub(super) async fn upload(host: &Host, path: &str, rows: &str) -> Answer {
    send(host, path, &[], rows).await
}

async fn send(host: &Host, path: &str, headers: &[(&str, &str)], rows: &str) -> Answer {
    let mut request =
        Request::builder().method("PUT").uri(path).header("apikey", KEY).header("content-type", "application/x-ndjson");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    host.send(request.body(Body::from(rows.to_owned())).unwrap()).await
}

impl Answer {
    /// The lines of NDJSON.
    pub fn lines(&self) -> Vec<Value> {
        match &self.body {
            Value::String(text) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            one => vec![one.clone()],
        }
    }

    /// The result in the last line of an upload's answer.
    #[track_caller]
    fn result(&self) -> Value {
        let lines = self.lines();
        let last = lines.last().unwrap();
        assert!(last["result"].is_object(), "{last}");
        last["result"].clone()
    }
}

#[tokio::test]
async fn whoever_is_listed_without_a_scope_keeps_theirs_and_somebody_new_is_a_participant() {
    let host = Host::with_cast().await;
    let rows = |uids: &[&str]| -> Vec<Value> { uids.iter().map(|uid| json!({"uid": uid, "name": uid})).collect() };
    let everybody = ["ada", "ben", "cy", "dee", "zoe"];
    let all = upload(&host, PARK, &text(&rows(&everybody))).await.is(200).result();
    assert_eq!((&all["changed"], &all["removed"]), (&json!(5), &json!(1)), "names, Zoe, and Eve is out: {all}");
    let members = ["ada:owner", "ben:admin", "cy:moderator", "dee:participant", "zoe:participant"];
    assert_eq!(host.members("park").await, members);
    let again = upload(&host, &format!("{PARK}?mode=partial"), &text(&rows(&everybody))).await.is(200).result();
    assert_eq!((&again["changed"], &again["removed"]), (&json!(0), &json!(0)), "{again}");
    for mode in ["full", "partial"] {
        let mut handed_over = rows(&everybody);
        let (old, new) = if mode == "full" { ("ada", "ben") } else { ("ben", "ada") };
        handed_over[everybody.iter().position(|uid| *uid == new).unwrap()]["scope"] = json!("owner");
        upload(&host, &format!("{PARK}?mode={mode}"), &text(&handed_over)).await.is(200);
        assert_eq!(host.members("park").await[..2], [format!("{new}:owner"), format!("{old}:admin")], "{mode}");
    }
    let kept = host.members("park").await;
    assert_eq!(kept[2..], members[2..]);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_upload_with_the_scope_that_somebody_has_for_a_time_leaves_its_end_and_one_with_another_makes_that_last() {
    let host = Host::with_cast().await;
    let path = "/v3/groups/park/members/dee";
    host.put(path, json!({"scope": "moderator", "until": 3600})).await.is(200);
    let end = host.get(path).await.is(200).body["data"]["scopeUntil"].clone();
    assert!(end.is_string(), "{end}");
    let partial = format!("{PARK}?mode=partial");
    for row in [
        json!({"uid": "dee", "scope": "moderator"}),
        json!({"uid": "dee", "scope": "moderator", "scopeUntil": end}),
        json!({"uid": "dee", "scope": "moderator", "name": "Deirdre", "joinedAt": 7}),
        json!({"uid": "dee"}),
    ] {
        upload(&host, &partial, &text(std::slice::from_ref(&row))).await.is(200).result();
        let dee = host.get(path).await.is(200).body["data"].clone();
        assert_eq!((&dee["scope"], &dee["scopeUntil"]), (&json!("moderator"), &end), "{row}");
    }
    upload(&host, &partial, &text(&[json!({"uid": "dee", "scope": "admin"})])).await.is(200).result();
    let dee = host.get(path).await.is(200).body["data"].clone();
    assert_eq!((&dee["scope"], dee.get("scopeUntil")), (&json!("admin"), None));
    host.app.clock().advance(2 * 3_600_000);
    assert!(!host.app.store().read().await.unwrap().any_ended().await.unwrap(), "nothing is left to end");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_scope_that_ends_is_given_to_nobody_by_an_upload() {
    let host = Host::with_cast().await;
    host.put("/v3/groups/park/members/dee", json!({"scope": "admin", "until": 600})).await.is(200);
    let end = host.get("/v3/groups/park/members/dee").await.is(200).body["data"]["scopeUntil"].clone();
    host.delete("/v3/groups/park/members/dee").await.is(200);
    let cy_before = host.get("/v3/groups/park/members/cy").await.is(200).body["data"]["scope"].clone();
    let row = |uid: &str| json!({"uid": uid, "name": uid, "scope": "admin", "scopeUntil": end});
    upload(&host, &format!("{PARK}?mode=partial"), &text(&[row("dee"), row("cy"), row("zoe")])).await.is(200).result();
    for (uid, scope) in [("dee", &json!("participant")), ("cy", &cy_before), ("zoe", &json!("participant"))] {
        let member = host.get(&format!("/v3/groups/park/members/{uid}")).await.is(200).body["data"].clone();
        assert_eq!((&member["scope"], member.get("scopeUntil")), (scope, None), "{uid}");
    }
    assert_eq!(host.faults().await, Vec::<String>::new());
}
