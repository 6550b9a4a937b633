//! Who may not speak for a time, and who has a role for a time.

use std::time::Duration;

use chat_group_members::config::Wake;
use chat_group_members::domain::Scope;
use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::sse::Raw;
use crate::support::{Actor, Answer, World, eventually, faults, guid, row};

const DAY: u64 = 24 * 3600;

/// The next event of this name of a stream of data.
async fn named(stream: &mut Raw, name: &str) -> Value {
    stream.until(name, |message| message.name() == name).await.json()
}

/// A member as this viewer reads them as data.
async fn member(viewer: &Actor, uid: &str) -> Value {
    let list = viewer.data("/groups/den/members").await.ok().json();
    list["data"].as_array().unwrap().iter().find(|member| member["uid"] == uid).cloned().unwrap_or_default()
}

/// The node has read what was written beside it.
async fn caught_up(world: &World) {
    let group = world.app.hub().group(&guid("den")).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
}

async fn mutes(viewer: &Actor) -> Value {
    viewer.data("/groups/den/mutes").await.ok().json()["data"].clone()
}

async fn undo_last(world: &World, actor: &Actor) -> Answer {
    let path = format!("/groups/den/events/{}/undo", world.head("den").await);
    actor.act(Method::POST, &path, json!({})).await
}

/// A moment of an answer, in milliseconds since the epoch.
fn milliseconds(moment: &Value) -> i64 {
    moment.as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond()
}

/// Seconds from now until this moment of an answer.
fn seconds_until(moment: &Value) -> i64 {
    moment.as_str().unwrap().parse::<Timestamp>().unwrap().as_second() - Timestamp::now().as_second()
}

#[tokio::test]
async fn staff_and_the_muted_know_of_a_mute_and_nobody_else_does() {
    let world = World::new().await;
    let (mut dee, mut eve, mut ben) = (world.dee.events().await, world.eve.events().await, world.ben.events().await);
    let terms = json!({"reason": "shouts", "message": "An hour of quiet, please.", "until": 3600});
    world.cy.mute("dee", terms).await.ok();
    let seen = named(&mut ben, "member_muted").await;
    assert_eq!(
        (&seen["member"]["uid"], &seen["by"]["uid"], &seen["reason"]),
        (&json!("dee"), &json!("cy"), &json!("shouts"))
    );
    let seen = named(&mut dee, "member_muted").await;
    assert_eq!((&seen["by"], &seen["message"]), (&Value::Null, &json!("An hour of quiet, please.")));
    assert!(seen.get("reason").is_none() && (3500..=3600).contains(&seconds_until(&seen["until"])), "{seen}");
    for actor in [&world.cy, &world.ben, &world.dee] {
        assert!((3500..=3600).contains(&seconds_until(&member(actor, "dee").await["mutedUntil"])), "{}", actor.uid);
    }
    assert!(member(&world.eve, "dee").await.get("mutedUntil").is_none());
    world.cy.kick("dee").await.ok();
    let told = eve.until("the kick", |message| message.name() == "member_kicked").await;
    assert_eq!(told.seq(), world.head("den").await);
    let page = world.eve.get("/groups/den/members?format=atom").await.ok();
    assert!(!page.body.contains("muted"), "{}", page.body);
    assert!(!world.eve.get("/groups/den/members?format=csv").await.ok().body.contains("mutedUntil"));
}

#[tokio::test]
async fn a_participant_sees_no_sign_of_somebody_else_s_mute_in_rows_or_messages() {
    let world = World::new().await;
    let (mut eve, mut dee, mut ben) = (world.eve.stream().await, world.dee.stream().await, world.ben.stream().await);
    let before = world.eve.get("/groups/den/members").await.ok();
    world.cy.mute("dee", json!({"until": 3600, "message": "Shh."})).await.ok();
    let seq = world.head("den").await;
    for (name, stream) in [("dee", &mut dee), ("ben", &mut ben)] {
        let told = stream.until("the badge", |message| message.has("li[data-uid=dee] [data-muted]")).await;
        assert_eq!(told.seq(), seq, "{name}");
    }
    let told = eve.up_to(seq).await.pop().unwrap();
    assert!(!told.shows("dee") && !told.has("[data-muted], [data-name=member-muted]"), "{told:?}");
    for path in ["/groups/den/members/dee?explain=true", "/groups/den/members/dee?part=menu&explain=true"] {
        let page = world.eve.page(path).await.ok();
        assert!(!page.body.contains("unmute") && !page.body.contains("Lift the mute"), "{}", page.body);
    }
    let after = world.eve.get("/groups/den/members").await.ok();
    assert_eq!(after.text("li[data-uid=dee]"), before.text("li[data-uid=dee]"));
    assert!(world.dee.get("/groups/den/members").await.ok().body.contains("Shh."), "where they look");
    assert!(world.ben.get("/groups/den/members").await.ok().has("li[data-uid=dee] [data-muted]"));
}

