//! Undoing against everything else, on two nodes at once: what comes of the two requests is what would have come of one after the
//! other.

use std::collections::BTreeSet;

use chat_group_members::app::App;
use chat_group_members::config::Wake;
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::Value;

use crate::support::World;

const CAST: [(&str, &str, Scope); 5] = [
    ("ada", "Ada", Scope::Owner),
    ("ben", "Ben", Scope::Admin),
    ("cy", "Cy", Scope::Moderator),
    ("dee", "Dee", Scope::Participant),
    ("eve", "Eve", Scope::Participant),
];

/// Who asks for what in a group; `SEQ` stands for the number of the act that is undone.
type Request = (&'static str, &'static str, &'static str, &'static str);

/// What Ben does to Dee, and then undoes. Flo was banned before.
const DONE: [Request; 6] = [
    ("ben", "DELETE", "members/dee", "{}"),
    ("ben", "PUT", "bans/dee", r#"{"reason": "spam"}"#),
    ("ben", "PUT", "mutes/dee", r#"{"until": 3600}"#),
    ("ben", "PUT", "members/dee/scope", r#"{"scope": "moderator"}"#),
    ("ben", "DELETE", "bans/flo", "{}"),
    ("ben", "POST", "bulk", r#"{"act": "kick", "uid": ["dee", "eve"]}"#),
];

/// What happens at the same moment.
const MEANWHILE: [Request; 14] = [
    ("ben", "POST", "events/SEQ/undo", "{}"),
    ("ada", "POST", "events/SEQ/undo", r#"{"batch": true}"#),
    ("ada", "PUT", "bans/dee", r#"{"reason": "again"}"#),
    ("ada", "DELETE", "bans/dee", "{}"),
    ("ada", "PUT", "bans/flo", r#"{"reason": "again"}"#),
    ("ada", "DELETE", "members/dee", "{}"),
    ("ada", "PUT", "members/dee/scope", r#"{"scope": "admin"}"#),
    ("ada", "PUT", "mutes/dee", r#"{"until": 7200}"#),
    ("ada", "PUT", "members/ben/scope", r#"{"scope": "participant"}"#),
    ("ada", "PUT", "owner", r#"{"uid": "ben"}"#),
    ("ben", "DELETE", "members/ben", "{}"),
    ("dee", "POST", "members", "{}"),
    ("dee", "DELETE", "members/dee", "{}"),
    ("cy", "POST", "members/dee/notes", r#"{"text": "Loud."}"#),
];

/// A group in which Ben has just done this, and the number of it.
async fn group(world: &World, name: &str, done: Request) -> u64 {
    world.seed(name, GroupType::Public, CAST).await;
    world.host_bans(name, "flo", None).await;
    let head = world.head(name).await;
    ask(world, name, done, 0).await;
    head + 1
}

/// The status, and of a refusal its code; of several people, of each.
async fn ask(world: &World, name: &str, (who, method, path, body): Request, seq: u64) -> String {
    let path = format!("/groups/{name}/{}", path.replace("SEQ", &seq.to_string()));
    let method: Method = method.parse().unwrap();
    let answer = world.actor(who).act(method, &path, serde_json::from_str(body).unwrap()).await;
    let code = |value: &Value| value["code"].as_str().unwrap_or_default().to_owned();
    let json = answer.json();
    let each = json["data"].as_array().map(|items| items.iter().map(code).collect::<Vec<_>>().join(","));
    format!("{} {}{}", answer.status.as_u16(), code(&json), each.unwrap_or_default())
}

/// Everybody in the group, the banned and the muted, without numbers and moments of now.
async fn state(world: &World, name: &str) -> String {
    let group = world.app.hub().group(&name.parse().unwrap()).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
    let mut told = String::new();
    let reader = if world.scope(name, "ada").await.is_some() { "ada" } else { "ben" };
    for list in ["members", "bans", "mutes"] {
        let data = world.actor(reader).data(&format!("/groups/{name}/{list}")).await.ok().json()["data"].clone();
        let mut people: Vec<Value> = data.as_array().unwrap().clone();
        people.sort_by_key(|person| person["uid"].as_str().unwrap().to_owned());
        for person in people {
            let is_from_before = person["joinedAt"] == 1_700_000_000;
            let said = |field: &str| person[field].as_str().unwrap_or("-").to_owned();
            let muted = person["mutedUntil"].is_string();
            told += &format!("{list} {} {} {} {is_from_before} {muted}\n", said("uid"), said("scope"), said("reason"));
        }
    }
    told
}

async fn race(numbers: impl Iterator<Item = usize>) {
    let here = World::empty(|config| config.wake = Wake::None).await;
    let app = App::open_at(here.app.config().clone(), here.clock.clone()).await.unwrap();
    let there = World::of(app, here.clock.clone(), tempfile::tempdir().unwrap()).await;
    let undo = ("ben", "POST", "events/SEQ/undo", r#"{"batch": true}"#);
    let mut raced = BTreeSet::new();
    for number in numbers {
        let (done, other) = (DONE[number / MEANWHILE.len()], MEANWHILE[number % MEANWHILE.len()]);
        let name = |order: &str| format!("g{number}-{order}");
        let mut allowed = Vec::new();
        for order in ["first", "second"] {
            let name = name(order);
            let seq = group(&here, &name, done).await;
            let (one, two) = if order == "first" {
                let one = ask(&here, &name, undo, seq).await;
                (one, ask(&there, &name, other, seq).await)
            } else {
                let two = ask(&there, &name, other, seq).await;
                (ask(&here, &name, undo, seq).await, two)
            };
            allowed.push((one, two, state(&here, &name).await));
        }
        for (word, of_undo, of_other) in [("raced", &here, &there), ("raced-too", &there, &here)] {
            let name = name(word);
            let seq = group(&here, &name, done).await;
            let (one, two) = tokio::join!(ask(of_undo, &name, undo, seq), ask(of_other, &name, other, seq));
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
async fn undoing_while_something_else_happens_on_another_node_is_as_if_one_had_come_first() {
    race((0..DONE.len() * MEANWHILE.len()).step_by(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undoing_while_something_else_happens_elsewhere_is_as_if_one_had_come_first() {
    race((1..DONE.len() * MEANWHILE.len()).step_by(2)).await;
}
