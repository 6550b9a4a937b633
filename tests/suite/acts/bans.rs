//! Bans: their reasons and ends, the list of the banned, and lifting them.

use reqwest::Method;
use serde_json::{Value, json};

use super::moved;
use crate::support::{Answer, World, texts};

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

/// The uids of a page of bans or mutes, as data or as a page that people see.
fn uids(answer: &Answer) -> Vec<String> {
    if answer.header("content-type").contains("json") {
        let uid = |one: &Value| one["uid"].as_str().unwrap().to_owned();
        return answer.json()["data"].as_array().unwrap().iter().map(uid).collect();
    }
    texts(&answer.html(), ".chat-group-members__ban", Some("data-uid"))
}

#[tokio::test]
async fn nobody_is_skipped_when_bans_and_mutes_end_between_two_pages() {
    let world = World::new().await;
    for number in 0..9 {
        world.host_bans("den", &format!("troll{number}"), None).await;
    }
    // Of one moment: then the uids decide.
    world.write_by_hand("UPDATE bans SET at = 1767225600000 WHERE uid IN ('troll2', 'troll4', 'troll5')").await;
    for search in ["", "&searchKeyword=troll"] {
        let all = uids(&world.ada.data(&format!("/groups/den/bans?limit=100{search}")).await.ok());
        let first = world.ada.data(&format!("/groups/den/bans?limit=3{search}")).await.ok();
        assert_eq!(uids(&first), all[..3]);
        let page = world.ada.page(&format!("/groups/den/bans?limit=3{search}")).await.ok();
        world.ada.unban(&all[1]).await.ok();
        let next = first.json()["meta"]["next"].as_str().unwrap().to_owned();
        let second = world.ada.data(&format!("/groups/den/bans?limit=3{search}&cursor={next}")).await.ok();
        assert_eq!(uids(&second), all[3..6], "{search}");
        assert_eq!(second.json()["meta"]["count"], all.len() - 1, "of the whole list");
        let link = page.attribute(".chat-group-members__next a", "href").unwrap();
        assert_eq!(uids(&world.ada.page(&link).await.ok()), all[3..6], "{link}");
        // The one that the place is named by may be gone as well.
        world.ada.unban(&all[2]).await.ok();
        assert_eq!(uids(&world.ada.page(&link).await.ok()), all[3..6], "{link}");
    }
    for uid in ["cy", "dee", "eve"] {
        world.ada.mute(uid, json!({"until": 3600})).await.ok();
    }
    let all = uids(&world.ada.data("/groups/den/mutes").await.ok());
    let first = world.ada.data("/groups/den/mutes?limit=1").await.ok().json();
    world.ada.unmute(&all[0]).await.ok();
    let path = format!("/groups/den/mutes?limit=2&cursor={}", first["meta"]["next"].as_str().unwrap());
    let last = world.ada.data(&path).await.ok();
    assert_eq!((uids(&last), &last.json()["meta"]["next"]), (all[1..].to_vec(), &Value::Null));
    for uid in &all[1..] {
        world.ada.unmute(uid).await.ok();
    }
    world.ada.mute("dee", json!({"until": 3600})).await.ok();
    let page = world.ada.page(&path).await.ok();
    assert!(!page.has(".chat-group-members__empty"), "somebody is muted: {}", page.body);
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
async fn in_the_list_of_the_banned_a_ban_that_was_replaced_since_is_not_lifted_by_the_first_press() {
    let world = World::new().await;
    world.cy.ban("dee", json!({"reason": "rude"})).await.ok();
    let as_of = async || {
        let page = world.cy.page("/groups/den/bans").await.ok();
        page.attribute("form[action*='bans/dee'] [name=asOf]", "value").unwrap()
    };
    let seen = as_of().await;
    world.ben.ban("dee", json!({"reason": "threats"})).await.ok();
    let lift = async |as_of: &str| {
        let fields = [("_method", "DELETE"), ("asOf", as_of)];
        world.cy.form("/groups/den/bans/dee", &fields).await
    };
    lift(&seen).await.refused(409, "ERR_OUTDATED");
    assert_eq!(lift(&as_of().await).await.status, 303);
}