#[tokio::test]
async fn whoever_was_away_while_they_were_muted_reads_so_when_they_are_back() {
    let world = World::new().await;
    let id = world.dee.stream().await.next().await.unwrap().id.unwrap();
    world.cy.mute("dee", json!({"until": 3600, "message": "Shh."})).await.ok();
    let seen = [("last-event-id", id.as_str())];
    let mut screen = world.dee.raw("/groups/den/events", &seen).await;
    screen.until("the component is fetched anew", |message| message.has("li[data-note=renew]")).await;
    let mut data = world.dee.raw("/groups/den/events?format=json", &seen).await;
    assert_eq!(named(&mut data, "member_muted").await["message"], "Shh.");
    let lost = [("last-event-id", "another-epoch.1")];
    let mut screen = world.dee.raw("/groups/den/events", &lost).await;
    screen.until("the component is fetched anew", |message| message.has("li[data-note=renew]")).await;
    let mut screen = world.eve.raw("/groups/den/events", &lost).await;
    screen.until("only the rows are", |message| message.has("li[data-note=resync]")).await;
    let mut others = world.eve.raw("/groups/den/events?format=json", &seen).await;
    world.cy.kick("dee").await.ok();
    let told = others.up_to(world.head("den").await).await;
    assert!(told.iter().all(|message| message.name() != "member_muted"), "{told:?}");
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
        let told = stream.until("the end", |message| message.name() == "member_unmuted").await;
        assert_eq!((told.seq(), &told.json()["by"]), (muted + 1, &Value::Null));
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
    // Time goes on by the clock of the test: a slow machine makes its seconds longer.
    let ticks = async {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            here.clock.advance(100);
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
async fn an_act_that_the_page_hides_is_not_offered() {
    let world = World::new().await;
    let row = |answer: &Answer| answer.attribute("li[data-uid=dee]", "data-acts");
    let list = world.cy.get("/groups/den/members").await.ok();
    assert_eq!(row(&list).as_deref(), Some("kick ban scope mute"));
    let list = world.cy.get("/groups/den/members?hideMuteMemberOption=true").await.ok();
    assert_eq!(row(&list).as_deref(), Some("kick ban scope"));
    world.cy.mute("dee", json!({"until": 300})).await.ok();
    let list = world.cy.get("/groups/den/members").await.ok();
    assert!(row(&list).unwrap().ends_with("unmute"), "{:?}", row(&list));
}

#[tokio::test]
async fn a_role_for_a_time_ends_by_itself_and_who_had_it_sees_with_their_own_rights() {
    let world = World::new().await;
    let mut screen = world.dee.stream().await;
    let mut eve = world.eve.events().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60, "message": "Until the party ends."})).await.ok();
    let told = named(&mut eve, "member_scope_changed").await;
    assert!((1..=60).contains(&seconds_until(&told["until"])) && told.get("message").is_none(), "{told}");
    assert!((1..=60).contains(&seconds_until(&member(&world.eve, "dee").await["scopeUntil"])));
    screen.until("the role", |message| message.has("section[data-scope=moderator]")).await;
    world.clock.advance(61_000);
    world.dee.kick("eve").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    screen.until("the end", |message| message.has("section[data-scope=participant]")).await;
    let told = named(&mut eve, "member_scope_changed").await;
    assert_eq!((&told["old"], &told["new"], &told["by"]), (&json!("moderator"), &json!("participant"), &Value::Null));
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    assert!(member(&world.ada, "dee").await.get("scopeUntil").is_none());
}

