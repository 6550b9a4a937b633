//! Everything that is stored about a person.

use chat_group_members::config::{Secret, Webhook};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, SqliteConnection};

use super::zora::erase;
use super::{host, world};
use crate::support::actor::send;
use crate::support::{World, eventually, uid};
use crate::v3::KEY;
use crate::webhooks::receiver::Receiver;
use crate::webhooks::webhook;

/// Each table that holds something about a person, and where an export has it.
const EXPORTED: [(&str, &str); 13] = [
    ("users", "/user"),
    ("members", "/memberships/0"),
    ("temporary_scopes", "/memberships/0/scopeUntil"),
    ("bans", "/bans/0"),
    ("mutes", "/mutes/0"),
    ("notes", "/notes/0"),
    ("touched", "/events/0"),
    ("events", "/acts/0"),
    ("idempotency", "/idempotencyKeys/0"),
    ("outbox", "/outbox/0"),
    ("reported_presence", "/presenceTold"),
    ("attendance", "/presenceReport"),
    ("logouts", "/loggedOutAt"),
];

/// Each other table, and why an export has nothing of it.
const NOT_EXPORTED: [(&str, &str); 13] = [
    ("_sqlx_migrations", "names nobody"),
    ("facts", "names nobody"),
    ("groups", "names nobody"),
    ("nodes", "names nobody"),
    ("presence_reporter", "names nobody"),
    ("webhook_endpoints", "names nobody"),
    ("webhook_positions", "positions in lanes, none of which has a person's uid"),
    ("outbox_lanes", "the last numbers of lanes, none of which has a person's uid"),
    ("syncs", "names nobody"),
    ("sync_rows", "a list of the host's on its way, gone when it is applied"),
    ("sync_renames", "who has another name, gone when their groups are told"),
    ("erasures", "who is being erased, for seconds"),
    ("erasure_positions", "where the groups of somebody are who is being erased, for seconds"),
];

