//! Undoing acts: what was is put back, by whoever may, in time, and only while nothing else has happened.

use chat_group_members::domain::{Act, Cause, Name, Scope, Terms};
use chat_group_members::membership::{self, ActRequest, Actor as By};
use chat_group_members::store::ExportTable;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::{send, with};
use crate::support::sse::{Message, Raw};
use crate::support::{Actor, Answer, World, guid, row, uid};

/// Most messages that a viewer gets for one act on a thousand people.
const HANDFUL: usize = 8;

/// Undoes the group's last event.
async fn undo_last(world: &World, actor: &Actor) -> Answer {
    let seq = world.head("den").await;
    undo(actor, seq).await
}

async fn undo(actor: &Actor, seq: u64) -> Answer {
    actor.act(Method::POST, &format!("/groups/den/events/{seq}/undo"), json!({})).await
}

/// The next event of this name of a stream of data.
async fn named(stream: &mut Raw, name: &str) -> Value {
    stream.until(name, |message| message.name() == name).await.json()
}

/// The members as an admin reads them, without the numbers of events.
async fn list(world: &World) -> Value {
    world.ben.data("/groups/den/members").await.ok().json()["data"].clone()
}

/// The bans as an admin reads them.
async fn bans(world: &World) -> Value {
    world.ben.data("/groups/den/bans").await.ok().json()
}

#[tokio::test]
async fn whatever_cy_does_to_dee_is_as_before_once_it_is_undone() {
    let world = World::new().await;
    let (members, banned) = (list(&world).await, bans(&world).await);
    world.cy.kick("dee").await.ok();
    assert_eq!(undo_last(&world, &world.cy).await.ok().json()["data"]["uid"], "dee");
    assert_eq!(list(&world).await, members);
    world.cy.ban("dee", json!({"reason": "rude", "until": 3600})).await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!((list(&world).await, bans(&world).await), (members.clone(), banned.clone()));
    world.cy.set_scope("dee", "moderator").await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!(list(&world).await, members);
    world.cy.unban("flo").await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!(bans(&world).await, banned);
    world.cy.ban("flo", json!({"reason": "again", "until": 60})).await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!(bans(&world).await, banned, "the terms of before");
    world.cy.ban("gus", json!({})).await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!(bans(&world).await, banned, "a stranger who was banned is not");
}

#[tokio::test]
async fn the_event_says_what_it_undoes_and_a_member_reads_nobody_s_name_in_either() {
    let world = World::new().await;
    let mut eve = world.eve.events().await;
    let mut ben = world.ben.events().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    undo_last(&world, &world.cy).await.ok();
    let (seen, seen_by_staff) = (named(&mut eve, "member_kicked").await, named(&mut ben, "member_kicked").await);
    assert_eq!((&seen["by"], &seen_by_staff["by"]["uid"]), (&Value::Null, &json!("cy")));
    let back = named(&mut eve, "member_added").await;
    // Whoever puts it back is mostly who did it.
    assert_eq!((&back["undoes"], &back["member"]["uid"], &back["by"]), (&json!(kicked), &json!("dee"), &Value::Null));
    assert_eq!(named(&mut ben, "member_added").await["by"]["uid"], "cy");
}

#[tokio::test]
async fn undone_twice_is_yes_and_makes_no_event() {
    let world = World::new().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    undo(&world.cy, kicked).await.ok();
    let head = world.head("den").await;
    undo(&world.cy, kicked).await.ok();
    world.ada.kick("dee").await.ok();
    undo(&world.cy, kicked).await.ok();
    assert_eq!(world.head("den").await, head + 1, "only Ada's kick");
    assert_eq!(world.scope("den", "dee").await, None);
}

#[tokio::test]
async fn whoever_did_it_may_undo_it_and_whoever_is_above_them() {
    let world = World::new().await;
    world.ben.kick("dee").await.ok();
    let kicked = world.head("den").await;
    undo(&world.cy, kicked).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    undo(&world.eve, kicked).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    undo(&world.gus, kicked).await.refused(404, "ERR_GUID_NOT_FOUND");
    undo(&world.ada, kicked).await.ok();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}

