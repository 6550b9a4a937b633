//! Undoing against everything else, on two nodes at once: what comes of the two requests is what would have come of one after the
//! other.

use std::collections::BTreeSet;

use chat_group_members::config::{Secret, Wake};
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::Value;

use crate::support::actor::send;
use crate::support::{World, faults};
use crate::v3::KEY;

const CAST: [(&str, &str, Scope); 5] = [
    ("ada", "Ada", Scope::Owner),
    ("ben", "Ben", Scope::Admin),
    ("cy", "Cy", Scope::Moderator),
    ("dee", "Dee", Scope::Participant),
    ("eve", "Eve", Scope::Participant),
];

/// Who asks for what: people in a group, the host by the whole path. `SEQ` stands for the number of the act that is
/// undone, `GROUP` for the group, and `dee` for a Dee who is in no other group.
type Request = (&'static str, &'static str, &'static str, &'static str);

/// What Ben does to Dee or Cy, and then undoes. Flo was banned before; Dee was muted where Ben lifts that.
const PUT_OUT: [Request; 2] =
    [("ben", "DELETE", "members/dee", "{}"), ("ben", "PUT", "bans/dee", r#"{"reason": "spam"}"#)];
const LIFTED: [Request; 2] = [("ben", "DELETE", "bans/flo", "{}"), UNMUTE];
const MUTED: [Request; 1] = [("ben", "PUT", "mutes/dee", r#"{"until": 3600}"#)];
const PROMOTED: [Request; 2] = [
    ("ben", "PUT", "members/dee/scope", r#"{"scope": "moderator"}"#),
    ("ben", "PUT", "members/dee/scope", r#"{"scope": "moderator", "until": 3600}"#),
];
const DEMOTED: [Request; 1] = [("ben", "PUT", "members/cy/scope", r#"{"scope": "participant", "message": "Rest."}"#)];
const SEVERAL: [Request; 2] = [
    ("ben", "POST", "bulk", r#"{"act": "kick", "uid": ["dee", "eve"]}"#),
    ("ben", "POST", "bulk", r#"{"act": "ban", "uid": ["dee", "eve"], "reason": "raid"}"#),
];
const SEVERAL_STAY: [Request; 2] = [
    ("ben", "POST", "bulk", r#"{"act": "mute", "uid": ["dee", "eve"], "until": 3600}"#),
    ("ben", "POST", "bulk", r#"{"act": "scope", "uid": ["dee", "eve"], "scope": "moderator"}"#),
];
const UNMUTE: Request = ("ben", "DELETE", "mutes/dee", "{}");

/// How it is undone.
const UNDO: Request = ("ben", "POST", "events/SEQ/undo", r#"{"batch": true}"#);

/// What happens at the same moment.
const MEANWHILE: [Request; 22] = [
    ("ben", "POST", "events/SEQ/undo", "{}"),
    ("ada", "POST", "events/SEQ/undo", r#"{"batch": true}"#),
    ("ada", "PUT", "bans/dee", r#"{"reason": "again"}"#),
    ("ada", "DELETE", "bans/dee", "{}"),
    ("ada", "PUT", "bans/flo", r#"{"reason": "again"}"#),
    ("ada", "DELETE", "members/dee", "{}"),
    ("ada", "PUT", "members/dee/scope", r#"{"scope": "admin"}"#),
    ("ada", "PUT", "mutes/dee", r#"{"until": 7200}"#),
    ("ada", "DELETE", "mutes/dee", "{}"),
    ("ada", "POST", "bulk", r#"{"act": "mute", "uid": ["dee", "eve"], "until": 3600}"#),
    ("ada", "PUT", "members/ben/scope", r#"{"scope": "participant"}"#),
    ("ada", "PUT", "owner", r#"{"uid": "ben"}"#),
    ("ben", "DELETE", "members/ben", "{}"),
    ("dee", "POST", "members", "{}"),
    ("dee", "DELETE", "members/dee", "{}"),
    ("cy", "POST", "members/dee/notes", r#"{"text": "Loud."}"#),
    ("host", "POST", "/v3/groups/GROUP/bannedusers/dee", r#"{"reason": "by the host"}"#),
    ("host", "POST", "/v3/groups/GROUP/mutedusers/dee", r#"{"until": 7200}"#),
    ("host", "DELETE", "/v3/groups/GROUP/members/dee", "{}"),
    ("host", "PUT", "/v3/users/dee", r#"{"name": "Deirdre"}"#),
    (
        "host",
        "PUT",
        "/v3/groups/GROUP/members",
        r#"{"owner": "ada", "admins": ["ben"], "moderators": ["cy"], "participants": ["dee", "eve"]}"#,
    ),
    (
        "host",
        "PUT",
        "/v3/groups/GROUP/members",
        r#"{"owner": "ada", "admins": ["ben"], "moderators": ["cy"], "participants": ["eve"]}"#,
    ),
];

/// The text with the uid that Dee has in this group.
fn with_dee_of(name: &str, text: &str) -> String {
    text.replace("dee", &format!("dee-{name}"))
}

/// A group in which Ben has just done this, and the number of it.
async fn group(world: &World, name: &str, done: Request) -> u64 {
    let people = CAST.map(|(uid, called, scope)| (with_dee_of(name, uid), called, scope));
    let people = people.iter().map(|(uid, called, scope)| (uid.as_str(), *called, *scope));
    world.seed(name, GroupType::Public, people).await;
    world.host_bans(name, "flo", None).await;
    if done == UNMUTE {
        world.host_mutes(name, &with_dee_of(name, "dee")).await;
    }
    let head = world.head(name).await;
    ask(world, name, done, 0).await;
    head + 1
}

/// The status, and of a refusal its code; of several people, of each.
async fn ask(world: &World, name: &str, (who, method, path, body): Request, seq: u64) -> String {
    let path = with_dee_of(name, path).replace("SEQ", &seq.to_string()).replace("GROUP", name);
    let method: Method = method.parse().unwrap();
    let body: Value = serde_json::from_str(&with_dee_of(name, body)).unwrap();
    let answer = if who == "host" {
        send(world.ada.anonymous(method, &path).header("apikey", KEY).json(&body)).await
    } else {
        world.actor(&with_dee_of(name, who)).act(method, &format!("/groups/{name}/{path}"), body).await
    };
    let code = |value: &Value| {
        let code = value["code"].as_str().or(value["error"]["code"].as_str());
        code.unwrap_or_default().to_owned()
    };
    let json = answer.json();
    let each = json["data"].as_array().map(|items| items.iter().map(code).collect::<Vec<_>>().join(","));
    format!("{} {}{}", answer.status.as_u16(), code(&json), each.unwrap_or_default())
}

/// Everybody in the group, the banned and the muted, without numbers and moments of now.
async fn state(world: &World, name: &str) -> String {
    let group = world.app.hub().group(&name.parse().unwrap()).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
    let mut text = String::new();
    let reader = if world.scope(name, "ada").await.is_some() { "ada" } else { "ben" };
    for list in ["members", "bans", "mutes"] {
        let data = world.actor(reader).data(&format!("/groups/{name}/{list}")).await.ok().json()["data"].clone();
        let mut people: Vec<Value> = data.as_array().unwrap().clone();
        people.sort_by_key(|person| person["uid"].as_str().unwrap().to_owned());
        for person in people {
            let is_from_before = person["joinedAt"] == 1_700_000_000;
            let text_of = |field: &str| person[field].as_str().unwrap_or("-").to_owned();
            let [muted, ends] = ["mutedUntil", "scopeUntil"].map(|field| person[field].is_string());
            let uid = text_of("uid").replace(&format!("-{name}"), "");
            text +=
                &format!("{list} {uid} {} {} {is_from_before} {muted} {ends}\n", text_of("scope"), text_of("reason"));
        }
    }
    text
}

/// Each of these acts is undone while each of the others happens.
async fn race(acts: &[Request]) {
    let here = World::empty(|config| {
        config.wake = Wake::None;
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await;
    let there = here.beside().await;
    let mut raced = BTreeSet::new();
    for number in 0..acts.len() * MEANWHILE.len() {
        let (done, other) = (acts[number / MEANWHILE.len()], MEANWHILE[number % MEANWHILE.len()]);
        let name = |order: &str| format!("g{number}-{order}");
        let mut allowed = Vec::new();
        for order in ["first", "second"] {
            let name = name(order);
            let seq = group(&here, &name, done).await;
            let (one, two) = if order == "first" {
                let one = ask(&here, &name, UNDO, seq).await;
                (one, ask(&there, &name, other, seq).await)
            } else {
                let two = ask(&there, &name, other, seq).await;
                (ask(&here, &name, UNDO, seq).await, two)
            };
            allowed.push((one, two, state(&here, &name).await));
        }
        for (word, of_undo, of_other) in [("raced", &here, &there), ("raced-too", &there, &here)] {
            let name = name(word);
            let seq = group(&here, &name, done).await;
            let (one, two) = tokio::join!(ask(of_undo, &name, UNDO, seq), ask(of_other, &name, other, seq));
            let came = (one, two, state(&here, &name).await);
            let order = allowed.iter().position(|outcome| *outcome == came);
            assert!(order.is_some(), "{done:?} undone and {other:?}: {came:#?} is neither of {allowed:#?}");
            if allowed[0] != allowed[1] {
                raced.insert(order);
            }
            assert_eq!(state(&there, &name).await, came.2, "the other node sees the same");
            let members = here.members(&name).await;
            assert_eq!(members.iter().filter(|(_, scope)| *scope == Scope::Owner).count(), 1, "{done:?} {other:?}");
        }
    }
    assert!(!raced.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_that_somebody_was_put_out_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&PUT_OUT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_that_a_ban_or_mute_was_lifted_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&LIFTED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_a_mute_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&MUTED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_a_promotion_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&PROMOTED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_a_demotion_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&DEMOTED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_that_several_were_put_out_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&SEVERAL).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_a_mute_or_promotion_of_several_while_something_else_happens_is_as_if_one_had_come_first() {
    race(&SEVERAL_STAY).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_erased_while_an_act_on_them_is_undone_is_in_no_group_afterwards() {
    // On one node: two that erase would rewrite a SQLite file at the same time.
    let world = World::empty(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    let erase = ("host", "DELETE", "/v3/users/dee", r#"{"permanent": true}"#);
    let acts = [&PUT_OUT[..], &LIFTED, &MUTED, &PROMOTED, &SEVERAL, &SEVERAL_STAY].concat();
    for (number, done) in acts.into_iter().enumerate() {
        let name = format!("g{number}");
        let seq = group(&world, &name, done).await;
        let (undone, erased) = tokio::join!(ask(&world, &name, UNDO, seq), ask(&world, &name, erase, seq));
        assert!(["200", "409", "503"].contains(&&undone[..3]), "{done:?}: {undone}");
        // PostgreSQL refuses to forget whoever comes in at that moment, and is asked again.
        let erased = if erased.starts_with("503") { ask(&world, &name, erase, seq).await } else { erased };
        assert_eq!(erased, "200 ", "{done:?}");
        assert_eq!(world.scope(&name, &with_dee_of(&name, "dee")).await, None, "{done:?}: {undone}");
    }
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}
