//! Acts repeated under an `Idempotency-Key`: done once, and answered only to whoever may still read the answer.

use chat_group_members::domain::{Name, Scope, rfc3339};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::{Value, json};

use super::moved;
use crate::support::actor::{send, with};
use crate::support::{self, Actor, Answer, World, eventually};

#[tokio::test]
async fn the_same_key_does_an_act_once() {
    let world = World::new().await;
    let kick = || {
        let request = world.cy.request(Method::DELETE, "/groups/park/members/dee").header("accept", "application/json");
        send(request.header("idempotency-key", "k-1"))
    };
    let before = world.head("park").await;
    kick().await.ok();
    world.dee.join().await.ok();
    assert_eq!(kick().await.ok().json(), json!({"data": {}}), "the answer that was lost");
    assert_eq!(world.scope("park", "dee").await, Some(Scope::Participant), "and Dee is not kicked again");
    assert_eq!(world.head("park").await - before, 2);
}

#[tokio::test]
async fn the_same_key_does_a_ban_with_a_time_from_now_once() {
    let world = World::new().await;
    let ban = || {
        let request = world.cy.request(Method::PUT, "/groups/den/bans/dee").header("accept", "application/json");
        send(request.header("idempotency-key", "k-2").json(&json!({"reason": "rude", "until": 3600})))
    };
    ban().await.ok();
    let before = world.head("den").await;
    world.clock.advance(2_000);
    ban().await.ok();
    assert_eq!(moved(&world, before).await, 0);
}

#[tokio::test]
async fn a_key_stands_for_one_end_as_it_was_asked_for() {
    let world = World::new().await;
    let moment = |days: i64| rfc3339(world.clock.now() + days * 24 * 3_600_000);
    let (bans, mutes, scope) = ("/groups/den/bans/eve", "/groups/den/mutes/dee", "/groups/den/members/dee/scope");
    let bulk = "/groups/den/bulk";
    let several = |act: &str, until: Value| json!({"act": act, "uid": ["dee", "eve"], "until": until});
    let cases = [
        (Method::PUT, bans, json!({"until": 600}), json!({"until": ""})),
        (Method::PUT, bans, json!({}), json!({"until": 600})),
        (Method::PUT, mutes, json!({"until": 600}), json!({"until": 6000})),
        (Method::PUT, mutes, json!({"hours": 1}), json!({"hours": 2})),
        (Method::PUT, mutes, json!({"until": moment(1)}), json!({"until": moment(2)})),
        (Method::PUT, scope, json!({"scope": "moderator", "until": 600}), json!({"scope": "moderator", "until": 6000})),
        (Method::POST, bulk, several("mute", json!(600)), several("mute", json!(6000))),
        (Method::POST, bulk, several("ban", json!(600)), several("ban", json!(""))),
    ];
    for (number, (method, path, first, other)) in cases.into_iter().enumerate() {
        let ask = async |body: &Value| {
            let request = world.ada.request(method.clone(), path).header("accept", "application/json");
            send(request.header("idempotency-key", format!("k{number}")).json(body)).await
        };
        ask(&first).await.ok();
        let before = world.head("den").await;
        world.clock.advance(1_000);
        ask(&first).await.ok();
        ask(&other).await.refused(422, "ERR_VALIDATION");
        assert_eq!(moved(&world, before).await, 0, "{path} {other}");
    }
}

#[tokio::test]
async fn a_key_stands_for_one_act_of_one_caller_in_one_group() {
    let world = World::new().await;
    let act = |actor: &Actor, method: Method, path: &str| {
        let request = actor.request(method, path).header("accept", "application/json");
        send(request.header("idempotency-key", "same"))
    };
    act(&world.cy, Method::DELETE, "/groups/den/members/dee").await.ok();
    act(&world.cy, Method::DELETE, "/groups/den/members/eve").await.refused(422, "ERR_VALIDATION");
    assert_eq!(world.scope("den", "eve").await, Some(Scope::Participant));
    act(&world.ben, Method::DELETE, "/groups/den/members/eve").await.ok();
    assert_eq!(world.scope("den", "eve").await, None, "Ben's key is another");
    act(&world.cy, Method::DELETE, "/groups/park/members/eve").await.ok();
    assert_eq!(world.scope("park", "eve").await, None, "and so is one for another group");
    let empty = world.cy.request(Method::DELETE, "/groups/park/members/dee").header("accept", "application/json");
    send(empty.header("idempotency-key", "x".repeat(256))).await.refused(422, "ERR_VALIDATION");
}

