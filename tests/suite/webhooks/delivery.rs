//! What arrives, how it is signed, and in which order.

use std::collections::HashSet;
use std::time::Duration;

use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::{Receiver, Reply, SECRET};
use super::{ask, operate, state, webhook, world_sending_to, world_sending_to_with};
use crate::support::program::{Program, command, import};
use crate::support::{World, eventually, row, soon};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kick_arrives_at_once_signed_and_complete() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    let call = receiver.has(before + 1).await.pop().unwrap();
    assert!(call.is_signed_by(SECRET));
    assert!(!call.is_signed_by("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="));
    assert!(call.id().len() == 36 && call.id().starts_with("evt_"), "{}", call.id());
    assert_eq!(call.header("content-type"), "application/json");
    let body = call.json();
    assert_eq!(body["type"], "member.kicked");
    let data = &body["data"];
    assert_eq!(body["timestamp"], data["at"]);
    assert_eq!(data["seq"], world.head("den").await);
    assert_eq!(data["epoch"], *world.app.store().epoch());
    assert_eq!((&data["member"]["uid"], &data["member"]["name"]), (&json!("dee"), &json!("Dee Dee")));
    assert_eq!((&data["old"], &data["new"]), (&json!("participant"), &json!(null)));
    assert_eq!(data["by"], json!({"uid": "cy", "name": "Cy Marlowe"}));
    assert_eq!((&data["group"]["guid"], &data["group"]["owner"]), (&json!("den"), &json!("ada")));
    eventually("the position is written", || async { state(&world).await["backlog"] == 0 }).await;
    assert_eq!(receiver.calls().len(), before + 1, "once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_has_one_id_and_one_payload_at_every_endpoint_and_in_the_log() {
    let (one, other) = (Receiver::new().await, Receiver::new().await);
    let second = webhook(&other.url);
    let world = world_sending_to_with(&one, |config| config.webhooks.push(second)).await;
    let before = world.head("den").await;
    world.cy.kick("dee").await.ok();
    let log = ask(&world, Method::GET, &format!("/v3/groups/den/events?after={before}"), None).await.ok().json();
    let [logged] = &log["data"].as_array().unwrap()[..] else { panic!("one event: {log}") };
    for receiver in [&one, &other] {
        receiver.has_event("den", before + 1).await;
        let is_it = |data: &Value| data["group"]["guid"] == "den" && data["seq"] == before + 1;
        let call = receiver.calls().into_iter().find(|call| is_it(&call.data())).unwrap();
        assert_eq!(logged["id"], call.id());
        for field in ["type", "timestamp", "data"] {
            assert_eq!(logged[field], call.json()[field], "{field}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_arrives_without_its_text_and_a_mute_with_its_reason_message_and_end() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let before = receiver.calls().len();
    let notes = "/groups/den/members/dee/notes";
    let note = world.cy.act(Method::POST, notes, json!({"text": "Loud at night."})).await.ok().json();
    world.ben.act(Method::DELETE, &format!("{notes}/{}", note["data"]["id"]), json!({})).await.ok();
    world.cy.mute("dee", json!({"until": 3600, "reason": "shouts", "message": "Hush, please."})).await.ok();
    world.ben.unmute("dee").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    let calls = receiver.calls().split_off(before);
    let kinds: Vec<_> = calls.iter().map(super::receiver::Call::kind).collect();
    assert_eq!(kinds, ["note.added", "note.removed", "member.muted", "member.unmuted"]);
    for (call, by) in calls.iter().zip(["cy", "ben", "cy", "ben"]) {
        let data = call.data();
        assert_eq!((&data["member"]["uid"], &data["by"]["uid"]), (&json!("dee"), &json!(by)), "{data}");
        assert_eq!((&data["old"], &data["new"]), (&json!("participant"), &json!("participant")), "{data}");
        assert!(!call.body.contains("Loud"), "{}", call.body);
    }
    let muted = calls[2].data();
    assert_eq!((&muted["reason"], &muted["message"]), (&json!("shouts"), &json!("Hush, please.")));
    let [at, until] = ["at", "until"].map(|name| muted[name].as_str().unwrap().parse::<jiff::Timestamp>().unwrap());
    assert!((3_500..=3_600).contains(&(until.as_second() - at.as_second())), "{muted}");
    for other in [0, 1, 3].map(|at| calls[at].data()) {
        let terms = [other.get("reason"), other.get("until"), other.get("message")];
        assert_eq!(terms, [Some(&json!(null)), Some(&json!(null)), None], "{other}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_begins_within_milliseconds() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let mut times = Vec::new();
    for scope in ["moderator", "participant", "moderator", "participant", "moderator"] {
        let before = receiver.calls().len();
        world.ada.set_scope("dee", scope).await.ok();
        let answered = std::time::Instant::now();
        let call = receiver.has(before + 1).await.pop().unwrap();
        times.push(call.at.saturating_duration_since(answered));
    }
    times.sort();
    assert!(times[2] < Duration::from_millis(500), "not by the poll of each second: {times:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_beside_the_service_imports_is_told_in_order_from_the_beginning() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let other =
        chat_group_members::store::Store::open(&world.app.config().database_url, world.clock.clone()).await.unwrap();
    let rows = ["ada", "ben"].map(|uid| {
        Ok(crate::support::row(uid, uid, if uid == "ada" { Scope::Owner } else { Scope::Participant }, None))
    });
    let name = chat_group_members::domain::Name::parse("Pool").unwrap();
    let group = chat_group_members::domain::Group {
        guid: crate::support::guid("pool"),
        name,
        group_type: GroupType::Public,
        icon: None,
        description: None,
    };
    chat_group_members::membership::sync(&other, group, None, false, rows.into_iter()).await.unwrap();
    receiver.has_event("pool", 2).await;
    let calls: Vec<_> = receiver.calls().into_iter().filter(|call| call.data()["group"]["guid"] == "pool").collect();
    assert_eq!(calls.iter().map(super::receiver::Call::kind).collect::<Vec<_>>(), ["group.created", "members.synced"]);
    assert_eq!(calls[1].data()["members"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sync_of_people_who_take_much_json_says_where_to_read_them_in_a_body_that_receivers_take() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let person = |number: usize, letters: usize| {
        let uid = format!("6f9619ff-8b86-d011-b42d-{number:012}");
        let avatar = format!("https://cdn.example/avatars/{uid}.png?{}", "v".repeat(letters));
        row(&uid, "Somebody Else", Scope::Participant, Some(avatar))
    };
    for (guid, people, letters) in [("few", 450, 80), ("many", 450, 2_500)] {
        world.sync(guid, GroupType::Public, (0..people).map(|number| person(number, letters)).collect()).await;
        receiver.has_event(guid, 2).await;
    }
    let calls = receiver.calls();
    let [few, many] = ["few", "many"].map(|guid| {
        let is_it = |data: &Value| data["group"]["guid"] == guid && data["seq"] == 2;
        calls.iter().find(|call| is_it(&call.data())).unwrap()
    });
    for call in [few, many] {
        assert!(call.body.len() < 1_000_000, "{} bytes", call.body.len());
    }
    assert_eq!(few.data()["members"].as_array().unwrap().len(), 450);
    assert!(few.data().get("membersUrl").is_none() && many.data().get("members").is_none());
    assert_eq!(many.data()["counts"]["joined"], 450);
    let url = many.data()["membersUrl"].as_str().unwrap().to_owned();
    let page = ask(&world, Method::GET, &format!("{url}?limit=1000"), None).await.ok().json();
    assert_eq!(page["data"].as_array().unwrap().len(), 450);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_secret_signs_so_that_one_can_be_replaced() {
    let other = "whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQ=";
    let receiver = Receiver::new().await;
    let world = world_sending_to_with(&receiver, |config| {
        config.webhooks[0].keys.push(chat_group_members::config::SigningKey::parse(other).unwrap());
    })
    .await;
    world.cy.kick("dee").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    for call in receiver.calls() {
        assert!(call.is_signed_by(SECRET) && call.is_signed_by(other));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_do_not_wait_for_each_other_and_each_is_told_in_order() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    // The den's deliveries take their time.
    receiver.answers(|call, _| match call.data()["group"]["guid"].as_str() {
        Some("den") => Reply::Late(Duration::from_millis(100), 200),
        _ => Reply::Status(204),
    });
    for turn in 0..10 {
        let scope = if turn % 2 == 0 { "moderator" } else { "participant" };
        world.ada.set_scope("dee", scope).await.ok();
    }
    let before = world.head("den").await;
    world.gus.join().await.ok();
    let park = world.head("park").await;
    soon("the park", receiver.has_event("park", park)).await;
    assert!(receiver.seqs("den").last().unwrap() < &before, "the den is behind");
    receiver.has_event("den", before).await;
    receiver.is_in_order();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_types_that_were_asked_for_are_sent() {
    let receiver = Receiver::new().await;
    let url = receiver.url.clone();
    let world = World::with(|config| {
        config.webhooks =
            vec![chat_group_members::config::Webhook { events: vec!["member.left".into()], ..webhook(&url) }];
    })
    .await;
    world.cy.kick("dee").await.ok();
    world.eve.leave().await.ok();
    let calls = receiver.has(1).await;
    assert_eq!(calls.iter().map(super::receiver::Call::kind).collect::<Vec<_>>(), ["member.left"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_endpoint_begins_now_and_one_that_is_known_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::new().await;
    let serve = |with_webhook: bool| {
        let mut serve = command(folder.path());
        serve.args(["serve", "--listen", "127.0.0.1:0"]);
        if with_webhook {
            serve.env("CGM_WEBHOOK_URL", &receiver.url).env("CGM_WEBHOOK_SECRET", SECRET);
        }
        tokio::task::spawn_blocking(move || Program::start(&mut serve))
    };
    assert!(
        import(
            folder.path(),
            "den",
            "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n"
        )
        .0
    );
    let program = serve(true).await.unwrap();
    program.actor("ben").set_scope("dee", "moderator").await.ok();
    let first = receiver.has(1).await;
    assert_eq!((first[0].kind().as_str(), first[0].data()["seq"].as_u64()), ("member.scope_changed", Some(3)));
    program.kill();
    // What happens while no node has it in its configuration waits for it.
    let program = serve(false).await.unwrap();
    program.actor("ben").set_scope("dee", "participant").await.ok();
    program.kill();
    let program = serve(true).await.unwrap();
    program.actor("ben").kick("dee").await.ok();
    receiver.has_event("den", 5).await;
    assert_eq!(receiver.seqs("den"), [3, 4, 5]);
    drop(program);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_the_power_was_cut_everything_arrives_at_least_once_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::new().await;
    receiver.answers(|_, _| Reply::Late(Duration::from_millis(5), 200));
    let serve = || {
        let mut serve = command(folder.path());
        serve.args(["serve", "--listen", "127.0.0.1:0"]);
        serve.env("CGM_WEBHOOK_URL", &receiver.url).env("CGM_WEBHOOK_SECRET", SECRET);
        tokio::task::spawn_blocking(move || Program::start(&mut serve))
    };
    let mut program = serve().await.unwrap();
    assert!(
        import(
            folder.path(),
            "den",
            "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n"
        )
        .0
    );
    for round in 0..4 {
        for turn in 0..20 {
            let scope = if turn % 2 == 0 { "moderator" } else { "participant" };
            program.actor("ben").set_scope("dee", scope).await.ok();
        }
        if round < 3 {
            program.kill();
            program = serve().await.unwrap();
        }
    }
    receiver.has_event("den", 82).await;
    receiver.is_in_order();
    assert_eq!(receiver.seqs("den"), (1..=82).collect::<Vec<_>>());
    assert!(receiver.calls().iter().all(|call| call.is_signed_by(SECRET)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_is_sent_at_once_and_answered() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    let result = operate(&world, "test", json!({})).await;
    assert_eq!((&result["delivered"], &result["answer"]), (&json!(true), &json!("200")));
    let call = receiver.calls().pop().unwrap();
    assert_eq!((call.kind().as_str(), json!(call.id())), ("test", result["id"].clone()));
    assert!(call.is_signed_by(SECRET));
    receiver.answers_with(500);
    let result = operate(&world, "test", json!({})).await;
    assert_eq!((&result["delivered"], &result["answer"]), (&json!(false), &json!("500")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_replayed_arrives_again_under_the_same_ids() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    world.clock.advance(10_000);
    let from = jiff::Timestamp::from_millisecond(world.clock.now()).unwrap();
    world.cy.kick("dee").await.ok();
    world.gus.join().await.ok();
    receiver.has_event("park", world.head("park").await).await;
    receiver.has_event("den", world.head("den").await).await;
    eventually("it is written", || async { state(&world).await["backlog"] == 0 }).await;
    let before = receiver.calls();
    let result = operate(&world, "replay", json!({"from": from.to_string()})).await;
    assert_eq!(result["events"], 2);
    let calls = receiver.has(before.len() + 2).await;
    let ids = |calls: &[super::receiver::Call]| calls.iter().map(|call| call.id().to_owned()).collect::<HashSet<_>>();
    assert_eq!(ids(&calls[before.len()..]), ids(&before[before.len() - 2..]));
    let unknown = ask(&world, Method::POST, "/v3/webhooks/none/replay", Some(json!({"from": from.to_string()}))).await;
    assert_eq!(unknown.status, 404, "{}", unknown.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_endpoint_gets_what_it_missed_when_it_is_resumed() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    operate(&world, "pause", json!({})).await;
    eventually("it is paused", || async { state(&world).await["state"] == "paused" }).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    eventually("it waits", || async { state(&world).await["backlog"] == 1 }).await;
    assert_eq!(receiver.calls().len(), before);
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
}
