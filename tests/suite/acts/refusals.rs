//! Acts that are refused: what is not valid, in which order it is checked, and too many requests.

use std::time::Duration;

use chat_group_members::domain::Scope;
use reqwest::Method;
use serde_json::json;

use crate::support::actor::send;
use crate::support::{Actor, Answer, World};

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

/// Where the page of a refusal leads back to.
const BACK: &str = ".chat-page__back a";

#[tokio::test]
async fn without_javascript_a_refused_act_leads_back_to_where_its_form_would_have_led() {
    let world = World::with(|config| config.allow_origins = vec!["https://app.example".into()]).await;
    let note = world.ben.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Twice."})).await.ok();
    let note = format!("/groups/den/members/dee/notes/{}", note.json()["data"]["id"]);
    world.cy.kick("eve").await.ok();
    let kicked = format!("/groups/den/events/{}/undo", world.head("den").await);
    let back = async |path: &str, method: &str, to: &str, status: u16, code: &str| {
        let answer = world.cy.form(path, &[("_method", method), ("return", to)]).await;
        answer.refused(status, code).attribute(BACK, "href").unwrap()
    };
    let searched = "/groups/den/members?searchKeyword=de&limit=5";
    for to in [searched, "/room/5", "https://app.example/room/5"] {
        assert_eq!(back("/groups/den/members/hal", "DELETE", to, 404, "ERR_NOT_A_MEMBER").await, to);
        assert_eq!(back("/groups/den/members/ben", "DELETE", to, 403, "ERR_GROUP_NO_CLEARANCE").await, to);
    }
    let notes = "/groups/den/members/dee/notes";
    assert_eq!(back(&note, "DELETE", notes, 403, "ERR_GROUP_NO_CLEARANCE").await, notes);
    for evil in ["https://evil.example/", "//evil.example", "javascript:alert(1)"] {
        let list = "/groups/den/members";
        assert_eq!(back("/groups/den/members/hal", "DELETE", evil, 404, "ERR_NOT_A_MEMBER").await, list, "{evil}");
    }
    world.host_adds("den", "eve", "Eve Adams").await;
    assert_eq!(back(&kicked, "POST", searched, 409, "ERR_UNDO_OVERTAKEN").await, searched);
    world.cy.kick("eve").await.ok();
    let kicked = format!("/groups/den/events/{}/undo", world.head("den").await);
    world.clock.advance(31_000);
    assert_eq!(back(&kicked, "POST", searched, 409, "ERR_UNDO_TOO_LATE").await, searched);
}

#[tokio::test]
async fn the_page_of_an_outdated_act_leads_back_to_its_form_as_it_is_now() {
    let world = World::new().await;
    let (member, list) = ("/groups/den/members/dee", "/groups/den/mutes?searchKeyword=dee");
    let field = |page: &Answer, action: &str, name: &str| {
        page.attribute(&format!("form[action^='/groups/den/{action}'] [name={name}]"), "value").unwrap()
    };
    // On Dee's page: back to it, which shows that she is muted.
    let seen = field(&world.cy.page(member).await.ok(), "mutes/dee", "asOf");
    world.ben.mute("dee", json!({"until": 7200})).await.ok();
    let mute = async |to: &str| {
        let fields = [("_method", "PUT"), ("until", "300"), ("asOf", &*seen), ("return", to)];
        let refused = world.cy.form("/groups/den/mutes/dee", &fields).await.refused(409, "ERR_OUTDATED");
        refused.attribute(BACK, "href").unwrap()
    };
    assert_eq!(mute("/groups/den/members").await, format!("{member}?act=mute"));
    let back = mute("/room/5").await;
    assert_eq!(back, format!("{member}?act=mute&return=%2Froom%2F5"));
    let now = field(&world.cy.page(&back).await.ok(), "mutes/dee", "asOf");
    assert_ne!(now, seen, "a second press is meant");
    // In the lists of the muted and of the banned: back to them, with the search.
    let page = world.cy.page(list).await.ok();
    let [seen, to] = ["asOf", "return"].map(|name| field(&page, "mutes/dee", name));
    assert_eq!(to, list);
    world.ben.mute("dee", json!({"until": 3600})).await.ok();
    let fields = [("_method", "DELETE"), ("asOf", &*seen), ("return", &*to)];
    let refused = world.cy.form("/groups/den/mutes/dee", &fields).await.refused(409, "ERR_OUTDATED");
    assert_eq!(refused.attribute(BACK, "href").as_deref(), Some(list));
    let list = "/groups/den/bans?searchKeyword=flo";
    let page = world.cy.page(list).await.ok();
    let [seen, to] = ["asOf", "return"].map(|name| field(&page, "bans/flo", name));
    assert_eq!(to, list);
    world.ben.ban("flo", json!({"reason": "threats"})).await.ok();
    let fields = [("_method", "DELETE"), ("asOf", &*seen), ("return", &*to)];
    let refused = world.cy.form("/groups/den/bans/flo", &fields).await.refused(409, "ERR_OUTDATED");
    assert_eq!(refused.attribute(BACK, "href").as_deref(), Some(list));
}

