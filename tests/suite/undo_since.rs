//! Undoing after something else has happened: a list from the host came, something ended, the person is gone, or it
//! was undone before.

use std::time::Duration;

use chat_group_members::config::Secret;
use chat_group_members::domain::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::send;
use crate::support::{Actor, Answer, World, eventually};
use crate::v3::KEY;

/// The cast, whose acts can be undone for ten minutes, and a host with a key.
async fn world() -> World {
    World::with(|config| {
        config.undo_window = Duration::from_secs(600);
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await
}

async fn undo(actor: &Actor, seq: u64) -> Answer {
    actor.act(Method::POST, &format!("/groups/den/events/{seq}/undo"), json!({})).await
}

/// Undoes every act of the request that this event belongs to.
async fn undo_batch(actor: &Actor, seq: u64) -> Answer {
    actor.act(Method::POST, &format!("/groups/den/events/{seq}/undo"), json!({"batch": true})).await
}

/// The host asks.
async fn host(world: &World, method: Method, path: &str, body: Value) -> Answer {
    send(world.ada.anonymous(method, path).header("apikey", KEY).json(&body)).await
}

/// The host brings `den` into step with its own data: Ada, Ben, Cy and these.
async fn list(world: &World, others: Value) {
    let list = json!({"owner": "ada", "admins": ["ben"], "moderators": ["cy"], "members": others});
    host(world, Method::PUT, "/v3/groups/den/members", list).await.ok();
}

async fn mutes(world: &World) -> Value {
    world.ben.data("/groups/den/mutes").await.ok().json()["data"].clone()
}

#[tokio::test]
async fn what_a_list_from_the_host_has_changed_is_not_overwritten() {
    let world = world().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    list(&world, json!([{"uid": "dee"}, {"uid": "eve"}])).await;
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    undo(&world.cy, kicked).await.refused(409, "ERR_UNDO_OVERTAKEN");
    // After another list she is as she was after the kick, and it was the host who put her out.
    list(&world, json!([{"uid": "eve"}])).await;
    undo(&world.cy, kicked).await.refused(409, "ERR_UNDO_OVERTAKEN");
    assert_eq!(world.scope("den", "dee").await, None);
    world.cy.set_scope("eve", "moderator").await.ok();
    let promoted = world.head("den").await;
    list(&world, json!([{"uid": "eve", "scope": "moderator", "joinedAt": 7}])).await;
    undo(&world.cy, promoted).await.refused(409, "ERR_UNDO_OVERTAKEN");
    assert_eq!(world.scope("den", "eve").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn whom_the_host_has_made_more_than_the_one_who_put_them_out_is_overtaken_and_not_above_them() {
    let world = world().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    list(&world, json!([{"uid": "dee", "scope": "admin"}, {"uid": "eve"}])).await;
    undo(&world.cy, kicked).await.refused(409, "ERR_UNDO_OVERTAKEN");
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Admin));
}

#[tokio::test]
async fn a_list_from_the_host_that_leaves_somebody_as_they_were_overtakes_nothing() {
    let world = world().await;
    world.cy.set_scope("dee", "moderator").await.ok();
    world.cy.kick("eve").await.ok();
    let kicked = world.head("den").await;
    // Dee has another name in it, Hal is new, and Eve is not listed.
    list(&world, json!([{"uid": "dee", "name": "Dee Okoro", "scope": "moderator"}, {"uid": "hal"}])).await;
    assert_eq!(world.head("den").await, kicked + 1);
    undo(&world.cy, kicked - 1).await.ok();
    undo(&world.cy, kicked).await.ok();
    let participant = Some(Scope::Participant);
    assert_eq!((world.scope("den", "dee").await, world.scope("den", "eve").await), (participant, participant));
}

#[tokio::test]
async fn what_has_ended_by_itself_is_not_undone() {
    let world = world().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    world.cy.ban("eve", json!({"until": 60})).await.ok();
    world.ada.grant("cy", json!({"scope": "admin", "until": 60})).await.ok();
    let last = world.head("den").await;
    world.clock.advance(61_000);
    eventually("all three have ended", || async { world.head("den").await == last + 3 }).await;
    for act in last - 2..=last {
        undo(&world.ada, act).await.refused(409, "ERR_UNDO_OVERTAKEN");
    }
    assert_eq!(world.head("den").await, last + 3);
    assert_eq!((world.scope("den", "eve").await, world.scope("den", "cy").await), (None, Some(Scope::Moderator)));
}

#[tokio::test]
async fn whoever_gave_a_role_takes_it_back_also_when_they_have_less_themselves_by_now() {
    let world = world().await;
    world.ada.grant("cy", json!({"scope": "admin", "until": 60})).await.ok();
    world.cy.set_scope("dee", "admin").await.ok();
    let promoted = world.head("den").await;
    world.clock.advance(61_000);
    eventually("Cy is a moderator again", || async { world.head("den").await == promoted + 1 }).await;
    world.cy.set_scope("dee", "participant").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    undo(&world.cy, promoted).await.ok();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant), "as put back she is below Cy");
    // What was put back stays so: to ask again is no act, however high she is by now.
    world.ada.set_scope("dee", "admin").await.ok();
    undo(&world.cy, promoted).await.ok();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Admin));
}

