//! The exact fields of every trigger of the original, when everybody in it has a picture and is online.

use reqwest::Method;
use serde_json::{Value, json};

use super::original::{keys, original};
use super::receiver::Receiver;
use super::{KEY, ask};
use crate::support::actor::{send, with};
use crate::support::eventually;

/// The fields of a person.
const PERSON: &str = "avatar lastActiveAt name role status uid";
/// The fields of a group that was changed since it was made.
const GROUP: &str = "conversationId createdAt guid membersCount name onlineMembersCount owner type updatedAt";

/// What a trigger carries: the fields of its data; those of its group, and of its member, beside [`GROUP`] and [`PERSON`]. A
/// field with `-` before it is not there.
struct Row {
    trigger: &'static str,
    data: &'static str,
    group: &'static str,
    member: Option<&'static str>,
}

const fn row(trigger: &'static str, data: &'static str, group: &'static str, member: Option<&'static str>) -> Row {
    Row { trigger, data, group, member }
}

const TABLE: [Row; 11] = [
    row("group_member_added", "by group members", "-updatedAt", Some("conversationId")),
    row("group_member_kicked", "by group members", "", Some("conversationId")),
    row("group_member_banned", "by group members", "", Some("conversationId")),
    row("group_member_unbanned", "by group members", "", Some("conversationId")),
    row("group_member_scope_changed", "by group members", "", Some("conversationId oldScope scope")),
    row("group_member_joined", "group members", "", Some("")),
    row("group_member_left", "group members", "", Some("")),
    row("group_owner_transferred", "group oldOwner", "updatedBy", None),
    row("group_created", "group members", "-onlineMembersCount -updatedAt hasJoined joinedAt scope", Some("")),
    row("group_updated", "group", "updatedBy", None),
    row("group_deleted", "group", "updatedBy", None),
];

/// These fields in alphabetical order, with and without the others.
fn fields(of: &str, others: &str) -> Vec<String> {
    let is_kept = |field: &&str| !others.split_whitespace().any(|other| other.strip_prefix('-') == Some(*field));
    let more = others.split_whitespace().filter(|other| !other.starts_with('-'));
    let mut all: Vec<String> = of.split_whitespace().filter(is_kept).chain(more).map(str::to_owned).collect();
    all.sort();
    all
}

/// Every time in a payload is in seconds.
fn times_are_seconds(value: &Value, trigger: &str) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        if name.ends_with("At") {
            let at = inner.as_i64().unwrap();
            assert!((1_600_000_000..4_102_444_800).contains(&at), "{trigger}: {name} is {at}");
        }
        times_are_seconds(inner, trigger);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_trigger_has_exactly_the_fields_of_the_original_about_people_with_pictures_who_are_online() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let host = async |method: Method, path: &str, body: Value| ask(&world, method, path, Some(body)).await.ok();
    host(Method::POST, "/v3/users", json!({"uid": "gus", "name": "Gus Grey"})).await;
    for uid in ["ada", "ben", "cy", "dee", "eve", "gus"] {
        let user = format!("/v3/users/{uid}");
        host(Method::PUT, &user, json!({"avatar": format!("https://a.example/{uid}.png")})).await;
        host(Method::PUT, &format!("{user}/presence"), json!({"status": "online"})).await;
    }
    let before = receiver.calls().len();
    let last_of = |trigger: &str| {
        let calls = receiver.calls().split_off(before);
        calls.iter().map(super::receiver::Call::json).rfind(|event| event["trigger"] == trigger)
    };

    for guid in ["den", "park"] {
        host(Method::PUT, &format!("/v3/groups/{guid}"), json!({"description": "With a view"})).await;
    }
    world.cy.kick("dee").await.ok();
    world.ada.set_scope("eve", "moderator").await.ok();
    world.ben.ban("eve", json!({})).await.ok();
    world.ben.unban("eve").await.ok();
    world.gus.join().await.ok();
    world.cy.leave().await.ok();
    world.ada.transfer("ben").await.ok();
    let new = json!({"guid": "new", "name": "New", "type": "public", "owner": "gus"});
    host(Method::POST, "/v3/groups", new).await;
    let as_gus = [("apikey", KEY), ("onBehalfOf", "gus")];
    let add = with(world.ada.anonymous(Method::POST, "/v3/groups/new/members"), &as_gus);
    send(add.json(&json!({"participants": ["dee"]}))).await.ok();
    eventually("Gus in the park is told", || async { last_of("group_member_joined").is_some() }).await;
    ask(&world, Method::DELETE, "/v3/groups/park", None).await.ok();
    let is_told = || async { TABLE.iter().all(|row| last_of(row.trigger).is_some()) };
    eventually("everything is told", is_told).await;

    for Row { trigger, data, group, member } in TABLE {
        let about = last_of(trigger).unwrap()["data"].clone();
        assert_eq!(keys(&about), fields(data, ""), "{trigger}");
        assert_eq!(keys(&about["group"]), fields(GROUP, group), "{trigger}");
        if let Some(more) = member {
            let members = about["members"].as_object().unwrap();
            assert_eq!(members.len(), 1, "{trigger}");
            assert!(members.values().all(|one| keys(one) == fields(PERSON, more)), "{trigger}: {}", about["members"]);
        }
        if about["by"].is_object() {
            assert_eq!(keys(&about["by"]), fields(PERSON, ""), "{trigger}");
        }
        times_are_seconds(&about, trigger);
    }
}
