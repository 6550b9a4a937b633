//! The log, as hosts read it themselves.

use std::collections::BTreeMap;

use chat_group_members::domain::{GroupType, Scope};
use serde_json::{Value, json};

use super::Host;
use crate::support::{World, by_host, eventually, row};

/// The data of each event, by its number.
fn by_seq(body: &Value) -> BTreeMap<u64, Value> {
    let entries = body["data"].as_array().unwrap().iter();
    entries.map(|entry| (entry["data"]["seq"].as_u64().unwrap(), entry.clone())).collect()
}

#[tokio::test]
async fn a_group_begins_with_its_creation_and_owner_in_each_of_its_lives() {
    let host = Host::with_cast().await;
    host.delete("/v3/groups/park").await.is(200);
    host.post("/v3/groups", json!({"guid": "park", "name": "Park", "owner": "ben"})).await.is(200);
    let body = host.get("/v3/groups/park/events").await.is(200).body;
    let types: Vec<_> = body["data"].as_array().unwrap().iter().map(|entry| entry["type"].as_str().unwrap()).collect();
    let added = ["member.added"; 4];
    let first = [&["group.created"][..], &added, &["member.banned", "group.deleted"]].concat();
    assert_eq!(types, [&first[..], &["group.created"]].concat());
    let created = &body["data"][0]["data"];
    assert_eq!(
        (&created["member"]["uid"], &created["member"]["scope"], &created["old"], &created["new"], &created["by"]),
        (&json!("ada"), &json!("owner"), &json!(null), &json!("owner"), &json!(null))
    );
    assert_eq!(created["seq"], 1);
    assert_eq!(body["data"][7]["data"]["member"]["uid"], "ben");
}

#[tokio::test]
async fn an_event_about_somebody_outside_does_not_tell_when_they_joined_later() {
    let host = Host::with_cast().await;
    let since = host.head("park").await;
    host.delete("/v3/groups/park/bannedusers/flo").await.is(200);
    host.post("/v3/groups/park/members", json!({"participants": ["flo"]})).await.is(200);
    let body = host.get(&format!("/v3/groups/park/events?after={since}")).await.is(200).body;
    let events = by_seq(&body);
    let [unban, joining] = [1, 2].map(|step| &events[&(since + step)]);
    assert_eq!((&unban["type"], &joining["type"]), (&json!("member.unbanned"), &json!("member.added")));
    assert_eq!((&unban["data"]["member"]["scope"], &unban["data"]["member"]["joinedAt"]), (&json!(null), &json!(null)));
    assert!(joining["data"]["member"]["joinedAt"].is_i64(), "{joining}");
}

