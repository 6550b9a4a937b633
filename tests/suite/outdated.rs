//! Acts that somebody chose while they saw an earlier state: what another did meanwhile is not replaced unseen.

use chat_group_members::domain::{Act, GroupType, Name, Refusal, Scope, Terms};
use chat_group_members::membership::{self, ActError, ActRequest};
use chat_group_members::store::{Decision, StoreError};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, World, guid, row, texts, uid};

/// The dialog of an act on Dee, as this moderator has it open.
async fn dialog(actor: &Actor, act: &str) -> Answer {
    actor.htmx(&format!("/groups/den/members/dee?part=dialog&act={act}")).await.ok()
}

/// As of which event a form shows what it is about.
fn as_of(form: &Answer) -> String {
    form.attribute("input[name=asOf]", "value").expect("an act's form says as of when it is")
}

/// The ban of Dee, as an admin reads it.
async fn ban_of_dee(world: &World) -> Value {
    let bans = world.ben.data("/groups/den/bans").await.ok().json();
    bans["data"].as_array().unwrap().iter().find(|ban| ban["uid"] == "dee").cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_ban_that_cy_did_not_see_is_not_replaced_until_cy_has_seen_it() {
    let world = World::new().await;
    let seen = as_of(&dialog(&world.cy, "ban").await);
    world.ben.ban("dee", json!({"reason": "threats"})).await.ok();
    let terms = [("_method", "PUT"), ("reason", "loud"), ("until", "3600"), ("asOf", &*seen)];
    let refused = world.cy.htmx_act("/groups/den/bans/dee", &terms).await.refused(409, "ERR_OUTDATED");
    assert!(refused.text("[role=alert]").contains("Ben"), "it says who: {}", refused.body);
    assert!(refused.has("[data-uid=dee][data-gone]"), "the list shows it: {}", refused.body);
    assert_eq!(ban_of_dee(&world).await["reason"], "threats");
    let now = refused.header("last-event-id").to_owned();
    let again = [("_method", "PUT"), ("reason", "loud"), ("until", "3600"), ("asOf", &*now)];
    world.cy.htmx_act("/groups/den/bans/dee", &again).await.ok();
    assert_eq!(ban_of_dee(&world).await["reason"], "loud", "the second press is meant");
}

#[tokio::test]
async fn a_mute_and_a_role_that_cy_did_not_see_stay_too() {
    let world = World::new().await;
    let (mute, scope) = (as_of(&dialog(&world.cy, "mute").await), as_of(&dialog(&world.cy, "scope").await));
    world.ben.mute("dee", json!({"until": 7200, "reason": "an hour is too short"})).await.ok();
    let cy = async |act: &str, mut body: Value, seen: &str| {
        body["asOf"] = json!(seen);
        world.cy.act(Method::PUT, &format!("/groups/den/{act}"), body).await
    };
    cy("mutes/dee", json!({"until": 300}), &mute).await.refused(409, "ERR_OUTDATED");
    cy("members/dee/scope", json!({"scope": "moderator", "until": 3600}), &scope).await.ok();
    world.ben.set_scope("dee", "participant").await.ok();
    cy("members/dee/scope", json!({"scope": "moderator"}), &scope).await.ok();
    world.ben.set_scope("dee", "participant").await.ok();
    world.ben.grant("dee", json!({"scope": "moderator", "until": 7200})).await.ok();
    world
        .ada
        .act(Method::PUT, "/groups/den/members/dee/scope", json!({"scope": "admin", "asOf": scope}))
        .await
        .refused(409, "ERR_OUTDATED");
}

#[tokio::test]
async fn of_two_bans_that_wait_for_the_same_commit_the_second_is_refused() {
    let world = World::new().await;
    let head = world.head("den").await;
    let ban = async |by: &str, reason: &str| {
        let actor = membership::Actor::Viewer(uid(by));
        let request = ActRequest { as_of: Some(head), ..ActRequest::new(guid("den"), actor) };
        let act = Act::Ban(Terms { reason: Some(reason.into()), ..Terms::default() });
        membership::act(world.app.store(), request, uid("dee"), act).await
    };
    // What is done to the group waits until both are asked for.
    let (let_go, waits) = tokio::sync::oneshot::channel::<()>();
    let den = guid("den");
    let holding = world.app.store().write(Some(&den), move |_| {
        Box::pin(async move {
            let _ = waits.await;
            Ok::<_, StoreError>(Decision::Rollback(()))
        })
    });
    let (held, first, second, _) =
        tokio::join!(holding, ban("ben", "threats"), ban("cy", "loud"), async { let_go.send(()) });
    held.unwrap();
    first.unwrap();
    let refused = second.expect_err("Cy has not seen Ben's ban");
    assert!(matches!(refused, ActError::Refused { refusal: Refusal::Outdated, .. }), "{refused:?}");
    assert_eq!(ban_of_dee(&world).await["reason"], "threats");
}

#[tokio::test]
async fn what_the_act_does_not_replace_may_have_changed() {
    let world = World::new().await;
    let seen = as_of(&dialog(&world.cy, "ban").await);
    world.ben.mute("dee", json!({"until": 7200})).await.ok();
    membership::put_user(world.app.store(), uid("dee"), Name::parse("Dee Newname").ok(), None).await.unwrap();
    world.ben.ban("dee", json!({"reason": "by mistake"})).await.ok();
    world.ben.unban("dee").await.ok();
    world.cy.ban("dee", json!({"reason": "loud", "asOf": seen})).await.ok();
    assert_eq!(ban_of_dee(&world).await["reason"], "loud");
}

#[tokio::test]
async fn a_list_from_the_host_that_gives_dee_another_name_changes_nothing_that_cy_has_seen() {
    let world = World::new().await;
    let (seen, head) = (as_of(&dialog(&world.cy, "scope").await), world.head("den").await);
    let list = [row("ada", "Ada Lovelace", Scope::Owner, None), row("dee", "Dee Newname", Scope::Participant, None)];
    world.sync("den", GroupType::Private, list.into()).await;
    assert_eq!(world.head("den").await, head + 1);
    world.cy.grant("dee", json!({"scope": "moderator", "asOf": seen})).await.ok();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Moderator));
}