#[tokio::test]
async fn nobody_undoes_what_the_host_did_to_the_group_itself() {
    let world = world().await;
    host(&world, Method::PUT, "/v3/groups/den", json!({"name": "The den"})).await.ok();
    let renamed = world.head("den").await;
    for answer in [undo(&world.ada, renamed).await, undo_batch(&world.ada, renamed).await] {
        answer.refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    undo(&world.ada, renamed + 1).await.refused(404, "ERR_EVENT_NOT_FOUND");
    assert_eq!(world.head("den").await, renamed);
}

#[tokio::test]
async fn nobody_is_put_back_who_is_gone() {
    let world = world().await;
    let kick = json!({"act": "kick", "uid": ["dee", "eve"]});
    world.ben.act(Method::POST, "/groups/den/bulk", kick).await.ok();
    let eve = world.head("den").await;
    host(&world, Method::DELETE, "/v3/users/dee", json!({})).await.ok();
    undo(&world.ben, eve - 1).await.refused(409, "ERR_UNDO_OVERTAKEN");
    let undone = undo_batch(&world.ben, eve).await.ok().json();
    assert_eq!((&undone["data"][0]["uid"], &undone["data"][0]["code"]), (&json!("dee"), &json!("ERR_UNDO_OVERTAKEN")));
    assert_eq!((&undone["data"][1]["uid"], &undone["data"][1]["ok"]), (&json!("eve"), &json!(true)));
    let members = world.members("den").await;
    let uids: Vec<&str> = members.iter().map(|(uid, _)| uid.as_str()).collect();
    assert_eq!(uids, ["ada", "ben", "cy", "eve"]);

    world.ben.kick("eve").await.ok();
    let kicked = world.head("den").await;
    host(&world, Method::DELETE, "/v3/users/eve", json!({"permanent": true})).await.ok();
    undo(&world.ben, kicked).await.refused(409, "ERR_UNDO_OVERTAKEN");
    assert_eq!((world.head("den").await, world.scope("den", "eve").await), (kicked, None));
}

#[tokio::test]
async fn whoever_was_deleted_and_made_again_is_not_put_back() {
    let world = world().await;
    world.ben.act(Method::POST, "/groups/den/bulk", json!({"act": "kick", "uid": ["cy", "dee"]})).await.ok();
    let last = world.head("den").await;
    host(&world, Method::DELETE, "/v3/users/cy", json!({})).await.ok();
    world.clock.advance(1_000);
    host(&world, Method::POST, "/v3/users", json!({"uid": "cy", "name": "Cyrus"})).await.ok();
    undo(&world.ben, last - 1).await.refused(409, "ERR_UNDO_OVERTAKEN");
    let undone = undo_batch(&world.ben, last).await.ok().json();
    assert_eq!((&undone["data"][0]["uid"], &undone["data"][0]["code"]), (&json!("cy"), &json!("ERR_UNDO_OVERTAKEN")));
    let scopes = (world.scope("den", "cy").await, world.scope("den", "dee").await);
    assert_eq!(scopes, (None, Some(Scope::Participant)));
}

#[tokio::test]
async fn a_mute_and_a_role_that_would_have_ended_by_now_are_not_put_back() {
    let world = world().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    world.cy.unmute("dee").await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 60})).await.ok();
    world.ada.set_scope("eve", "participant").await.ok();
    let last = world.head("den").await;
    world.clock.advance(61_000);
    undo(&world.cy, last - 2).await.ok();
    undo(&world.ada, last).await.ok();
    assert_eq!((world.head("den").await, mutes(&world).await), (last, json!([])), "nothing was left to put back");
    assert_eq!(world.scope("den", "eve").await, Some(Scope::Participant));
}

