//! From one to many: a SQLite file becomes a PostgreSQL database while the service runs on.

mod failing;
mod fixture;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use self::fixture::{Fixture, KEY, sql};
use crate::support::actor::send;
use crate::support::program::Program;
use crate::support::sse::Message;
use crate::support::{self, Actor, eventually, soon};
use crate::webhooks::receiver::{Call, Receiver, SECRET};

/// What somebody sees of a group: list, bans, the group itself, and how all of it came about.
async fn shown_state(actor: &Actor, group: &str) -> Value {
    let get = async |path: &str| actor.data(&format!("/groups/{group}{path}")).await.ok().json();
    let (list, bans, shown) = (get("/members?limit=100").await, get("/bans").await, get("").await);
    let (epoch, head) = list["meta"]["id"].as_str().unwrap().rsplit_once('.').unwrap();
    let path = format!("/groups/{group}/events?format=json&hideUserStatus=true");
    let mut stream = actor.raw(&path, &[("Last-Event-ID", &format!("{epoch}.1"))]).await;
    let log = stream.up_to(head.parse().unwrap()).await;
    let log: Vec<Value> = log.iter().filter(|message| message.id.is_some()).map(without_statuses).collect();
    json!({"members": list["data"], "id": list["meta"]["id"], "bans": bans["data"], "group": shown["data"], "log": log})
}

/// A message without who is online, which is of the moment.
fn without_statuses(message: &Message) -> Value {
    let mut data = message.json();
    if let Some(member) = data["member"].as_object_mut() {
        member.remove("status");
    }
    json!({"id": message.id, "event": message.event, "data": data})
}

/// Kicks somebody under a key.
async fn kick(actor: &Actor, uid: &str, key: &str) -> u16 {
    let request = actor.request(Method::DELETE, &format!("/groups/den/members/{uid}"));
    send(request.header("idempotency-key", key).header("accept", "application/json")).await.status.as_u16()
}

async fn head(actor: &Actor, group: &str) -> u64 {
    let list = actor.data(&format!("/groups/{group}/members?limit=1")).await.ok().json();
    list["meta"]["id"].as_str().unwrap().rsplit_once('.').unwrap().1.parse().unwrap()
}

/// Whether an act that would make nothing different is refused.
async fn refuses_acts(program: &Program) -> bool {
    program.actor("ada").set_scope("eve", "participant").await.status == 503
}