#[tokio::test]
async fn a_role_ends_also_in_a_group_that_nobody_looks_at() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "admin", "until": 60})).await.ok();
    world.clock.advance(61_000);
    eventually("the lasting scope is back", || async { world.scope("den", "dee").await == Some(Scope::Participant) })
        .await;
}

#[tokio::test]
async fn a_role_for_a_time_is_above_the_lasting_one_and_that_is_never_itself_for_a_time() {
    let world = World::new().await;
    world.ada.grant("cy", json!({"scope": "participant", "until": 60})).await.refused(422, "ERR_VALIDATION");
    world.ada.grant("cy", json!({"scope": "moderator", "until": 60})).await.refused(422, "ERR_VALIDATION");
    world.ada.grant("dee", json!({"scope": "admin", "until": 367 * DAY})).await.refused(422, "ERR_VALIDATION");
    world.ada.grant("dee", json!({"scope": "admin", "until": 2 * DAY})).await.ok();
    // Stepping down keeps the end, unless to the lasting scope.
    let until = member(&world.ada, "dee").await["scopeUntil"].clone();
    world.dee.set_scope("dee", "moderator").await.ok();
    let now = member(&world.ada, "dee").await;
    assert_eq!((&now["scope"], &now["scopeUntil"]), (&json!("moderator"), &until));
    world.ada.grant("dee", json!({"scope": "admin", "until": DAY})).await.ok();
    assert!(seconds_until(&member(&world.ada, "dee").await["scopeUntil"]) <= DAY as i64);
    // The same scope without an end lasts.
    world.ada.set_scope("dee", "admin").await.ok();
    assert!(member(&world.ada, "dee").await.get("scopeUntil").is_none());
    world.clock.advance(2 * 24 * 3600 * 1000);
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Admin));
}

#[tokio::test]
async fn stepping_down_to_the_lasting_scope_and_a_transfer_clear_the_end() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "admin", "until": DAY})).await.ok();
    world.dee.set_scope("dee", "participant").await.ok();
    assert!(member(&world.ada, "dee").await.get("scopeUntil").is_none());
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    world.ada.transfer("dee").await.ok();
    let now = member(&world.ada, "dee").await;
    assert_eq!((&now["scope"], now.get("scopeUntil")), (&json!("owner"), None));
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_list_from_the_host_with_the_present_scope_leaves_its_end_and_another_clears_it() {
    let world = World::new().await;
    let list = |dee: Scope| {
        [("ada", Scope::Owner), ("dee", dee), ("eve", Scope::Participant)]
            .map(|(uid, scope)| row(uid, uid, scope, None))
    };
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    let kind = chat_group_members::domain::GroupType::Private;
    world.sync("den", kind, list(Scope::Moderator).into()).await;
    caught_up(&world).await;
    assert!(member(&world.ada, "dee").await["scopeUntil"].is_string());
    world.sync("den", kind, list(Scope::Admin).into()).await;
    caught_up(&world).await;
    let now = member(&world.ada, "dee").await;
    assert_eq!((&now["scope"], now.get("scopeUntil")), (&json!("admin"), None));
}

#[tokio::test]
async fn a_role_that_is_taken_back_early_is_undone_with_its_end() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    let before = member(&world.ada, "dee").await;
    world.ada.set_scope("dee", "participant").await.ok();
    undo_last(&world, &world.ada).await.ok();
    assert_eq!(member(&world.ada, "dee").await, before);
    world.ada.set_scope("dee", "moderator").await.ok();
    undo_last(&world, &world.ada).await.ok();
    assert_eq!(member(&world.ada, "dee").await, before, "that it lasts is undone as well");
}

#[tokio::test]
async fn a_deleted_group_takes_its_mutes_with_it() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": DAY})).await.ok();
    chat_group_members::membership::delete_group(world.app.store(), guid("den")).await.unwrap();
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
    world.seed("den", chat_group_members::domain::GroupType::Private, crate::support::CAST).await;
    assert_eq!(mutes(&world.cy).await, json!([]));
    assert!(member(&world.cy, "dee").await.get("mutedUntil").is_none());
}

