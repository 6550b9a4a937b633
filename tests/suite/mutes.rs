//! Who may not speak for a time: who mutes whom, for how long, and what ends it.

use std::time::Duration;

use chat_group_members::config::Wake;
use chat_group_members::domain::Scope;
use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::sse::Raw;
use crate::support::{Actor, Answer, World, by_host, faults, fragment, guid, row, texts};

pub const DAY: u64 = 24 * 3600;

/// The next event of this name of a stream of data.
pub async fn named(stream: &mut Raw, name: &str) -> Value {
    stream.until(name, |message| message.name() == name).await.json()
}

/// A member as this viewer reads them as data.
pub async fn member(viewer: &Actor, uid: &str) -> Value {
    let list = viewer.data("/groups/den/members").await.ok().json();
    list["data"].as_array().unwrap().iter().find(|member| member["uid"] == uid).cloned().unwrap_or_default()
}

/// The node has read what was written beside it.
pub async fn caught_up(world: &World) {
    let group = world.app.hub().group(&guid("den")).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
}

async fn mutes(viewer: &Actor) -> Value {
    viewer.data("/groups/den/mutes").await.ok().json()["data"].clone()
}

pub async fn undo_last(world: &World, actor: &Actor) -> Answer {
    let path = format!("/groups/den/events/{}/undo", world.head("den").await);
    actor.act(Method::POST, &path, json!({})).await
}

/// A moment of an answer, in Unix milliseconds.
pub fn milliseconds(moment: &Value) -> i64 {
    moment.as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond()
}

/// Seconds from now until this moment of an answer.
pub fn seconds_until(moment: &Value) -> i64 {
    moment.as_str().unwrap().parse::<Timestamp>().unwrap().as_second() - Timestamp::now().as_second()
}

#[tokio::test]
async fn only_whoever_is_above_a_member_mutes_them_and_for_28_days_at_most() {
    let world = World::new().await;
    let hour = json!({"until": 3600});
    world.dee.mute("eve", hour.clone()).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.cy.mute("ben", hour.clone()).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.cy.mute("cy", hour.clone()).await.refused(403, "ERR_GROUP_NO_SELF_ACTION");
    world.cy.mute("gus", hour.clone()).await.refused(404, "ERR_NOT_A_MEMBER");
    world.gus.mute("dee", hour).await.refused(404, "ERR_GUID_NOT_FOUND");
    let head = world.head("den").await;
    let long = "x".repeat(513);
    for terms in [
        json!({}),
        json!({"until": ""}),
        json!({"until": 28 * DAY + 60}),
        json!({"until": -5}),
        json!({"hours": 0}),
        json!({"hours": 28 * 24 + 1}),
        json!({"hours": 0.5}),
        json!({"until": "2027-01-31 12:00:00Z"}),
        json!({"until": "2027-01-31T12:00:00 01:00"}),
        json!({"until": 60, "message": long}),
        json!({"until": 60, "reason": long}),
    ] {
        world.cy.mute("dee", terms).await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.head("den").await, head);
    world.cy.mute("dee", json!({"until": 28 * DAY})).await.ok();
    world.cy.mute("eve", json!({"hours": 2})).await.ok();
    assert!((7100..=7200).contains(&seconds_until(&member(&world.cy, "eve").await["mutedUntil"])));
}

#[tokio::test]
async fn a_mute_outlives_leaving_and_coming_back_and_a_list_from_the_host() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600, "reason": "shouts"})).await.ok();
    world.dee.leave().await.ok();
    assert_eq!(
        (&mutes(&world.cy).await[0]["uid"], &mutes(&world.cy).await[0]["reason"]),
        (&json!("dee"), &json!("shouts"))
    );
    world.host_adds("den", "dee", "Dee Dee").await;
    caught_up(&world).await;
    assert!(member(&world.cy, "dee").await["mutedUntil"].is_string());
    let rows = ["ada", "ben", "cy", "dee", "eve"]
        .map(|uid| row(uid, uid, if uid == "ada" { Scope::Owner } else { Scope::Participant }, None));
    world.sync("den", chat_group_members::domain::GroupType::Private, rows.into()).await;
    caught_up(&world).await;
    assert!(member(&world.dee, "dee").await["mutedUntil"].is_string());
    world.dee.leave().await.ok();
    world.ada.unmute("dee").await.ok();
    assert_eq!(mutes(&world.ada).await, json!([]), "also of somebody who left");
    world.eve.data("/groups/den/mutes").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
}

