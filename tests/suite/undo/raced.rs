//! Undoing on two nodes while the act ends by itself, or while the host ends the group.

use std::time::Duration;

use chat_group_members::config::{Secret, Wake};
use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::send;
use crate::support::{Actor, Answer, World, eventually, faults};
use crate::v3::KEY;

const CAST: [(&str, &str, Scope); 4] = [
    ("ada", "Ada", Scope::Owner),
    ("ben", "Ben", Scope::Admin),
    ("dee", "Dee", Scope::Participant),
    ("eve", "Eve", Scope::Participant),
];

/// What Ben does to Dee: the path in the group, and the terms.
type Put = (&'static str, &'static str);

const MUTE: Put = ("mutes/dee", r#"{"until": 60}"#);
const BAN: Put = ("bans/dee", r#"{"until": 60}"#);
const SCOPE: Put = ("members/dee/scope", r#"{"scope": "moderator", "until": 60}"#);

/// Milliseconds after which what lasts a minute is over.
const OVER: i64 = 61_000;

/// Two nodes without a word between them, whose acts can be undone for ten minutes, and a host with a key.
async fn nodes() -> (World, World) {
    let here = World::empty(|config| {
        config.wake = Wake::None;
        config.undo_window = Duration::from_secs(600);
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await;
    let there = here.beside().await;
    (here, there)
}

async fn put(actor: &Actor, name: &str, (path, terms): Put) -> Answer {
    let terms: Value = serde_json::from_str(terms).unwrap();
    actor.act(Method::PUT, &format!("/groups/{name}/{path}"), terms).await
}

async fn undo(actor: &Actor, name: &str, seq: u64) -> Answer {
    actor.act(Method::POST, &format!("/groups/{name}/events/{seq}/undo"), json!({})).await
}

/// Lets a minute pass: at once, or when Ada has read the list.
async fn minute_passes(world: &World, name: &str, at_once: bool) {
    if !at_once {
        world.ada.data(&format!("/groups/{name}/members")).await.ok();
    }
    world.clock.advance(OVER);
}

/// The banned and the muted.
async fn restricted(world: &World, name: &str) -> Vec<Value> {
    let mut people = Vec::new();
    for list in ["bans", "mutes"] {
        let answer = world.ben.data(&format!("/groups/{name}/{list}")).await.ok().json();
        people.extend(answer["data"].as_array().unwrap().clone());
    }
    people
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_by_itself_while_it_is_undone_is_taken_back_once() {
    let (here, there) = nodes().await;
    let rounds = [MUTE, BAN, SCOPE].into_iter().flat_map(|act| [(act, true), (act, false)]);
    for (number, (act, at_once)) in rounds.enumerate() {
        let name = format!("g{number}");
        here.seed(&name, GroupType::Public, CAST).await;
        put(&here.ben, &name, act).await.ok();
        let done = here.head(&name).await;
        let (one, other) = (undo(&here.ben, &name, done), undo(&there.ben, &name, done));
        let (one, other, ()) = tokio::join!(one, other, minute_passes(&here, &name, at_once));
        let answers = [one, other];
        let is_undone = answers.iter().any(|answer| answer.status.as_u16() == 200);
        for answer in answers.into_iter().filter(|answer| answer.status.as_u16() != 200) {
            answer.refused(409, "ERR_UNDO_OVERTAKEN");
        }
        eventually("it is over", || async { here.head(&name).await > done }).await;
        // What ends later is taken back together with all that has ended by then.
        put(&here.ben, &name, ("mutes/eve", r#"{"until": 60}"#)).await.ok();
        here.clock.advance(OVER);
        eventually("it was taken back once", || async { here.head(&name).await == done + 3 }).await;
        let expected = if act == BAN && !is_undone { None } else { Some(Scope::Participant) };
        assert_eq!(here.scope(&name, "dee").await, expected, "{act:?}, undone: {is_undone}");
        for node in [&here, &there] {
            assert_eq!(restricted(node, &name).await, Vec::<Value>::new(), "{act:?}, undone: {is_undone}");
        }
    }
    assert_eq!(faults(&here.app).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_back_by_an_undo_in_the_moment_of_its_end_is_over_all_the_same() {
    let (here, there) = nodes().await;
    let rounds = [MUTE, BAN].into_iter().flat_map(|act| [(act, true), (act, false)]);
    for (number, (act, at_once)) in rounds.enumerate() {
        let name = format!("g{number}");
        here.seed(&name, GroupType::Public, CAST).await;
        put(&here.ben, &name, act).await.ok();
        here.ben.act(Method::DELETE, &format!("/groups/{name}/{}", act.0), json!({})).await.ok();
        let lifted = here.head(&name).await;
        let (undone, ()) = tokio::join!(undo(&there.ben, &name, lifted), minute_passes(&here, &name, at_once));
        undone.ok();
        let store = here.app.store();
        eventually("it is over", async || !store.read().await.unwrap().any_ended().await.unwrap()).await;
        let events = here.head(&name).await - lifted;
        assert!(events == 0 || events == 2, "{act:?}: it came back and ended, or did not: {events}");
        assert_eq!(restricted(&here, &name).await, Vec::<Value>::new(), "{act:?}");
        assert_eq!(here.scope(&name, "dee").await, (act == MUTE).then_some(Scope::Participant));
    }
    assert_eq!(faults(&here.app).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_undone_while_the_host_ends_the_group_brings_nobody_back_into_it() {
    let (here, there) = nodes().await;
    let kick = (Method::DELETE, "members/dee", json!({}));
    let ban = (Method::PUT, "bans/dee", json!({"reason": "spam"}));
    let mute = (Method::PUT, "mutes/dee", json!({"until": 3600}));
    let promotion = (Method::PUT, "members/dee/scope", json!({"scope": "moderator", "until": 3600}));
    let several = (Method::POST, "bulk", json!({"act": "ban", "uid": ["dee", "eve"]}));
    for (number, (method, path, terms)) in [kick, ban, mute, promotion, several].into_iter().enumerate() {
        for (order, (undoing, ending)) in [(&here, &there), (&there, &here)].into_iter().enumerate() {
            let name = format!("g{number}-{order}");
            here.seed(&name, GroupType::Public, CAST).await;
            let seq = here.head(&name).await + 1;
            here.ben.act(method.clone(), &format!("/groups/{name}/{path}"), terms.clone()).await.ok();
            let all = json!({"batch": true});
            let undo_path = format!("/groups/{name}/events/{seq}/undo");
            let undone = undoing.ben.act(Method::POST, &undo_path, all.clone());
            let end = ending.ada.anonymous(Method::DELETE, &format!("/v3/groups/{name}")).header("apikey", KEY);
            let (undone, ended) = tokio::join!(undone, send(end));
            ended.ok();
            if undone.status.as_u16() != 200 {
                undone.refused(404, "ERR_GUID_NOT_FOUND");
            }
            for node in [&here, &there] {
                let again = node.ben.act(Method::POST, &undo_path, all.clone()).await;
                again.refused(404, "ERR_GUID_NOT_FOUND");
            }
            // Ben has another group of this name.
            let group = json!({"guid": name, "name": "Again", "type": "public", "owner": "ben"});
            send(here.ada.anonymous(Method::POST, "/v3/groups").header("apikey", KEY).json(&group)).await.ok();
            let again = here.ben.act(Method::POST, &undo_path, all).await;
            // Nor does whoever owns it now learn what was done in the former one.
            again.refused(404, "ERR_EVENT_NOT_FOUND");
            assert_eq!(here.members(&name).await, [("ben".to_owned(), Scope::Owner)], "{path}");
        }
    }
    assert_eq!(faults(&here.app).await, Vec::<String>::new());
}
