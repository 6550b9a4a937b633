//! What is delivered, held against what `/openapi.json` says of it.

use std::collections::BTreeSet;

use chat_group_members::config::{Secret, Webhook};
use chat_group_members::domain::event_type::{LOG_RESTARTED, event_types};
use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::store::Store;
use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::{Call, Receiver};
use super::{KEY, ask, operate, state, webhook};
use crate::support::schema::mismatches;
use crate::support::{World, eventually, row};

/// The cast, and a host that is told of everything, presence included.
async fn told_everything(receiver: &Receiver) -> World {
    let url = receiver.url.clone();
    World::with(|config| {
        config.webhooks = vec![Webhook { events: event_types(), ..webhook(&url) }];
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await
}

/// Waits until an event of each of these types has come.
async fn come(receiver: &Receiver, types: &[String]) {
    eventually(&format!("each of {types:?}"), || async {
        let kinds: BTreeSet<String> = receiver.calls().iter().map(Call::kind).collect();
        types.iter().all(|kind| kinds.contains(kind))
    })
    .await;
}

/// The cast, the host and an operator do whatever makes an event. The host has made the groups, and banned and kicked, before.
async fn everything_happens(world: &World) {
    ask(world, Method::PUT, "/v3/users/cy/presence", Some(json!({"status": "online", "ttl": 60}))).await.ok();
    operate(world, "test", json!({})).await;
    world.gus.join().await.ok();
    world.eve.leave().await.ok();
    let terms = json!({"until": 3600, "reason": "noise", "message": "Until this evening."});
    world.cy.mute("dee", terms.clone()).await.ok();
    world.cy.unmute("dee").await.ok();
    let about_dee = "/groups/den/members/dee/notes";
    let note = world.cy.act(Method::POST, about_dee, json!({"text": "Loud at night."})).await.ok().json();
    world.cy.act(Method::DELETE, &format!("{about_dee}/{}", note["data"]["id"]), json!({})).await.ok();
    world.cy.kick("dee").await.ok();
    let undo = format!("/groups/den/events/{}/undo", world.head("den").await);
    world.cy.act(Method::POST, &undo, json!({})).await.ok();
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    let mut bulk = terms;
    (bulk["act"], bulk["uid"]) = (json!("ban"), json!(["dee", "hal"]));
    world.ada.act(Method::POST, "/groups/den/bulk", bulk).await.ok();
    world.ada.unban("dee").await.ok();
    world.ada.transfer("ben").await.ok();
    let others = (0..501).map(|number| row(&format!("p{number:03}"), "Somebody", Scope::Participant, None));
    world.sync("crowd", GroupType::Public, others.collect()).await;
    ask(world, Method::PUT, "/v3/users/dee", Some(json!({"name": "Dee Two"}))).await.ok();
    ask(world, Method::PUT, "/v3/groups/park", Some(json!({"name": "Meadow"}))).await.ok();
    ask(world, Method::DELETE, "/v3/groups/vault", None).await.ok();
    ask(world, Method::DELETE, "/v3/users/eve", Some(json!({"permanent": true}))).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_event_is_delivered_with_exactly_the_fields_that_the_document_names() {
    let receiver = Receiver::new().await;
    let world = told_everything(&receiver).await;
    everything_happens(&world).await;
    let before: Vec<String> = event_types().into_iter().filter(|kind| kind != LOG_RESTARTED).collect();
    come(&receiver, &before).await;
    eventually("the positions are written", || async { state(&world).await["backlog"] == 0 }).await;
    Store::start_new_epoch(&world.app.config().database_url).await.unwrap();
    come(&receiver, &[LOG_RESTARTED.to_owned()]).await;

    let document = world.ada.get("/openapi.json").await.ok().json();
    let calls = receiver.calls();
    for call in &calls {
        let (kind, body) = (call.kind(), call.json());
        let operation = &document["webhooks"][&kind]["post"];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(mismatches(&document, schema, &body, &kind), [""; 0], "{body}");
        for parameter in operation["parameters"].as_array().unwrap() {
            assert_ne!(call.header(parameter["name"].as_str().unwrap()), "", "{kind}: {parameter}");
        }
    }
    for name in ["members", "membersUrl", "counts", "message", "cause", "undoes", "batch"] {
        assert!(calls.iter().any(|call| !call.data()[name].is_null()), "nothing that came has {name}");
    }
}

#[tokio::test]
async fn the_delivery_that_the_page_shows_is_as_the_document_says() {
    let page = include_str!("../../../docs/webhooks.md");
    let (_, delivery) = page.split_once("\nPOST /hooks/members\n").unwrap();
    let (_, body) = delivery.split_once("\n\n").unwrap();
    let (body, _) = body.split_once("\n```").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let world = World::new().await;
    let document = world.ada.get("/openapi.json").await.ok().json();
    let kind = body["type"].as_str().unwrap();
    let schema = &document["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{kind} is no event");
    assert_eq!(mismatches(&document, schema, &body, kind), [""; 0], "{body}");
    assert_eq!(body["data"]["cause"], "viewer", "every event has its cause");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_is_read_with_exactly_the_fields_that_the_document_names() {
    let receiver = Receiver::new().await;
    let world = told_everything(&receiver).await;
    everything_happens(&world).await;
    let document = world.ada.get("/openapi.json").await.ok().json();
    for (name, path) in [
        ("EventPage", "/v3/groups/den/events?limit=1000"),
        ("EventPage", "/v3/groups/park/events?limit=2"),
        ("EventPage", "/v3/groups/crowd/events"),
        ("PeoplePage", "/v3/groups/crowd/events/2/members?limit=2"),
    ] {
        let page = ask(&world, Method::GET, path, None).await.ok().json();
        assert!(!page["data"].as_array().unwrap().is_empty(), "{page}");
        let schema = &document["components"]["schemas"][name];
        assert_eq!(mismatches(&document, schema, &page, path), [""; 0], "{page}");
    }
}
