//! Acts by htmx: the menu and the dialogs, and what an answer swaps in, done or refused.

use serde_json::json;

use crate::support::{self, Actor, World, eventually, fragment};

#[tokio::test]
async fn htmx_is_answered_with_the_swaps_of_the_stream_and_the_event() {
    let world = World::new().await;
    let mut stream = world.cy.stream().await;
    stream.next().await;
    let answer = world.cy.htmx_act("/groups/den/members/dee", &[("_method", "DELETE")]).await.ok();
    assert!(answer.has("ul[data-hx-swap-oob='place:#cgm-den-list'] > li[data-gone][data-uid=dee]"), "{}", answer.body);
    assert_eq!(answer.attribute("li[data-note=count]", "data-count").as_deref(), Some("4"));
    let trigger: serde_json::Value = serde_json::from_str(answer.header("hx-trigger")).unwrap();
    let event = &trigger["chat-group-members:member-kicked"];
    assert_eq!(
        (&event["member"]["uid"], &event["by"]["uid"], &event["old"]),
        (&json!("dee"), &json!("cy"), &json!("participant"))
    );
    let message = stream.until("the kick", |message| message.misses("dee")).await;
    assert_eq!(message.seq(), event["seq"].as_u64().unwrap());

    let answer =
        world.ada.htmx_act("/groups/den/members/eve/scope", &[("_method", "put"), ("scope", "moderator")]).await.ok();
    assert_eq!(answer.attribute("li[data-uid=eve]", "data-scope").as_deref(), Some("moderator"));
    assert!(
        answer.has("li[data-heading=moderator]") && answer.has("li[data-heading=participant][data-gone]"),
        "{}",
        answer.body
    );

    let again =
        world.ada.htmx_act("/groups/den/members/eve/scope", &[("_method", "PUT"), ("scope", "moderator")]).await.ok();
    assert!(again.has("li[data-uid=eve]"), "what is so already is shown again");
    assert_eq!(again.header("hx-trigger"), "", "and is no event");
}

#[tokio::test]
async fn an_act_on_several_by_htmx_and_its_undoing_have_the_first_event_of_each_name() {
    let world = World::new().await;
    let fields = [("_method", "POST"), ("act", "ban"), ("uid", "dee"), ("uid", "gus"), ("uid", "eve")];
    let head = world.head("den").await;
    let events = |answer: &support::Answer| -> Vec<(String, serde_json::Value)> {
        let trigger: serde_json::Value = serde_json::from_str(answer.header("hx-trigger")).unwrap();
        let named = trigger.as_object().unwrap().iter();
        named.map(|(name, detail)| (name.clone(), json!([detail["member"]["uid"], detail["seq"]]))).collect()
    };
    let banned = world.ben.htmx_act("/groups/den/bulk", &fields).await.ok();
    assert_eq!(events(&banned), [("chat-group-members:member-banned".to_owned(), json!(["dee", head + 1]))]);
    let undo = banned.attribute("[data-note=undo] form", "action").unwrap();
    let undone = world.ben.htmx_act(&undo, &[("_method", "POST"), ("batch", "true")]).await.ok();
    let mut put_back = events(&undone);
    put_back.sort_by_key(|(name, _)| name.clone());
    let added = ("chat-group-members:member-added".to_owned(), json!(["dee", head + 4]));
    let unbanned = ("chat-group-members:member-unbanned".to_owned(), json!(["gus", head + 5]));
    assert_eq!(put_back, [added, unbanned]);
    let nothing = world.ben.htmx_act(&undo, &[("_method", "POST"), ("batch", "true")]).await.ok();
    assert_eq!(nothing.header("hx-trigger"), "", "what is so already is no event");
}

#[tokio::test]
async fn names_beyond_ascii_travel_in_headers() {
    let world = World::new().await;
    world.host_adds("den", "wei", "陈伟 🦀").await;
    let answer = world.cy.htmx_act("/groups/den/members/wei", &[("_method", "DELETE")]).await.ok();
    let trigger: serde_json::Value = serde_json::from_str(answer.header("hx-trigger")).unwrap();
    assert_eq!(trigger["chat-group-members:member-kicked"]["member"]["name"], "陈伟 🦀");
}

#[tokio::test]
async fn an_event_that_a_header_cannot_hold_leaves_out_its_longest_texts() {
    let world = World::new().await;
    let (reason, message) = ("ж".repeat(100), "ш".repeat(450));
    let fields = [("_method", "PUT"), ("reason", reason.as_str()), ("message", message.as_str())];
    let answer = world.cy.htmx_act("/groups/den/bans/dee", &fields).await.ok();
    let trigger: serde_json::Value = serde_json::from_str(answer.header("hx-trigger")).unwrap();
    let event = &trigger["chat-group-members:member-banned"];
    assert_eq!((&event["member"]["uid"], &event["reason"]), (&json!("dee"), &json!(reason)), "{trigger}");
    assert_eq!(event.get("message"), None, "which the stream has");
}