#[tokio::test]
async fn nobody_undoes_what_the_host_did_or_what_somebody_did_to_themselves() {
    let world = World::new().await;
    world.host_kicks("den", "dee").await;
    undo_last(&world, &world.ada).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.eve.leave().await.ok();
    undo_last(&world, &world.ada).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.cy.set_scope("cy", "participant").await.ok();
    undo_last(&world, &world.ada).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    undo(&world.ada, 999).await.refused(404, "ERR_EVENT_NOT_FOUND");
    let nonsense = world.ada.act(Method::POST, "/groups/den/events/x/undo", json!({})).await;
    nonsense.refused(404, "ERR_EVENT_NOT_FOUND");
}

#[tokio::test]
async fn an_undone_promotion_takes_back_what_is_as_high_as_whoever_gave_it() {
    let world = World::new().await;
    world.ben.set_scope("cy", "admin").await.ok();
    world.ben.set_scope("cy", "participant").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    undo_last(&world, &world.ben).await.ok();
    assert_eq!(world.scope("den", "cy").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn nobody_gives_back_by_an_undo_what_they_may_not_give_any_more() {
    let world = World::new().await;
    world.ben.kick("cy").await.ok();
    let kicked = world.head("den").await;
    world.ada.set_scope("ben", "moderator").await.ok();
    undo(&world.ben, kicked).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(world.scope("den", "cy").await, None);
}

#[tokio::test]
async fn after_the_window_it_is_too_late_and_without_one_always() {
    let world = World::new().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    world.clock.advance(29_000);
    world.cy.kick("eve").await.ok();
    world.clock.advance(2_000);
    undo(&world.cy, kicked).await.refused(409, "ERR_UNDO_TOO_LATE");
    undo(&world.cy, kicked + 1).await.ok();
    let world = World::with(|config| config.undo_window = std::time::Duration::ZERO).await;
    world.cy.kick("dee").await.ok();
    undo_last(&world, &world.cy).await.refused(409, "ERR_UNDO_TOO_LATE");
}

#[tokio::test]
async fn what_happened_since_is_not_overwritten_and_another_name_is_nothing() {
    let world = World::new().await;
    world.cy.kick("dee").await.ok();
    let kicked = world.head("den").await;
    world.host_adds("den", "dee", "Dee Okoro").await;
    world.cy.kick("dee").await.ok();
    undo(&world.cy, kicked).await.refused(409, "ERR_UNDO_OVERTAKEN");
    assert_eq!(world.scope("den", "dee").await, None, "out again by the second kick");
    undo(&world.cy, world.head("den").await).await.ok();
    world.cy.set_scope("dee", "moderator").await.ok();
    let promoted = world.head("den").await;
    membership::put_user(world.app.store(), uid("dee"), Name::parse("Dee Newname").ok(), None).await.unwrap();
    assert!(world.head("den").await > promoted, "the new name is an event");
    undo(&world.cy, promoted).await.ok();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}

#[tokio::test]
async fn a_ban_that_would_have_ended_by_now_is_not_put_back() {
    let world = World::with(|config| config.undo_window = std::time::Duration::from_secs(600)).await;
    world.cy.ban("dee", json!({"until": 60})).await.ok();
    world.cy.unban("dee").await.ok();
    let unbanned = world.head("den").await;
    world.clock.advance(120_000);
    undo(&world.cy, unbanned).await.ok();
    assert_eq!((world.head("den").await, bans(&world).await["meta"]["count"].clone()), (unbanned, json!(1)));
}

#[tokio::test]
async fn an_idempotency_key_undoes_once() {
    let world = World::new().await;
    world.cy.kick("dee").await.ok();
    let path = format!("/groups/den/events/{}/undo", world.head("den").await);
    let again = || send(with(world.cy.request(Method::POST, &path), &[("idempotency-key", "u1")]));
    again().await.ok();
    let head = world.head("den").await;
    again().await.ok();
    assert_eq!(world.head("den").await, head);
}

#[tokio::test]
async fn without_javascript_the_page_after_a_ban_has_the_button() {
    let world = World::new().await;
    let done = world.cy.form("/groups/den/bans/dee", &[("_method", "PUT")]).await;
    let page = world.cy.page(done.header("location")).await.ok();
    let action = page.attribute(".chat-group-members__undo", "action").unwrap();
    assert_eq!(page.text(".chat-group-members__undo span"), "Dee Dee was banned.");
    let undone = world.cy.form(&action, &[("_method", "POST")]).await;
    assert!(undone.header("location").contains("done=undo&uid=dee"), "{}", undone.header("location"));
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    let page = world.cy.page(undone.header("location")).await.ok();
    assert_eq!(page.text(".chat-group-members__notice"), "What was done to Dee Dee has been undone.");
}

#[tokio::test]
async fn the_answer_to_a_kick_brings_the_button_and_how_long_it_works() {
    let world = World::new().await;
    let answer = world.cy.htmx_act("/groups/den/members/dee", &[("_method", "DELETE")]).await.ok();
    let seconds: u64 = answer.attribute("li[data-note=undo] form", "data-seconds").unwrap().parse().unwrap();
    assert!((28..=30).contains(&seconds), "{seconds}");
    assert!(answer.has("li[data-note=undo] form button[data-action=undo]"));
    let left = world.eve.htmx_act("/groups/den/members/eve", &[("_method", "DELETE")]).await.ok();
    assert!(!left.has("li[data-note=undo]"), "what one did to oneself");
}

/// One act on these people, as data.
async fn bulk(actor: &Actor, body: Value) -> Answer {
    actor.act(Method::POST, "/groups/den/bulk", body).await
}

#[tokio::test]
async fn ben_bans_several_at_once_and_undoes_all_of_them_at_once() {
    let world = World::new().await;
    let (members, banned) = (list(&world).await, bans(&world).await);
    let everybody = ["dee", "eve", "cy", "ada", "ben", "gus"];
    let would = bulk(&world.ben, json!({"act": "ban", "uid": everybody, "dryRun": true})).await.ok().json();
    let head = world.head("den").await;
    let done = bulk(&world.ben, json!({"act": "ban", "uid": everybody, "reason": "raid"})).await.ok().json();
    let of = |answer: &Value, uid: &str| {
        answer["data"].as_array().unwrap().iter().find(|item| item["uid"] == uid).unwrap().clone()
    };
    for uid in ["dee", "eve", "cy", "gus"] {
        assert_eq!((&of(&would, uid)["ok"], &of(&done, uid)["ok"]), (&json!(true), &json!(true)), "{uid}");
    }
    for (uid, code) in [("ada", "ERR_GROUP_NO_CLEARANCE"), ("ben", "ERR_GROUP_NO_SELF_ACTION")] {
        assert_eq!((&of(&would, uid)["code"], &of(&done, uid)["code"]), (&json!(code), &json!(code)));
        assert!(of(&done, uid)["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    }
    assert_eq!((&would["meta"]["batch"], &done["meta"]["batch"]), (&Value::Null, &json!(head + 1)));
    let seqs: Vec<u64> =
        ["dee", "eve", "cy", "gus"].iter().map(|uid| of(&done, uid)["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [head + 1, head + 2, head + 3, head + 4], "in the order asked for, without gaps");
    assert_eq!(world.members("den").await.len(), 2);
    let path = format!("/groups/den/events/{}/undo", head + 2);
    let undone = world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok().json();
    assert!(undone["data"].as_array().unwrap().iter().all(|item| item["ok"] == true), "{undone}");
    assert_eq!((list(&world).await, bans(&world).await), (members, banned));
}

#[tokio::test]
async fn what_an_undo_brought_back_is_not_taken_away_by_another() {
    let world = World::new().await;
    let done = bulk(&world.ben, json!({"act": "ban", "uid": ["dee", "eve"]})).await.ok().json();
    let all = json!({"batch": true});
    let path = |batch: &Value| format!("/groups/den/events/{batch}/undo");
    let undone = world.ben.act(Method::POST, &path(&done["meta"]["batch"]), all.clone()).await.ok().json();
    let again = world.ben.act(Method::POST, &path(&undone["meta"]["batch"]), all).await;
    again.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(world.members("den").await.len(), 5);
}

#[tokio::test]
async fn of_a_batch_is_put_back_what_can_be_and_none_is_a_conflict() {
    let world = World::new().await;
    let done = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "eve"]})).await.ok().json();
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.host_adds("den", "dee", "Dee Okoro").await;
    let undone = world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok().json();
    assert_eq!(undone["data"][0]["code"], "ERR_UNDO_OVERTAKEN");
    assert_eq!((&undone["data"][1]["uid"], &undone["data"][1]["ok"]), (&json!("eve"), &json!(true)));
    let done = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "eve"]})).await.ok().json();
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.clock.advance(31_000);
    world.ben.act(Method::POST, &path, json!({"batch": true})).await.refused(409, "ERR_UNDO_TOO_LATE");
}

