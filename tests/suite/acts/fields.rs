//! The fields of acts: the document and the forms have those that are read.

use std::collections::BTreeSet;

use chat_group_members::domain::Scope;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::actor::send;
use crate::support::{Actor, World, texts};

/// The fields of every body of an act in the document.
fn described(document: &Value) -> BTreeSet<String> {
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let acts = operations.filter(|operation| operation["tags"][0] == "Acts");
    let mut names = BTreeSet::new();
    for schema in acts.map(|act| &act["requestBody"]["content"]["application/json"]["schema"]) {
        let schema = schema["$ref"].as_str().map_or(schema, |place| document.pointer(&place[1..]).unwrap());
        names.extend(schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
    }
    names
}

/// The fields of the forms on a page that send something.
async fn sent(actor: &Actor, page: &str) -> Vec<String> {
    texts(&actor.page(page).await.ok().html(), "form[method=post] [name]", Some("name"))
}

#[tokio::test]
async fn each_field_that_the_document_or_a_form_has_is_read_so_it_comes_once() {
    let world = World::new().await;
    let mut names = described(&world.ada.get("/openapi.json").await.ok().json());
    let pages =
        [(&world.ada, "/groups/den/members/dee"), (&world.ada, "/groups/den/bans"), (&world.gus, "/groups/vault")];
    for (actor, page) in pages {
        names.extend(sent(actor, page).await);
    }
    for (name, of) in [("dryRun", "the document"), ("hours", "a form"), ("password", "both")] {
        assert!(names.contains(name), "{name} is a field of {of}: {names:?}");
    }
    for name in &names {
        let request = world.ada.request(Method::DELETE, "/groups/den/members/dee").header("accept", "application/json");
        let twice = request.form(&[(name.as_str(), "1"), (name.as_str(), "1")]).send().await.unwrap();
        let (status, body) = (twice.status(), twice.text().await.unwrap());
        assert!(status == 400 && body.contains(&format!("{name}: given more than once")), "{name}: {body}");
    }
    assert_eq!(world.ada.sees().await.len(), 5, "nobody is gone");
}

#[tokio::test]
async fn the_terms_of_an_act_in_its_address_are_refused_and_it_is_not_done_without_them() {
    let world = World::new().await;
    for (method, path) in [
        (Method::PUT, "/groups/den/bans/dee?until=60"),
        (Method::PUT, "/groups/den/bans/dee?reason=spam"),
        (Method::PUT, "/groups/den/members/dee/scope?hours=2"),
        (Method::DELETE, "/groups/den/members/dee?message=Bye"),
    ] {
        let refused = world.ada.act(method, path, json!({"scope": "moderator"})).await;
        assert_eq!((refused.status.as_u16(), &*refused.code()), (422, "ERR_VALIDATION"), "{path}: {}", refused.body);
        assert!(refused.body.contains("a field of the body"), "{path}: {}", refused.body);
    }
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}

/// The fields of an act, by name.
type Fields = &'static [(&'static str, &'static str)];

#[tokio::test]
async fn what_ben_asks_to_preview_where_nothing_is_previewed_is_refused_and_not_done() {
    let world = World::new().await;
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    let muted = world.head("den").await;
    let notes = "/groups/den/members/dee/notes";
    world.ben.act(Method::POST, notes, json!({"text": "Asked twice to stop."})).await.ok();
    let (note, undo) = (format!("{notes}/{}", muted + 1), format!("/groups/den/events/{muted}/undo"));
    let acts: [(&Actor, Method, &str, Fields); 12] = [
        (&world.ben, Method::DELETE, "/groups/den/members/dee", &[]),
        (&world.ben, Method::DELETE, "/groups/den/members/ben", &[]),
        (&world.ben, Method::PUT, "/groups/den/members/dee/scope", &[("scope", "moderator")]),
        (&world.ben, Method::PUT, "/groups/den/bans/dee", &[("reason", "spam")]),
        (&world.ben, Method::DELETE, "/groups/den/bans/flo", &[]),
        (&world.ben, Method::PUT, "/groups/den/mutes/dee", &[("until", "60")]),
        (&world.ben, Method::DELETE, "/groups/den/mutes/eve", &[]),
        (&world.ben, Method::POST, notes, &[("text", "Asked again.")]),
        (&world.ben, Method::DELETE, &note, &[]),
        (&world.ben, Method::POST, &undo, &[("batch", "true")]),
        (&world.ada, Method::PUT, "/groups/den/owner", &[("uid", "ben")]),
        (&world.gus, Method::POST, "/groups/park/members", &[]),
    ];
    let heads = (world.head("den").await, world.head("park").await);
    for (actor, method, path, fields) in acts {
        for (name, value) in [("dryRun", "true"), ("dryRun", ""), ("dry_run", "true")] {
            let all: Vec<_> = fields.iter().copied().chain([(name, value)]).collect();
            let data: Map<String, Value> = all.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            for request in [
                actor.request(method.clone(), path).json(&data),
                actor.request(method.clone(), path).form(&all),
                actor.request(method.clone(), &format!("{path}?{name}={value}")).form(fields),
            ] {
                let refused = send(request.header("accept", "application/json")).await;
                let detail = refused.refused(422, "ERR_VALIDATION").json()["detail"].as_str().unwrap().to_owned();
                assert!(detail.starts_with(&format!("{name}: ")), "{method} {path}: {detail}");
            }
        }
    }
    assert_eq!((world.head("den").await, world.head("park").await), heads, "nothing is done");
    world.ben.act(Method::DELETE, "/groups/den/members/dee?dryRun=false", json!({"dryRun": false})).await.ok();
    assert_eq!(world.scope("den", "dee").await, None, "the act is meant");
}