#[tokio::test]
async fn a_muted_viewer_of_a_list_by_status_fetches_the_list_anew_and_not_all_around_it() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600})).await.ok();
    let list = world.dee.get("/groups/den/members?status=online").await.ok();
    let connect = list.attribute("[data-connect]", "data-connect").unwrap();
    let first = world.dee.raw(&connect, &[]).await.next().await.unwrap();
    assert!(first.has("[data-note=resync][data-muted]") && !first.has("[data-note=renew]"), "{first:?}");
    world.cy.unmute("dee").await.ok();
    let later = world.dee.raw(&connect, &[]).await.next().await.unwrap();
    assert!(later.has("[data-note=renew]"), "what they missed is about them: {later:?}");
}

#[tokio::test]
async fn a_refusal_says_nothing_of_a_mute_to_whoever_may_not_know_of_it() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 3600})).await.ok();
    let detail =
        |answer: Answer| answer.refused(403, "ERR_GROUP_NO_CLEARANCE").json()["detail"].as_str().unwrap().to_owned();
    for to_dee in [world.eve.kick("dee").await, world.eve.mute("dee", json!({"until": 60})).await] {
        assert_eq!(detail(to_dee), "Participants cannot do this to anyone.");
    }
    world.ben.mute("cy", json!({"until": 3600})).await.ok();
    world.ada.set_scope("ben", "moderator").await.ok();
    let to_staff = detail(world.ben.kick("cy").await);
    assert!(
        to_staff.contains("You muted Cy") || to_staff.contains("Ben") && to_staff.contains("muted Cy"),
        "{to_staff}"
    );
}

#[tokio::test]
async fn words_in_which_nothing_is_seen_are_none() {
    let world = World::new().await;
    let unseen = "\u{200b}\u{2060} \u{ad}";
    world.cy.mute("dee", json!({"until": 3600, "reason": unseen, "message": unseen})).await.ok();
    let muted = world.cy.data("/groups/den/mutes").await.ok().json()["data"][0].clone();
    assert_eq!((&muted["uid"], &muted["reason"]), (&json!("dee"), &Value::Null), "{muted}");
    let told = world.dee.get("/groups/den/members").await.ok();
    assert!(!told.text(".chat-group-members__notice").contains("The team says"), "{}", told.body);
}

#[tokio::test]
async fn whoever_is_demoted_reads_the_message_in_their_list_for_an_hour_or_until_they_have_another_role() {
    let world = World::new().await;
    let notice = async |query: &str| {
        let list = world.cy.get(&format!("/groups/den/members?part=component{query}")).await.ok();
        if list.has(".chat-group-members__notice") { list.text(".chat-group-members__notice") } else { String::new() }
    };
    let body =
        json!({"act": "scope", "uid": ["cy", "dee"], "scope": "participant", "message": "You were away for long."});
    world.ada.act(Method::POST, "/groups/den/bulk", body).await.ok();
    // However much else happens.
    for number in 0..1_005 {
        let scope = if number % 2 == 0 { "moderator" } else { "participant" };
        world.host_sets_scope("den", "eve", scope.parse().unwrap()).await;
    }
    for _ in 0..3 {
        assert!(notice("").await.contains("The team says: You were away for long."));
    }
    let dee = world.dee.get("/groups/den/members?part=component").await.ok();
    assert!(!dee.has(".chat-group-members__notice"), "nothing was done to her: {}", dee.body);
    let mut screen = world.cy.raw("/groups/den/events?status=online&lastEventId=x.1", &[]).await;
    let first = screen.next().await.unwrap();
    assert!(!first.has("li[data-note=resync]:not([data-muted])"), "what stands there is not over: {first:?}");
    world.clock.advance(3_600_000);
    assert_eq!(notice("").await, "");
    world.ada.grant("cy", json!({"scope": "admin", "message": "Welcome."})).await.ok();
    assert!(notice("").await.contains("The team says: Welcome."));
    world.ada.set_scope("cy", "moderator").await.ok();
    assert_eq!(notice("").await, "", "of another change nothing was said");
}