#[tokio::test]
async fn only_staff_act_on_several_and_on_a_thousand_at_most() {
    let world = World::new().await;
    bulk(&world.eve, json!({"act": "kick", "uid": ["dee"]})).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    bulk(&world.gus, json!({"act": "kick", "uid": ["dee"]})).await.refused(404, "ERR_GUID_NOT_FOUND");
    for body in [
        json!({"act": "dance", "uid": ["dee"]}),
        json!({"act": "kick"}),
        json!({"act": "kick", "uid": ["not a uid"]}),
        json!({"act": "scope", "uid": ["dee"]}),
        json!({"act": "kick", "uid": ["dee"], "dryRun": "perhaps"}),
        json!({"act": "kick", "uid": (0..1001).map(|n| format!("u{n}")).collect::<Vec<_>>()}),
        json!({"act": "kick", "uid": vec!["dee"; 1001]}),
    ] {
        bulk(&world.ben, body).await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.members("den").await.len(), 5);
}

#[tokio::test]
async fn what_is_given_twice_or_says_nothing_is_refused_and_nothing_happens() {
    let world = World::new().await;
    let before = list(&world).await;
    for (body, status) in [
        ("act=kick&act=ban&uid=dee", 400),
        ("act=kick&uid=dee&message=a&message=b", 400),
        ("act=kick&uid=dee&dryRun=true&dryRun=false", 400),
        ("act=kick&uid=dee&dryRun=", 422),
    ] {
        let request = world.ben.request(Method::POST, "/groups/den/bulk").header("accept", "application/json");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        assert_eq!(send(request).await.status.as_u16(), status, "{body}");
    }
    assert_eq!(list(&world).await, before);
    for seq in ["+1", "01", "1.0", "-1"] {
        let address = format!("/groups/den/events/{seq}/undo");
        assert_eq!(world.ben.act(Method::POST, &address, json!({})).await.status.as_u16(), 404, "{seq}");
    }
}

