//! Acts, one by one: done, twice, missing, refused; by JSON, htmx and plain forms.

use std::time::Duration;

use chat_group_members::domain::{Name, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::json;

use crate::support::actor::{send, with};
use crate::support::{self, Actor, Answer, World, eventually, fragment, select};

/// The answer to an act of htmx, with the moved head of the log.
async fn moved(world: &World, before: u64) -> u64 {
    world.head("den").await - before
}

#[tokio::test]
async fn cy_kicks_dee_and_nobody_sees_her_any_more() {
    let world = World::new().await;
    let answer = world.cy.kick("dee").await.ok();
    assert_eq!(answer.json(), json!({"data": {}}));
    for witness in [&world.ada, &world.eve] {
        assert_eq!(witness.sees().await, ["ada", "ben", "cy", "eve"]);
    }
    let before = world.head("den").await;
    world.cy.kick("dee").await.refused(404, "ERR_NOT_A_MEMBER");
    world.cy.kick("nobody").await.refused(404, "ERR_NOT_A_MEMBER");
    world.cy.kick("ben").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.eve.kick("ben").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(moved(&world, before).await, 0);
}

#[tokio::test]
async fn the_kicked_may_join_again_as_a_participant() {
    let world = World::new().await;
    world.ada.act(Method::DELETE, "/groups/park/members/ben", json!({})).await.ok();
    let joined = world.ben.join().await.ok().json();
    assert_eq!((&joined["data"]["uid"], &joined["data"]["scope"]), (&json!("ben"), &json!("participant")));
    assert_eq!(world.ben.join().await.ok().json()["data"]["uid"], "ben", "twice is yes");
    assert_eq!(world.scope("park", "ben").await, Some(Scope::Participant));
}

#[tokio::test]
async fn whoever_joins_unknown_is_called_as_the_token_says() {
    let world = World::new().await;
    let token = {
        let secret = chat_group_members::config::Secret::new(support::SECRET);
        let new = chat_group_members::identity::NewToken {
            uid: "ivy",
            audience: "chat-group-members",
            issued_at: support::now(),
            expires_at: support::now() + 600,
            name: Some("Ivy Tan"),
            avatar: Some("https://a.example/ivy.png"),
        };
        chat_group_members::identity::mint(&secret, &new)
    };
    let ivy = world.bearer(&token);
    let member = ivy.join().await.ok().json()["data"].clone();
    assert_eq!((&member["name"], &member["avatar"]), (&json!("Ivy Tan"), &json!("https://a.example/ivy.png")));
    assert_eq!(world.gus.join().await.ok().json()["data"]["name"], "gus", "no name: the uid");
}

#[tokio::test]
async fn ben_bans_eve_with_a_reason_that_moderators_read() {
    let world = World::new().await;
    world.ben.ban("eve", json!({"reason": " rude ", "until": 3600})).await.ok();
    world.eve.get("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
    let bans = world.cy.data("/groups/den/bans").await.ok().json();
    assert_eq!(bans["meta"]["count"], 2);
    let eve = bans["data"].as_array().unwrap().iter().find(|ban| ban["uid"] == "eve").unwrap().clone();
    assert_eq!((&eve["name"], &eve["reason"], &eve["by"]), (&json!("Eve Adams"), &json!("rude"), &json!("ben")));
    let moment = |field: &str| eve[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
    assert!((moment("until") - moment("at") - 3600).abs() <= 1, "{eve}");
    world.dee.data("/groups/den/bans").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
}

#[tokio::test]
async fn a_ban_on_a_banned_one_replaces_reason_and_end() {
    let world = World::new().await;
    let before = world.head("den").await;
    world.cy.ban("flo", json!({"reason": "spam"})).await.ok();
    assert_eq!(moved(&world, before).await, 0, "the same terms are no event");
    world.cy.ban("flo", json!({"reason": "more spam", "until": "2099-01-31T12:00:00Z"})).await.ok();
    assert_eq!(moved(&world, before).await, 1);
    let bans = world.cy.data("/groups/den/bans").await.ok().json();
    assert_eq!(bans["meta"]["count"], 1);
    assert_eq!(bans["data"][0]["reason"], "more spam");
    assert_eq!(bans["data"][0]["until"], "2099-01-31T12:00:00Z");
}

#[tokio::test]
async fn somebody_never_seen_can_be_banned_and_then_cannot_join() {
    let world = World::new().await;
    world.cy.act(Method::PUT, "/groups/park/bans/gus", json!({})).await.ok();
    world.gus.join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
    world.cy.act(Method::DELETE, "/groups/park/bans/gus", json!({})).await.ok();
    assert_eq!(world.scope("park", "gus").await, None, "membership does not come back by itself");
    world.gus.join().await.ok();
}

#[tokio::test]
async fn bans_are_searched_and_paged() {
    let world = World::new().await;
    for number in 0..7 {
        world.host_bans("den", &format!("troll{number}"), None).await;
    }
    let found = world.ada.data("/groups/den/bans?searchKeyword=TROLL3").await.ok().json();
    assert_eq!((&found["meta"]["count"], &found["data"][0]["uid"]), (&json!(1), &json!("troll3")));
    let found = async |text: &str| world.ada.data(&format!("/groups/den/bans?searchKeyword={text}")).await.ok().json();
    assert_eq!(found("banks%20%20fl%C2%ADo").await["data"][0]["uid"], "flo", "words in any order");
    assert_eq!(found("banks%20troll").await["meta"]["count"], 0);
    assert_eq!(found("%E2%80%8B").await["meta"]["count"], 8, "nothing that is seen is no search");
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.ada.data(&format!("/groups/den/bans?limit=3{cursor}")).await.ok().json();
        assert_eq!(page["meta"]["count"], 8);
        seen.extend(page["data"].as_array().unwrap().iter().map(|ban| ban["uid"].as_str().unwrap().to_owned()));
        let Some(next) = page["meta"]["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 8);
    let page = world.cy.page("/groups/den/bans").await.ok();
    assert_eq!(page.count("[data-action=unban]"), 8);
}

#[tokio::test]
async fn the_button_that_lets_flo_in_again_is_named_by_what_it_does() {
    let world = World::new().await;
    let bans = world.cy.page("/groups/den/bans").await.ok();
    let button = "[data-uid=flo] [data-action=unban]";
    assert_eq!(bans.attribute(button, "aria-label").as_deref(), Some("Lift the ban on \u{2068}Flo Banks\u{2069}"));
    assert_eq!(bans.text(button), "Lift the ban");
}

#[tokio::test]
async fn ada_hands_the_group_over_and_becomes_an_admin() {
    let world = World::new().await;
    assert_eq!(world.ada.transfer("dee").await.ok().json()["data"]["scope"], "owner");
    assert_eq!(world.eve.sees().await, ["dee", "ada", "ben", "cy", "eve"]);
    assert_eq!(world.scope("den", "ada").await, Some(Scope::Admin));
    world.ada.transfer("ada").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.dee.leave().await.refused(409, "ERR_OWNER_MUST_TRANSFER");
    world.ada.leave().await.ok();
}

#[tokio::test]
async fn anybody_steps_down_and_nobody_up() {
    let world = World::new().await;
    assert_eq!(world.ben.set_scope("ben", "moderator").await.ok().json()["data"]["scope"], "moderator");
    let before = world.head("den").await;
    world.ben.set_scope("ben", "moderator").await.ok();
    assert_eq!(moved(&world, before).await, 0);
    world.ben.set_scope("ben", "admin").await.refused(403, "ERR_GROUP_NO_SCOPE_CLEARANCE");
    world.ada.set_scope("ada", "participant").await.refused(409, "ERR_OWNER_MUST_TRANSFER");
}

#[tokio::test]
async fn what_cannot_be_meant_is_named() {
    let world = World::new().await;
    let named = |answer: Answer, word: &str| {
        let detail = answer.refused(422, "ERR_VALIDATION").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(word), "{detail}");
    };
    named(world.ada.set_scope("dee", "owner").await, "scope");
    named(world.ada.set_scope("dee", "king").await, "scope");
    named(world.ada.act(Method::PUT, "/groups/den/members/dee/scope", json!({})).await, "scope");
    named(world.ada.act(Method::PUT, "/groups/den/members/dee/scope", json!({"scope": ["admin"]})).await, "scope");
    named(world.ada.transfer("not a uid").await, "uid");
    named(world.ada.act(Method::PUT, "/groups/den/owner", json!({})).await, "uid");
    named(world.ada.ban("dee", json!({"reason": "x".repeat(513)})).await, "reason");
    named(world.ada.ban("dee", json!({"reason": "a\u{0}b"})).await, "reason");
    for until in ["yesterday", "0", "-5", "2001-01-01T00:00:00Z", "99999999999999999999"] {
        named(world.ada.ban("dee", json!({"until": until})).await, "until");
    }
    named(world.ada.act(Method::PUT, "/groups/den/bans/a%20b", json!({})).await, "uid");
    world.ada.ban("dee", json!({"reason": "ä".repeat(512), "unknown": {"is": "ignored"}})).await.ok();
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_a_bad_request() {
    let world = World::new().await;
    let put = |kind: &'static str, body: Vec<u8>| {
        let request = world.ada.request(Method::PUT, "/groups/den/bans/dee").header("accept", "application/json");
        send(request.header("content-type", kind).body(body))
    };
    put("application/json", b"{".to_vec()).await.refused(400, "ERR_BAD_REQUEST");
    put("application/json", b"[]".to_vec()).await.refused(400, "ERR_BAD_REQUEST");
    put("text/plain", b"reason=x".to_vec()).await.refused(400, "ERR_BAD_REQUEST");
    put("application/json", vec![b' '; 70_000]).await.refused(413, "ERR_TOO_LARGE");
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    put("application/x-www-form-urlencoded", b"reason=x".to_vec()).await.ok();
}

#[tokio::test]
async fn a_no_comes_in_the_order_of_answers() {
    let world = World::new().await;
    // The group before the body, the body before the right, the right before the target, that before the state.
    scope(&world.gus, "/groups/den/members/a%20b/scope", "king").await.refused(404, "ERR_GUID_NOT_FOUND");
    scope(&world.dee, "/groups/den/members/nobody/scope", "king").await.refused(422, "ERR_VALIDATION");
    scope(&world.dee, "/groups/den/members/nobody/scope", "admin").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    scope(&world.ben, "/groups/den/members/nobody/scope", "admin").await.refused(404, "ERR_NOT_A_MEMBER");
    scope(&world.ada, "/groups/den/members/ada/scope", "admin").await.refused(409, "ERR_OWNER_MUST_TRANSFER");
    let unreadable =
        world.gus.request(Method::PUT, "/groups/den/bans/dee").header("content-type", "application/json").body("{");
    assert_eq!(send(unreadable).await.status, 404);
    let unsigned =
        world.gus.anonymous(Method::PUT, "/groups/den/bans/dee").header("content-type", "application/json").body("{");
    assert_eq!(send(unsigned).await.status, 401);
    let too_large = world
        .gus
        .request(Method::PUT, "/groups/den/bans/dee")
        .header("content-type", "application/json")
        .body("x".repeat(70_000));
    assert_eq!(send(too_large).await.status, 404);
}

async fn scope(actor: &Actor, path: &str, scope: &str) -> Answer {
    actor.act(Method::PUT, path, json!({"scope": scope})).await
}

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
async fn names_beyond_ascii_travel_in_headers() {
    let world = World::new().await;
    world.host_adds("den", "wei", "陈伟 🦀").await;
    let answer = world.cy.htmx_act("/groups/den/members/wei", &[("_method", "DELETE")]).await.ok();
    let trigger: serde_json::Value = serde_json::from_str(answer.header("hx-trigger")).unwrap();
    assert_eq!(trigger["chat-group-members:member-kicked"]["member"]["name"], "陈伟 🦀");
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
async fn a_compressed_body_is_refused_and_a_mark_before_json_is_not() {
    let world = World::new().await;
    let scope = |encoding: &str| {
        let request = world.ada.request(Method::PUT, "/groups/den/members/dee/scope");
        let request = request.header("accept", "application/json").header("content-type", "application/json");
        send(request.header("content-encoding", encoding).body("\u{feff}{\"scope\":\"moderator\"}"))
    };
    scope("gzip").await.refused(415, "ERR_BAD_REQUEST");
    scope("identity").await.ok();
}

#[tokio::test]
async fn a_plain_form_goes_back_to_the_list_which_says_what_was_done() {
    let world = World::new().await;
    let answer = world.cy.form("/groups/den/members/dee?limit=50", &[("_method", "DELETE")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let back = answer.header("location").to_owned();
    assert!(back.starts_with("/groups/den/members?limit=50"), "{back}");
    let page = world.cy.page(&back).await.ok();
    assert!(page.text("[role=status].chat-group-members__notice").contains("Dee Dee was removed"), "{}", page.body);
    assert_eq!(page.uids(), ["ada", "ben", "cy", "eve"]);
    let refused = world
        .eve
        .form("/groups/den/members/ada", &[("_method", "DELETE")])
        .await
        .refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert!(refused.has("html body [role=alert]"));
    world.cy.form("/groups/den/members/eve", &[("_method", "PATCH")]).await.refused(400, "ERR_BAD_REQUEST");
    world.cy.form("/groups/den/members/eve", &[]).await.refused(400, "ERR_BAD_REQUEST");
    world.gus.form("/groups/den/members/eve", &[]).await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn every_form_does_what_its_button_says() {
    let outcomes = [("kick", None), ("ban", None), ("scope", Some(Scope::Moderator)), ("transfer", Some(Scope::Owner))];
    for (action, expected) in outcomes {
        let world = World::new().await;
        press(&world.ada, "/groups/den/members/eve", action).await;
        assert_eq!(world.scope("den", "eve").await, expected, "{action}");
    }
    let world = World::new().await;
    press(&world.eve, "/groups/den/members/eve", "leave").await;
    assert_eq!(world.scope("den", "eve").await, None);
    press(&world.cy, "/groups/den/bans", "unban").await;
    assert_eq!(world.cy.data("/groups/den/bans").await.ok().json()["meta"]["count"], 0);
    press(&world.gus, "/groups/park", "join").await;
    assert_eq!(world.scope("park", "gus").await, Some(Scope::Participant));
}

/// Sends the form of a page that has this button, as it was filled in by the page.
async fn press(actor: &Actor, page: &str, action: &str) {
    let (path, fields) = {
        let html = actor.page(page).await.ok().html();
        let (button, hidden) = (select(&format!("button[data-action={action}]")), select("input[type=hidden]"));
        let (forms, attr) =
            (select("form"), |element: scraper::ElementRef<'_>, name| element.attr(name).unwrap().to_owned());
        let mut forms = html.select(&forms);
        let form =
            forms.find(|form| form.select(&button).next().is_some()).unwrap_or_else(|| panic!("no {action} on {page}"));
        let fields: Vec<_> = form.select(&hidden).map(|input| (attr(input, "name"), attr(input, "value"))).collect();
        (attr(form, "action"), fields)
    };
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    if action == "scope" {
        fields.push(("scope", "moderator"));
    }
    let done = actor.form(&path, &fields).await;
    assert_eq!(done.status, 303, "{action}: {}", done.body);
}

#[tokio::test]
async fn a_form_returns_only_to_where_it_may() {
    let world = World::with(|config| {
        config.allow_origins = vec!["https://app.example".into()];
        config.public_url = Some("https://chat.example".into());
    })
    .await;
    let back = async |url: &str| {
        let answer =
            world.cy.form("/groups/den/bans/flo", &[("_method", "PUT"), ("reason", url), ("return", url)]).await;
        assert_eq!(answer.status, 303);
        answer.header("location").to_owned()
    };
    for good in [
        "/somewhere?x=../y",
        "/a.b/..c/%C3%A9",
        "https://app.example/room/5",
        "https://app.example",
        "https://chat.example/x",
    ] {
        assert_eq!(back(good).await, good);
    }
    let evil = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "https://app.example.evil/",
        "https://app.example@evil.example/",
        "javascript:alert(1)",
        "http://app.example/",
        "/a\r\nset-cookie: x=1",
        "/room/../../admin",
        "/room/./5",
        "/..",
        "/room/%2e%2E/admin",
        "/room/.%2e;x/admin",
        "/room/%252e%252e/admin",
        "/room%2f..%2fadmin",
        "/room/..%5cadmin",
        "/%2fevil.example",
        "/%5Cevil.example",
        "/room\\..\\admin",
        "/room?back=\\x",
        "/a%0d%0aset-cookie: x=1",
        "/a%00",
        "https://app.example/../admin",
        "https://chat.example/x/%2e%2e/y",
        "\\\\evil.example",
        "/\t/evil.example",
    ];
    for url in evil {
        let list = "https://chat.example/groups/den/members";
        assert!(back(url).await.starts_with(list), "{url:?}");
    }
    let answer = world.eve.form("/groups/den/members/eve", &[("_method", "DELETE"), ("return", "/lobby")]).await;
    assert_eq!(answer.header("location"), "/lobby", "also whoever leaves");
}

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
    membership::update_group(world.app.store(), support::guid(guid), patch).await.unwrap();
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
async fn a_ban_that_runs_out_lets_in_at_once() {
    let world = World::new().await;
    let ban = json!({"until": 60});
    world.cy.act(Method::PUT, "/groups/park/bans/dee", ban).await.ok();
    world.dee.join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
    world.clock.advance(61_000);
    world.dee.join().await.ok();
    assert_eq!(world.cy.data("/groups/park/bans").await.ok().json()["meta"]["count"], 1, "Flo only");
}

#[tokio::test]
async fn two_owners_at_once_do_not_come_about() {
    let world = World::new().await;
    for _ in 0..10 {
        let owner = world.members("den").await.into_iter().find(|(_, scope)| *scope == Scope::Owner).unwrap().0;
        let owner = world.actor(&owner);
        let targets: Vec<&str> = ["ada", "ben", "cy", "dee"].into_iter().filter(|uid| *uid != owner.uid).collect();
        let transfers = targets.iter().map(|uid| owner.transfer(uid));
        let answers = futures_util::future::join_all(transfers).await;
        assert_eq!(
            answers.iter().filter(|answer| answer.status == 200).count(),
            1,
            "only the first finds the owner still one"
        );
        let owners = world.members("den").await.into_iter().filter(|(_, scope)| *scope == Scope::Owner).count();
        assert_eq!(owners, 1);
    }
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_back() {
    let world = World::with(|config| config.rate_limit = Some(limit())).await;
    for _ in 0..3 {
        world.dee.get("/groups/den/members").await.ok();
    }
    let answer = world.dee.data("/groups/den/members").await.refused(429, "ERR_TOO_MANY_REQUESTS");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
    world.eve.get("/groups/den/members").await.ok();
}

fn limit() -> chat_group_members::config::RateLimit {
    chat_group_members::config::RateLimit { count: 3.try_into().unwrap(), per: Duration::from_secs(3600) }
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

#[tokio::test]
async fn a_ban_lifted_by_a_plain_form_is_said_where_the_banned_are() {
    let world = World::new().await;
    let page = world.cy.page("/groups/den/bans?return=/room/5&theme=dark").await.ok();
    let form = |name: &str| page.attribute(&format!("[data-uid=flo] form input[name={name}]"), "value").unwrap();
    let action = page.attribute("[data-uid=flo] form", "action").unwrap();
    let lifted = world.cy.form(&action, &[("_method", &form("_method")), ("return", &form("return"))]).await;
    assert_eq!(lifted.status, 303, "{}", lifted.body);
    let page = world.cy.page(lifted.header("location")).await.ok();
    assert_eq!(page.text("[role=status].chat-group-members__notice form span"), "Flo Banks may come in again.");
    assert!(page.text(".chat-page__title").contains("Banned") && !page.has("[data-uid=flo]"));
    assert_eq!(page.attribute(".chat-page__back a", "href").as_deref(), Some("/room/5"), "and leads on as before");
    assert!(page.has("html[data-theme=dark]"));
    assert!(!world.cy.page("/groups/den/bans").await.ok().has("[role=status]"));
}

#[tokio::test]
async fn the_pages_beside_the_list_lead_back_to_where_the_reader_comes_from() {
    let world = World::with(|config| config.allow_origins = vec!["https://app.example".into()]).await;
    let (member, bans) = ("/groups/den/members/dee", "/groups/den/bans");
    let led_back = async |path: &str, back: &str| {
        let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
        let page = world.ben.page(&format!("{path}?return={back}&searchKeyword=flo")).await.ok();
        (page.attribute(".chat-page__back a", "href").unwrap(), page)
    };
    for good in ["/room/5?a=1&b=2", "https://app.example/room/5"] {
        let (href, page) = led_back(member, good).await;
        assert_eq!(href, good);
        assert_eq!(
            support::texts(&page.html(), "form [data-close]", Some("href")),
            [good; 4],
            "to cancel leads there, too"
        );
        let fields = [("_method", "PUT"), ("scope", "moderator"), ("return", &href)];
        let done = world.ben.form("/groups/den/members/dee/scope", &fields).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, good));
        let returns = support::texts(&page.html(), "form input[name=return]", Some("value"));
        assert_eq!(returns, [good; 5], "and every form");
        let (href, page) = led_back(bans, good).await;
        assert_eq!(href, good);
        let kept = page.attribute("form[role~=search] input[name=return]", "value");
        assert_eq!(kept.as_deref(), Some(good), "a search keeps it");
    }
    for evil in ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example", ""] {
        assert_eq!(led_back(member, evil).await.0, "/groups/den/members?searchKeyword=flo", "{evil:?}");
        assert_eq!(led_back(bans, evil).await.0, "/groups/den/members", "{evil:?}");
    }
}
