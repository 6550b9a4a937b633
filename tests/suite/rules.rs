//! The rules, exhaustively: who may do what to whom. The table is written by hand from the contract
//! (section 3), not computed in another way, and held against the rules, against HTTP, and, in
//! random walks, against a real database.

use std::collections::BTreeMap;

use chat_group_members::domain::rules::{self, Parties, Past};
use chat_group_members::domain::{
    Act, Cause, Change, EventKind, GroupType, Name, NewScope, Refusal, Scope, Standing, Terms,
};
use chat_group_members::membership::{self, ActError, ActRequest, Actor as By};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};
use reqwest::Method;
use serde_json::json;
use strum::VariantArray;

use crate::support::{Actor, Answer, World, by_host, guid, uid};

/// Columns of the table: whom an act is done to.
const TARGETS: [&str; 8] = ["owner", "admin", "moderator", "participant", "self", "former", "banned", "never"];

/// What an act comes to: `done` (a change and an event), `same` (200, no event), a status with the
/// first letter of what it says, or `-` where nobody can be meant.
///
/// 403c no clearance, 403s no clearance for that scope, 403x not to oneself, 404g the group is not
/// there, 404m not a member, 409t the owner must transfer first, 409b banned, 422e a scope with an end
/// that is not above the lasting one.
#[rustfmt::skip]
const TABLE: &[(&str, &str, [&str; 8])] = &[
    //                                owner   admin   moder.  partic. self    former  banned  never
    ("kick",             "owner",       ["-",    "done", "done", "done", "409t", "404m", "404m", "404m"]),
    ("kick",             "admin",       ["403c", "403c", "done", "done", "done", "404m", "404m", "404m"]),
    ("kick",             "moderator",   ["403c", "403c", "403c", "done", "done", "404m", "404m", "404m"]),
    ("kick",             "participant", ["403c", "403c", "403c", "403c", "done", "403c", "403c", "403c"]),

    ("ban",              "owner",       ["-",    "done", "done", "done", "403x", "done", "same", "done"]),
    ("ban",              "admin",       ["403c", "403c", "done", "done", "403x", "done", "same", "done"]),
    ("ban",              "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "same", "done"]),
    ("ban",              "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("ban anew",         "owner",       ["-",    "done", "done", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "admin",       ["403c", "403c", "done", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("unban",            "owner",       ["-",    "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "admin",       ["same", "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "moderator",   ["same", "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    ("make admin",       "owner",       ["-",    "same", "done", "done", "409t", "404m", "404m", "404m"]),
    ("make admin",       "admin",       ["403c", "403c", "done", "done", "same", "404m", "404m", "404m"]),
    ("make admin",       "moderator",   ["403c", "403c", "403c", "403s", "403s", "403s", "403s", "403s"]),
    ("make admin",       "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("make moderator",   "owner",       ["-",    "done", "same", "done", "409t", "404m", "404m", "404m"]),
    ("make moderator",   "admin",       ["403c", "403c", "same", "done", "done", "404m", "404m", "404m"]),
    ("make moderator",   "moderator",   ["403c", "403c", "403c", "done", "same", "404m", "404m", "404m"]),
    ("make moderator",   "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("make participant", "owner",       ["-",    "done", "done", "same", "409t", "404m", "404m", "404m"]),
    ("make participant", "admin",       ["403c", "403c", "done", "same", "done", "404m", "404m", "404m"]),
    ("make participant", "moderator",   ["403c", "403c", "403c", "same", "done", "404m", "404m", "404m"]),
    ("make participant", "participant", ["403c", "403c", "403c", "403c", "same", "403c", "403c", "403c"]),

    // With an end, after which the present scope comes back.
    ("lend moderator",   "owner",       ["-",    "422e", "422e", "done", "409t", "404m", "404m", "404m"]),
    ("lend moderator",   "admin",       ["403c", "403c", "422e", "done", "422e", "404m", "404m", "404m"]),
    ("lend moderator",   "moderator",   ["403c", "403c", "403c", "done", "422e", "404m", "404m", "404m"]),
    ("lend moderator",   "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("transfer",         "owner",       ["-",    "done", "done", "done", "same", "404m", "404m", "404m"]),
    ("transfer",         "admin",       ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),
    ("transfer",         "moderator",   ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),
    ("transfer",         "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    ("mute",             "owner",       ["-",    "done", "done", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "admin",       ["403c", "403c", "done", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "moderator",   ["403c", "403c", "403c", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    // Muted are Bea, Cleo and Eve, and Hana, who left.
    ("unmute",           "owner",       ["-",    "done", "done", "done", "403x", "done", "same", "same"]),
    ("unmute",           "admin",       ["403c", "403c", "done", "done", "403x", "done", "same", "same"]),
    ("unmute",           "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "same", "same"]),
    ("unmute",           "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("note",             "owner",       ["-",    "done", "done", "done", "403x", "done", "done", "done"]),
    ("note",             "admin",       ["403c", "403c", "done", "done", "403x", "done", "done", "done"]),
    ("note",             "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "done", "done"]),
    ("note",             "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    // To whoever is not in it, the group is not there, whatever they try on whomever.
    ("kick",             "former",      ["404g"; 8]),
    ("kick",             "banned",      ["404g"; 8]),
    ("kick",             "never",       ["404g"; 8]),
    ("ban",              "former",      ["404g"; 8]),
    ("ban",              "banned",      ["404g"; 8]),
    ("ban",              "never",       ["404g"; 8]),
    ("ban anew",         "former",      ["404g"; 8]),
    ("ban anew",         "banned",      ["404g"; 8]),
    ("ban anew",         "never",       ["404g"; 8]),
    ("unban",            "former",      ["404g"; 8]),
    ("unban",            "banned",      ["404g"; 8]),
    ("unban",            "never",       ["404g"; 8]),
    ("make admin",       "former",      ["404g"; 8]),
    ("make admin",       "banned",      ["404g"; 8]),
    ("make admin",       "never",       ["404g"; 8]),
    ("make moderator",   "former",      ["404g"; 8]),
    ("make moderator",   "banned",      ["404g"; 8]),
    ("make moderator",   "never",       ["404g"; 8]),
    ("make participant", "former",      ["404g"; 8]),
    ("make participant", "banned",      ["404g"; 8]),
    ("make participant", "never",       ["404g"; 8]),
    ("lend moderator",   "former",      ["404g"; 8]),
    ("lend moderator",   "banned",      ["404g"; 8]),
    ("lend moderator",   "never",       ["404g"; 8]),
    ("transfer",         "former",      ["404g"; 8]),
    ("transfer",         "banned",      ["404g"; 8]),
    ("transfer",         "never",       ["404g"; 8]),
    ("mute",             "former",      ["404g"; 8]),
    ("mute",             "banned",      ["404g"; 8]),
    ("mute",             "never",       ["404g"; 8]),
    ("unmute",           "former",      ["404g"; 8]),
    ("unmute",           "banned",      ["404g"; 8]),
    ("unmute",           "never",       ["404g"; 8]),
    ("note",             "former",      ["404g"; 8]),
    ("note",             "banned",      ["404g"; 8]),
    ("note",             "never",       ["404g"; 8]),
];

/// Columns of the second table: what somebody does about their own membership, or asks to see.
const OWN_ACTS: [&str; 7] = [
    "join public",
    "join private",
    "join with password",
    "join with wrong password",
    "leave",
    "leave alone",
    "see bans",
];

#[rustfmt::skip]
const OWN_TABLE: &[(&str, [&str; 7])] = &[
    //               public  private password wrong   leave   alone   bans
    ("owner",       ["same", "same", "same",  "same", "409t", "done", "same"]),
    ("admin",       ["same", "same", "same",  "same", "done", "done", "same"]),
    ("moderator",   ["same", "same", "same",  "same", "done", "done", "same"]),
    ("participant", ["same", "same", "same",  "same", "done", "done", "403c"]),
    ("former",      ["done", "404g", "done",  "403c", "404g", "404g", "404g"]),
    ("banned",      ["409b", "404g", "409b",  "409b", "404g", "404g", "404g"]),
    ("never",       ["done", "404g", "done",  "403c", "404g", "404g", "404g"]),
];

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

fn standing(word: &str) -> Standing {
    match word {
        "banned" => Standing::Banned,
        "former" | "never" => Standing::Outside,
        scope => Standing::Member(scope.parse().unwrap()),
    }
}

/// A verdict of the rules in the words of the table.
fn in_words(verdict: Result<Change, Refusal>) -> &'static str {
    match verdict {
        Ok(Change::Nothing) => "same",
        Ok(_) => "done",
        Err(Refusal::NotThere) => "404g",
        Err(Refusal::NotAMember) => "404m",
        Err(Refusal::GrantsTooMuch(_)) => "403s",
        Err(Refusal::BansThemselves | Refusal::MutesThemselves | Refusal::Oneself) => "403x",
        Err(Refusal::OwnerMustTransfer) => "409t",
        Err(Refusal::Banned) => "409b",
        Err(Refusal::EndsAtLasting) => "422e",
        Err(_) => "403c",
    }
}

fn by_the_rules(act: &str, actor: &str, target: &str) -> Result<Change, Refusal> {
    let own = target == "self";
    let (from, to) = (standing(actor), standing(if own { actor } else { target }));
    match act {
        "kick" if own => rules::leave(from, false),
        "kick" => rules::kick(from, to),
        "ban" => rules::ban(from, to, own, true),
        "ban anew" => rules::ban(from, to, own, false),
        "unban" => rules::unban(from, to),
        "transfer" => rules::transfer(from, to, own),
        "mute" => rules::mute(from, to, own, false),
        "unmute" => rules::unmute(from, to, own, ["admin", "moderator", "participant", "former"].contains(&target)),
        // What it changes is no membership.
        "note" => rules::see_notes(from, to, own).map(|()| Change::Mute),
        "lend moderator" => {
            let lent = NewScope { scope: Scope::Moderator, until: Some(60_000), message: None };
            let (actor, same_terms, muted, alone) = (Some(from), false, false, false);
            let between = Parties { actor, target: to, own, same_terms, muted, temporary: None, alone };
            rules::decide(&Act::SetScope(lent), between)
        }
        make => rules::set_scope(from, to, own, make.strip_prefix("make ").unwrap().parse().unwrap()),
    }
}

#[test]
fn the_rules_are_the_table() {
    assert_eq!(TABLE.len(), 12 * 7, "every act by every kind of actor");
    for (act, actor, row) in TABLE {
        for (target, expected) in TARGETS.iter().zip(row).filter(|(_, expected)| **expected != "-") {
            assert_eq!(in_words(by_the_rules(act, actor, target)), *expected, "{actor}: {act} {target}");
        }
    }
    for (actor, row) in OWN_TABLE {
        let from = standing(actor);
        let verdicts = [
            rules::join(from, false, true),
            rules::join(from, true, false),
            rules::join(from, false, true),
            rules::join(from, false, false),
            rules::leave(from, false),
            rules::leave(from, true),
            rules::see_bans(from).map(|()| Change::Nothing),
        ];
        for ((act, expected), verdict) in OWN_ACTS.iter().zip(row).zip(verdicts) {
            assert_eq!(in_words(verdict), *expected, "{actor}: {act}");
        }
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

fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![Just(Scope::Owner), Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)]
}

fn anybody() -> impl Strategy<Value = Standing> {
    prop_oneof![4 => scope().prop_map(Standing::Member), 1 => Just(Standing::Banned), 1 => Just(Standing::Outside)]
}

proptest! {
    #![proptest_config(Runs { failure_persistence: None, ..Runs::default() })]

    #[test]
    fn nobody_grants_more_than_they_are(actor in anybody(), target in anybody(), to in scope(), own: bool) {
        let target = if own { actor } else { target };
        if let Ok(Change::SetScope(given, _)) = rules::set_scope(actor, target, own, to) {
            let (above, before) = (actor.scope().unwrap(), target.scope().unwrap());
            prop_assert_eq!(given, to);
            prop_assert!(given <= above && (own || before < above));
            prop_assert!(given != Scope::Owner, "only a transfer makes an owner");
        }
    }

    #[test]
    fn nobody_puts_out_their_like(actor in anybody(), target in anybody()) {
        let puts_out = rules::kick(actor, target).is_ok() || rules::ban(actor, target, false, false).is_ok();
        if puts_out {
            let above = actor.scope().unwrap();
            prop_assert!(above > Scope::Participant && target.scope().is_none_or(|below| below < above));
        }
    }
}

/// What can be undone, by its event.
const UNDOABLE: [&str; 6] =
    ["member_kicked", "member_banned", "member_unbanned", "member_muted", "member_unmuted", "member_scope_changed"];

/// Whether the contract (section 9) lets this actor undo it.
fn may_undo(actor: Standing, past: Past) -> bool {
    let Some(above) = actor.scope().filter(|scope| *scope > Scope::Participant) else { return false };
    let is_below = |who: Standing| who.scope().is_none_or(|scope| scope < above);
    let by_somebody = matches!(past.cause, Some(Cause::Viewer | Cause::Undo)) && !past.about_doer;
    let is_theirs = past.own || past.doer.is_some_and(is_below);
    let is_undoable = by_somebody && UNDOABLE.contains(&past.kind.as_str());
    is_undoable && is_theirs && is_below(past.before) && past.now.scope() <= Some(above)
}

#[test]
fn an_undo_gives_nobody_more_than_the_rule_would_and_refuses_nothing_else() {
    let scopes = [Scope::Participant, Scope::Moderator, Scope::Admin, Scope::Owner];
    let anybody: Vec<Standing> =
        scopes.map(Standing::Member).into_iter().chain([Standing::Banned, Standing::Outside]).collect();
    let causes =
        [Cause::Viewer, Cause::Host, Cause::Ended, Cause::Sync, Cause::Undo].map(Some).into_iter().chain([None]);
    let (mut allowed, mut asked) = (0, 0);
    for cause in causes {
        let pairs = anybody.iter().flat_map(|actor| anybody.iter().map(move |doer| (*actor, *doer)));
        let triples: Vec<_> = pairs.flat_map(|(a, d)| anybody.iter().map(move |before| (a, d, *before))).collect();
        for (kind, &(actor, doer, before)) in
            EventKind::VARIANTS.iter().flat_map(|k| triples.iter().map(move |t| (k, t)))
        {
            let ways = [(true, false), (false, false), (true, true), (false, true)];
            for ((own, about_doer), &now) in ways.into_iter().flat_map(|w| anybody.iter().map(move |now| (w, now))) {
                let past = Past { kind: *kind, cause, doer: Some(doer), own, about_doer, before, now };
                asked += 1;
                assert!(rules::undo(actor, Past { doer: None, ..past }).is_err(), "nobody undoes what the host did");
                let Ok(()) = rules::undo(actor, past) else {
                    assert!(!may_undo(actor, past), "{actor:?} may undo {past:?}");
                    continue;
                };
                allowed += 1;
                let above = actor.scope().expect("whoever undoes is a member");
                assert!(above > Scope::Participant, "participants act on nobody");
                assert!(before.scope().is_none_or(|back| back < above), "put back is at most what is below the actor");
                assert!(now.scope().is_none_or(|now| now <= above), "nobody acts on somebody above them");
                assert!(own || doer.scope().is_none_or(|doer| doer < above), "somebody else's act only from above");
                assert!(!about_doer && matches!(cause, Some(Cause::Viewer | Cause::Undo)), "{past:?}");
                assert!(UNDOABLE.contains(&kind.as_str()), "{past:?}");
            }
        }
    }
    assert!(allowed > 0 && allowed * 10 < asked, "{allowed} of {asked}");
}

/// One step of a random walk: who does what to whom.
#[derive(Debug, Clone)]
struct Step {
    actor: usize,
    target: usize,
    verb: Verb,
}

#[derive(Debug, Clone, Copy)]
enum Verb {
    Kick,
    Ban,
    Unban,
    SetScope(Scope),
    Transfer,
    Leave,
    Join,
    HostTransfer,
    HostRelease,
}

const WALKERS: [&str; 6] = ["ada", "ben", "cy", "dee", "eve", "gus"];

fn step() -> impl Strategy<Value = Step> {
    let verb = prop_oneof![
        2 => Just(Verb::Kick),
        2 => Just(Verb::Ban),
        2 => Just(Verb::Unban),
        5 => prop_oneof![Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)].prop_map(Verb::SetScope),
        3 => Just(Verb::Transfer),
        1 => Just(Verb::Leave),
        5 => Just(Verb::Join),
        1 => Just(Verb::HostTransfer),
        1 => Just(Verb::HostRelease),
    ];
    (0..WALKERS.len(), 0..WALKERS.len(), verb).prop_map(|(actor, target, verb)| Step { actor, target, verb })
}

/// A plain model of a public group: what everybody is, in a map.
#[derive(Debug, Clone)]
struct Model(BTreeMap<&'static str, Standing>);

impl Model {
    fn new() -> Model {
        let scopes = [Scope::Owner, Scope::Admin, Scope::Moderator, Scope::Participant, Scope::Participant];
        let mut people: BTreeMap<_, _> = WALKERS.into_iter().zip(scopes.map(Standing::Member)).collect();
        people.insert("gus", Standing::Outside);
        Model(people)
    }

    /// Looks the verdict up in the table, and does what it says.
    fn walk(&mut self, step: &Step) -> &'static str {
        let (actor, target) = (WALKERS[step.actor], WALKERS[step.target]);
        let (from, to) = (self.0[actor], self.0[target]);
        let row = |act: &str| TABLE.iter().find(|(a, who, _)| *a == act && *who == name(from)).unwrap().2;
        let column = |word: &str| TARGETS.iter().position(|target| *target == word).unwrap();
        let meant = if actor == target { "self" } else { name(to) };
        let verdict = match step.verb {
            Verb::Kick if actor == target => in_words(rules::kick(from, to)),
            Verb::Kick => row("kick")[column(meant)],
            Verb::Leave if self.members().len() == 1 => row_of(OWN_TABLE, from)[5],
            Verb::Leave => row("kick")[column("self")],
            Verb::HostTransfer if to == Standing::Banned => "409b",
            Verb::HostTransfer if to == Standing::Member(Scope::Owner) => "same",
            Verb::HostTransfer => "done",
            Verb::HostRelease if self.owner().is_none() => "same",
            Verb::HostRelease => "done",
            Verb::Ban => row("ban")[column(meant)],
            Verb::Unban => row("unban")[column(meant)],
            Verb::Transfer => row("transfer")[column(meant)],
            Verb::SetScope(scope) => row(&format!("make {scope}"))[column(meant)],
            Verb::Join => row_of(OWN_TABLE, from)[0],
        };
        if verdict == "done" {
            match step.verb {
                Verb::Kick | Verb::Unban => drop(self.0.insert(target, Standing::Outside)),
                Verb::Leave => drop(self.0.insert(actor, Standing::Outside)),
                Verb::Ban => drop(self.0.insert(target, Standing::Banned)),
                Verb::SetScope(scope) => drop(self.0.insert(target, Standing::Member(scope))),
                Verb::Join => drop(self.0.insert(actor, Standing::Member(Scope::Participant))),
                Verb::Transfer => {
                    self.0.insert(actor, Standing::Member(Scope::Admin));
                    self.0.insert(target, Standing::Member(Scope::Owner));
                }
                Verb::HostTransfer | Verb::HostRelease => {
                    if let Some(owner) = self.owner() {
                        self.0.insert(owner, Standing::Member(Scope::Admin));
                    }
                    if let Verb::HostTransfer = step.verb {
                        self.0.insert(target, Standing::Member(Scope::Owner));
                    }
                }
            }
        }
        verdict
    }

    fn owner(&self) -> Option<&'static str> {
        self.0.iter().find(|(_, standing)| **standing == Standing::Member(Scope::Owner)).map(|(uid, _)| *uid)
    }

    fn members(&self) -> Vec<(String, Scope)> {
        self.0.iter().filter_map(|(uid, standing)| Some((uid.to_string(), standing.scope()?))).collect()
    }
}

fn row_of<'t, const N: usize>(table: &'t [(&str, [&'static str; N])], who: Standing) -> &'t [&'static str; N] {
    &table.iter().find(|(word, _)| *word == name(who)).unwrap().1
}

fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Member(scope) => scope.as_str(),
        Standing::Banned => "banned",
        Standing::Outside => "never",
    }
}

async fn do_it(world: &World, group: &str, step: &Step) -> &'static str {
    let (actor, target) = (uid(WALKERS[step.actor]), uid(WALKERS[step.target]));
    let request = ActRequest::new(guid(group), By::Viewer(actor.clone()));
    let store = world.app.store();
    let done = match step.verb {
        Verb::Kick => membership::act(store, request, target, Act::Kick { message: None }).await,
        Verb::Ban => membership::act(store, request, target, Act::Ban(Terms::default())).await,
        Verb::Unban => membership::act(store, request, target, Act::Unban).await,
        Verb::SetScope(scope) => membership::act(store, request, target, Act::SetScope(scope.into())).await,
        Verb::Transfer => membership::act(store, request, target, Act::Transfer).await,
        Verb::Leave => membership::act(store, request, actor, Act::Leave).await,
        Verb::Join => membership::join(store, request, actor, None, None, None).await,
        Verb::HostTransfer => membership::act(store, by_host(group), target, Act::Transfer).await,
        Verb::HostRelease => membership::release(store, by_host(group)).await,
    };
    match done {
        Ok(outcome) => in_words(Ok(outcome.logged.map_or(Change::Nothing, |_| Change::Remove))),
        Err(ActError::Refused { refusal, .. }) => in_words(Err(refusal)),
        Err(ActError::NoSuchGroup) => "404g",
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn after_any_walk_the_database_is_the_model_and_has_one_owner_or_is_the_hosts() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::empty(|_| {}));
    let gus = membership::put_user(world.app.store(), uid("gus"), Some(Name::parse("Gus").unwrap()), None);
    runtime.block_on(gus).unwrap();
    let number = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Runs { cases: 24, failure_persistence: None, ..Runs::default() });
    let walks = runner.run(&prop::collection::vec(step(), 1..30), |steps| {
        number.set(number.get() + 1);
        runtime.block_on(walk(&world, &format!("walk{}", number.get()), &steps))
    });
    walks.unwrap();
}

async fn walk(world: &World, group: &str, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut model = Model::new();
    let people = model.members();
    let people = people.iter().map(|(uid, scope)| (uid.as_str(), uid.as_str(), *scope));
    world.seed(group, GroupType::Public, people).await;
    let first = world.head(group).await;
    let mut events = 0;
    for step in steps {
        let expected = model.walk(step);
        prop_assert_eq!(do_it(world, group, step).await, expected, "{:?} in {:?}", step, model);
        events += u64::from(expected == "done");
        prop_assert_eq!(world.members(group).await, model.members(), "after {:?}", step);
    }
    prop_assert_eq!(world.head(group).await - first, events, "one event for each change");
    let owners = world.members(group).await.into_iter().filter(|(_, scope)| *scope == Scope::Owner).count();
    prop_assert!(owners <= 1);
    let faults = crate::support::faults(&world.app).await;
    prop_assert_eq!(faults, Vec::<String>::new());
    Ok(())
}