/// Programs, forms and htmx, with the headers that they send.
const CLIENTS: [(&str, &[(&str, &str)]); 3] = [
    ("data", &[("accept", "application/json")]),
    ("form", &[("accept", "text/html")]),
    ("htmx", &[("hx-request", "true")]),
];

/// An act under a key, as this client sends it.
async fn keyed(actor: &Actor, method: Method, path: &str, key: &str, client: (&str, &[(&str, &str)])) -> Answer {
    keyed_with(actor, method, path, key, client, &[("scope", "moderator"), ("uid", "dee")]).await
}

/// The same with these fields.
async fn keyed_with(
    actor: &Actor,
    method: Method,
    path: &str,
    key: &str,
    client: (&str, &[(&str, &str)]),
    fields: &[(&str, &str)],
) -> Answer {
    let fields: Vec<_> = [("_method", method.as_str())].into_iter().chain(fields.iter().copied()).collect();
    let request = with(actor.request(Method::POST, path), client.1).header("idempotency-key", key).form(&fields);
    send(request).await
}

#[tokio::test]
async fn a_form_that_is_repeated_under_its_key_says_what_it_said_first_whatever_is_so_by_now() {
    let world = World::new().await;
    let path = "/groups/den/members/dee/scope";
    let choose = async |scope: &str, key: &str| {
        let done = keyed_with(&world.ada, Method::PUT, path, key, CLIENTS[1], &[("scope", scope)]).await;
        assert_eq!(done.status, 303, "{}", done.body);
        done.header("location").to_owned()
    };
    let says_so = |location: &str| location.contains("why=batch-unchanged.1&except=dee");
    let before = world.head("den").await;
    let nothing = choose("participant", "nothing").await;
    let change = choose("moderator", "change").await;
    assert!(says_so(&nothing) && change.contains("done=scope&uid=dee"), "{nothing}, {change}");
    for _ in ["once more", "and again"] {
        let [nothing, change] = [choose("participant", "nothing").await, choose("moderator", "change").await];
        assert!(says_so(&nothing) && change.contains("done=scope&uid=dee"), "{nothing}, {change}");
    }
    assert_eq!(moved(&world, before).await, 1);
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn whoever_left_is_confirmed_that_they_did_and_told_nothing_of_the_present() {
    for guid in ["den", "park"] {
        for client in CLIENTS {
            let world = World::new().await;
            let path = format!("/groups/{guid}/members/eve");
            let leave = || keyed(&world.eve, Method::DELETE, &path, "gone", client);
            assert!(leave().await.status.as_u16() < 400);
            world.ben.act(Method::DELETE, &format!("/groups/{guid}/members/dee"), json!({})).await.ok();
            rename(&world, guid, "The new name").await;
            let again = leave().await;
            assert_eq!(again.header("last-event-id"), "", "{guid} {}", client.0);
            assert_eq!(again.header("hx-trigger"), "");
            match client.0 {
                "data" => assert_eq!(again.ok().json(), json!({"data": {}})),
                "form" => assert_eq!((again.status.as_u16(), again.header("location")), (303, "/left?lang=en-US")),
                _ => {
                    let again = again.ok();
                    assert!(again.text("[role=alert]").starts_with("You have left"), "{}", again.body);
                    assert!(!again.body.contains("new name") && !again.has("[data-uid]"), "{}", again.body);
                }
            }
            let other = keyed(&world.eve, Method::DELETE, &path, "other", client).await;
            let unknown = keyed(&world.eve, Method::DELETE, "/groups/nowhere/members/eve", "other", client).await;
            assert_eq!((other.status.as_u16(), other.words()), (404, unknown.words()));
        }
    }
}

#[tokio::test]
async fn whoever_is_out_reads_nothing_by_repeating_what_they_did() {
    // `{head}` is the number of the event before: of the note that was added, of the mute that was set.
    type Fields = &'static [(&'static str, &'static str)];
    let acts: [(Method, &str, Fields); 11] = [
        (Method::PUT, "members/dee/scope", &[("scope", "moderator")]),
        (Method::DELETE, "members/hal", &[]),
        (Method::PUT, "bans/flo", &[]),
        (Method::DELETE, "bans/flo", &[]),
        (Method::PUT, "mutes/eve", &[("until", "600")]),
        (Method::DELETE, "mutes/eve", &[]),
        (Method::POST, "members/eve/notes", &[("text", "She was asked twice.")]),
        (Method::DELETE, "members/eve/notes/{head}", &[]),
        (Method::POST, "bulk", &[("act", "mute"), ("uid", "eve"), ("until", "600")]),
        (Method::POST, "events/{head}/undo", &[]),
        (Method::PUT, "owner", &[("uid", "dee")]),
    ];
    // By its own method and, as a plain form, by POST. To join is another test's; a selection changes nothing.
    let of_den = |path: &str| format!("/groups/den/{path}");
    let listed: Vec<_> = acts.iter().map(|(method, path, _)| (method.as_str(), of_den(path))).collect();
    let listed = listed.iter().flat_map(|(method, path)| [(*method, path.as_str()), ("POST", path.as_str())]);
    let beside = [("POST", "/groups/den/members"), ("POST", "/groups/den/selection")];
    let mut forgotten = support::routes::forgotten(&World::new().await, listed.chain(beside)).await;
    forgotten.retain(|route| !route.starts_with("GET "));
    assert!(forgotten.is_empty(), "not repeated here: {forgotten:#?}");

    for guid in ["den", "park"] {
        let world = World::new().await;
        world.host_adds(guid, "hal", "Hal Hart").await;
        let mut paths = Vec::new();
        for (number, (method, path, fields)) in acts.iter().enumerate() {
            paths.push(path.replace("{head}", &world.head(guid).await.to_string()));
            let path = format!("/groups/{guid}/{}", paths[number]);
            let key = format!("k{number}");
            let done = keyed_with(&world.ada, method.clone(), &path, &key, CLIENTS[0], fields).await;
            assert_eq!(done.status, 200, "{path}: {}", done.body);
        }
        world.host_kicks(guid, "ada").await;
        for client in CLIENTS {
            for (number, ((method, _, fields), path)) in acts.iter().zip(&paths).enumerate() {
                let ask = async |guid: &str| {
                    let (path, key) = (format!("/groups/{guid}/{path}"), format!("k{number}"));
                    keyed_with(&world.ada, method.clone(), &path, &key, client, fields).await
                };
                let (repeated, unknown) = (ask(guid).await, ask("nowhere").await);
                assert_eq!(repeated.status, 404, "{} {path}: {}", client.0, repeated.body);
                assert_eq!(repeated.words(), unknown.words(), "{} {path}", client.0);
                assert_eq!(repeated.header("last-event-id"), "");
            }
            // Their leave is confirmed only where they have left.
            let left = keyed(&world.ada, Method::DELETE, &format!("/groups/{guid}/members/ada"), "k0", client).await;
            assert_eq!(left.status, 404, "{}", left.body);
        }
    }
}

#[tokio::test]
async fn whoever_joined_and_is_out_again_reads_nothing_by_joining_again_under_the_key() {
    let world = World::new().await;
    for client in CLIENTS {
        let join = || keyed(&world.gus, Method::POST, "/groups/park/members", client.0, client);
        assert!(join().await.status.as_u16() < 400);
        world.host_kicks("park", "gus").await;
        let again = join().await;
        assert_eq!((again.status.as_u16(), again.header("last-event-id")), (404, ""), "{}", again.body);
    }
    assert_eq!(world.scope("park", "gus").await, None);
}

#[tokio::test]
async fn whoever_came_back_is_answered_from_the_present_state() {
    let world = World::new().await;
    let kick = || keyed(&world.cy, Method::DELETE, "/groups/den/members/dee", "out", CLIENTS[0]);
    kick().await.ok();
    world.ben.kick("cy").await.ok();
    assert_eq!(kick().await.status, 404);
    world.host_adds("den", "dee", "Dee Dee").await;
    world.host_adds("den", "cy", "Cy Marlowe").await;
    let head = world.head("den").await;
    assert_eq!(kick().await.ok().json(), json!({"data": {}}));
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant), "and Dee is not kicked again");
    assert_eq!(world.head("den").await, head);
    keyed(&world.gus, Method::DELETE, "/groups/den/members/dee", "out", CLIENTS[0])
        .await
        .refused(404, "ERR_GUID_NOT_FOUND");
}