#[tokio::test]
async fn a_thousand_are_banned_and_come_back_in_one_request_each() {
    let world = World::new().await;
    let names: Vec<String> = (0..1000).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let mut screens = [world.eve.stream().await, world.ben.stream().await];
    let done = bulk(&world.cy, json!({"act": "ban", "uid": names})).await.ok().json();
    assert_eq!(world.members("den").await.len(), 5);
    let head = world.head("den").await;
    for screen in &mut screens {
        let messages = screen.up_to(head).await.len();
        assert!(messages <= HANDFUL, "{messages} messages for a thousand bans");
    }
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.cy.act(Method::POST, &path, json!({"batch": true})).await.ok();
    assert_eq!(world.members("den").await.len(), 1005);
    let head = world.head("den").await;
    for screen in &mut screens {
        let messages = screen.up_to(head).await.len();
        assert!(messages <= HANDFUL, "{messages} messages for a thousand who come back");
    }
    assert_eq!(bans(&world).await["meta"]["count"], 1);
}

#[tokio::test]
async fn whoever_is_put_out_reads_what_they_are_told_and_nobody_else_does() {
    let world = World::new().await;
    let (mut dee, mut eve) = (world.dee.stream().await, world.eve.events().await);
    world
        .cy
        .ban("dee", json!({"reason": "for the team", "message": "Cool down, & come back.", "until": 3600}))
        .await
        .ok();
    let last = dee.rest().await.pop().unwrap();
    let text = last.html().root_element().text().collect::<String>();
    assert!(text.contains("The team says: ") && text.contains("Cool down, & come back."), "{text}");
    assert!(!text.contains("for the team"));
    let seen = named(&mut eve, "member_banned").await;
    assert!(seen.get("message").is_none() && seen.get("reason").is_none(), "{seen}");
    let mut eve_as_data = world.eve.events().await;
    world.cy.act(Method::DELETE, "/groups/den/members/eve", json!({"message": "Read the rules."})).await.ok();
    let revoked = named(&mut eve_as_data, "revoked").await;
    assert_eq!((&revoked["reason"], &revoked["message"]), (&json!("kicked"), &json!("Read the rules.")));
    assert!(!world.dee.page("/groups/den").await.body.contains("Cool down"), "a private group is not there");
    for group in ["park", "vault"] {
        let terms = json!({"message": "Not here.", "until": 3600});
        world.cy.act(Method::PUT, &format!("/groups/{group}/bans/dee"), terms).await.ok();
        let page = world.dee.page(&format!("/groups/{group}")).await.refused(409, "ERR_BANNED_GROUPMEMBER");
        let alert = page.text("[role=alert]");
        assert!(alert.contains("You cannot come back until") && alert.contains("Not here."), "{group}: {alert}");
    }
    let long = "x".repeat(513);
    world.cy.ban("gus", json!({"message": long})).await.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn a_thousand_who_are_banned_at_once_are_all_told_so() {
    let world = World::new().await;
    let names: Vec<String> = (0..1000).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let mut raiders = Vec::new();
    for name in ["raider0000", "raider0500", "raider0999"] {
        raiders.push(world.actor(name).events().await);
    }
    let mut screen = world.actor("raider0001").stream().await;
    bulk(&world.cy, json!({"act": "ban", "uid": names, "message": "This was a raid."})).await.ok();
    world.cy.set_scope("eve", "moderator").await.ok();
    for raider in &mut raiders {
        let revoked = named(raider, "revoked").await;
        assert_eq!((&revoked["reason"], &revoked["message"]), (&json!("banned"), &json!("This was a raid.")));
    }
    let last = screen.rest().await.pop().unwrap();
    let text = last.html().root_element().text().collect::<String>();
    assert!(text.contains("You are banned from this group") && text.contains("This was a raid."), "{text}");
}

#[tokio::test]
async fn an_undo_that_races_with_everything_else_leaves_one_sound_state() {
    let world = World::new().await;
    for round in 0..12 {
        world.ben.ban("dee", json!({"reason": format!("round {round}")})).await.ok();
        let banned = world.head("den").await;
        let (undone, again) = (undo(&world.ben, banned), undo(&world.ben, banned));
        let (other, third) = (world.ada.unban("dee"), world.cy.ban("dee", json!({"reason": "mine"})));
        let (undone, again, _, _) = tokio::join!(undone, again, other, third);
        for answer in [undone, again] {
            assert!([200, 409].contains(&answer.status.as_u16()), "{}", answer.body);
        }
        assert_eq!(crate::support::faults(&world.app).await, Vec::<String>::new());
        let is_banned = bans(&world).await["data"].as_array().unwrap().iter().any(|ban| ban["uid"] == "dee");
        assert!(!(is_banned && world.scope("den", "dee").await.is_some()), "a member or banned, never both");
        world.ada.unban("dee").await.ok();
        if world.scope("den", "dee").await.is_none() {
            world.host_adds("den", "dee", "Dee Dee").await;
        }
    }
}

#[tokio::test]
async fn the_log_keeps_its_order_in_time_when_a_clock_goes_back() {
    let world = World::new().await;
    world.clock.advance(120_000);
    world.cy.kick("dee").await.ok();
    world.clock.advance(-120_000);
    world.cy.kick("eve").await.ok();
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.newest_events(&guid("den"), 2, true).await.unwrap();
    assert!(events[0].seq > events[1].seq && events[0].at >= events[1].at, "{events:?}");
    assert_eq!(events[0].cause, Some(Cause::Viewer));
}

#[tokio::test]
async fn an_act_on_several_that_is_repeated_under_its_key_answers_what_it_did() {
    let world = World::new().await;
    let ask = |path: String, key: &'static str, body: Value| {
        let request = world.ben.request(Method::POST, &path).header("accept", "application/json");
        send(request.header("idempotency-key", key).json(&body))
    };
    let kick = || ask("/groups/den/bulk".into(), "k1", json!({"act": "kick", "uid": ["dee", "ada", "eve"]}));
    let first = kick().await.ok().json();
    assert_eq!(first["data"].as_array().unwrap().len(), 3);
    let head = world.head("den").await;
    bulk(&world.ben, json!({"act": "ban", "uid": ["dee"]})).await.ok();
    let again = kick().await.ok().json();
    let done = json!([{"uid": "dee", "ok": true, "seq": head - 1}, {"uid": "eve", "ok": true, "seq": head}]);
    assert_eq!((&again["data"], &again["meta"]), (&done, &first["meta"]), "to whom it was done, and how it is undone");
    world.ben.unban("dee").await.ok();
    let undo = || ask(format!("/groups/den/events/{}/undo", first["meta"]["batch"]), "k2", json!({"batch": true}));
    let put_back = undo().await.ok().json();
    assert_eq!(put_back["data"][0]["code"], "ERR_UNDO_OVERTAKEN", "{put_back}");
    let again = undo().await.ok().json();
    assert_eq!((&again["data"][0], &again["meta"]), (&put_back["data"][1], &put_back["meta"]));
    assert_eq!(again["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn of_many_uids_the_one_that_is_none_is_named() {
    let world = World::new().await;
    let refused = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "d.e\u{202e}<b>", "eve"]})).await;
    assert!(refused.json()["detail"].as_str().unwrap().ends_with(r#": "d.e\u{202e}<b>""#), "{}", refused.body);
    refused.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn the_end_of_a_group_touches_everybody_and_says_how_they_stood() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await.ok();
    let (mut screen, mut data) = (world.ben.stream().await, world.ben.events().await);
    membership::delete_group(world.app.store(), guid("den")).await.unwrap();
    let head = world.head("den").await;
    let event = data.until("the end", |message| message.name() == "group_deleted").await.json();
    assert_eq!((&event["member"], &event["old"], &event["new"]), (&Value::Null, &Value::Null, &Value::Null));
    screen.until("the end", |message| message.has("[data-name=group-deleted]")).await;
    let mut reader = world.app.store().read().await.unwrap();
    let people = reader.people_of_event(&guid("den"), head, "", 100).await.unwrap();
    let standings: Vec<_> = people.iter().map(|person| (person.uid.as_str(), person.old, person.new)).collect();
    assert_eq!(
        standings,
        [
            ("ada", Some(Scope::Owner), None),
            ("ben", Some(Scope::Admin), None),
            ("cy", Some(Scope::Moderator), None),
            ("dee", Some(Scope::Participant), None),
            ("eve", Some(Scope::Moderator), None),
            ("flo", None, None),
        ]
    );
    let feed = reader.feed(&guid("den"), head - 1, 10).await.unwrap().unwrap();
    assert!(feed.events[0].people.is_empty(), "of the event itself the host reads nobody, as ever");
    for (name, limit) in [("dee", "mute"), ("eve", "scope"), ("flo", "ban")] {
        let events = reader.exported(ExportTable::Events, &uid(name), &Default::default()).await.unwrap().rows;
        let mut events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
        let last = events.rfind(|event| event["guid"] == "den").unwrap();
        assert_eq!(last["kind"], "group_deleted");
        assert!(last["oldRestrictions"][limit].is_object() && last["newRestrictions"].is_null(), "{name}: {last}");
    }
    drop(reader);
    // Whoever was in it is not, in a group that is made again under the id.
    world.seed("den", chat_group_members::domain::GroupType::Private, [("ada", "Ada", Scope::Owner)]).await;
    assert_eq!(world.ada.sees().await, ["ada"]);
}

#[tokio::test]
async fn a_list_from_the_host_says_how_those_were_limited_whom_it_touches() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await.ok();
    let people = [("ada", Scope::Owner), ("ben", Scope::Admin), ("cy", Scope::Moderator)];
    let list = |more: [(&str, Scope); 2]| {
        people.into_iter().chain(more).map(|(uid, scope)| row(uid, uid, scope, None)).collect()
    };
    let private = chat_group_members::domain::GroupType::Private;
    let touched = async |of: &str| {
        let mut reader = world.app.store().read().await.unwrap();
        let events = reader.exported(ExportTable::Events, &uid(of), &Default::default()).await.unwrap().rows;
        let mut events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
        let last = events.rfind(|event| event["guid"] == "den").unwrap();
        assert_eq!(last["kind"], "members_synced", "{of}");
        (last["oldRestrictions"].clone(), last["newRestrictions"].clone())
    };

    world.sync("den", private, list([("dee", Scope::Moderator), ("eve", Scope::Participant)])).await;
    let (old, new) = touched("dee").await;
    assert_eq!((&old["mute"]["reason"], &old), (&json!("loud"), &new), "no list lifts a mute");
    let (old, new) = touched("eve").await;
    assert!(old["scope"].is_object() && new.is_null(), "the end went with the scope: {old} {new}");
    assert_eq!(touched("ben").await, (Value::Null, Value::Null));
}

