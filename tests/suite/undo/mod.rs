//! Undoing acts: what was is put back, by whoever may, in time, and only while nothing else has happened.

mod log;
mod raced;
mod refused;
mod screens;
mod several;

use chat_group_members::domain::{Name, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::{send, with};
use crate::support::sse::Raw;
use crate::support::{Actor, Answer, World, by_host, eventually, uid};

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
async fn a_member_does_not_learn_from_an_undo_that_a_ban_had_been_lifted() {
    let world = World::new().await;
    let mut eve = world.eve.events().await;
    let mut ben = world.ben.events().await;
    world.cy.ban("dee", json!({})).await.ok();
    world.cy.unban("dee").await.ok();
    let lifted = world.head("den").await;
    undo_last(&world, &world.cy).await.ok();
    for events in [&mut eve, &mut ben] {
        assert_eq!(named(events, "member_banned").await.get("undoes"), None, "the first ban");
    }
    assert_eq!(named(&mut eve, "member_banned").await.get("undoes"), None);
    assert_eq!(named(&mut ben, "member_banned").await["undoes"], json!(lifted));
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
async fn an_act_whose_undo_was_undone_stands_and_is_not_said_to_be_undone() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600})).await.ok();
    let muted = world.head("den").await;
    undo(&world.cy, muted).await.ok();
    undo(&world.cy, muted + 1).await.ok();
    undo(&world.cy, muted).await.refused(409, "ERR_UNDO_OVERTAKEN");
    undo(&world.cy, muted + 1).await.ok();
    assert_eq!(world.head("den").await, muted + 2);
    let dee = world.cy.data("/groups/den/members/dee").await.ok().json();
    assert!(dee["data"]["mutedUntil"].is_string(), "muted again: {dee}");

    let all = json!({"batch": true});
    let path = |seq: u64| format!("/groups/den/events/{seq}/undo");
    let promoted = json!({"act": "scope", "scope": "moderator", "uid": ["dee", "eve"]});
    let batch = bulk(&world.ben, promoted).await.ok().json()["meta"]["batch"].as_u64().unwrap();
    world.ben.act(Method::POST, &path(batch), all.clone()).await.ok();
    world.ben.act(Method::POST, &path(batch + 2), json!({})).await.ok();
    let undone = world.ben.act(Method::POST, &path(batch), all).await.ok().json();
    assert_eq!((&undone["data"][0]["uid"], &undone["data"][0]["code"]), (&json!("dee"), &json!("ERR_UNDO_OVERTAKEN")));
    assert_eq!((&undone["data"][1]["uid"], &undone["data"][1]["ok"]), (&json!("eve"), &json!(true)));
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn what_was_undone_holds_again_once_the_undo_is_undone_too() {
    let world = World::new().await;
    let last_undoes = "SELECT CAST(undoes AS TEXT) FROM events WHERE guid = 'den' ORDER BY seq DESC LIMIT 1";
    for (method, path, body) in [
        (Method::PUT, "bans/gus", json!({"reason": "spam"})),
        (Method::PUT, "bans/flo", json!({"reason": "again", "until": 600})),
        (Method::DELETE, "bans/flo", json!({})),
        (Method::PUT, "mutes/dee", json!({"until": 3600})),
        (Method::DELETE, "mutes/dee", json!({})),
        (Method::PUT, "members/dee/scope", json!({"scope": "moderator"})),
    ] {
        world.cy.act(method, &format!("/groups/den/{path}"), body).await.ok();
        let (done, seq) = ((list(&world).await, bans(&world).await), world.head("den").await);
        undo(&world.cy, seq).await.ok();
        assert_ne!((list(&world).await, bans(&world).await), done, "{path}");
        // Within the window of the undo, whenever the act was.
        world.clock.advance(20_000);
        undo(&world.ben, seq + 1).await.ok();
        assert_eq!((list(&world).await, bans(&world).await), done, "{path}");
        assert_eq!(world.read_by_hand(last_undoes).await, Some((seq + 1).to_string()), "{path}");
        undo(&world.cy, seq).await.refused(409, "ERR_UNDO_OVERTAKEN");
    }
    world.cy.kick("eve").await.ok();
    let kicked = world.head("den").await;
    undo(&world.cy, kicked).await.ok();
    undo(&world.ada, kicked + 1).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(world.scope("den", "eve").await, Some(Scope::Participant), "whoever came back stays");
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
    let by_cy = world.cy.act(Method::POST, "/groups/den/events/x/undo", json!({})).await;
    by_cy.refused(403, "ERR_GROUP_NO_CLEARANCE");
}

/// What is said of everything that nobody undoes: it is true of each.
const NOT_UNDOABLE: &str = "Only this can be undone: that a member kicked, banned or muted somebody else, changed \
                            their role, or lifted their ban or mute.";

#[tokio::test]
async fn whoever_asks_to_undo_what_nobody_can_reads_what_can_be_undone() {
    let world = World::new().await;
    let says = async || {
        let refused = undo_last(&world, &world.ada).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
        refused.json()["detail"].as_str().unwrap().to_owned()
    };
    world.host_kicks("den", "dee").await;
    assert_eq!(says().await, NOT_UNDOABLE, "the host did it");
    world.host_adds("den", "dee", "Dee Dee").await;
    assert_eq!(says().await, NOT_UNDOABLE, "nobody undoes that somebody was added");
    world.ben.kick("dee").await.ok();
    undo_last(&world, &world.ben).await.ok();
    assert_eq!(says().await, NOT_UNDOABLE, "whoever was put back is not taken away");
    world.cy.set_scope("cy", "participant").await.ok();
    assert_eq!(says().await, NOT_UNDOABLE, "Cy did it to herself");
    world.cy.leave().await.ok();
    assert_eq!(says().await, NOT_UNDOABLE, "and went");
    world.ben.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Asked twice to stop."})).await.ok();
    assert_eq!(says().await, NOT_UNDOABLE, "a note is removed");
    world.ben.mute("dee", json!({"until": 60})).await.ok();
    let muted = world.head("den").await;
    world.clock.advance(61_000);
    eventually("the mute has ended", async || world.head("den").await == muted + 1).await;
    assert_eq!(says().await, NOT_UNDOABLE, "it ended by itself");
    let renamed = membership::GroupPatch { name: Name::parse("The new den").ok(), ..Default::default() };
    membership::update_group(world.app.store(), by_host("den"), renamed).await.unwrap();
    assert_eq!(says().await, NOT_UNDOABLE, "it is about nobody");
    world.ada.transfer("ben").await.ok();
    assert_eq!(says().await, NOT_UNDOABLE, "a group is handed back by its owner");
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

/// One act on these people, as data.
async fn bulk(actor: &Actor, body: Value) -> Answer {
    actor.act(Method::POST, "/groups/den/bulk", body).await
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
async fn everybody_reads_until_when_whoever_is_put_back_has_their_role() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    world.ada.kick("dee").await.ok();
    let mut eve = world.eve.events().await;
    undo_last(&world, &world.ada).await.ok();
    let back = named(&mut eve, "member_added").await;
    let dee = world.eve.data("/groups/den/members/dee").await.ok().json();
    assert!(back["until"].is_string() && back.get("reason").is_none(), "{back}");
    assert_eq!(back["until"], dee["data"]["scopeUntil"]);
}