/// The host calls a group something else.
async fn rename(world: &World, guid: &str, name: &str) {
    let patch = membership::GroupPatch { name: Some(Name::parse(name).unwrap()), ..Default::default() };
    membership::update_group(world.app.store(), support::by_host(guid), patch).await.unwrap();
}

#[tokio::test]
async fn a_refusal_does_not_use_up_the_key() {
    let world = World::new().await;
    let kick = || {
        let request = world.ben.request(Method::DELETE, "/groups/den/members/dee").header("accept", "application/json");
        send(request.header("idempotency-key", "k-3"))
    };
    world.ada.set_scope("dee", "admin").await.ok();
    kick().await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.ada.set_scope("dee", "participant").await.ok();
    kick().await.ok();
}

#[tokio::test]
async fn an_act_whose_end_has_passed_is_confirmed_to_whoever_repeats_it_and_refused_where_it_was_not_done() {
    let world = World::new().await;
    let day = 24 * 3_600_000;
    // At noon, so that the day does not end before the first request.
    world.clock.advance(day + day / 2 - world.clock.now().rem_euclid(day));
    let (soon, today) = (rfc3339(world.clock.now() + 10_000), rfc3339(world.clock.now())[..10].to_owned());
    let acts = [
        (Method::PUT, "/groups/den/bans/gus", json!({"until": soon})),
        (Method::PUT, "/groups/den/mutes/dee", json!({"until": soon})),
        (Method::PUT, "/groups/den/mutes/cy", json!({"day": today})),
        (Method::PUT, "/groups/den/members/eve/scope", json!({"scope": "moderator", "until": soon})),
        (Method::POST, "/groups/den/bulk", json!({"act": "ban", "uid": ["hal", "zoe"], "until": soon})),
    ];
    let ask = async |number: usize, key: &str| {
        let (method, path, body) = &acts[number];
        let request = world.ada.request(method.clone(), path).header("accept", "application/json");
        send(request.header("idempotency-key", format!("{key}{number}")).json(body)).await
    };
    let before = world.head("den").await;
    for number in 0..acts.len() {
        ask(number, "k").await.ok();
    }
    assert_eq!(moved(&world, before).await, 6);
    world.clock.advance(day / 2 + 2_000);
    eventually("all of them have ended", || async { moved(&world, before).await == 12 }).await;
    for (number, (.., body)) in acts.iter().enumerate() {
        ask(number, "k").await.ok();
        let refused = ask(number, "new").await.refused(422, "ERR_VALIDATION").json();
        let field = if body["day"].is_null() { "until: " } else { "day: " };
        assert!(refused["detail"].as_str().unwrap().starts_with(field), "{refused}");
    }
    let preview = json!({"act": "ban", "uid": ["hal"], "until": soon, "dryRun": true});
    let request = world.ada.request(Method::POST, "/groups/den/bulk").header("accept", "application/json");
    send(request.header("idempotency-key", "preview").json(&preview)).await.refused(422, "ERR_VALIDATION");
    assert_eq!(moved(&world, before).await, 12, "nothing is done again");
}

