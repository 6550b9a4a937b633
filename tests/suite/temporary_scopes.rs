//! Roles for a time: how they end, and which role comes after them, whoever changes them meanwhile.

use chat_group_members::config::Secret;
use chat_group_members::domain::{Act, Refusal, Scope};
use chat_group_members::membership::{self, ActError, ActRequest, Actor as By};
use chat_group_members::store::{Decision, StoreError};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::join_and_rename::until_something_waits;
use crate::mutes::{DAY, caught_up, member, milliseconds, named, seconds_until, undo_last};
use crate::peer_nodes::{API_KEY, first};
use crate::support::actor::send;
use crate::support::sse::Raw;
use crate::support::{Actor, World, eventually, faults, guid, row, uid};

/// Whether nothing is to be taken back in two days.
async fn lasts(world: &World) -> bool {
    world.clock.advance(2 * DAY as i64 * 1000);
    !world.app.store().read().await.unwrap().any_ended().await.unwrap()
}

#[tokio::test]
async fn a_role_for_a_time_ends_by_itself_and_who_had_it_sees_with_their_own_rights() {
    let world = World::new().await;
    let mut screen = world.dee.stream().await;
    let mut eve = world.eve.events().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60, "message": "Until the party ends."})).await.ok();
    let event = named(&mut eve, "member_scope_changed").await;
    assert!((1..=60).contains(&seconds_until(&event["until"])) && event.get("message").is_none(), "{event}");
    assert!((1..=60).contains(&seconds_until(&member(&world.eve, "dee").await["scopeUntil"])));
    screen.until("the role", |message| message.has("section[data-scope=moderator]")).await;
    world.clock.advance(61_000);
    world.dee.kick("eve").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    screen.until("the end", |message| message.has("section[data-scope=participant]")).await;
    let event = named(&mut eve, "member_scope_changed").await;
    assert_eq!(
        (&event["old"], &event["new"], &event["by"]),
        (&json!("moderator"), &json!("participant"), &Value::Null)
    );
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
async fn who_waits_for_the_group_until_their_role_has_ended_acts_without_it() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    let (begin, begun) = tokio::sync::oneshot::channel::<()>();
    let (let_go, waits) = tokio::sync::oneshot::channel::<()>();
    let den = guid("den");
    let holding = world.app.store().write(Some(&den), move |_| {
        Box::pin(async move {
            let _ = (begin.send(()), waits.await);
            Ok::<_, StoreError>(Decision::Rollback(()))
        })
    });
    let kicking = async {
        begun.await.unwrap();
        let kick = ActRequest::new(guid("den"), By::Viewer(uid("dee")));
        let kick = membership::act(world.app.store(), kick, uid("eve"), Act::Kick { message: None });
        let ending = async {
            world.clock.advance(61_000);
            let_go.send(())
        };
        tokio::join!(kick, ending).0
    };
    let (held, kicked) = tokio::join!(holding, kicking);
    held.unwrap();
    let refused = kicked.expect_err("Dee is no moderator any more");
    assert!(matches!(refused, ActError::Refused { refusal: Refusal::ParticipantsActOnNobody, .. }), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_another_node_until_their_role_has_ended_acts_without_it() {
    let (cluster, world) = first(|_| {}).await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    other.execute("BEGIN; SELECT 1 FROM groups WHERE guid = 'den' FOR UPDATE").await.unwrap();
    let dee = world.actor("dee");
    let kicking = tokio::spawn(async move { dee.kick("eve").await });
    until_something_waits(&cluster).await;
    world.clock.advance(61_000);
    other.execute("COMMIT").await.unwrap();
    kicking.await.unwrap().refused(403, "ERR_GROUP_NO_CLEARANCE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waited_for_another_node_is_recorded_as_of_when_it_got_the_group_and_not_of_when_it_was_asked_for() {
    let (cluster, world) = first(|_| {}).await;
    let mut cy = world.cy.events().await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    // An act on one person locks the group by another statement than an act on several.
    for (method, path, body) in [
        (Method::PUT, "/groups/den/members/dee/scope", json!({"scope": "moderator"})),
        (Method::POST, "/groups/den/bulk", json!({"act": "scope", "scope": "moderator", "uid": ["eve"]})),
    ] {
        other.execute("BEGIN; SELECT 1 FROM groups WHERE guid = 'den' FOR UPDATE").await.unwrap();
        let ada = world.actor("ada");
        let acting = tokio::spawn(async move { ada.act(method, path, body).await });
        until_something_waits(&cluster).await;
        let waiting = world.clock.now();
        world.clock.advance(61_000);
        other.execute("COMMIT").await.unwrap();
        acting.await.unwrap().ok();
        let event = named(&mut cy, "member_scope_changed").await;
        // A second less, since the node may have measured the time of the database anew.
        assert!(milliseconds(&event["at"]) >= waiting + 60_000, "{path}: {event}, waiting at {waiting}");
    }
}

#[tokio::test]
async fn a_role_and_a_ban_last_as_long_as_the_clock_says_though_it_went_back_behind_the_log() {
    let world = World::new().await;
    world.clock.advance(2 * 3600 * 1000);
    for group in ["den", "park"] {
        world.ada.act(Method::PUT, &format!("/groups/{group}/mutes/eve"), json!({"until": 60})).await.ok();
    }
    world.clock.advance(-2 * 3600 * 1000);
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    world.dee.kick("eve").await.ok();
    world.ada.act(Method::PUT, "/groups/park/bans/dee", json!({"until": 3600})).await.ok();
    world.dee.join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
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
async fn whoever_steps_down_below_their_lasting_role_stays_there() {
    let world = World::new().await;
    world.ada.grant("cy", json!({"scope": "admin", "until": DAY})).await.ok();
    assert!(member(&world.ada, "cy").await["scopeUntil"].is_string());
    world.cy.set_scope("cy", "participant").await.ok();
    let now = member(&world.ada, "cy").await;
    assert_eq!((&now["scope"], now.get("scopeUntil")), (&json!("participant"), None));
    assert!(lasts(&world).await, "she does not become a moderator again when the role would have ended");
    assert_eq!(world.scope("den", "cy").await, Some(Scope::Participant));
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}

#[tokio::test]
async fn in_the_dialog_of_a_role_for_a_time_choosing_the_lasting_role_is_enough() {
    let world = World::new().await;
    let address = "/groups/den/members/eve/scope";
    for has_script in [true, false] {
        world.ada.grant("eve", json!({"scope": "moderator", "until": DAY})).await.ok();
        let form = world.ada.htmx("/groups/den/members/eve?part=dialog&act=scope").await.ok();
        let end = form.attribute("[name=until] option[selected]", "value").unwrap();
        assert!(!end.is_empty(), "{}", form.body);
        let fields = [("_method", "PUT"), ("scope", "participant"), ("until", &*end), ("hours", ""), ("day", "")];
        world.ada.grant("eve", json!({"scope": "participant", "until": end})).await.refused(422, "ERR_VALIDATION");
        let later = [("_method", "PUT"), ("scope", "participant"), ("until", "3600")];
        world.ada.htmx_act(address, &later).await.refused(422, "ERR_VALIDATION");
        if has_script {
            world.ada.htmx_act(address, &fields).await.ok();
        } else {
            assert_eq!(world.ada.form(address, &fields).await.status, 303);
        }
        let now = member(&world.ada, "eve").await;
        assert_eq!((&now["scope"], now.get("scopeUntil")), (&json!("participant"), None));
    }
}

#[tokio::test]
async fn a_form_that_sends_the_present_end_on_is_confirmed_under_its_key_before_and_after_that_end() {
    let world = World::new().await;
    world.ada.grant("eve", json!({"scope": "moderator", "until": 60})).await.ok();
    let form = world.ada.htmx("/groups/den/members/eve?part=dialog&act=scope").await.ok();
    let end = form.attribute("[name=until] option[selected]", "value").unwrap();
    let choose = async |scope: &str| {
        let fields = [("_method", "PUT"), ("scope", scope), ("until", &*end), ("hours", ""), ("day", "")];
        let request = world.ada.request(Method::POST, "/groups/den/members/eve/scope").header("accept", "text/html");
        send(request.header("idempotency-key", "k").form(&fields)).await
    };
    assert_eq!(choose("participant").await.status, 303);
    let head = world.head("den").await;
    for seconds in [0, 61] {
        world.clock.advance(seconds * 1_000);
        let again = choose("participant").await;
        assert_eq!(again.status, 303, "{}", again.body);
        choose("moderator").await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.head("den").await, head, "nothing is done again");
}

#[tokio::test]
async fn a_form_that_sends_an_end_on_which_has_just_passed_takes_the_role_back() {
    let world = dee_for_a_minute().await;
    let form = world.ada.htmx("/groups/den/members/dee?part=dialog&act=scope").await.ok();
    let end = form.attribute("[name=until] option[selected]", "value").unwrap();
    world.clock.advance(61_000);
    let fields = [("_method", "PUT"), ("scope", "participant"), ("until", &*end), ("hours", ""), ("day", "")];
    let answer = world.ada.form("/groups/den/members/dee/scope", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}

#[tokio::test]
async fn whoever_steps_down_to_their_lasting_role_keeps_it() {
    let world = World::new().await;
    world.ada.grant("cy", json!({"scope": "admin", "until": DAY})).await.ok();
    world.cy.set_scope("cy", "moderator").await.ok();
    let now = member(&world.ada, "cy").await;
    assert_eq!((&now["scope"], now.get("scopeUntil")), (&json!("moderator"), None));
    assert!(lasts(&world).await);
    assert_eq!(world.scope("den", "cy").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn after_a_second_role_for_a_time_comes_the_one_that_lasted_before_the_first() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    world.ada.grant("dee", json!({"scope": "admin", "until": 60})).await.ok();
    // A third may be lower than the second, though not as low as the one that lasts.
    world.ada.grant("eve", json!({"scope": "admin", "until": DAY})).await.ok();
    world.ada.grant("eve", json!({"scope": "participant", "until": 60})).await.refused(422, "ERR_VALIDATION");
    world.ada.grant("eve", json!({"scope": "moderator", "until": 60})).await.ok();
    let scopes = async |who: &str| member(&world.ada, who).await["scope"].clone();
    assert_eq!((scopes("dee").await, scopes("eve").await), (json!("admin"), json!("moderator")));
    let head = world.head("den").await;
    world.clock.advance(61_000);
    eventually("both roles have ended", || async { world.head("den").await == head + 2 }).await;
    caught_up(&world).await;
    for who in ["dee", "eve"] {
        assert_eq!(world.scope("den", who).await, Some(Scope::Participant), "{who}");
        assert!(member(&world.ada, who).await.get("scopeUntil").is_none(), "{who}");
    }
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}

/// Dee is moderator for a minute, and knows what staff read. The end is taken out of the database, so that the sweep does not
/// take the scope back: only the node's memory knows of it.
async fn dee_for_a_minute() -> World {
    let world = World::with(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    world.dee.data("/groups/den/bans").await.ok();
    world.write_by_hand("DELETE FROM temporary_scopes").await;
    world
}

#[tokio::test]
async fn whose_role_has_ended_reads_nothing_of_staff_also_before_it_is_taken_back() {
    let world = dee_for_a_minute().await;
    let head = world.head("den").await;
    world.clock.advance(61_000);
    for path in ["bans", "mutes", "members/eve/notes"] {
        world.dee.data(&format!("/groups/den/{path}")).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    world.ada.mute("eve", json!({"until": 3600})).await.ok();
    assert!(member(&world.ada, "eve").await["mutedUntil"].is_string());
    assert!(member(&world.dee, "eve").await.get("mutedUntil").is_none());
    for path in ["members/eve", "members"] {
        let request = world.ada.anonymous(Method::GET, &format!("/v3/groups/den/{path}"));
        let answer = send(request.header("apikey", API_KEY).header("onBehalfOf", "dee")).await.ok();
        assert!(answer.body.contains("eve") && !answer.body.contains("mutedUntil"), "{}", answer.body);
    }
    assert_eq!(world.head("den").await, head + 1, "the mute alone: the sweep has taken back nothing");
}

#[tokio::test]
async fn an_open_stream_of_whose_role_has_ended_carries_nothing_of_staff_any_more() {
    let world = dee_for_a_minute().await;
    let (mut data, mut screen) = (world.dee.events().await, world.dee.stream().await);
    let banned = async |data: &mut Raw| data.until("a ban", |message| message.name() == "member_banned").await.json();
    world.ada.ban("gus", json!({"reason": "spam"})).await.ok();
    assert_eq!(banned(&mut data).await["reason"], "spam");
    world.clock.advance(61_000);
    world.ada.ban("eve", json!({"reason": "threats"})).await.ok();
    assert_eq!(banned(&mut data).await.get("reason"), None);
    let renewed = screen.until("the lasting scope", |message| message.has("li[data-note=renew]")).await;
    assert_eq!(renewed.attribute("li[data-note=renew]", "data-scope").as_deref(), Some("participant"));
    assert!(!renewed.data.unwrap_or_default().contains("threats"));
    let mut later = world.dee.events().await;
    assert_eq!(later.until("ready", |message| message.name() == "ready").await.json()["scope"], "participant");
}

#[tokio::test]
async fn whose_role_has_ended_is_below_cy_before_it_is_taken_back_also_to_open_streams_and_in_lists() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    world.ada.mute("dee", json!({"until": 3600})).await.ok();
    world.dee.act(Method::POST, "/groups/den/members/eve/notes", json!({"text": "Loud."})).await.ok();
    let mut data = world.cy.events().await;
    let can_act = async || {
        let muted = world.cy.page("/groups/den/mutes").await.ok();
        let notes = world.cy.page("/groups/den/members/eve/notes").await.ok();
        let on_dee = ["form", "small a"].map(|part| muted.has(&format!("li[data-uid=dee] {part}")));
        (on_dee, notes.has("[data-action=remove-note]"))
    };
    assert_eq!(can_act().await, ([false; 2], false));
    // The role is over in the database, and nothing announces it: only the node's memory has it still.
    world
        .write_by_hand("DELETE FROM temporary_scopes; UPDATE members SET scope = 0 WHERE guid = 'den' AND uid = 'dee'")
        .await;
    world.clock.advance(61_000);
    assert_eq!(can_act().await, ([true; 2], true));
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Late."})).await.ok();
    let added = named(&mut data, "note_added").await;
    assert_eq!((&added["member"]["uid"], &added["by"]["uid"]), (&json!("dee"), &json!("cy")));
}

/// The notice above the list of this viewer; empty when there is none.
async fn notice(viewer: &Actor) -> String {
    let list = viewer.get("/groups/den/members?part=component&lang=en-GB").await.ok();
    if list.has(".chat-group-members__notice") { list.text(".chat-group-members__notice") } else { String::new() }
}

#[tokio::test]
async fn whoever_has_a_role_for_a_time_reads_until_when_without_being_written_to() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    world.ada.grant("cy", json!({"scope": "admin", "until": DAY, "message": "While I am away."})).await.ok();
    let (dee, cy) = (notice(&world.dee).await, notice(&world.cy).await);
    assert!(dee.starts_with("You are a moderator until ") && dee.ends_with(" UTC."), "{dee}");
    assert!(cy.starts_with("You are an admin until ") && cy.ends_with("The team says: While I am away."), "{cy}");
    assert_eq!(notice(&world.eve).await, "", "it is nobody else's");
    world.dee.set_scope("dee", "participant").await.ok();
    assert_eq!(notice(&world.dee).await, "");
    world.clock.advance(DAY as i64 * 1000 + 1000);
    assert_eq!(notice(&world.cy).await, "", "from its end on the role is none, also before it is taken back");
}

#[tokio::test]
async fn an_open_list_says_so_when_the_role_stays_and_only_its_end_changes() {
    let world = World::new().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": DAY})).await.ok();
    let mut screen = world.dee.stream().await;
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    let message = screen.until("the other end", |message| message.has("li[data-note=renew]")).await;
    assert!(message.has("section .chat-group-members__notice"), "{message:?}");
    world.ada.set_scope("dee", "moderator").await.ok();
    let message = screen.until("that it lasts", |message| message.has("li[data-note=renew]")).await;
    assert!(!message.has("section .chat-group-members__notice"), "{message:?}");
    let lost = [("last-event-id", "another-epoch.1")];
    world.ada.grant("cy", json!({"scope": "admin", "until": DAY})).await.ok();
    let mut screen = world.cy.raw("/groups/den/events", &lost).await;
    screen.until("the component is fetched anew", |message| message.has("li[data-note=renew]")).await;
}

#[tokio::test]
async fn in_a_dialog_whose_end_was_changed_meanwhile_the_second_press_takes_the_role_back() {
    let world = World::new().await;
    for meanwhile in [json!({"scope": "moderator", "until": 2 * DAY}), json!({"scope": "moderator"})] {
        world.ada.grant("eve", json!({"scope": "moderator", "until": DAY})).await.ok();
        let form = world.ada.htmx("/groups/den/members/eve?part=dialog&act=scope").await.ok();
        let end = form.attribute("[name=until] option[selected]", "value").unwrap();
        let as_of = form.attribute("[name=asOf]", "value").unwrap();
        world.ben.grant("eve", meanwhile).await.ok();
        let press = async |as_of: &str| {
            let choice = [("_method", "PUT"), ("scope", "participant"), ("until", &*end), ("hours", ""), ("day", "")];
            let fields: Vec<_> = choice.into_iter().chain([("asOf", as_of)]).collect();
            world.ada.htmx_act("/groups/den/members/eve/scope", &fields).await
        };
        let refused = press(&as_of).await;
        let seen = refused.header("last-event-id").to_owned();
        refused.refused(409, "ERR_OUTDATED");
        press(&seen).await.ok();
        assert_eq!(world.scope("den", "eve").await, Some(Scope::Participant));
    }
}