#[tokio::test]
async fn what_is_stored_about_a_person_is_exported_table_by_table() {
    let world = world().await;
    world.cy.request(Method::DELETE, "/groups/park/members/eve").header("idempotency-key", "k1").send().await.unwrap();
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Loud."})).await.ok();
    world.ada.act(Method::POST, "/groups/den/members/cy/notes", json!({"text": "Helpful."})).await.ok();
    world.cy.ban("dee", json!({"reason": "noise"})).await.ok();
    world.ada.set_scope("cy", "participant").await.ok();
    host(&world, Method::DELETE, "/v3/users/cy/auth_tokens", None).await.ok();
    world.app.hub().set_host_presence(&uid("cy"), true);

    let exported = host(&world, Method::GET, "/v3/users/cy/export", None).await.ok().json();
    let data = &exported["data"];
    assert_eq!((&data["uid"], &data["user"]["name"]), (&json!("cy"), &json!("Cy Marlowe")));
    assert_eq!(data["presence"]["status"], "online");
    assert!(data["loggedOutAt"].is_string());
    let guids = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|row| row["guid"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(guids(&data["memberships"]), ["den", "park", "vault"]);
    assert_eq!(
        data["memberships"][0],
        json!({"guid": "den", "scope": "participant", "joinedAt": 1_700_000_000, "scopeUntil": null, "lastingScope": null})
    );
    let ban = &data["bans"][0];
    assert_eq!((&ban["uid"], &ban["reason"], &ban["by"]), (&json!("dee"), &json!("noise"), &json!("cy")));
    let acts: Vec<_> = data["acts"].as_array().unwrap().iter().map(|act| (&act["guid"], &act["kind"])).collect();
    assert_eq!(
        acts,
        [
            (&json!("den"), &json!("note_added")),
            (&json!("den"), &json!("member_banned")),
            (&json!("park"), &json!("member_kicked"))
        ]
    );
    let last = data["events"].as_array().unwrap().iter().rfind(|event| event["guid"] == "den").unwrap();
    assert_eq!(
        (&last["kind"], &last["old"], &last["new"]),
        (&json!("member_scope_changed"), &json!("moderator"), &json!("participant"))
    );
    let notes: Vec<_> = data["notes"].as_array().unwrap().iter().map(|note| (&note["uid"], &note["text"])).collect();
    assert_eq!(notes, [(&json!("cy"), &json!("Helpful.")), (&json!("dee"), &json!("Loud."))], "about them and by them");
    assert_eq!((&data["notes"][0]["by"], &data["notes"][0]["guid"]), (&json!("ada"), &json!("den")));
    assert_eq!(data["idempotencyKeys"][0]["key"], "k1");
    assert_eq!(data["idempotencyKeys"][0]["by"], "cy");

    assert_eq!(data["presenceReport"], json!({"status": "online", "until": null}));
    assert_eq!(data["presenceTold"], Value::Null, "no webhook is told of anybody");
    let report = json!({"status": "away", "ttl": 60});
    host(&world, Method::PUT, "/v3/users/cy/presence", Some(report)).await.ok();
    let reported = host(&world, Method::GET, "/v3/users/cy/export", None).await.ok().json();
    assert_eq!(reported["data"]["presenceReport"]["status"], "away");
    assert!(reported["data"]["presenceReport"]["until"].is_string());

    let banned = host(&world, Method::GET, "/v3/users/flo/export", None).await.ok().json();
    assert_eq!(banned["data"]["bans"][0]["reason"], "spam");
    assert_eq!(banned["data"]["memberships"], json!([]));
    assert_eq!(host(&world, Method::GET, "/v3/users/nobody/export", None).await.status, 404);
    let on_behalf = world.ada.anonymous(Method::GET, "/v3/users/ada/export").header("apikey", crate::v3::KEY);
    assert_eq!(on_behalf.header("onbehalfof", "ada").send().await.unwrap().status(), 403);
}

async fn exported(world: &World, uid: &str) -> Value {
    host(world, Method::GET, &format!("/v3/users/{uid}/export"), None).await.ok().json()["data"].clone()
}

/// The names of all tables of the database.
async fn tables(world: &World) -> Vec<String> {
    let url = &world.app.config().database_url;
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await.unwrap();
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'";
        return sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
    }
    let mut connection = PgConnection::connect(url).await.unwrap();
    let sql = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'";
    sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_table_that_holds_something_about_a_person_is_in_the_export() {
    let receiver = Receiver::new().await;
    receiver.answers_with(500);
    let world = World::with(|config| {
        config.api_keys = vec![Secret::new(KEY)];
        config.webhooks = vec![Webhook { events: vec!["user.presence".into()], ..webhook(&receiver.url) }];
    })
    .await;
    world.ada.grant("cy", json!({"scope": "admin", "until": 3600})).await.ok();
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Loud."})).await.ok();
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    let ban = world.cy.request(Method::PUT, "/groups/den/bans/dee").header("idempotency-key", "k1");
    send(ban.json(&json!({"reason": "noise"}))).await.ok();
    host(&world, Method::DELETE, "/v3/users/cy/auth_tokens", None).await.ok();
    let report = json!({"status": "online", "ttl": 3600});
    host(&world, Method::PUT, "/v3/users/cy/presence", Some(report)).await.ok();
    eventually("a status waits for the webhook", async || exported(&world, "cy").await["outbox"] != json!([])).await;

    let data = exported(&world, "cy").await;
    for table in tables(&world).await {
        let place = EXPORTED.iter().find(|(name, _)| *name == table).map(|(_, place)| place);
        let is_left_out = NOT_EXPORTED.iter().any(|(name, _)| *name == table);
        assert_ne!(place.is_some(), is_left_out, "{table}: where is it exported, or why is it not?");
        if let Some(place) = place {
            assert!(data.pointer(place).is_some_and(|found| !found.is_null()), "{table}: nothing at {place} of {data}");
        }
    }
    let status = &data["outbox"][0];
    assert_eq!((&status["type"], &status["data"]["uid"]), (&json!("user.presence"), &json!("cy")));
    assert_eq!(status["data"]["status"], "online");
    assert!(status["id"].as_str().unwrap().starts_with("evt_") && status["at"].is_string(), "{status}");
    assert_eq!(exported(&world, "eve").await["outbox"], json!([]));
}

#[tokio::test]
async fn somebody_who_was_logged_out_and_is_known_by_nothing_else_is_exported_and_cannot_be_erased() {
    let world = world().await;
    host(&world, Method::DELETE, "/v3/users/stranger/auth_tokens", None).await.ok();
    let data = exported(&world, "stranger").await;
    assert!(data["loggedOutAt"].is_string(), "{data}");
    assert_eq!((&data["user"], &data["events"]), (&Value::Null, &json!([])));
    assert_eq!(erase(&world, "stranger").await.status, 404);
}

#[tokio::test]
async fn what_others_keep_about_a_person_is_exported_too() {
    let world = world().await;
    let kick = world.ada.request(Method::DELETE, "/groups/park/members/dee").header("idempotency-key", "k1");
    assert!(kick.send().await.unwrap().status().is_success());
    let put = world.ada.anonymous(Method::PUT, "/v3/groups/park/members").header("apikey", crate::v3::KEY);
    let put = put.header("idempotency-key", "nightly:eve").json(&json!({"participants": ["eve"]}));
    assert_eq!(put.send().await.unwrap().status(), 200);
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let keys = exported["data"]["idempotencyKeys"].as_array().unwrap();
    let requests: Vec<_> = keys.iter().map(|key| (&key["guid"], &key["by"], &key["act"])).collect();
    assert_eq!(requests, [(&json!("park"), &json!("ada"), &json!("Kick dee"))]);
    let exported = host(&world, Method::GET, "/v3/users/eve/export", None).await.ok().json();
    let keys = exported["data"]["idempotencyKeys"].as_array().unwrap();
    assert_eq!((&keys[0]["key"], &keys[0]["by"]), (&json!("nightly:eve"), &Value::Null));

    // Whoever comes back after they were banned and erased is still banned, and is told so.
    world.ada.ban("dee", json!({"reason": "noise"})).await.ok();
    host(&world, Method::DELETE, "/v3/users/dee", Some(json!({"permanent": true}))).await.ok();
    eventually("they are forgotten", async || {
        host(&world, Method::GET, "/v3/users/dee/export", None).await.status == 404
    })
    .await;
    host(&world, Method::POST, "/v3/users", Some(json!({"uid": "dee", "name": "Dee"}))).await.ok();
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let bans = exported["data"]["bans"].as_array().unwrap();
    assert_eq!((bans.len(), &bans[0]["guid"]), (1, &json!("den")));
}

#[tokio::test]
async fn an_export_of_many_pages_has_every_event_once_and_in_order() {
    let world = world().await;
    for round in 0..600 {
        let scope = if round % 2 == 0 { "moderator" } else { "participant" };
        world.ada.set_scope("dee", scope).await.ok();
    }
    eventually("the log has them", async || world.head("den").await >= 600).await;
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let seqs: Vec<u64> = exported["data"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["guid"] == "den" && event["kind"] == "member_scope_changed")
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs.len(), 600);
    assert!(seqs.is_sorted());
    let acts = host(&world, Method::GET, "/v3/users/ada/export", None).await.ok().json();
    assert_eq!(acts["data"]["acts"].as_array().unwrap().len(), 600);
}