#[tokio::test]
async fn an_event_is_told_as_it_was_with_names_as_they_are() {
    let host = Host::with_cast().await;
    let since = host.head("park").await;
    host.as_user("ben", "PUT", "/v3/groups/park/members/dee", Some(json!({"scope": "moderator"}))).await.is(200);
    host.as_user("ben", "POST", "/v3/groups/park/bannedusers/eve", Some(json!({"reason": "spam", "until": 3600})))
        .await
        .is(200);
    host.patch("/v3/groups/park/owner", json!({"owner": "ben"})).await.is(200);
    host.put("/v3/users/dee", json!({"name": "Dee Two"})).await.is(200);
    host.delete("/v3/groups/park/members/dee").await.is(200);
    let body = host.get(&format!("/v3/groups/park/events?after={since}")).await.is(200).body;
    let events = by_seq(&body);
    let [scope, ban, transfer, update, kick] = [1, 2, 3, 4, 5].map(|step| &events[&(since + step)]);

    assert_eq!(scope["type"], "member.scope_changed");
    assert!(scope["id"].as_str().unwrap().starts_with("evt_"));
    let data = &scope["data"];
    assert_eq!(
        data["member"],
        json!({"uid": "dee", "name": "Dee Two", "avatar": null, "scope": "moderator",
        "joinedAt": data["member"]["joinedAt"]})
    );
    assert_eq!((&data["old"], &data["new"]), (&json!("participant"), &json!("moderator")));
    assert_eq!(data["by"], json!({"uid": "ben", "name": "Ben"}));
    assert_eq!(data["at"], scope["timestamp"]);
    assert_eq!(
        data["group"],
        json!({"guid": "park", "name": "Park", "type": "public", "icon": null,
        "description": null, "owner": "ben", "membersCount": 3})
    );

    assert_eq!((&ban["type"], &ban["data"]["reason"]), (&json!("member.banned"), &json!("spam")));
    assert!(
        ban["data"]["until"].is_string() && ban["data"]["new"].is_null() && ban["data"]["member"]["scope"].is_null()
    );

    assert_eq!(transfer["type"], "owner.transferred");
    let scopes: Vec<_> = transfer["data"]["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["uid"].as_str().unwrap(), one["old"].as_str().unwrap(), one["new"].as_str().unwrap()))
        .collect();
    assert_eq!(scopes, [("ben", "admin", "owner"), ("ada", "owner", "admin")]);
    assert_eq!(transfer["data"]["member"]["uid"], "ben");
    assert_eq!(update["type"], "member.updated");
    assert_eq!(
        (&kick["type"], &kick["data"]["old"], &kick["data"]["by"]),
        (&json!("member.kicked"), &json!("moderator"), &json!(null))
    );
}

#[tokio::test]
async fn every_event_says_how_it_came_about() {
    let world = World::with(|config| config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)]).await;
    let since = world.head("den").await;
    world.cy.kick("dee").await.ok();
    let undo = format!("/groups/den/events/{}/undo", since + 1);
    world.cy.act(reqwest::Method::POST, &undo, json!({})).await.ok();
    world.host_kicks("den", "eve").await;
    let list = [row("ada", "Ada Lovelace", Scope::Owner, None), row("zoe", "Zoe", Scope::Participant, None)];
    world.sync("den", GroupType::Private, list.into()).await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    world.clock.advance(61_000);
    eventually("the mute has ended", || async { world.head("den").await == since + 6 }).await;
    chat_group_members::membership::delete_group(world.app.store(), by_host("den")).await.unwrap();
    let path = format!("/v3/groups/den/events?after={since}");
    let request = world.ada.anonymous(reqwest::Method::GET, &path).header("apikey", super::KEY);
    let body = crate::support::actor::send(request).await.ok().json();
    let entries = body["data"].as_array().unwrap().iter();
    let causes: Vec<_> = entries.map(|entry| (&entry["type"], &entry["data"]["cause"])).collect();
    let came_about = [
        ["member.kicked", "viewer"],
        ["member.added", "undo"],
        ["member.kicked", "host"],
        ["members.synced", "sync"],
        ["member.muted", "viewer"],
        ["member.unmuted", "ended"],
        ["group.deleted", "host"],
    ];
    let came_about = came_about.map(|words| words.map(|word| json!(word)));
    let came_about: Vec<_> = came_about.iter().map(|[kind, cause]| (kind, cause)).collect();
    assert_eq!(causes, came_about);
}