#[tokio::test]
async fn acts_that_share_a_commit_are_in_the_log_for_the_one_that_undoes_them() {
    let world = World::new().await;
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    // Another clock goes on, behind the last one.
    world.clock.advance(-60_000);
    let head = world.head("den").await;
    let by_ben = || ActRequest::new(guid("den"), By::Viewer(uid("ben")));
    let kick = |name| membership::act(world.app.store(), by_ben(), uid(name), Act::Kick { message: None });
    let undo = membership::undo(world.app.store(), by_ben(), head + 1, 600_000);
    // All of them wait before the first is begun.
    let (dee, refused, cy, undone) = tokio::join!(kick("dee"), kick("ada"), kick("cy"), undo);
    assert_eq!((dee.unwrap().seq, cy.unwrap().seq, undone.unwrap().1.seq), (head + 1, head + 2, head + 3));
    refused.unwrap_err();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.events(&guid("den"), head - 1, head + 3, 10).await.unwrap().unwrap();
    let logged: Vec<_> = events.iter().map(|event| (event.seq, event.touched[0].uid.as_str(), event.undoes)).collect();
    let of = |number: u64, name: &'static str| (head + number, name, None);
    assert_eq!(logged, [of(0, "eve"), of(1, "dee"), of(2, "cy"), (head + 3, "dee", Some(head + 1))]);
    assert!(events.is_sorted_by_key(|event| event.at), "the log goes on in time");
}

