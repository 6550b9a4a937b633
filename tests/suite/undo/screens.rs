//! What people see: the button that undoes, what somebody who is put out reads, and lists that are as they were.

use std::time::Duration;

use chat_group_members::domain::{Act, Name, Scope, Terms};
use chat_group_members::membership::{self, ActRequest, Actor as By};
use reqwest::Method;
use serde_json::{Value, json};

use super::{bans, bulk, list, named, undo_last};
use crate::support::actor::{send, with};
use crate::support::sse::Message;
use crate::support::{Answer, World, fragment, guid, texts, uid};

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

#[tokio::test]
async fn an_act_that_is_repeated_under_its_key_brings_the_button_until_the_person_has_changed() {
    let world = World::new().await;
    let kick = async || {
        let request = world.cy.request(Method::POST, "/groups/den/members/dee").form(&[("_method", "DELETE")]);
        let headers = [("hx-request", "true"), ("accept", "text/html"), ("idempotency-key", "k1")];
        send(with(request, &headers)).await.ok()
    };
    let action = |answer: &Answer| answer.attribute("li[data-note=undo] form", "action");
    let first = action(&kick().await).expect("it can be undone");
    assert_eq!(action(&kick().await).as_ref(), Some(&first), "whoever did not get the first answer");
    world.host_adds("den", "dee", "Dee Dee").await;
    assert_eq!(action(&kick().await), None, "what was put right meanwhile is not undone");
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant), "and the kick is not done again");
}

#[tokio::test]
async fn the_button_is_there_also_when_the_host_has_renamed_whom_the_act_was_about() {
    let world = World::new().await;
    let rename = async |who: &str| {
        let name = Name::parse("Somebody Renamed").ok();
        membership::put_user(world.app.store(), uid(who), name, None).await.unwrap();
    };
    let fields = [("_method", "PUT"), ("scope", "moderator")];
    let done = world.ada.form("/groups/den/members/dee/scope", &fields).await;
    rename("dee").await;
    let page = world.ada.page(done.header("location")).await.ok();
    assert!(page.text(".chat-group-members__undo span").ends_with("has another role now."), "{}", page.body);

    let promote = async || {
        let request = world.ada.request(Method::POST, "/groups/den/members/eve/scope").form(&fields);
        let headers = [("hx-request", "true"), ("accept", "text/html"), ("idempotency-key", "k1")];
        send(with(request, &headers)).await.ok().attribute("li[data-note=undo] form", "action")
    };
    let first = promote().await.expect("it can be undone");
    rename("eve").await;
    assert_eq!(promote().await.as_ref(), Some(&first), "whoever did not get the first answer");
}

#[tokio::test]
async fn an_undo_that_has_nothing_left_to_put_back_says_so_and_one_of_what_is_undone_says_that() {
    let world = World::new().await;
    world.ada.ban("cy", json!({"until": 10})).await.ok();
    world.clock.advance(5_000);
    world.ada.unban("cy").await.ok();
    let unbanned = world.head("den").await;
    world.clock.advance(7_000);
    let path = format!("/groups/den/events/{unbanned}/undo");
    let says = [["0 people were put back as they were."], ["Nothing to change"], ["Cy Marlowe"]];
    let answer = world.ada.htmx_act(&path, &[("_method", "POST")]).await.ok();
    let alert = fragment(&answer.attribute("[data-note=left-out]", "data-html").expect("an alert"));
    assert_eq!(["strong", "summary", "li"].map(|selector| texts(&alert, selector, None)), says);
    for _ in ["first", "repeated"] {
        let request = world.ada.request(Method::POST, &path).form(&[("_method", "POST")]);
        let done = send(with(request, &[("accept", "text/html"), ("idempotency-key", "k1")])).await;
        let page = world.ada.page(done.header("location")).await.ok().html();
        let parts = ["p", "summary", "li"].map(|part| format!(".chat-group-members__notice {part}"));
        assert_eq!(parts.map(|part| texts(&page, &part, None)), says);
    }
    assert_eq!(world.head("den").await, unbanned);

    world.ada.kick("dee").await.ok();
    let path = format!("/groups/den/events/{}/undo", world.head("den").await);
    for _ in ["undone", "undone again"] {
        let done = world.ada.form(&path, &[("_method", "POST")]).await;
        let page = world.ada.page(done.header("location")).await.ok();
        assert_eq!(page.text(".chat-group-members__notice"), "What was done to Dee Dee has been undone.");
    }
}

#[tokio::test]
async fn after_a_node_whose_clock_is_ahead_the_button_works_for_the_window_and_not_longer_for_one_and_for_several() {
    let world = World::new().await;
    world.clock.advance(3_600_000);
    world.cy.kick("eve").await.ok();
    world.clock.advance(-3_600_000);
    // The kick and the ban are not before what the other node did.
    let one = world.cy.htmx_act("/groups/den/members/dee", &[("_method", "DELETE")]).await.ok();
    let fields = [("_method", "POST"), ("act", "ban"), ("uid", "dee"), ("uid", "eve")];
    let several = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    for answer in [one, several] {
        assert_eq!(answer.attribute("li[data-note=undo] form", "data-seconds").as_deref(), Some("30"));
    }
    let done = world.cy.form("/groups/den/bans/gus", &[("_method", "PUT")]).await;
    let page = world.cy.page(done.header("location")).await.ok();
    let left = page.text(".chat-group-members__undo small");
    assert_eq!(left.chars().filter(char::is_ascii_digit).collect::<String>(), "30", "{left}");
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
        let shown = world.dee.raw("/groups/den/events", &header).await.up_to(head + 2).await;
        let shown = format!("{shown:?}");
        assert!(shown.contains("member-added") && !shown.contains(&format!("member-{reason}")), "{shown}");
    }
}