#[tokio::test]
async fn a_mute_ends_by_itself_and_everybody_who_knew_is_told() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    let muted = world.head("den").await;
    let (mut dee, mut cy, mut screen) = (world.dee.events().await, world.cy.events().await, world.cy.stream().await);
    world.clock.advance(61_000);
    assert!(
        member(&world.dee, "dee").await.get("mutedUntil").is_none_or(Value::is_null)
            || world.head("den").await == muted
    );
    for stream in [&mut dee, &mut cy] {
        let message = stream.until("the end", |message| message.name() == "member_unmuted").await;
        assert_eq!((message.seq(), &message.json()["by"]), (muted + 1, &Value::Null));
    }
    screen.until("the row", |message| message.shows("dee") && !message.has("[data-muted]")).await;
    assert!(member(&world.cy, "dee").await.get("mutedUntil").is_none());
    assert_eq!(mutes(&world.cy).await, json!([]));
}

#[tokio::test]
async fn muted_again_is_on_the_new_terms_and_the_same_terms_are_nothing_new() {
    let world = World::new().await;
    let until = (Timestamp::now().as_second() + 3600).to_string();
    let until = Timestamp::from_second(until.parse().unwrap()).unwrap().to_string();
    world.cy.mute("dee", json!({"until": until, "reason": "one"})).await.ok();
    let head = world.head("den").await;
    world.cy.mute("dee", json!({"until": until, "reason": "one"})).await.ok();
    assert_eq!(world.head("den").await, head);
    world.cy.mute("dee", json!({"until": until, "reason": "two"})).await.ok();
    assert_eq!((world.head("den").await, &mutes(&world.cy).await[0]["reason"]), (head + 1, &json!("two")));
    world.cy.unmute("dee").await.ok();
    world.cy.unmute("dee").await.ok();
    assert_eq!(world.head("den").await, head + 2);
}

#[tokio::test]
async fn mutes_and_their_ends_are_undone() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600, "reason": "one", "message": "Hush."})).await.ok();
    let before = (member(&world.dee, "dee").await, mutes(&world.cy).await);
    world.cy.mute("dee", json!({"until": 7200, "reason": "two"})).await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!((member(&world.dee, "dee").await, mutes(&world.cy).await), before, "the terms of before");
    world.cy.unmute("dee").await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!((member(&world.dee, "dee").await, mutes(&world.cy).await), before);
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    undo_last(&world, &world.cy).await.ok();
    assert_eq!(mutes(&world.cy).await, before.1, "Eve may speak again");
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    let path = format!("/groups/den/events/{}/undo", world.head("den").await);
    world.ada.unmute("eve").await.ok();
    world.cy.act(Method::POST, &path, json!({})).await.refused(409, "ERR_UNDO_OVERTAKEN");
}

#[tokio::test]
async fn a_kick_that_is_undone_leaves_the_mute_and_the_end_of_the_role_as_they_were() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    world.ben.mute("dee", json!({"until": 3600})).await.ok();
    let before = member(&world.ada, "dee").await;
    assert!(before["mutedUntil"].is_string() && before["scopeUntil"].is_string(), "{before}");
    world.ben.kick("dee").await.ok();
    undo_last(&world, &world.ben).await.ok();
    assert_eq!(member(&world.ada, "dee").await, before);
}

