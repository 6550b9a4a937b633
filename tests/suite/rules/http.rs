//! Each cell of the tables over HTTP, in a group that has everybody whom they name.

use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::json;

use super::{OWN_ACTS, OWN_TABLE, TABLE, TARGETS};
use crate::support::{Actor, Answer, World};

/// Everybody twice, so that each can be meant by their like.
const PEOPLE: [(&str, &str, Scope); 10] = [
    ("ada", "Ada", Scope::Owner),
    ("ben", "Ben", Scope::Admin),
    ("bea", "Bea", Scope::Admin),
    ("cy", "Cy", Scope::Moderator),
    ("cleo", "Cleo", Scope::Moderator),
    ("dee", "Dee", Scope::Participant),
    ("eve", "Eve", Scope::Participant),
    ("hal", "Hal", Scope::Participant),
    ("hana", "Hana", Scope::Participant),
    ("fay", "Fay", Scope::Participant),
];

fn who_acts(actor: &str) -> &'static str {
    match actor {
        "owner" => "ada",
        "admin" => "ben",
        "moderator" => "cy",
        "participant" => "dee",
        "former" => "hal",
        "banned" => "flo",
        "never" => "gus",
        other => panic!("{other}"),
    }
}

fn who_is_meant(target: &str, actor: &str) -> &'static str {
    match target {
        "self" => who_acts(actor),
        "owner" => "ada",
        "admin" => "bea",
        "moderator" => "cleo",
        "participant" => "eve",
        "former" => "hana",
        "banned" => "fay",
        "never" => "gwen",
        other => panic!("{other}"),
    }
}

/// A group in which everybody is what the table says.
async fn group(world: &World, name: &str, kind: GroupType) -> u64 {
    world.seed(name, kind, PEOPLE).await;
    for muted in ["bea", "cleo", "eve", "hana"] {
        world.host_mutes(name, muted).await;
    }
    for kicked in ["hal", "hana"] {
        world.host_kicks(name, kicked).await;
    }
    for banned in ["flo", "fay"] {
        world.host_bans(name, banned, None).await;
    }
    world.head(name).await
}

async fn over_http(world: &World, group: &str, act: &str, actor: &str, target: &str) -> Answer {
    let target = who_is_meant(target, actor);
    let actor = world.actor(who_acts(actor));
    let member = format!("/groups/{group}/members/{target}");
    let ban = format!("/groups/{group}/bans/{target}");
    let mute = format!("/groups/{group}/mutes/{target}");
    match act {
        "mute" => actor.act(Method::PUT, &mute, json!({"until": 60})).await,
        "unmute" => actor.act(Method::DELETE, &mute, json!({})).await,
        "note" => actor.act(Method::POST, &format!("{member}/notes"), json!({"text": "Loud."})).await,
        "kick" => actor.act(Method::DELETE, &member, json!({})).await,
        "ban" => actor.act(Method::PUT, &ban, json!({})).await,
        "ban anew" => actor.act(Method::PUT, &ban, json!({"reason": "again"})).await,
        "unban" => actor.act(Method::DELETE, &ban, json!({})).await,
        "transfer" => actor.act(Method::PUT, &format!("/groups/{group}/owner"), json!({"uid": target})).await,
        "lend moderator" => {
            actor.act(Method::PUT, &format!("{member}/scope"), json!({"scope": "moderator", "until": 60})).await
        }
        make => {
            let scope = make.strip_prefix("make ").unwrap();
            actor.act(Method::PUT, &format!("{member}/scope"), json!({"scope": scope})).await
        }
    }
}

/// An answer in the words of the table; `moved` when the group's log went on by one.
fn answered(answer: &Answer, moved: u64) -> String {
    let code = if answer.status == 200 { String::new() } else { answer.code() };
    let word = match (answer.status.as_u16(), code.as_str(), moved) {
        (200, _, 0) => "same",
        (200, _, 1) => "done",
        (403, "ERR_GROUP_NO_CLEARANCE", 0) => "403c",
        (403, "ERR_GROUP_NO_SCOPE_CLEARANCE", 0) => "403s",
        (403, "ERR_GROUP_NO_SELF_ACTION", 0) => "403x",
        (404, "ERR_GUID_NOT_FOUND", 0) => "404g",
        (404, "ERR_NOT_A_MEMBER", 0) => "404m",
        (409, "ERR_OWNER_MUST_TRANSFER", 0) => "409t",
        (409, "ERR_BANNED_GROUPMEMBER", 0) => "409b",
        (422, "ERR_VALIDATION", 0) => "422e",
        _ => return format!("{} {code}, the log moved by {moved}: {}", answer.status, answer.body),
    };
    word.into()
}

