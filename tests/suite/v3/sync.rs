//! `PUT /v3/groups/{guid}/members`: a group in step with the host's own data. And the sync that
//! `import` uses, where it touches other groups.

use chat_group_members::domain::{Group, GroupType, Name, Scope};
use chat_group_members::membership::{self, ActError};
use chat_group_members::store::SyncRow;
use serde_json::{Value, json};

use super::Host;

#[tokio::test]
async fn the_members_become_exactly_the_list_in_one_event() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    let list = json!({
        "owner": "ada",
        "admins": ["cy"],
        "members": [{"uid": "ada", "name": "Ada L."}, {"uid": "zoe", "name": "Zoe", "joinedAt": 7}],
        "participants": ["dee", "gus"],
    });
    let report = host.put("/v3/groups/park/members", list.clone()).await.is(200).body["data"].clone();
    assert_eq!(
        (&report["membersCount"], &report["removed"], &report["changed"], &report["banned"]),
        (&json!(5), &json!(2), &json!(4), &json!([]))
    );
    assert_eq!(
        host.members("park").await,
        ["ada:owner", "cy:admin", "dee:participant", "gus:participant", "zoe:participant"]
    );
    assert_eq!(host.words("park", park).await, ["members_synced"]);

    let again = host.put("/v3/groups/park/members", list).await.is(200).body["data"].clone();
    assert_eq!((&again["removed"], &again["changed"]), (&json!(0), &json!(0)));
    assert_eq!(host.head("park").await, park + 1, "again is no event");
}