#[tokio::test]
async fn several_are_muted_at_once_and_may_speak_again_by_one_undo() {
    let world = World::new().await;
    let body = json!({"act": "mute", "uid": ["dee", "eve", "ada", "gus"], "until": 600, "message": "All of you."});
    let done = world.cy.act(Method::POST, "/groups/den/bulk", body.clone()).await.ok().json();
    let ok: Vec<bool> = done["data"].as_array().unwrap().iter().map(|item| item["ok"] == true).collect();
    assert_eq!(ok, [true, true, false, false], "{done}");
    assert_eq!(mutes(&world.cy).await.as_array().unwrap().len(), 2);
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.cy.act(Method::POST, &path, json!({"batch": true})).await.ok();
    assert_eq!(mutes(&world.cy).await, json!([]));
    let mut endless = body;
    endless.as_object_mut().unwrap().remove("until");
    world.cy.act(Method::POST, "/groups/den/bulk", endless).await.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn a_thousand_mutes_that_end_together_are_over_on_two_nodes_within_two_seconds() {
    let here = World::with(|config| config.wake = Wake::None).await;
    let there = here.beside().await;
    let names: Vec<String> = (0..1000).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    here.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    here.cy.act(Method::POST, "/groups/den/bulk", json!({"act": "mute", "uid": names, "until": 60})).await.ok();
    let muted = here.head("den").await;
    let end = milliseconds(&mutes(&here.cy).await[0]["until"]);
    let mut screens = [here.cy.events().await, there.cy.events().await];
    here.clock.advance(end - here.clock.now());
    for node in [&here, &there] {
        assert_eq!(mutes(&node.cy).await, json!([]), "from its end on a mute is none, also before it is taken back");
    }
    // The clock of the test goes on with the machine's. Held back, it goes at half the speed: what a slow machine needs is no matter of
    // this test.
    let ticks = async {
        loop {
            tokio::time::sleep(Duration::from_millis(200)).await;
            here.clock.advance(-100);
        }
    };
    let ends = async {
        let mut last = 0;
        for screen in &mut screens {
            for message in screen.up_to(muted + 1000).await.iter().filter(|message| message.name() == "member_unmuted")
            {
                last = milliseconds(&message.json()["at"]).max(last);
            }
        }
        last
    };
    let last = tokio::select! {
        last = ends => last,
        () = ticks => unreachable!("time does not end"),
    };
    assert!((end..=end + 2000).contains(&last), "{} ms after the end", last - end);
    for node in [&here, &there] {
        assert_eq!(node.head("den").await, muted + 1000);
        let raider = member(&node.cy, "raider0000").await;
        assert_eq!((&raider["uid"], raider.get("mutedUntil")), (&json!("raider0000"), None));
        assert_eq!(faults(&node.app).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn without_javascript_a_member_is_muted_and_the_list_of_the_muted_lifts_it() {
    let world = World::new().await;
    let page = world.cy.page("/groups/den/members/dee").await.ok();
    assert!(page.has("[data-action=mute]") || page.body.contains("mutes/dee"), "{}", page.body);
    let fields = [("_method", "PUT"), ("until", "300"), ("hours", "2"), ("reason", "loud")];
    let done = world.cy.form("/groups/den/mutes/dee", &fields).await;
    let page = world.cy.page(done.header("location")).await.ok();
    assert_eq!(page.text(".chat-group-members__undo span"), "Dee Dee was muted.");
    let page = world.cy.page("/groups/den/mutes").await.ok();
    assert!(page.text("li[data-uid=dee]").contains("loud"), "{}", page.body);
    assert_eq!(page.attribute("li[data-uid=dee] button", "data-action").as_deref(), Some("unmute"));
    let action = page.attribute("li[data-uid=dee] form", "action").unwrap();
    world.cy.form(&action, &[("_method", "DELETE"), ("return", "/groups/den/mutes")]).await;
    assert_eq!(mutes(&world.cy).await, json!([]));
}

#[tokio::test]
async fn the_list_of_the_muted_offers_a_moderator_to_lift_only_what_they_may() {
    let world = World::new().await;
    for uid in ["cy", "ben", "dee", "eve"] {
        world.ada.mute(uid, json!({"until": 3600})).await.ok();
    }
    world.eve.leave().await.ok();
    let offered = async |viewer: &Actor| {
        let page = viewer.page("/groups/den/mutes").await.ok();
        ["ben", "cy", "dee", "eve"].map(|uid| page.has(&format!("li[data-uid={uid}] [data-action=unmute]")))
    };
    assert_eq!(offered(&world.cy).await, [false, false, true, true]);
    assert_eq!(offered(&world.ben).await, [false, true, true, true]);
    assert_eq!(offered(&world.ada).await, [true; 4]);
}

#[tokio::test]
async fn an_act_that_the_page_hides_is_not_offered() {
    let world = World::new().await;
    let row = |answer: &Answer| answer.attribute("li[data-uid=dee]", "data-acts");
    let list = world.cy.get("/groups/den/members").await.ok();
    assert_eq!(row(&list).as_deref(), Some("kick ban scope mute"));
    let list = world.cy.get("/groups/den/members?hideMuteMemberOption=true").await.ok();
    assert_eq!(row(&list).as_deref(), Some("kick ban scope"));
    world.cy.mute("dee", json!({"until": 300})).await.ok();
    let list = world.cy.get("/groups/den/members").await.ok();
    assert_eq!(row(&list).as_deref(), Some("kick ban scope mute unmute"));
}

#[tokio::test]
async fn a_deleted_group_takes_its_mutes_with_it() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": DAY})).await.ok();
    chat_group_members::membership::delete_group(world.app.store(), by_host("den")).await.unwrap();
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
    world.seed("den", chat_group_members::domain::GroupType::Private, crate::support::CAST).await;
    assert_eq!(mutes(&world.cy).await, json!([]));
    assert!(member(&world.cy, "dee").await.get("mutedUntil").is_none());
}

#[tokio::test]
async fn the_dialog_of_a_mute_shows_one_that_ben_has_set_meanwhile_and_that_of_one_he_has_lifted_is_outdated() {
    let world = World::new().await;
    let dialog = "/groups/den/members/dee?part=dialog";
    assert!(!world.cy.htmx(&format!("{dialog}&act=mute")).await.ok().text("form").contains("Muted until"));
    world.ben.mute("dee", json!({"until": 3600})).await.ok();
    assert!(world.cy.htmx(&format!("{dialog}&act=mute")).await.ok().text("form").contains("Muted until"));
    world.ben.unmute("dee").await.ok();
    world.cy.htmx(&format!("{dialog}&act=unmute")).await.refused(409, "ERR_OUTDATED");
}

#[tokio::test]
async fn a_mute_is_made_longer_or_shorter_from_the_menu_of_one_person_as_it_is_for_several() {
    let world = World::new().await;
    let left = async || seconds_until(&member(&world.cy, "dee").await["mutedUntil"]);
    world.cy.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    let menu = world.cy.htmx("/groups/den/members/dee?part=menu").await.ok();
    let acts = texts(&fragment(&menu.body), "a[data-action]", Some("data-action"));
    assert_eq!(acts, ["scope", "notes", "mute", "unmute", "kick", "ban"]);
    for (until, seconds) in [("7200", 7100..=7200), ("300", 200..=300)] {
        let dialog = world.cy.htmx("/groups/den/members/dee?part=dialog&act=mute").await.ok();
        let seen = dialog.attribute("input[name=asOf]", "value").unwrap();
        let fields = [("_method", "PUT"), ("until", until), ("asOf", &*seen)];
        world.cy.htmx_act("/groups/den/mutes/dee", &fields).await.ok();
        assert!(seconds.contains(&left().await), "{until}");
    }
    assert_eq!(mutes(&world.cy).await[0]["reason"], Value::Null, "the terms are those of the last one");
    let page = world.cy.page("/groups/den/members/dee").await.ok();
    assert!(page.has("form [data-action=mute]") && page.has("form [data-action=unmute]"), "{}", page.body);
    let several = json!({"act": "mute", "uid": ["dee"], "until": 600});
    world.cy.act(Method::POST, "/groups/den/bulk", several).await.ok();
    assert!((500..=600).contains(&left().await));
}