#[tokio::test]
async fn whoever_is_put_out_and_back_at_once_reads_that_they_were_and_nothing_later() {
    for (act, reason) in [(Act::Kick { message: None }, "kicked"), (Act::Ban(Terms::default()), "banned")] {
        let world = World::new().await;
        let id = world.dee.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].clone();
        let (mut dee, mut dees_data) = (world.dee.stream().await, world.dee.events().await);
        let mut eves_data = world.eve.events().await;
        let head = world.head("den").await;
        let by_cy = || ActRequest::new(guid("den"), By::Viewer(uid("cy")));
        let put_out = membership::act(world.app.store(), by_cy(), uid("dee"), act);
        let undo = membership::undo(world.app.store(), by_cy(), head + 1, 600_000);
        // They share a commit, so that the log is read past both at once, and one broadcast holds both.
        let (put_out, put_back) = tokio::join!(put_out, undo);
        assert_eq!((put_out.unwrap().seq, put_back.unwrap().1.seq), (head + 1, head + 2));

        let last = dee.rest().await.pop().unwrap();
        assert!(last.has("section#cgm-den.chat-group-members--ended[data-live=off][data-waits]"), "{last:?}");
        assert!(!last.has("[data-uid], [data-connect]"), "{last:?}");
        let messages = dees_data.rest().await;
        assert!(messages.iter().all(|message| !message.name().starts_with("member_")), "{messages:?}");
        let last = messages.last().unwrap();
        assert_eq!((last.name(), &last.json()["reason"]), ("revoked", &json!(reason)));

        let messages = eves_data.up_to(head + 2).await;
        let names: Vec<&str> = messages.iter().filter(|message| message.id.is_some()).map(Message::name).collect();
        assert_eq!(names, [format!("member_{reason}").as_str(), "member_added"], "to others both are events");
        // She is a member again, and goes on where she was.
        let header = [("Last-Event-ID", id.as_str().unwrap())];
        let resumed = world.dee.raw("/groups/den/events?format=json", &header).await.up_to(head + 2).await;
        let resumed: Vec<&Message> = resumed.iter().filter(|message| message.id.is_some()).collect();
        assert_eq!((resumed[0].seq(), &resumed[0].event, &resumed[0].data), (head + 1, &None, &None));
        assert_eq!((resumed[1].seq(), resumed[1].name()), (head + 2, "member_added"));
    }
}