#[tokio::test]
async fn a_list_for_another_group_that_gives_a_crowd_other_names_changes_nothing_that_ada_has_seen() {
    let world = World::new().await;
    let list = |surname: &str| {
        let name = |uid: &str| row(uid, &format!("{uid} {surname}"), Scope::Participant, None);
        (0..21).map(|number| name(&format!("guest-{number}"))).chain([name("dee")]).collect::<Vec<_>>()
    };
    let mut guests = list("Oldname");
    guests.pop();
    world.sync("den", GroupType::Private, guests).await;
    world.ben.mute("dee", json!({"until": 7200})).await.ok();
    world.ben.grant("dee", json!({"scope": "moderator", "until": 7200})).await.ok();
    let (seen, head) = (as_of(&dialog(&world.ada, "scope").await), world.head("den").await);
    world.sync("attic", GroupType::Public, list("Newname")).await;
    assert_eq!(world.head("den").await, head + 1, "so many share an event");
    world.ada.mute("dee", json!({"until": 300, "asOf": seen})).await.ok();
    world.ada.grant("dee", json!({"scope": "admin", "until": 3600, "asOf": seen})).await.ok();
}

#[tokio::test]
async fn the_same_form_sent_twice_says_that_it_is_done() {
    let world = World::new().await;
    let seen = as_of(&dialog(&world.cy, "ban").await);
    let form = [("_method", "PUT"), ("reason", "loud"), ("asOf", &*seen)];
    world.cy.htmx_act("/groups/den/bans/dee", &form).await.ok();
    world.cy.htmx_act("/groups/den/bans/dee", &form).await.ok();
}

#[tokio::test]
async fn an_act_of_another_history_replaces_nothing_and_nonsense_is_refused() {
    let world = World::new().await;
    let flo = |as_of: &str| world.cy.ban("flo", json!({"reason": "again", "asOf": as_of}));
    flo("another.7").await.refused(409, "ERR_OUTDATED");
    flo("yesterday").await.refused(422, "ERR_VALIDATION");
    flo("").await.ok();
}