#[tokio::test]
async fn whoever_comes_back_after_the_end_of_their_role_has_the_lasting_one() {
    let world = world().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    world.ben.kick("dee").await.ok();
    let kicked = world.head("den").await;
    world.clock.advance(61_000);
    let mut stream = world.cy.events().await;
    undo(&world.ben, kicked).await.ok();
    let back = stream.until("Dee is back", |message| message.name() == "member_added").await.json();
    assert_eq!((&back["new"], back.get("until")), (&json!("participant"), None), "{back}");
    assert_eq!((world.head("den").await, world.scope("den", "dee").await), (kicked + 1, Some(Scope::Participant)));
    assert!(!world.app.store().read().await.unwrap().any_ended().await.unwrap(), "no end is left");
}

#[tokio::test]
async fn whoever_kicks_somebody_whose_role_has_just_ended_may_undo_it_before_the_sweep_as_after_it() {
    let world = world().await;
    for (who, is_swept) in [("dee", false), ("eve", true)] {
        world.ada.grant(who, json!({"scope": "moderator", "until": 60})).await.ok();
        world.clock.advance(61_000);
        if is_swept {
            eventually("the role has ended", || async {
                !world.app.store().read().await.unwrap().any_ended().await.unwrap()
            })
            .await;
        }
        world.cy.kick(who).await.ok();
        undo(&world.cy, world.head("den").await).await.ok();
        assert_eq!(world.scope("den", who).await, Some(Scope::Participant), "{who}");
    }
}