#[tokio::test]
async fn the_log_is_read_by_pages_and_says_when_it_cannot_go_on() {
    let host = Host::with_cast().await;
    let head = host.head("park").await;
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let body = host.get(&format!("/v3/groups/park/events?after={after}&limit=2")).await.is(200).body;
        seen.extend(by_seq(&body).into_keys());
        assert_eq!(body["meta"]["seq"], head);
        match body["meta"]["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!(seen, (1..=head).collect::<Vec<_>>());
    let epoch = host.get("/v3/groups/park/events").await.is(200).body["meta"]["epoch"].as_str().unwrap().to_owned();
    let end = host.get(&format!("/v3/groups/park/events?after={head}&epoch={epoch}")).await.is(200).body;
    assert_eq!((&end["data"], &end["meta"]["next"]), (&json!([]), &json!(null)));
    host.get("/v3/groups/park/events?epoch=another").await.refuses(410, "ERR_EVENTS_GONE").saying("snapshot");
    host.get(&format!("/v3/groups/park/events?after={}", head + 1)).await.refuses(410, "ERR_EVENTS_GONE");
    host.get("/v3/groups/nowhere/events").await.is(404);
    host.get("/v3/groups/park/events?after=-1").await.is(400);
    host.get("/v3/groups/park/events?limit=0").await.is(400);
    host.get("/v3/groups/park/events?before=1").await.is(400);
    host.as_user("ada", "GET", "/v3/groups/park/events", None).await.is(403);
}

#[tokio::test]
async fn an_event_that_is_not_there_has_no_people() {
    let host = Host::with_cast().await;
    let last = host.head("park").await;
    host.get(&format!("/v3/groups/park/events/{last}/members")).await.is(200);
    for seq in [&*(last + 1).to_string(), "0", "-1", "last"] {
        let answer = host.get(&format!("/v3/groups/park/events/{seq}/members")).await;
        answer.refuses(404, "ERR_API_NOT_FOUND").saying("no event of this number");
    }
    host.get("/v3/groups/none/events/1/members").await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_nul_character_names_nothing_and_is_no_value() {
    let host = Host::with_cast().await;
    for path in ["/v3/groups/park/events/1/members?cursor=%00", "/v3/groups?searchKey=a%00b", "/v3/users?tags[]=%00"] {
        host.get(path).await.refuses(400, "ERR_BAD_REQUEST").saying("NUL");
    }
    for path in ["/v3/webhooks/%00/pause", "/v3/webhooks/a%ff/test"] {
        host.post(path, json!({})).await.refuses(404, "ERR_API_NOT_FOUND");
    }
    for path in ["/v3/users/%ff", "/v3/users/ada%00/groups", "/v3/groups/park/members/%ff", "/v3/users/a%ff/export"] {
        host.get(path).await.refuses(404, "ERR_UID_NOT_FOUND");
    }
    for path in ["/v3/groups/%ff", "/v3/groups/park%00/members/ada", "/v3/groups/%ff/members/%ff"] {
        host.get(path).await.refuses(404, "ERR_GUID_NOT_FOUND");
    }
    host.get("/v3/groups/park/events/%ff/members").await.refuses(404, "ERR_API_NOT_FOUND");
}

#[tokio::test]
async fn a_page_of_nothing_is_refused_wherever_it_is_asked_for() {
    let host = Host::with_cast().await;
    let pages =
        ["/v3/users", "/v3/groups", "/v3/groups/park/members", "/v3/groups/park/bannedusers", "/v3/users/dee/groups"];
    let pages = pages.iter().flat_map(|path| ["perPage", "per_page", "page"].map(|name| (path.to_string(), name)));
    let events = ["", "/1/members"].map(|rest| (format!("/v3/groups/park/events{rest}"), "limit"));
    for (path, name) in pages.chain(events) {
        for number in ["0", "-1", "1001000000000", "ten"] {
            let answer = host.get(&format!("{path}?{name}={number}")).await;
            answer.refuses(400, "ERR_BAD_REQUEST").saying("a number from 1 to");
        }
    }
}

#[tokio::test]
async fn a_page_of_the_log_ends_with_the_event_that_makes_it_name_thousands_of_people() {
    let world =
        World::empty(|config| config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)]).await;
    for round in 0..12 {
        let scope = if round % 2 == 0 { Scope::Participant } else { Scope::Moderator };
        let others = (1..500).map(|number| row(&format!("p{number:04}"), "Somebody", scope, None));
        let list = std::iter::once(row("ada", "Ada", Scope::Owner, None)).chain(others).collect();
        world.sync("den", GroupType::Public, list).await;
    }
    let (mut after, mut seen) = (1, Vec::new());
    loop {
        let path = format!("/v3/groups/den/events?after={after}&limit=1000");
        let request = world.ada.anonymous(reqwest::Method::GET, &path).header("apikey", super::KEY);
        let page = crate::support::actor::send(request).await.ok().json();
        let events = by_seq(&page);
        let people: usize = events.values().map(|event| event["data"]["members"].as_array().unwrap().len()).sum();
        assert!(people < 5_500, "{people}");
        seen.extend(events.into_keys());
        match page["meta"]["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!(seen, (2..=13).collect::<Vec<_>>(), "each once, over several pages");
}

#[tokio::test]
async fn whom_a_large_sync_touched_is_counted_and_read_by_pages() {
    let world =
        World::empty(|config| config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)]).await;
    let people = |count: usize| {
        let owner = row("ada", "Ada", Scope::Owner, None);
        let others = (1..count).map(|number| row(&format!("p{number:04}"), "Somebody", Scope::Participant, None));
        std::iter::once(owner).chain(others).collect::<Vec<_>>()
    };
    world.sync("small", GroupType::Public, people(500)).await;
    world.sync("large", GroupType::Public, people(501)).await;
    let get = async |path: &str| {
        let request = world.ada.anonymous(reqwest::Method::GET, path).header("apikey", super::KEY);
        crate::support::actor::send(request).await.ok().json()
    };
    let small = get("/v3/groups/small/events?after=1").await["data"][0]["data"].clone();
    assert_eq!(small["members"].as_array().unwrap().len(), 500);
    assert_eq!(small["counts"], json!({"touched": 500, "joined": 500, "left": 0, "changed": 0}));
    assert_eq!(
        small["members"][1],
        json!({"uid": "p0001", "name": "Somebody", "avatar": null, "scope": "participant",
        "joinedAt": 1_700_000_000, "old": null, "new": "participant"})
    );
    let large = get("/v3/groups/large/events?after=1").await["data"][0]["data"].clone();
    assert!(large.get("members").is_none(), "too many");
    assert_eq!(large["counts"]["joined"], 501);
    let url = large["membersUrl"].as_str().unwrap();
    assert_eq!(url, "/v3/groups/large/events/2/members");
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    loop {
        let page = get(&format!("{url}?limit=200&cursor={cursor}")).await;
        seen.extend(page["data"].as_array().unwrap().iter().map(|one| one["uid"].as_str().unwrap().to_owned()));
        match page["meta"]["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    assert_eq!(seen.len(), 501);
    assert!(seen.is_sorted());
}