/// Runs one half of the table over HTTP; a group that an act changed is not used again.
async fn table_over_http(acts: &[&str]) {
    let world = World::empty(|_| {}).await;
    let (mut number, mut head) = (0, group(&world, "g0", GroupType::Private).await);
    let mut wrong = Vec::new();
    for (act, actor, row) in TABLE.iter().filter(|(act, ..)| acts.contains(act)) {
        for (target, expected) in TARGETS.iter().zip(row).filter(|(_, expected)| **expected != "-") {
            let name = format!("g{number}");
            let before = world.members(&name).await;
            let answer = over_http(&world, &name, act, actor, target).await;
            let moved = world.head(&name).await - head;
            let word = answered(&answer, moved);
            if word != *expected {
                wrong.push(format!("{actor}: {act} {target}: {word} instead of {expected}"));
            }
            if moved == 0 {
                assert_eq!(world.members(&name).await, before, "{actor}: {act} {target}: a change without an event");
            } else {
                check_done(&world, &name, act, actor, target).await;
                number += 1;
                head = group(&world, &format!("g{number}"), GroupType::Private).await;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is so after an act was done.
async fn check_done(world: &World, name: &str, act: &str, actor: &str, target: &str) {
    let (actor_uid, target_uid) = (who_acts(actor), who_is_meant(target, actor));
    let now = world.scope(name, target_uid).await;
    match act {
        "kick" | "ban" | "ban anew" | "unban" => assert_eq!(now, None, "{actor}: {act} {target}"),
        "mute" | "unmute" => {
            let mutes = world.ada.data(&format!("/groups/{name}/mutes")).await.ok().json();
            let is_muted = mutes["data"].as_array().unwrap().iter().any(|mute| mute["uid"] == target_uid);
            assert_eq!(is_muted, act == "mute", "{actor}: {act} {target}");
        }
        "note" => {
            let notes = world.actor(actor_uid).data(&format!("/groups/{name}/members/{target_uid}/notes")).await;
            assert_eq!(notes.ok().json()["data"][0]["by"]["uid"], actor_uid, "{actor}: {act} {target}");
        }
        "lend moderator" => {
            let lent = world.ada.data(&format!("/groups/{name}/members/{target_uid}")).await.ok().json();
            assert!(lent["data"]["scopeUntil"].is_string(), "{actor}: {act} {target}: {lent}");
            assert_eq!(now, Some(Scope::Moderator));
        }
        "transfer" => {
            assert_eq!(now, Some(Scope::Owner));
            assert_eq!(world.scope(name, actor_uid).await, Some(Scope::Admin));
        }
        make => assert_eq!(now, make.strip_prefix("make ").unwrap().parse().ok(), "{actor}: {act} {target}"),
    }
    let members = world.members(name).await;
    assert_eq!(members.iter().filter(|(_, scope)| *scope == Scope::Owner).count(), 1, "{actor}: {act} {target}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kicks_and_bans_over_http_are_the_table() {
    table_over_http(&["kick", "ban", "ban anew", "unban"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutes_and_notes_over_http_are_the_table() {
    table_over_http(&["mute", "unmute", "note"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scopes_and_transfers_over_http_are_the_table() {
    table_over_http(&["make admin", "make moderator", "make participant", "lend moderator", "transfer"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn joining_leaving_and_seeing_bans_over_http_are_the_table() {
    let world = World::empty(|_| {}).await;
    use GroupType::{Password, Private, Public};
    for (name, kind) in [("pub", Public), ("priv", Private), ("pass", Password), ("bans", Private)] {
        group(&world, name, kind).await;
    }
    let join = |group: &str| format!("/groups/{group}/members");
    for (column, act) in OWN_ACTS.iter().enumerate() {
        for (who, row) in OWN_TABLE {
            let actor: Actor = world.actor(who_acts(who));
            let solo = format!("solo-{who}");
            let name = ["pub", "priv", "pass", "pass", "priv", &solo, "bans"][column];
            if *act == "leave alone" {
                let alone = PEOPLE
                    .iter()
                    .find(|(uid, _, scope)| *uid == actor.uid && scope.as_str() == *who)
                    .unwrap_or(&PEOPLE[0]);
                world.seed(name, Private, [*alone]).await;
            }
            // The right password let them in before: out again.
            if *act == "join with wrong password" && ["former", "never"].contains(who) {
                world.host_kicks(name, &actor.uid).await;
            }
            let head = world.head(name).await;
            let answer = match *act {
                "join with password" => actor.act(Method::POST, &join(name), json!({"password": "sesame"})).await,
                "join with wrong password" => actor.act(Method::POST, &join(name), json!({"password": "simsim"})).await,
                "leave" | "leave alone" => {
                    actor.act(Method::DELETE, &format!("{}/{}", join(name), actor.uid), json!({})).await
                }
                "see bans" => actor.data("/groups/bans/bans").await,
                _ => actor.act(Method::POST, &join(name), json!({})).await,
            };
            let moved = world.head(name).await - head;
            assert_eq!(answered(&answer, moved), row[column], "{who}: {act}");
        }
    }
}

#[tokio::test]
async fn a_password_group_asks_for_its_password_and_tells_the_banned_first() {
    let world = World::new().await;
    world.gus.act(Method::POST, "/groups/vault/members", json!({})).await.refused(422, "ERR_VALIDATION");
    world.flo.act(Method::POST, "/groups/vault/members", json!({})).await.refused(409, "ERR_BANNED_GROUPMEMBER");
    world.dee.act(Method::POST, "/groups/vault/members", json!({})).await.ok();
}