#[tokio::test]
async fn a_lifted_ban_is_said_where_the_banned_were_searched() {
    let world = World::new().await;
    let list = "/groups/den/bans?searchKeyword=banks&theme=dark";
    let page = world.cy.page(list).await.ok();
    assert_eq!(page.count("form[role~=search] [name=searchKeyword]"), 1, "a search is sent once: {}", page.body);
    let to = page.attribute("form[action*='bans/flo'] [name=return]", "value").unwrap();
    let lifted = world.cy.form("/groups/den/bans/flo", &[("_method", "DELETE"), ("return", &to)]).await;
    let page = world.cy.page(lifted.header("location")).await.ok();
    assert!(page.text("[role=status]").starts_with("Flo Banks may come in again."), "{}", page.body);
    assert_eq!(page.attribute("form[role~=search] [type=search]", "value").as_deref(), Some("banks"));
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
async fn too_many_requests_are_told_when_to_come_back() {
    let world = World::with(|config| config.rate_limit = Some(limit())).await;
    for _ in 0..3 {
        world.dee.get("/groups/den/members").await.ok();
    }
    let answer = world.dee.data("/groups/den/members").await.refused(429, "ERR_TOO_MANY_REQUESTS");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
    world.eve.get("/groups/den/members").await.ok();
}

#[tokio::test]
async fn an_act_that_comes_too_fast_is_refused_where_its_form_stands() {
    let world = World::with(|config| config.rate_limit = Some(limit())).await;
    let kick = async |query: &str| {
        world.ben.htmx_act(&format!("/groups/den/members/dee?{query}"), &[("_method", "DELETE")]).await
    };
    for _ in 0..3 {
        world.ben.get("/groups/den/members").await.ok();
    }
    for (query, place) in [("", "#cgm-den-error"), ("instance=two", "#cgm-den-two-error")] {
        let answer = kick(query).await;
        assert_eq!(answer.status, 429);
        assert_eq!((answer.header("hx-retarget"), answer.header("hx-reswap")), (place, "innerHTML"));
    }
    let answer = world.ben.htmx_act("/groups/den/members/dee?instance=%22", &[("_method", "DELETE")]).await;
    assert_eq!((answer.status.as_u16(), answer.header("hx-retarget")), (429, ""));
}

fn limit() -> chat_group_members::config::RateLimit {
    chat_group_members::config::RateLimit { count: 3.try_into().unwrap(), per: Duration::from_secs(3600) }
}

#[tokio::test]
async fn a_value_that_is_not_allowed_is_named_before_who_is_missing_or_banned() {
    let world = World::new().await;
    for path in [
        "/groups/den/members/nobody?part=dialog&act=x",
        "/groups/den/members/a%20b?part=dialog",
        "/groups/den/members/nobody?format=atom",
        "/groups/den/members/nobody?part=rows",
    ] {
        world.cy.get(path).await.refused(422, "ERR_VALIDATION");
    }
    world.cy.get("/groups/den/members/nobody?part=dialog&act=kick").await.refused(404, "ERR_NOT_A_MEMBER");
    world.flo.get("/groups/park?format=atom").await.refused(422, "ERR_VALIDATION");
    world.flo.get("/groups/park").await.refused(409, "ERR_BANNED_GROUPMEMBER");
    world.flo.get("/groups/den?format=atom").await.refused(404, "ERR_GUID_NOT_FOUND");
}
