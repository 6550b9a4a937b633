//! The original's triggers and payloads, field by field.

use chat_group_members::config::{Webhook, WebhookFormat};
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::{Call, Receiver, Reply};
use super::{KEY, ask, webhook, while_time_passes};
use crate::support::actor::{send, with};
use crate::support::{World, eventually};

pub(super) async fn original(receiver: &Receiver) -> World {
    let url = receiver.url.replace("http://", "http://hook:pass%20word@");
    let world = World::with(|config| {
        config.webhooks = vec![Webhook { format: WebhookFormat::Original, ..webhook(&url) }];
        config.api_keys = vec![chat_group_members::config::Secret::new(KEY)];
    })
    .await;
    // Six for each of the three groups: made, its owner added, the transfer to them, the others added, a ban and a kick.
    eventually("the cast is told", || async { receiver.calls().len() >= 18 }).await;
    world
}

pub(super) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

pub(super) fn last(calls: &[Call]) -> Value {
    calls.last().unwrap().json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_trigger_has_the_fields_of_the_original() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let mut seen = receiver.calls().len();
    for call in receiver.calls() {
        assert_eq!(keys(&call.json()), ["appId", "data", "region", "trigger", "webhook"]);
        assert_eq!(call.header("authorization"), "Basic aG9vazpwYXNzIHdvcmQ=");
        assert!(call.is_signed_by(super::SECRET) && call.id().starts_with("evt_"));
    }
    let mut next = async || {
        seen += 1;
        let payload = last(&receiver.has(seen).await);
        assert_eq!(receiver.calls().len(), seen);
        payload
    };

    world.cy.kick("dee").await.ok();
    let kicked = next().await;
    assert_eq!(kicked["trigger"], "group_member_kicked");
    assert_eq!(keys(&kicked["data"]), ["by", "group", "members"]);
    assert_eq!(
        kicked["data"]["members"],
        json!({"dee": {"uid": "dee", "name": "Dee Dee", "status": "offline", "role": "default",
            "conversationId": "cy_user_dee"}})
    );
    assert_eq!(
        kicked["data"]["by"],
        json!({"uid": "cy", "name": "Cy Marlowe", "status": "offline", "role": "default"})
    );
    let group = &kicked["data"]["group"];
    assert_eq!(
        keys(group),
        ["conversationId", "createdAt", "guid", "membersCount", "name", "onlineMembersCount", "owner", "type"]
    );
    assert_eq!(
        (&group["membersCount"], &group["conversationId"], &group["owner"]),
        (&json!(4), &json!("group_den"), &json!("ada"))
    );

    world.ada.set_scope("eve", "moderator").await.ok();
    let scope = next().await;
    assert_eq!(scope["trigger"], "group_member_scope_changed");
    let eve = &scope["data"]["members"]["eve"];
    assert_eq!((&eve["scope"], &eve["oldScope"]), (&json!("moderator"), &json!("participant")));

    world.ben.ban("eve", json!({})).await.ok();
    assert_eq!(next().await["trigger"], "group_member_banned");
    world.ben.unban("eve").await.ok();
    let unbanned = next().await;
    assert_eq!(
        (&unbanned["trigger"], &unbanned["data"]["members"]["eve"]["uid"]),
        (&json!("group_member_unbanned"), &json!("eve"))
    );

    world.gus.join().await.ok();
    let joined = next().await;
    assert_eq!(joined["trigger"], "group_member_joined");
    assert_eq!(keys(&joined["data"]), ["group", "members"]);
    assert_eq!(keys(&joined["data"]["members"]["gus"]), ["name", "role", "status", "uid"]);

    world.cy.leave().await.ok();
    assert_eq!(next().await["trigger"], "group_member_left");

    world.ada.transfer("ben").await.ok();
    let transferred = next().await;
    assert_eq!(transferred["trigger"], "group_owner_transferred");
    assert_eq!(keys(&transferred["data"]), ["group", "oldOwner"]);
    assert_eq!(
        (
            &transferred["data"]["oldOwner"],
            &transferred["data"]["group"]["owner"],
            &transferred["data"]["group"]["updatedBy"]
        ),
        (&json!("ada"), &json!("ben"), &json!("ada"))
    );

    ask(
        &world,
        Method::POST,
        "/v3/groups",
        Some(json!({"guid": "new", "name": "New", "owner": "gus", "type": "public"})),
    )
    .await
    .ok();
    let created = next().await;
    assert_eq!(created["trigger"], "group_created");
    assert_eq!(keys(&created["data"]), ["group", "members"]);
    assert_eq!(
        keys(&created["data"]["group"]),
        [
            "conversationId",
            "createdAt",
            "guid",
            "hasJoined",
            "joinedAt",
            "membersCount",
            "name",
            "owner",
            "scope",
            "type"
        ]
    );
    assert_eq!(
        (&created["data"]["group"]["scope"], &created["data"]["group"]["hasJoined"]),
        (&json!("admin"), &json!(true))
    );
    assert_eq!(keys(&created["data"]["members"]), ["gus"]);

    ask(&world, Method::POST, "/v3/groups/new/members", Some(json!({"participants": ["dee"]}))).await.ok();
    let added = next().await;
    assert_eq!((&added["trigger"], &added["data"]["by"]["uid"]), (&json!("group_member_added"), &json!("app_system")));
    assert_eq!(added["data"]["members"]["dee"]["conversationId"], "app_system_user_dee");

    ask(&world, Method::PUT, "/v3/groups/new", Some(json!({"name": "Newer"}))).await.ok();
    let updated = next().await;
    assert_eq!(updated["trigger"], "group_updated");
    assert_eq!(keys(&updated["data"]), ["group"]);
    assert_eq!(updated["data"]["group"]["updatedBy"], "app_system");
    ask(&world, Method::DELETE, "/v3/groups/new", None).await.ok();
    assert_eq!(next().await["trigger"], "group_deleted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronisation_is_told_as_what_happened_to_each() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    let body = json!({"owner": "ada", "admins": ["eve"], "participants": ["ben", "gus"], "members": [{"uid": "gus", "name": "Gus"}]});
    let answer = ask(&world, Method::PUT, "/v3/groups/den/members", Some(body)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let calls = receiver.has(before + 3).await;
    let events: Vec<_> = calls[before..]
        .iter()
        .map(|call| {
            let event = call.json();
            (event["trigger"].as_str().unwrap().to_owned(), keys(&event["data"]["members"]).join(" "))
        })
        .collect();
    let expected =
        [("group_member_added", "gus"), ("group_member_kicked", "cy dee"), ("group_member_scope_changed", "ben eve")];
    assert_eq!(events, expected.map(|(trigger, uids)| (trigger.to_owned(), uids.to_owned())));
    let ids: std::collections::HashSet<_> = calls[before..].iter().map(|call| call.id().to_owned()).collect();
    assert_eq!(ids.len(), 3, "each has an id of its own");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scope_that_becomes_lasting_is_no_event_of_the_original_and_what_follows_is_sent() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    let head = world.head("den").await;
    world.ada.set_scope("dee", "moderator").await.ok();
    assert_eq!(world.head("den").await, head + 1, "it is an event here");
    world.ada.set_scope("dee", "admin").await.ok();
    let calls = receiver.has(before + 2).await;
    let scopes = calls[before..].iter().map(|call| {
        let event = call.json();
        let dee = &event["data"]["members"]["dee"];
        (event["trigger"].clone(), dee["oldScope"].clone(), dee["scope"].clone())
    });
    let changed = |old: &str, new: &str| (json!("group_member_scope_changed"), json!(old), json!(new));
    assert_eq!(scopes.collect::<Vec<_>>(), [changed("participant", "moderator"), changed("moderator", "admin")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_conversation_of_two_people_has_one_id_whoever_of_them_acts() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    world.ada.set_scope("eve", "moderator").await.ok();
    world.eve.kick("dee").await.ok();
    world.eve.set_scope("eve", "participant").await.ok();
    ask(&world, Method::POST, "/v3/users", Some(json!({"uid": "amy", "name": "Amy"}))).await.ok();
    ask(&world, Method::POST, "/v3/groups/den/members", Some(json!({"participants": ["amy"]}))).await.ok();
    let calls = receiver.has(before + 4).await;
    let member_of = |number: usize, uid: &str| calls[before + number].json()["data"]["members"][uid].clone();
    assert_eq!(member_of(0, "eve")["conversationId"], "ada_user_eve");
    let dee = member_of(1, "dee");
    assert_eq!((&dee["uid"], &dee["conversationId"]), (&json!("dee"), &json!("dee_user_eve")), "though Eve acted");
    let eve = member_of(2, "eve");
    assert_eq!((&eve["scope"], eve.get("conversationId")), (&json!("participant"), None), "none with herself");
    assert_eq!(member_of(3, "amy")["conversationId"], "amy_user_app_system");
    let as_eve = [("apikey", KEY), ("onBehalfOf", "eve")];
    let read = send(with(world.ada.anonymous(Method::GET, "/v3/users/dee"), &as_eve)).await.ok().json();
    assert_eq!(read["data"]["conversationId"], dee["conversationId"], "as it is read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronisation_of_many_is_told_in_parts_that_name_everybody_once() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    let row = |number: usize| crate::support::row(&format!("p{number:04}"), "Somebody", Scope::Participant, None);
    let people: Vec<_> = (0..1_234).map(row).collect();
    world.sync("den", GroupType::Private, people).await;
    let calls = receiver.has(before + 3).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), before + 3);
    let mut named = Vec::new();
    for call in &calls[before..] {
        let event = call.json();
        assert_eq!(event["trigger"], "group_member_added");
        let people: Vec<String> = keys(&event["data"]["members"]).into_iter().map(str::to_owned).collect();
        assert!(people.len() <= 500, "{}", people.len());
        named.extend(people);
    }
    assert_eq!(named, (0..1_234).map(|number| format!("p{number:04}")).collect::<Vec<_>>());
    let ids: std::collections::HashSet<_> = calls[before..].iter().map(|call| call.id().to_owned()).collect();
    assert_eq!(ids.len(), 3);
    // One part fails: the event comes again, each part under the id it had.
    let again = receiver.calls().len();
    receiver.answers(|call, _| Reply::Status(if call.id().ends_with(".2") { 500 } else { 200 }));
    let row = |number: usize| crate::support::row(&format!("q{number:04}"), "Somebody", Scope::Participant, None);
    world.sync("den", GroupType::Private, (0..1_234).map(row).collect()).await;
    receiver.has(again + 2).await;
    receiver.answers_with(200);
    let calls = while_time_passes(&world, receiver.has(again + 5)).await;
    let ids: Vec<_> = calls[again..].iter().map(|call| call.id().to_owned()).collect();
    let parts: Vec<_> = ids.iter().map(|id| id.rsplit_once('.').unwrap().1.to_owned()).collect();
    assert_eq!(parts, ["1", "2", "1", "2", "3"]);
    assert_eq!((&ids[0], &ids[1]), (&ids[2], &ids[3]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_members_is_that_after_the_act_however_late_it_is_told() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    ask(&world, Method::POST, "/v3/users", Some(json!({"uid": "zoe", "name": "Zoe"}))).await.ok();
    let before = receiver.calls().len();
    receiver.answers_with(503);
    world.cy.kick("dee").await.ok();
    world.host_adds("den", "gus", "Gus").await;
    world.ben.ban("eve", json!({})).await.ok();
    let crowd: Vec<Value> = (0..600).map(|number| json!({"uid": format!("p{number}"), "name": "Somebody"})).collect();
    let list = Some(json!({"members": crowd}));
    ask(&world, Method::PUT, "/v3/groups/den/members?mode=partial", list).await.ok();
    // Somebody who was out is banned: nobody goes by that.
    world.ben.ban("hal", json!({})).await.ok();
    ask(&world, Method::PATCH, "/v3/groups/den/owner", Some(json!({"owner": "zoe"}))).await.ok();
    ask(&world, Method::DELETE, "/v3/groups/den", None).await.ok();

    receiver.answers_with(200);
    let is_told = || async { receiver.calls().last().is_some_and(|call| call.json()["trigger"] == "group_deleted") };
    while_time_passes(&world, eventually("the end of the group is told", is_told)).await;
    let mut calls = receiver.calls().split_off(before);
    // The first of them was tried before.
    calls.dedup_by(|later, earlier| later.id() == earlier.id());
    let counted = |call: &Call| (call.json()["trigger"].clone(), call.json()["data"]["group"]["membersCount"].clone());
    let expected = [
        ("group_member_kicked", 4),
        ("group_member_added", 5),
        ("group_member_banned", 4),
        ("group_member_added", 604),
        ("group_member_added", 604),
        ("group_member_banned", 604),
        ("group_member_added", 605),
        ("group_owner_transferred", 605),
        ("group_deleted", 0),
    ];
    let counts: Vec<_> = calls.iter().map(counted).collect();
    assert_eq!(counts, expected.map(|(trigger, members)| (json!(trigger), json!(members))));
}