/// What each of the cast reads afresh, without digits, since numbers of events go on; and what an admin reads as data, to the second
/// and the millisecond.
async fn afresh(world: &World) -> (Vec<String>, [Value; 3]) {
    let mut pages = Vec::new();
    for (viewer, path) in [
        (&world.ben, "/groups/den/members"),
        (&world.cy, "/groups/den/members"),
        (&world.dee, "/groups/den/members"),
        (&world.eve, "/groups/den/members"),
        (&world.ben, "/groups/den/bans"),
        (&world.ben, "/groups/den/mutes"),
    ] {
        // Whoever was put out is refused.
        let html = viewer.page(path).await.body;
        pages.push(html.chars().filter(|c| !c.is_ascii_digit()).collect());
    }
    let mutes = world.ben.data("/groups/den/mutes").await.ok().json();
    (pages, [list(world).await, bans(world).await, mutes])
}

#[tokio::test]
async fn whatever_is_undone_the_lists_are_afresh_as_they_were_to_the_byte() {
    let world = World::new().await;
    world.ben.mute("cy", json!({"until": 7200, "reason": "loud", "message": "Hush."})).await.ok();
    let helps = json!({"scope": "moderator", "until": 86_400, "message": "While I am away."});
    world.ada.grant("eve", helps).await.ok();
    let before = afresh(&world).await;
    assert!(before.0[3].contains("While I am away."), "{}", before.0[3]);
    let (kick, put) = (Method::DELETE, Method::PUT);
    let acts = [
        (kick.clone(), "members/dee", json!({"message": "Enough."})),
        (kick.clone(), "members/cy", json!({})),
        (kick.clone(), "members/eve", json!({})),
        (put.clone(), "bans/dee", json!({"reason": "rude", "until": 3600})),
        (put.clone(), "bans/eve", json!({})),
        (put.clone(), "bans/gus", json!({})),
        (put.clone(), "bans/flo", json!({"reason": "again", "until": 60})),
        (kick.clone(), "bans/flo", json!({})),
        (put.clone(), "mutes/dee", json!({"until": 60})),
        (put.clone(), "mutes/cy", json!({"until": 60, "message": "Less."})),
        (kick.clone(), "mutes/cy", json!({})),
        (put.clone(), "members/dee/scope", json!({"scope": "moderator", "until": 3600})),
        (put.clone(), "members/eve/scope", json!({"scope": "participant"})),
        (put.clone(), "members/cy/scope", json!({"scope": "participant", "message": "Rest."})),
    ];
    for (method, path, body) in acts {
        world.ben.act(method, &format!("/groups/den/{path}"), body).await.ok();
        assert_ne!(afresh(&world).await, before, "{path} changed something");
        undo_last(&world, &world.ben).await.ok();
        assert_same(&afresh(&world).await, &before, path);
    }
    for mut body in [
        json!({"act": "kick", "message": "Out."}),
        json!({"act": "ban", "reason": "a raid", "until": 3600}),
        json!({"act": "mute", "until": 60, "message": "All of you."}),
        json!({"act": "scope", "scope": "admin", "message": "Help me."}),
        json!({"act": "scope", "scope": "moderator", "until": 60}),
        json!({"act": "scope", "scope": "participant"}),
    ] {
        body["uid"] = json!(["cy", "dee", "eve", "flo"]);
        let batch = bulk(&world.ben, body.clone()).await.ok().json()["meta"]["batch"].clone();
        assert_ne!(afresh(&world).await, before, "{body} changed something");
        let path = format!("/groups/den/events/{batch}/undo");
        world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok();
        assert_same(&afresh(&world).await, &before, &body.to_string());
    }
}