#[track_caller]
fn numbers(messages: &[Message]) -> Vec<u64> {
    assert!(messages.iter().all(|message| message.name() != "resync"), "{messages:#?}");
    messages.iter().filter(|message| message.id.is_some()).map(Message::seq).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_in_the_file_is_in_postgresql_with_the_same_ids_and_numbers() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let (ada, ben) = (old.actor("ada"), old.actor("ben"));
    fixture.world.seed("den", GroupType::Private, [("odd", "Ann \"\\N\" O'Tab\\t 陈 Плов", Scope::Participant)]).await;
    fixture.world.seed("gone", GroupType::Public, support::CAST).await;
    membership::delete_group(fixture.world.app.store(), support::by_host("gone")).await.unwrap();
    ben.ban("odd", json!({"reason": "one\n\ttwo \\ \\. \\N", "until": 86_400})).await.ok();
    ben.set_scope("eve", "moderator").await.ok();
    assert_eq!(kick(&ben, "dee", "k1").await, 200);
    let mut before = Vec::new();
    for group in ["den", "park", "vault"] {
        before.push(shown_state(&ada, group).await);
    }
    assert!(before[0]["log"].as_array().unwrap().len() > 4 && before[0]["bans"].as_array().unwrap().len() == 2);

    let target = fixture.database("whole").await;
    let output = fixture.moves_to(&target);
    assert!(
        output.contains("8 users") && output.contains("groups: 3") && output.contains("Each has one owner"),
        "{output}"
    );
    drop(old);
    let new = fixture.serve(&target);
    for (group, before) in ["den", "park", "vault"].iter().zip(before) {
        assert_eq!(shown_state(&new.actor("ada"), group).await, before, "{group}");
    }
    fixture.doctor_is_happy(&target);

    let now = head(&new.actor("ada"), "den").await;
    assert_eq!(kick(&new.actor("ben"), "dee", "k1").await, 200, "done before, and not done again");
    assert_eq!(kick(&new.actor("ben"), "eve", "k1").await, 422, "the key is taken");
    assert_eq!(head(&new.actor("ada"), "den").await, now);
    new.actor("flo").join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
    let enter = async |password: &str| {
        new.actor("gus").act(Method::POST, "/groups/vault/members", json!({"password": password})).await
    };
    enter("simsim").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    enter("sesame").await.ok();
    new.actor("ben").kick("eve").await.ok();
    assert_eq!(head(&new.actor("ada"), "den").await, now + 1, "numbers go on");
    // A group that is gone has its numbers still: it comes back with the next one.
    let gone = sql(&target, "SELECT seq::text FROM groups WHERE guid = 'gone' AND deleted_at IS NOT NULL").await;
    assert_eq!(gone, ["3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_delivered_in_the_file_is_delivered_from_postgresql() {
    let fixture = Fixture::new().await;
    let receiver = Receiver::new().await;
    let serve = |database: &str| {
        let mut command = fixture.command(database);
        command.env("CGM_WEBHOOK_URL", &receiver.url).env("CGM_WEBHOOK_SECRET", SECRET);
        block_in_place(|| Program::start(command.args(["serve", "--listen", "127.0.0.1:0"])))
    };
    let old = serve(&fixture.file);
    let first = head(&old.actor("ada"), "den").await + 1;
    old.actor("ben").set_scope("eve", "moderator").await.ok();
    receiver.has_event("den", first).await;
    receiver.answers_with(503);
    old.actor("ben").kick("eve").await.ok();
    old.actor("ben").kick("dee").await.ok();
    old.actor("gus").join().await.ok();
    eventually("two groups fail", async || receiver.calls().len() >= 3).await;
    // The position of what was delivered is written before the failure.
    let failed = |calls: &[Call]| calls.iter().map(|call| call.id().to_owned()).collect::<HashSet<_>>();
    let (before, tried) = (receiver.calls().len(), failed(&receiver.calls()[1..]));
    let target = fixture.database("hooks").await;
    fixture.moves_to(&target);
    drop(old);
    receiver.answers_with(200);
    let (done, output) = fixture.run(&target, &["webhooks", "list"]);
    assert!(done && output.contains("waiting: 3 events"), "{output}");
    let new = serve(&target);
    receiver.has_event("den", first + 2).await;
    let waiting = async || fixture.run(&target, &["webhooks", "list"]).1;
    eventually("nothing waits", async || waiting().await.contains("waiting: 0 events")).await;
    receiver.is_in_order();
    assert_eq!(receiver.seqs("den"), [first, first + 1, first + 2]);
    assert!(tried.is_subset(&failed(&receiver.calls()[before..])), "under the ids of the first try");
    drop(new);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_it_moves_acts_are_told_to_come_back_and_everything_else_goes_on() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let (ada, eve) = (old.actor("ada"), old.actor("eve"));
    let mut stream = eve.events().await;
    stream.until("it begins", |message| message.name() == "ready").await;
    let target = fixture.database("slow").await;
    let moving = fixture.stalled_move_to(&target).await;
    eventually("the file is read-only", async || refuses_acts(&old).await).await;

    let acts = [
        (Method::DELETE, "/groups/den/members/dee", json!({})),
        (Method::PUT, "/groups/den/bans/dee", json!({"reason": "x"})),
        (Method::DELETE, "/groups/den/bans/flo", json!({})),
        (Method::PUT, "/groups/den/owner", json!({"uid": "ben"})),
    ];
    for (method, path, body) in acts {
        let answer = ada.act(method, path, body).await.refused(503, "ERR_UNAVAILABLE");
        assert!(answer.header("retry-after").parse::<u32>().is_ok(), "{path}");
    }
    old.actor("gus").join().await.refused(503, "ERR_UNAVAILABLE");
    let host = async |method: Method, path: &str, body: Value| {
        send(ada.anonymous(method, path).header("apikey", KEY).json(&body)).await
    };
    for answer in [
        host(Method::POST, "/v3/users", json!({"uid": "new", "name": "New"})).await,
        host(Method::PUT, "/v3/users/dee", json!({"name": "Dee Two"})).await,
        host(Method::DELETE, "/v3/groups/park", json!({})).await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.json()["error"]["code"].as_str()), (503, Some("ERR_UNAVAILABLE")));
        assert_eq!(answer.header("retry-after"), "2");
    }
    fixture.world.ada.kick("dee").await.refused(503, "ERR_UNAVAILABLE");
    let csv = fixture.folder().join("more.csv");
    std::fs::write(&csv, "uid,name,scope\nada,Ada,owner\n").unwrap();
    let (imported, output) = fixture.run(&fixture.file, &["import", "--group", "more", csv.to_str().unwrap()]);
    assert!(!imported && output.contains("read-only"), "{output}");

    assert_eq!(ada.sees().await, ["ada", "ben", "cy", "dee", "eve"]);
    assert_eq!(ada.get("/groups/den/members?searchKeyword=mArLowe").await.ok().uids(), ["cy"]);
    assert_eq!(ada.data("/groups/den/bans").await.ok().json()["data"][0]["uid"], "flo");
    assert_eq!(host(Method::GET, "/v3/users/dee", json!({})).await.ok().json()["data"]["name"], "Dee Dee");
    assert_eq!(send(ada.anonymous(Method::GET, "/readyz?for=reads")).await.status, 200);
    eventually("it is not ready for acts", async || {
        let ready = send(ada.anonymous(Method::GET, "/readyz")).await;
        ready.status == 503 && ready.body.contains("read-only")
    })
    .await;
    let _there = old.actor("dee").events().await;
    let online = |message: &Message| message.name() == "presence" && message.data.as_ref().unwrap().contains("dee");
    stream.until("dee is there", online).await;

    let (done, output) = moving.release().await;
    assert!(done, "{output}");
    assert!(refuses_acts(&old).await, "afterwards too, so that nothing is written to the file by mistake");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_goes_on_at_the_new_service_by_their_last_id() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let (data, html) = ("/groups/den/events?format=json", "/groups/den/events");
    let mut streams = [old.actor("eve").raw(data, &[]).await, old.actor("eve").raw(html, &[]).await];
    old.actor("ada").set_scope("dee", "moderator").await.ok();
    let seen = head(&old.actor("ada"), "den").await;
    let mut ids = Vec::new();
    for stream in &mut streams {
        ids.push(stream.up_to(seen).await.pop().unwrap().id.unwrap());
    }
    drop(streams);
    // This they miss at the old service, and the rest at the new one, before they are there.
    old.actor("ada").set_scope("dee", "participant").await.ok();
    let target = fixture.database("viewers").await;
    fixture.moves_to(&target);
    let mut left = old.actor("dee").raw(data, &[("Last-Event-ID", &ids[0])]).await;
    let new = fixture.serve(&target);
    new.actor("ben").kick("dee").await.ok();
    new.actor("ada").set_scope("cy", "admin").await.ok();
    old.terminate();
    let goodbye = left.rest().await;
    assert_eq!(goodbye.last().unwrap().name(), "bye", "the old service sends its viewers on: {goodbye:?}");

    let mut eve = new.actor("eve").raw(data, &[("Last-Event-ID", &ids[0])]).await;
    assert_eq!(numbers(&eve.up_to(seen + 3).await), [seen + 1, seen + 2, seen + 3]);
    new.actor("ada").set_scope("cy", "moderator").await.ok();
    assert_eq!(numbers(&eve.up_to(seen + 4).await), [seen + 4], "and it is live");
    let screen = new.actor("eve").raw(html, &[("Last-Event-ID", &ids[1])]).await.up_to(seen + 4).await;
    assert!(!screen.iter().any(|message| message.has("[data-note=resync]")), "{screen:#?}");
    assert!(screen.iter().any(|message| message.misses("dee")) && screen.iter().any(|message| message.shows("cy")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_answered_with_yes_is_moved_and_what_was_not_is_not() {
    const WRITERS: usize = 16;
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let count = Arc::new(AtomicUsize::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (nobody, count) = (old.actor("nobody"), count.clone());
            tokio::spawn(async move {
                let mut joined = Vec::new();
                for turn in 0.. {
                    let uid = format!("w{writer}t{turn}");
                    let request = nobody.anonymous(Method::POST, "/groups/park/members");
                    let answer = send(request.bearer_auth(support::token(&uid)).header("accept", "application/json"));
                    let answer = answer.await;
                    if answer.status == 503 {
                        break;
                    }
                    answer.ok();
                    joined.push(uid);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                joined
            })
        })
        .collect();
    eventually("they write", async || count.load(Ordering::Relaxed) > 100).await;
    let target = fixture.database("busy").await;
    fixture.moves_to(&target);
    let mut answered = Vec::new();
    for writer in writers {
        answered.extend(soon("a writer is refused", writer).await.unwrap());
    }
    let mut moved = sql(&target, "SELECT uid FROM members WHERE guid = 'park' AND uid ~ '^w'").await;
    answered.sort();
    moved.sort();
    assert_eq!(moved, answered);
    fixture.doctor_is_happy(&target);
}