#[tokio::test]
async fn nobody_undoes_what_ended_by_itself_or_a_list_from_the_host() {
    let world = world().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    let ended = world.head("den").await + 1;
    world.clock.advance(61_000);
    eventually("the mute has ended", || async { world.head("den").await == ended }).await;
    list(&world, json!([{"uid": "dee"}])).await;
    let listed = ended + 1;
    assert_eq!((world.head("den").await, world.scope("den", "eve").await), (listed, None));
    for event in [ended, listed] {
        undo(&world.ada, event).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
        undo_batch(&world.ada, event).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    assert_eq!((world.head("den").await, world.scope("den", "eve").await), (listed, None));
}

#[tokio::test]
async fn a_batch_that_is_undone_twice_is_yes_and_makes_no_event() {
    let world = world().await;
    let kick = json!({"act": "kick", "uid": ["dee", "eve"]});
    let batch = world.ben.act(Method::POST, "/groups/den/bulk", kick).await.ok().json()["meta"]["batch"].as_u64();
    undo_batch(&world.ben, batch.unwrap()).await.ok();
    let head = world.head("den").await;
    let again = undo_batch(&world.ben, batch.unwrap()).await.ok().json();
    let done = |uid: &str| json!({"uid": uid, "ok": true, "seq": null});
    assert_eq!((&again["data"], &again["meta"]["batch"]), (&json!([done("dee"), done("eve")]), &Value::Null));
    world.ada.kick("dee").await.ok();
    undo_batch(&world.ben, batch.unwrap()).await.ok();
    assert_eq!(world.head("den").await, head + 1, "only Ada's kick");
    assert_eq!((world.scope("den", "dee").await, world.members("den").await.len()), (None, 4));
}

#[tokio::test]
async fn what_would_come_of_an_act_on_several_uses_no_number_and_no_key() {
    let world = world().await;
    let mut stream = world.cy.events().await;
    let head = world.head("den").await;
    let ask = |mut body: Value, dry: bool| {
        body["uid"] = json!(["dee", "eve"]);
        body["dryRun"] = json!(dry);
        let request = world.ben.request(Method::POST, "/groups/den/bulk").header("accept", "application/json");
        send(request.header("idempotency-key", "once").json(&body))
    };
    for act in [
        json!({"act": "ban"}),
        json!({"act": "mute", "until": 60}),
        json!({"act": "scope", "scope": "moderator"}),
        json!({"act": "kick"}),
    ] {
        let would = ask(act, true).await.ok().json();
        assert!(would["data"].as_array().unwrap().iter().all(|item| item["ok"] == true), "{would}");
        assert_eq!(world.head("den").await, head, "{would}");
    }
    let done = ask(json!({"act": "kick"}), false).await.ok().json();
    assert_eq!(done["meta"]["batch"], head + 1);
    let messages: Vec<_> = stream.up_to(head + 2).await.into_iter().filter(|message| message.id.is_some()).collect();
    let events: Vec<_> = messages.iter().map(|message| (message.seq(), message.name())).collect();
    assert_eq!(events, [(head + 1, "member_kicked"), (head + 2, "member_kicked")]);
}

/// Ben kicks Dee, Eve and Cy at once, and the host brings Dee back. Returns the first event.
async fn kicked_by_ben(world: &World) -> u64 {
    let kick = json!({"act": "kick", "uid": ["dee", "eve", "cy"]});
    let done = world.ben.act(Method::POST, "/groups/den/bulk", kick).await.ok().json();
    world.host_adds("den", "dee", "Dee Dee").await;
    done["meta"]["batch"].as_u64().unwrap()
}

#[tokio::test]
async fn of_a_batch_that_is_undone_in_part_it_is_said_who_was_left_out_and_why() {
    let world = world().await;
    let fields = [("_method", "POST"), ("batch", "true")];
    let batch = kicked_by_ben(&world).await;
    let answer = world.ben.htmx_act(&format!("/groups/den/events/{batch}/undo"), &fields).await.ok();
    let left_out = answer.attribute("[data-note=left-out]", "data-html").unwrap();
    let left_out = crate::support::fragment(&left_out);
    let text = |selector: &str| crate::support::texts(&left_out, selector, None).concat();
    assert_eq!(text("strong"), "2 people were put back as they were. Not possible for 1:");
    assert_eq!(text("details[open] summary"), "Changed again since then");
    assert_eq!(text("details li bdi"), "Dee Dee");
}

#[tokio::test]
async fn without_javascript_the_page_after_an_undo_in_part_says_so_too() {
    let world = world().await;
    let fields = [("_method", "POST"), ("batch", "true")];
    let batch = kicked_by_ben(&world).await;
    let done = world.ben.form(&format!("/groups/den/events/{batch}/undo"), &fields).await;
    let page = world.ben.page(done.header("location")).await.ok();
    let notice = ".chat-group-members__notice";
    assert!(page.text(notice).starts_with("2 people were put back as they were."), "{}", page.body);
    assert_eq!(page.text(&format!("{notice} summary")), "Changed again since then");
    assert_eq!(page.text(&format!("{notice} details li")), "Dee Dee");
    // Whoever writes such an address says nothing with it but what refuses an act, and only of what they did.
    let forged = format!("{}&why=ended-banned.9&except=dee", done.header("location"));
    assert!(!world.ben.page(&forged).await.ok().body.contains("You are banned"));
    assert!(!world.cy.page(&forged).await.ok().has(notice), "it was not Cy who did it");
}

#[tokio::test]
async fn of_many_who_are_left_out_for_one_reason_the_first_fifty_are_named() {
    let world = world().await;
    let names: Vec<String> = (0..60).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let uids: Vec<&str> = names.iter().map(String::as_str).chain(["dee"]).collect();
    let mute = json!({"act": "mute", "uid": uids, "until": 3600});
    let batch = world.ben.act(Method::POST, "/groups/den/bulk", mute).await.ok().json()["meta"]["batch"].clone();
    let kick = json!({"act": "kick", "uid": names});
    world.ada.act(Method::POST, "/groups/den/bulk", kick).await.ok();
    let fields = [("_method", "POST"), ("batch", "true")];
    let answer = world.ben.htmx_act(&format!("/groups/den/events/{batch}/undo"), &fields).await.ok();
    let left_out = answer.attribute("[data-note=left-out]", "data-html").unwrap();
    let left_out = crate::support::fragment(&left_out);
    let summaries = crate::support::texts(&left_out, "details:not([open]) summary", None);
    assert_eq!(summaries, ["Changed again since then (60)"]);
    let named = crate::support::texts(&left_out, "details li", None);
    assert_eq!((named.len(), named[0].as_str(), named[50].as_str()), (51, "raider0000", "…"));
}