fn assert_same(now: &(Vec<String>, [Value; 3]), before: &(Vec<String>, [Value; 3]), undone: &str) {
    for (now, before) in now.0.iter().zip(&before.0) {
        assert_eq!(now, before, "after {undone} was undone");
    }
    assert_eq!(now.1, before.1, "after {undone} was undone");
}

#[tokio::test]
async fn what_came_of_an_act_on_several_is_a_sentence_and_so_is_its_undoing() {
    let world = World::new().await;
    for (act, both, one) in [
        ("kick", "2 people were removed from the group.", "1 person was removed from the group."),
        ("ban", "2 people were banned.", "1 person was banned."),
        ("mute", "2 people were muted.", "1 person was muted."),
        ("scope", "2 people have another role now.", "1 person has another role now."),
    ] {
        for (uids, done, undone) in [
            (vec!["dee", "eve"], both, "2 people were put back as they were."),
            (vec!["dee"], one, "1 person was put back as they were."),
        ] {
            let mut fields = vec![("act", act), ("until", "60"), ("scope", "moderator"), ("_method", "POST")];
            fields.extend(uids.iter().map(|uid| ("uid", *uid)));
            let answer = world.ben.htmx_act("/groups/den/bulk", &fields).await.ok();
            assert_eq!(answer.text("[data-note=undo] span"), done);
            let path = answer.attribute("[data-note=undo] form", "action").unwrap();
            let answer = world.ben.htmx_act(&path, &[("_method", "POST"), ("batch", "true")]).await.ok();
            assert_eq!(answer.attribute("[data-note=undone]", "data-html").as_deref(), Some(undone), "{act}");
            assert!(!answer.has("[data-note=left-out]"), "{act}: nobody was left out");
        }
    }
}