#[tokio::test]
async fn an_undo_is_confirmed_to_whoever_repeats_it_though_the_log_no_longer_has_the_act() {
    let world = World::new().await;
    type Client = (&'static str, &'static [(&'static str, &'static str)]);
    let undo = async |seq: u64, batch: &str, key: &str, client: Client| {
        let path = format!("/groups/den/events/{seq}/undo");
        keyed_with(&world.cy, Method::POST, &path, key, client, &[("batch", batch)]).await
    };
    world.cy.kick("dee").await.ok();
    let one = world.head("den").await;
    undo(one, "false", "one", CLIENTS[0]).await.ok();
    world.cy.act(Method::POST, "/groups/den/bulk", json!({"act": "kick", "uid": ["dee", "eve"]})).await.ok();
    let several = world.head("den").await;
    undo(several, "true", "several", CLIENTS[0]).await.ok();
    let head = world.head("den").await;
    membership::sweep(world.app.store(), 1).await.unwrap();
    for client in CLIENTS {
        for (seq, batch, key) in [(one, "false", "one"), (several, "true", "several")] {
            let again = undo(seq, batch, key, client).await;
            let status: u16 = if client.0 == "form" { 303 } else { 200 };
            assert_eq!(again.status, status, "{} {key}: {}", client.0, again.body);
        }
    }
    assert_eq!(undo(one, "false", "one", CLIENTS[0]).await.ok().json(), json!({"data": {}}));
    undo(one, "false", "other", CLIENTS[0]).await.refused(404, "ERR_EVENT_NOT_FOUND");
    assert_eq!(world.head("den").await, head);
}