#[tokio::test]
async fn of_several_those_who_changed_meanwhile_are_left_out_by_name() {
    let world = World::new().await;
    let fields = [("act", "ban"), ("uid", "dee"), ("uid", "eve"), ("dryRun", "true")];
    let form = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    let seen = as_of(&form);
    world.ben.ban("dee", json!({"reason": "threats"})).await.ok();
    let fields = [("act", "ban"), ("uid", "dee"), ("uid", "eve"), ("reason", "raid"), ("asOf", &*seen)];
    let done = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    let left_out = done.attribute("[data-note=left-out]", "data-html").unwrap();
    assert!(left_out.contains("Not possible for 1:") && left_out.contains("<bdi>Dee Dee</bdi>"), "{left_out}");
    assert!(done.has("[data-note=undo]"));
    assert_eq!(ban_of_dee(&world).await["reason"], "threats");
    let refused = world.cy.htmx_act("/groups/den/bulk", &fields).await;
    assert!(refused.status.is_success(), "Eve is banned on these terms: {}", refused.body);
    let dee_alone = [("act", "ban"), ("uid", "dee"), ("reason", "raid"), ("asOf", &*seen)];
    let again = world.cy.htmx_act("/groups/den/bulk", &dee_alone).await.ok();
    assert_eq!(again.header("hx-reswap"), "outerHTML", "the form is replaced by one that shows her as she is now");
    assert!(again.text("[role=alert]").contains("This has changed since it was shown"), "{}", again.body);
    assert_eq!(ban_of_dee(&world).await["reason"], "threats");
    let now = as_of(&again);
    let meant = [("act", "ban"), ("uid", "dee"), ("reason", "raid"), ("asOf", &*now)];
    assert!(world.cy.htmx_act("/groups/den/bulk", &meant).await.ok().has("[data-note=undo]"));
    assert_eq!(ban_of_dee(&world).await["reason"], "raid", "the second press is meant");
}

#[tokio::test]
async fn a_form_that_shows_several_who_have_changed_says_so_and_then_how_many_they_are() {
    let world = World::new().await;
    let both = [("act", "ban"), ("uid", "dee"), ("uid", "eve")];
    let seen = as_of(&world.cy.htmx_act("/groups/den/bulk?dryRun=true", &both).await.ok());
    for uid in ["dee", "eve"] {
        world.ben.ban(uid, json!({"reason": "threats"})).await.ok();
    }
    let fields = [&both[..], &[("reason", "raid"), ("asOf", &*seen)]].concat();
    let again = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    let summaries = ["2 people will be banned.", "Changed in the meantime (2)", "2 of them are not members any more."];
    assert_eq!(texts(&again.html(), "[role=alert] summary", None), summaries);
    assert_eq!(texts(&again.html(), "[role=alert] details[open] li", None), ["Dee Dee", "Eve Adams"]);
}

#[tokio::test]
async fn without_javascript_the_page_after_an_act_on_several_names_whom_it_was_not_done_to() {
    let world = World::new().await;
    let fields = [("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "ada"), ("uid", "ben")];
    let done = world.cy.form("/groups/den/bulk", &fields).await;
    let page = world.cy.page(done.header("location")).await.ok();
    assert_eq!(page.text(".chat-group-members__undo span"), "1 person was removed from the group.");
    let notice = page.text(".chat-group-members__notice");
    assert!(notice.contains("Not possible for 2:"), "{notice}");
    let reasons = texts(&page.html(), ".chat-group-members__notice details", None);
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert!(reasons[0].contains("Role above yours (2)"), "{reasons:?}");
    assert!(reasons[0].contains("Ada") && reasons[0].contains("Ben"), "{reasons:?}");
}

#[tokio::test]
async fn an_act_that_can_be_done_to_nobody_is_answered_alike_as_data_as_a_dialog_and_as_a_page() {
    let world = World::new().await;
    let head = world.head("den").await;
    let body = json!({"act": "kick", "uid": ["ada", "cy"]});
    let data = world.cy.act(Method::POST, "/groups/den/bulk", body).await.ok().json();
    let codes: Vec<_> = data["data"].as_array().unwrap().iter().map(|item| item["code"].clone()).collect();
    assert_eq!(codes, ["ERR_GROUP_NO_CLEARANCE", "ERR_GROUP_NO_SELF_ACTION"]);
    assert_eq!(data["meta"]["batch"], Value::Null);
    let fields = [("_method", "POST"), ("act", "kick"), ("uid", "ada"), ("uid", "cy")];
    let dialog = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    let page = world.cy.form("/groups/den/bulk", &fields).await.ok();
    for answer in [&dialog, &page] {
        let alert = answer.text("form [role=alert]");
        assert!(alert.contains("0 people will be removed") && alert.contains("Not possible for 2:"), "{alert}");
        assert!(alert.contains("Role above yours") && alert.contains("Yourself"), "{alert}");
        assert_eq!(texts(&answer.html(), "[role=alert] li", None), ["Ada Lovelace", "Cy Marlowe"]);
        assert!(!answer.has("button[data-action=kick]"), "there is nothing to press");
    }
    assert_eq!((dialog.header("hx-reswap"), page.header("hx-reswap")), ("outerHTML", ""));
    assert_eq!(world.head("den").await, head);
}