/// The kind of the last event of a group that touched this person, and since when they were a member before it and
/// after it.
async fn last_event(world: &World, guid: &str, who: &str) -> Value {
    let exported = host(world, Method::GET, &format!("/v3/users/{who}/export"), None).await.ok().json();
    let events = exported["data"]["events"].as_array().unwrap();
    let last = events.iter().rfind(|event| event["guid"] == guid).unwrap();
    json!([last["kind"], last["oldJoinedAt"], last["joinedAt"]])
}

/// Whom an event touched, and since when they are or were in the group, as the host reads it.
async fn touched(world: &World, guid: &str, seq: u64) -> Vec<(String, Option<i64>)> {
    let people = host(world, Method::GET, &format!("/v3/groups/{guid}/events/{seq}/members"), None).await.ok().json();
    let since = |person: &Value| (person["uid"].as_str().unwrap().to_owned(), person["joinedAt"].as_i64());
    people["data"].as_array().unwrap().iter().map(since).collect()
}

#[tokio::test]
async fn a_list_from_the_host_says_since_when_those_were_members_whom_it_touches() {
    let world = world().await;
    // Cy joined earlier than was known, which counts, and Ben later, which does not.
    let list = json!({"owner": "ada", "members": [
        {"uid": "ben", "scope": "moderator", "joinedAt": 1_800_000_000},
        {"uid": "cy", "scope": "moderator", "joinedAt": 1_600_000_000},
        {"uid": "dee", "name": "Dee Two"},
        {"uid": "zoe", "name": "Zoe", "joinedAt": 7},
    ]});
    host(&world, Method::PUT, "/v3/groups/den/members", Some(list)).await.ok();
    let synced = world.head("den").await;
    for (who, before, after) in [
        ("ben", json!(1_700_000_000), 1_700_000_000),
        ("cy", json!(1_700_000_000), 1_600_000_000),
        ("dee", json!(1_700_000_000), 1_700_000_000),
        ("eve", json!(1_700_000_000), 1_700_000_000),
        ("zoe", Value::Null, 7),
    ] {
        assert_eq!(last_event(&world, "den", who).await, json!(["members_synced", before, after]), "{who}");
    }
    // What the event says stays so, whoever is in the group later.
    for gone in ["cy", "zoe"] {
        world.host_kicks("den", gone).await;
    }
    let people = touched(&world, "den", synced).await;
    let people: Vec<_> = people.iter().map(|(uid, since)| (uid.as_str(), since.unwrap_or_default())).collect();
    let as_before = 1_700_000_000_i64;
    assert_eq!(people, [("ben", as_before), ("cy", 1_600_000_000), ("dee", as_before), ("eve", as_before), ("zoe", 7)]);

    // A list of a part that names another owner makes the one before an admin.
    host(&world, Method::PUT, "/v3/groups/park/members?mode=partial", Some(json!({"owner": "ben"}))).await.ok();
    for who in ["ada", "ben"] {
        let same = json!(["members_synced", as_before, as_before]);
        assert_eq!(last_event(&world, "park", who).await, same, "{who}");
    }
}

#[tokio::test]
async fn the_end_of_a_group_says_since_when_everybody_was_in_it() {
    let world = world().await;
    world.host_mutes("vault", "dee").await;
    host(&world, Method::DELETE, "/v3/groups/vault", None).await.ok();
    for who in ["ada", "ben", "cy", "dee", "eve"] {
        let same = json!(["group_deleted", 1_700_000_000, 1_700_000_000]);
        assert_eq!(last_event(&world, "vault", who).await, same, "{who}");
    }
    assert_eq!(last_event(&world, "vault", "flo").await, json!(["group_deleted", null, null]), "she was banned");
    let people = touched(&world, "vault", world.head("vault").await).await;
    let people: Vec<_> = people.iter().map(|(uid, since)| (uid.as_str(), *since)).collect();
    let since = Some(1_700_000_000_i64);
    let members = [("ada", since), ("ben", since), ("cy", since), ("dee", since), ("eve", since)];
    assert_eq!(people, [&members[..], &[("flo", None)]].concat());
}