#[tokio::test]
async fn whoever_is_banned_and_may_come_back_at_once_reads_that_they_were_removed_and_why() {
    let world = World::new().await;
    let (mut dee, mut dees_data) = (world.dee.stream().await, world.dee.events().await);
    let head = world.head("den").await;
    let by_cy = || ActRequest::new(guid("den"), By::Viewer(uid("cy")));
    let terms = Terms { message: Some("Cool down.".into()), until: None, reason: None };
    let ban = membership::act(world.app.store(), by_cy(), uid("dee"), Act::Ban(terms));
    let unban = membership::act(world.app.store(), by_cy(), uid("dee"), Act::Unban);
    // They share a commit, so that one broadcast holds both.
    let (banned, unbanned) = tokio::join!(ban, unban);
    assert_eq!((banned.unwrap().seq, unbanned.unwrap().seq), (head + 1, head + 2));
    let last = dee.rest().await.pop().unwrap();
    let text = last.html().root_element().text().collect::<String>();
    assert!(text.contains("You were removed from this group") && text.contains("Cool down."), "{text}");
    let last = dees_data.rest().await.pop().unwrap();
    let revoked = last.json();
    assert_eq!((last.name(), &revoked["reason"]), ("revoked", &json!("kicked")));
    assert_eq!(revoked["message"], "Cool down.");
}

#[tokio::test]
async fn a_page_knows_when_to_ask_again_if_its_viewer_is_put_out_while_it_is_not_connected() {
    let cases: [(u64, &[u64]); 4] = [(0, &[]), (5, &[0]), (30, &[0, 5_000, 10_000]), (600, &[0, 5_000, 10_000])];
    for (seconds, first) in cases {
        let world = World::with(|config| config.undo_window = Duration::from_secs(seconds)).await;
        let page = world.dee.get("/groups/den/members").await.ok();
        let waits = page.attribute("template[id=cgm-den-ended]", "data-waits").unwrap();
        let waits: Vec<u64> = waits.split(' ').map(|wait| wait.parse().unwrap()).collect();
        let (_, earlier) = waits.split_last().unwrap();
        assert_eq!(earlier, first, "{seconds} s");
        // By this the script knows when acts are not undone any more, to the millisecond.
        assert_eq!((waits.iter().sum::<u64>() * 7).div_ceil(10), seconds * 1_000, "{seconds} s");
    }
}

/// What the cast reads afresh: pages, and the members, the bans and the mutes as data.
type Fresh = (Vec<String>, [Value; 3]);

/// What each of the cast reads afresh, without the id of the last event, which goes on; and what an admin reads as data, to the second
/// and the millisecond.
async fn afresh(world: &World) -> Fresh {
    let newest = world.ben.data("/groups/den/members").await.ok().json();
    let id = newest["meta"]["id"].as_str().unwrap();
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
        pages.push(viewer.page(path).await.body.replace(id, "ID"));
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
        world.ben.act(method, &format!("/groups/den/{path}"), body.clone()).await.ok();
        let done = afresh(&world).await;
        assert_ne!(done, before, "{path} changed something");
        undo_last(&world, &world.ben).await.ok();
        assert_same(&afresh(&world).await, &before, path);
        undo_the_undo(&world, &body, &done, &before).await;
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
        let done = afresh(&world).await;
        assert_ne!(done, before, "{body} changed something");
        let path = format!("/groups/den/events/{batch}/undo");
        world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok();
        assert_same(&afresh(&world).await, &before, &body.to_string());
        undo_the_undo(&world, &body, &done, &before).await;
    }
}

/// Ben undoes the last act, which undid one of this body, and that again: all is as the act had `done` it, and then as `before`.
/// Whoever is back by an undo stays, and whom it would make an admin again is not below Ben: of such acts nothing is undone twice.
async fn undo_the_undo(world: &World, body: &Value, done: &Fresh, before: &Fresh) {
    let members = |(_, [members, ..]): &Fresh| members.as_array().unwrap().len();
    if members(done) < members(before) || body["scope"] == "admin" {
        return;
    }
    let undo = async || {
        let path = format!("/groups/den/events/{}/undo", world.head("den").await);
        world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok();
        afresh(world).await
    };
    let redone = undo().await;
    assert_same(&redone, done, &format!("the undo of {body}"));
    assert_same(&undo().await, before, &format!("the act again, {body},"));
}

fn assert_same(now: &Fresh, before: &Fresh, undone: &str) {
    for (now, before) in now.0.iter().zip(&before.0) {
        assert_eq!(now, before, "after {undone} was undone");
    }
    assert_eq!(now.1, before.1, "after {undone} was undone");
}