#[tokio::test]
async fn whoever_hands_over_by_htmx_sees_with_new_rights() {
    let world = World::new().await;
    let answer = world.ada.htmx_act("/groups/den/owner", &[("_method", "PUT"), ("uid", "ben")]).await.ok();
    assert_eq!(answer.attribute("li[data-note=renew]", "data-scope").as_deref(), Some("admin"), "{}", answer.body);
    let left = world.eve.htmx_act("/groups/den/members/eve", &[("_method", "DELETE")]).await.ok();
    assert!(left.has("section#cgm-den.chat-group-members--ended[data-live=off]"), "{}", left.body);
}

#[tokio::test]
async fn a_refusal_names_nobody_for_what_ended_by_itself_or_was_done_to_oneself() {
    let world = World::new().await;
    let refusal = async |actor: &Actor, uid: &str| {
        let answer = actor.htmx_act(&format!("/groups/den/members/{uid}"), &[("_method", "DELETE")]).await;
        answer.refused(403, "ERR_GROUP_NO_CLEARANCE").text("[role=alert].chat-group-members__error")
    };
    world.ada.set_scope("dee", "moderator").await.ok();
    world.ada.grant("cy", json!({"scope": "admin", "until": 60})).await.ok();
    let head = world.head("den").await;
    world.clock.advance(61_000);
    eventually("Cy is moderator again", || async { world.head("den").await == head + 1 }).await;
    let detail = refusal(&world.dee, "cy").await;
    assert!(detail.contains("you are both moderators") && !detail.contains("made Cy"), "{detail}");
    world.ben.set_scope("ben", "moderator").await.ok();
    let detail = refusal(&world.dee, "ben").await;
    assert!(detail.contains("you are both moderators") && !detail.contains("made Ben"), "{detail}");
    world.ada.transfer("ben").await.ok();
    let detail = refusal(&world.dee, "ada").await;
    assert!(detail.contains("Ada Lovelace handed the group over") && !detail.contains("made Ada"), "{detail}");
}

#[tokio::test]
async fn a_no_to_htmx_lands_in_the_error_place_with_the_fresh_row_and_who_changed_it() {
    let world = World::new().await;
    world.ada.set_scope("dee", "admin").await.ok();
    // Ben's screen still shows Dee as a participant.
    let answer = world.ben.htmx_act("/groups/den/members/dee?instance=two", &[("_method", "DELETE")]).await;
    let answer = answer.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(answer.header("hx-retarget"), "#cgm-den-two-error");
    assert_eq!(answer.header("hx-reswap"), "innerHTML");
    assert!(
        answer.text("[role=alert].chat-group-members__error").contains("Ada Lovelace made Dee Dee admin"),
        "{}",
        answer.body
    );
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).year().to_string();
    assert!(answer.text("[role=alert]").contains(&today), "and when: {}", answer.body);
    let row = "ul[data-hx-swap-oob='place:#cgm-den-two-list'] > li[data-uid=dee]";
    assert_eq!(answer.attribute(row, "data-scope").as_deref(), Some("admin"));
    assert_eq!(answer.attribute(row, "data-acts"), None, "with the acts that are left: none");
    world.ada.kick("dee").await.ok();
    let answer =
        world.ben.htmx_act("/groups/den/members/dee", &[("_method", "DELETE")]).await.refused(404, "ERR_NOT_A_MEMBER");
    assert!(
        answer.has("li[data-gone][data-uid=dee]")
            && answer.text("[role=alert]").contains("Ada Lovelace removed Dee Dee"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn the_menu_and_the_forms_offer_what_is_allowed_and_explain_the_rest() {
    let world = World::new().await;
    let offered = async |actor: &Actor, target: &str, query: &str| {
        let menu = actor.htmx(&format!("/groups/den/members/{target}?part=menu{query}")).await.ok();
        support::texts(&fragment(&menu.body), "a[data-action]", Some("data-action"))
    };
    assert_eq!(offered(&world.ada, "ben", "").await, ["scope", "notes", "transfer", "mute", "kick", "ban"]);
    assert_eq!(offered(&world.ben, "cy", "").await, ["scope", "notes", "mute", "kick", "ban"]);
    assert_eq!(offered(&world.cy, "dee", "").await, ["scope", "notes", "mute", "kick", "ban"]);
    assert!(offered(&world.cy, "ben", "").await.is_empty());
    assert!(offered(&world.dee, "eve", "").await.is_empty());
    assert_eq!(offered(&world.cy, "cy", "").await, ["scope", "leave"]);
    assert_eq!(offered(&world.dee, "dee", "").await, ["leave"]);
    assert_eq!(
        offered(&world.ada, "dee", "&hideKickMemberOption=true&hideScopeChangeOption=1").await,
        ["notes", "mute", "ban"]
    );
    let explained = world.cy.htmx("/groups/den/members/ben?part=menu&explain=true").await.ok();
    assert!(
        explained.count("[aria-disabled=true][data-action]") >= 3
            && explained.text("[data-action=kick] small").contains("above you")
    );
    let dialog = world.ben.htmx("/groups/den/members/dee?part=dialog&act=scope").await.ok();
    assert_eq!(
        support::texts(&dialog.html(), "input[name=scope]", Some("value")),
        ["admin", "moderator", "participant"]
    );
    assert_eq!(dialog.attribute("input[name=scope][checked]", "value").as_deref(), Some("participant"));
    world.cy.htmx("/groups/den/members/ben?part=dialog&act=kick").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
}