#[tokio::test]
async fn whoever_is_listed_in_members_without_a_scope_keeps_theirs_and_somebody_new_is_a_participant() {
    let host = Host::with_cast().await;
    let path = "/v3/groups/park/members";
    let people = |uids: &[&str]| -> Vec<Value> { uids.iter().map(|uid| json!({"uid": uid, "name": uid})).collect() };
    for mode in ["partial", "full"] {
        let list = json!({"members": people(&["ada", "ben", "cy", "dee", "eve", "gus"])});
        host.put(&format!("{path}?mode={mode}"), list).await.is(200);
        let members =
            ["ada:owner", "ben:admin", "cy:moderator", "dee:participant", "eve:participant", "gus:participant"];
        assert_eq!(host.members("park").await, members, "{mode}");
    }
    let list = json!({"owner": "ben", "members": people(&["ada", "ben"]), "participants": ["cy"]});
    host.put(path, list).await.is(200);
    assert_eq!(host.members("park").await, ["ben:owner", "ada:admin", "cy:participant"], "participants says the scope");
    let added = json!({"members": people(&["eve"])});
    host.post(path, added).await.is(200);
    assert_eq!(host.members("park").await[3], "eve:participant");
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_sync_never_lifts_a_ban() {
    let host = Host::with_cast().await;
    let report =
        host.put("/v3/groups/park/members", json!({"owner": "ada", "participants": ["flo", "dee"]})).await.is(200);
    assert_eq!(report.body["data"]["banned"], json!(["flo"]));
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
    assert_eq!(host.get("/v3/groups/park/bannedusers").await.is(200).body["data"][0]["uid"], "flo");
}

#[tokio::test]
async fn a_ban_that_has_run_out_goes_when_its_person_is_listed() {
    let host = Host::with_cast().await;
    host.post("/v3/groups/park/bannedusers/dee", json!({"until": 60})).await.is(200);
    host.app.clock().advance(61_000);
    host.put("/v3/groups/park/members", json!({"owner": "ada", "participants": ["dee"]})).await.is(200);
    assert!(!host.app.store().read().await.unwrap().any_ended().await.unwrap());
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant"]);
}

#[tokio::test]
async fn whatever_comes_at_once_leaves_one_owner_and_a_log_without_holes() {
    let host = Host::with_cast().await;
    let mut asked = Vec::new();
    for round in 0..20 {
        let owner = ["ada", "ben", "cy"][round % 3];
        let others: Vec<&str> = ["ada", "ben", "cy", "dee", "eve"].into_iter().filter(|uid| *uid != owner).collect();
        asked.push(("PUT", "/v3/groups/park/members", Some(json!({"owner": owner, "participants": others}))));
        asked.push(("PATCH", "/v3/groups/park/owner", Some(json!({"owner": "eve"}))));
        asked.push((
            "POST",
            "/v3/groups/park/members",
            Some(json!({"participants": ["gus", "zoe"], "usersToBan": ["dee"]})),
        ));
        asked.push(("DELETE", "/v3/groups/park/bannedusers/dee", None));
        asked.push(("PUT", "/v3/users/eve", Some(json!({"name": format!("Eve {round}")}))));
    }
    let answers =
        futures_util::future::join_all(asked.into_iter().map(|(method, path, body)| host.ask(method, path, &[], body)))
            .await;
    let failed: Vec<_> = answers.iter().filter(|answer| answer.status.as_u16() >= 500).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(host.faults().await, Vec::<String>::new());
    let members = host.members("park").await;
    assert_eq!(members.iter().filter(|member| member.ends_with(":owner")).count(), 1, "{members:?}");
}

#[tokio::test]
async fn a_sync_hands_the_group_over_and_never_leaves_it_without_an_owner_or_with_two() {
    let host = Host::with_cast().await;
    let before = host.members("park").await;
    let owner = |uid: &str| json!({"uid": uid, "scope": "owner"});
    let cases = [
        (json!({"owner": "ada", "members": [owner("ben")]}), "members[0].scope", "ben would be a second owner"),
        (json!({"members": [owner("ada"), owner("ben")]}), "members[1].scope", "ada is the first"),
        (json!({"owner": "flo", "participants": ["ada"]}), "owner", "banned"),
        (json!({"owner": "ada", "usersToBan": ["dee"]}), "usersToBan", "not known"),
        (json!({"owner": "ada", "tags": ["x"]}), "tags", "not known"),
    ];
    for (list, field, words) in cases {
        let refused = host.put("/v3/groups/park/members", list).await.refuses(400, "ERR_BAD_REQUEST").saying(words);
        let named = &refused.body["error"]["details"][field][0];
        assert!(named.as_str().is_some_and(|sentence| sentence.contains(words)), "{field}: {}", refused.body);
    }
    host.put("/v3/groups/park/members", json!({"owner": "ada", "participants": ["zoe"]}))
        .await
        .refuses(404, "ERR_UID_NOT_FOUND")
        .saying("zoe");
    host.put("/v3/groups/park/members", json!({"owner": "zoe"})).await.refuses(404, "ERR_UID_NOT_FOUND").saying("zoe");
    assert_eq!(host.members("park").await, before, "nothing of a refused list is applied");

    let dee = json!({"owner": "dee", "members": [owner("dee")], "admins": ["ada", "ben"]});
    host.put("/v3/groups/park/members", dee).await.is(200);
    assert_eq!(host.members("park").await, ["dee:owner", "ada:admin", "ben:admin"]);
    host.put("/v3/groups/park/members", json!({"owner": "gus"})).await.is(200);
    assert_eq!(host.members("park").await, ["gus:owner"]);
}

#[tokio::test]
async fn a_sync_is_the_hosts_alone_and_needs_a_group() {
    let host = Host::with_cast().await;
    host.as_user("ada", "PUT", "/v3/groups/park/members", Some(json!({"owner": "ada"})))
        .await
        .refuses(403, "ERR_GROUP_NO_CLEARANCE");
    host.put("/v3/groups/none/members", json!({"owner": "ada"})).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_body_that_lists_nobody_is_refused_as_a_whole_group_and_changes_nothing_as_a_part_of_it() {
    let host = Host::with_cast().await;
    let (before, head) = (host.members("park").await, host.head("park").await);
    for body in [json!({}), json!({"admins": null}), json!({"owner": null, "members": null})] {
        let refused = host.put("/v3/groups/park/members", body.clone()).await;
        refused.refuses(400, "ERR_BAD_REQUEST").saying("nobody is listed");
        let report = host.put("/v3/groups/park/members?mode=partial", body).await.is(200).body["data"].clone();
        assert_eq!((&report["membersCount"], &report["changed"]), (&json!(5), &json!(0)), "{report}");
    }
    assert_eq!((host.members("park").await, host.head("park").await), (before, head));
    let document = host.get("/openapi.json").await.is(200).body;
    assert!(document["components"]["schemas"]["FullSync"].get("minProperties").is_none());
    let body = &document["paths"]["/v3/groups/{guid}/members"]["put"]["requestBody"];
    assert_eq!(body["required"], false, "which mode needs a list is said in words");
}

#[tokio::test]
async fn ten_thousand_members_are_synced_and_gone_again() {
    let host = Host::with_cast().await;
    let people: Vec<Value> =
        (0..10_000).map(|n| json!({"uid": format!("u{n}"), "name": format!("User {n}")})).collect();
    let report = host.put("/v3/groups/park/members", json!({"owner": "ada", "members": people})).await.is(200);
    assert_eq!((&report.body["data"]["membersCount"], &report.body["data"]["removed"]), (&json!(10_001), &json!(4)));
    assert_eq!(host.get("/v3/groups/park").await.is(200).body["data"]["membersCount"], 10_001);
    host.put("/v3/groups/park/members", json!({"owner": "ada"})).await.is(200);
    assert_eq!(host.members("park").await, ["ada:owner"]);
}

#[tokio::test]
async fn a_list_of_more_than_a_megabyte_is_refused_with_its_limit_and_nothing_of_it_is_applied() {
    let host = Host::with_cast().await;
    let (before, head) = (host.members("park").await, host.head("park").await);
    let people: Vec<String> = (0..11_000).map(|number| format!("{number:0>100}")).collect();
    let list = json!({"owner": "ada", "participants": people});
    assert!(list.to_string().len() > 1024 * 1024);
    host.put("/v3/groups/park/members", list).await.refuses(413, "ERR_TOO_LARGE").saying("at most 1024 kB");
    assert_eq!((host.members("park").await, host.head("park").await), (before, head));
}

#[tokio::test]
async fn a_sync_that_renames_somebody_tells_their_other_groups() {
    let host = Host::with_cast().await;
    host.post(
        "/v3/groups",
        json!({"guid": "den", "name": "Den", "owner": "ada", "members": {"participants": ["dee"]}}),
    )
    .await
    .is(200);
    let (park, den) = (host.head("park").await, host.head("den").await);
    sync(&host, "park", vec![row("ada", Some("Ada"), Scope::Owner), row("dee", Some("Deirdre"), Scope::Participant)])
        .await
        .unwrap();
    assert_eq!(
        (host.words("park", park).await, host.words("den", den).await),
        (vec!["members_synced"], vec!["member_updated"])
    );
    assert_eq!(host.get("/v3/groups/den/members/dee").await.is(200).body["data"]["name"], "Deirdre");

    sync(&host, "park", vec![row("ada", Some("Ada"), Scope::Owner), row("dee", Some("Deirdre"), Scope::Participant)])
        .await
        .unwrap();
    assert_eq!((host.head("park").await, host.head("den").await), (park + 1, den + 1), "again is no event");
}

#[tokio::test]
async fn a_new_group_of_people_who_are_known_elsewhere_tells_of_their_new_names_there() {
    let host = Host::with_cast().await;
    let park = host.head("park").await;
    sync(&host, "pit", vec![row("ben", Some("Benno"), Scope::Owner)]).await.unwrap();
    assert_eq!(
        (host.words("park", park).await, host.words("pit", 0).await),
        (vec!["member_updated"], vec!["group_created", "members_synced"])
    );
}

#[tokio::test]
async fn somebody_nobody_has_named_is_told_by_uid() {
    let host = Host::with_cast().await;
    let error = sync(&host, "park", vec![row("dee", None, Scope::Moderator), row("zoe", None, Scope::Participant)])
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "there is no user zoe");
    let empty = Host::new().await;
    let error = sync(&empty, "pit", vec![row("zoe", None, Scope::Owner)]).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no user zoe");
    sync(&host, "park", vec![row("dee", None, Scope::Moderator)]).await.unwrap();
    assert_eq!(host.members("park").await[3], "dee:moderator");
}

async fn sync(host: &Host, guid: &str, rows: Vec<SyncRow>) -> Result<(), ActError> {
    let group = Group {
        guid: guid.parse().unwrap(),
        name: Name::parse(guid).unwrap(),
        group_type: GroupType::Private,
        icon: None,
        description: None,
    };
    membership::sync(host.app.store(), group, None, false, rows.into_iter().map(Ok)).await?;
    let room = host.app.hub().group(&guid.parse().unwrap()).await?.unwrap();
    Ok(host.app.hub().refresh(&room).await?)
}

fn row(uid: &str, name: Option<&str>, scope: Scope) -> SyncRow {
    SyncRow {
        uid: uid.parse().unwrap(),
        name: name.map(|name| Name::parse(name).unwrap()),
        avatar: None,
        scope: Some(scope),
        joined_at: None,
    }
}
