//! What is seen as it happens.

mod presence;
mod random_walk;

use std::time::{Duration, Instant};

use chat_group_members::domain::{Act, Name, Scope};
use chat_group_members::membership::{self, ActRequest};
use reqwest::Method;
use serde_json::json;

use crate::support::sse::Message;
use crate::support::{World, by_host, guid, now, token_until, uid};

#[tokio::test]
async fn events_as_data_are_numbered_without_gaps_and_say_who_did_what_to_whom() {
    let world = World::new().await;
    let mut stream = world.ben.raw("/groups/park/events?format=json", &[]).await;
    assert_eq!((stream.status, stream.header("content-type")), (200, "text/event-stream"));
    assert_eq!(stream.header("x-accel-buffering"), "no");
    let ready = stream.next().await.unwrap();
    assert_eq!((ready.name(), &ready.id), ("ready", &None));
    assert_eq!(ready.json()["scope"], "admin");
    let head = world.head("park").await;
    assert!(ready.json()["id"].as_str().unwrap().ends_with(&format!(".{head}")));

    world.gus.join().await.ok();
    let park = |path: &str| format!("/groups/park/{path}");
    world.ada.act(Method::PUT, &park("members/gus/scope"), json!({"scope": "moderator"})).await.ok();
    world.ada.act(Method::PUT, &park("bans/gus"), json!({"reason": "rude"})).await.ok();
    world.ada.act(Method::DELETE, &park("bans/gus"), json!({})).await.ok();
    world.cy.act(Method::DELETE, &park("members/dee"), json!({})).await.ok();
    world.ada.act(Method::PUT, &park("owner"), json!({"uid": "ben"})).await.ok();
    world.eve.act(Method::DELETE, &park("members/eve"), json!({})).await.ok();

    let messages: Vec<Message> =
        stream.up_to(head + 7).await.into_iter().filter(|message| message.id.is_some()).collect();
    assert_eq!(messages.iter().map(Message::seq).collect::<Vec<_>>(), (head + 1..=head + 7).collect::<Vec<_>>());
    let descriptions: Vec<_> = messages
        .iter()
        .map(|message| {
            let data = message.json();
            assert_eq!((&data["group"], data["seq"].as_u64()), (&json!("park"), Some(message.seq())));
            data["at"].as_str().unwrap().parse::<jiff::Timestamp>().expect("RFC 3339");
            let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} by {}: {} → {}",
                message.name(),
                word(&data["member"]["uid"]),
                word(&data["by"]["uid"]),
                word(&data["old"]),
                word(&data["new"])
            )
        })
        .collect();
    let expected = [
        "member_joined gus by gus: - → participant",
        "member_scope_changed gus by ada: participant → moderator",
        "member_banned gus by ada: moderator → -",
        "member_unbanned gus by ada: - → -",
        "member_kicked dee by cy: participant → -",
        "owner_transferred ben by ada: admin → owner",
        "member_left eve by eve: participant → -",
    ];
    assert_eq!(descriptions, expected);
    assert_eq!(messages[2].json()["reason"], "rude");
}

#[tokio::test]
async fn what_is_for_moderators_comes_to_others_as_a_number_only() {
    let world = World::new().await;
    let mut dee = world.dee.events().await;
    let head = world.head("den").await;
    world.cy.ban("eve", json!({"reason": "rude", "until": 60})).await.ok();
    world.cy.unban("eve").await.ok();
    let messages: Vec<Message> = dee.up_to(head + 2).await.into_iter().filter(|message| message.id.is_some()).collect();
    let banned = messages[0].json();
    assert_eq!((messages[0].name(), &banned["member"]["uid"]), ("member_banned", &json!("eve")));
    assert!(banned.get("reason").is_none() && banned.get("until").is_none(), "{banned}");
    assert_eq!((messages[1].seq(), &messages[1].event, &messages[1].data), (head + 2, &None, &None));
    let mut html = world.dee.stream().await;
    world.cy.ban("flo", json!({"reason": "rude again"})).await.ok();
    world.cy.unban("flo").await.ok();
    for message in html.up_to(head + 4).await {
        let data = message.data.unwrap();
        assert!(!data.contains("rude") && !data.contains("unbanned"), "{data}");
    }
}

#[tokio::test]
async fn a_kick_takes_one_row_away_from_everybody_and_the_list_from_the_kicked() {
    let world = World::new().await;
    let (mut eve, mut dee, mut dees_data) =
        (world.eve.stream().await, world.dee.stream().await, world.dee.events().await);
    let head = world.head("den").await;
    world.cy.kick("dee").await.ok();
    let message = eve.up_to(head + 1).await.pop().unwrap();
    assert!(message.misses("dee") && !message.shows("dee"), "{message:?}");
    assert_eq!(message.attribute("li[data-note=count]", "data-count").as_deref(), Some("4"));
    assert!(message.has("p#cgm-den-totals[data-hx-swap-oob]"));
    let event = message.attribute("li[data-note=event][data-name=member-kicked]", "data-detail").unwrap();
    let event: serde_json::Value = serde_json::from_str(&event).unwrap();
    assert_eq!((&event["member"]["name"], &event["by"]), (&json!("Dee Dee"), &json!(null)), "Eve is not told who");

    world.cy.kick("eve").await.ok();
    let last = dee.rest().await.pop().unwrap();
    assert!(last.has("section#cgm-den.chat-group-members--ended[data-live=off][data-hx-swap-oob]"), "{last:?}");
    assert!(!last.has("[data-uid], [data-connect]"), "nothing of the list, and no stream to come back");
    let last = dees_data.rest().await.pop().unwrap();
    assert_eq!((last.name(), &last.json()["reason"]), ("revoked", &json!("kicked")));
}

#[tokio::test]
async fn the_last_message_says_how_membership_ended() {
    let world = World::new().await;
    let actors = [&world.cy, &world.dee, &world.eve, &world.ben];
    for (actor, reason) in actors.into_iter().zip(["left", "kicked", "banned", "deleted"]) {
        let mut stream = actor.events().await;
        match reason {
            "left" => drop(world.cy.leave().await.ok()),
            "kicked" => drop(world.ben.kick("dee").await.ok()),
            "banned" => drop(world.ben.ban("eve", json!({"reason": "rude"})).await.ok()),
            _ => membership::delete_group(world.app.store(), by_host("den")).await.unwrap(),
        }
        let mut messages = stream.rest().await;
        let last = messages.pop().unwrap();
        assert_eq!((last.name(), &last.json()["reason"]), ("revoked", &json!(reason)), "{last:?}");
        assert!(!last.data.unwrap().contains("rude"));
        if reason == "deleted" {
            let event = messages.pop().unwrap();
            let at = event.json()["at"].as_str().map(str::parse::<jiff::Timestamp>);
            assert!(event.name() == "group_deleted" && at.is_some_and(|at| at.is_ok()), "{event:?}");
        }
    }
    world.ada.get("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn what_happens_right_before_the_end_of_a_group_is_told_before_it() {
    let world = World::new().await;
    let (mut eve, mut dee, mut data) = (world.eve.stream().await, world.dee.events().await, world.ben.events().await);
    // This is sent at once, and what happens in the moment after it together.
    world.ada.set_scope("cy", "participant").await.ok();
    let head = world.head("den").await;
    data.up_to(head).await;
    let by = ActRequest::new(guid("den"), membership::Actor::Viewer(uid("ada")));
    let kick = membership::act(world.app.store(), by.clone(), uid("dee"), Act::Kick { message: None });
    let (kicked, ended) = tokio::join!(kick, membership::delete_group(world.app.store(), by));
    assert_eq!(kicked.unwrap().seq, head + 1);
    ended.unwrap();
    let rest: Vec<Message> = data.rest().await.into_iter().filter(|message| message.id.is_some()).collect();
    let told: Vec<_> = rest.iter().map(|message| (message.seq(), message.name())).collect();
    assert_eq!(told, [(head + 1, "member_kicked"), (head + 2, "group_deleted")]);
    let author = json!({"uid": "ada", "name": "Ada Lovelace"});
    assert_eq!(rest[1].json()["by"], author);
    let last = dee.rest().await.pop().unwrap();
    assert_eq!((last.name(), &last.json()["reason"]), ("revoked", &json!("kicked")));
    let screen = eve.rest().await;
    assert!(screen.iter().any(|message| message.has("[data-note=event][data-name=member-kicked]")), "{screen:?}");
    let end = screen.last().unwrap().attribute("[data-note=event][data-name=group-deleted]", "data-detail").unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&end).unwrap()["by"], author);
}

#[tokio::test]
async fn whoever_is_promoted_sees_with_new_rights_at_once() {
    let world = World::new().await;
    let (mut dee, mut eve) = (world.dee.stream().await, world.eve.stream().await);
    dee.next().await;
    world.ada.set_scope("dee", "moderator").await.ok();
    let message = dee.until("the new rights", |message| message.has("li[data-note=renew]")).await;
    let section = "section#cgm-den[data-scope=moderator][data-hx-swap-oob]";
    assert!(message.has(&format!("{section} li[data-uid=eve][data-acts='kick ban scope mute']")), "{message:?}");
    assert!(!message.has(&format!("{section} li[data-uid=dee][data-acts]")));
    let message = eve.until("Dee's new place", |message| message.shows("dee")).await;
    assert_eq!(message.attribute("li[data-uid=dee]", "data-scope").as_deref(), Some("moderator"));
    assert!(!message.has("[data-acts], [data-note=renew]"), "Eve's rights are what they were");
    world.dee.kick("eve").await.ok();
    assert!(dee.until("the kick", |message| message.misses("eve")).await.id.is_some());
}

#[tokio::test]
async fn a_filtered_view_gains_and_loses_people_as_they_change() {
    let world = World::new().await;
    let mut admins = world.dee.raw("/groups/den/events?scopes=owner,admin", &[]).await;
    let mut search = world.dee.raw("/groups/den/events?searchKeyword=zo%C3%AB", &[]).await;
    for stream in [&mut admins, &mut search] {
        stream.next().await;
    }
    world.ada.set_scope("cy", "admin").await.ok();
    let head = world.head("den").await;
    let message = admins.up_to(head).await.pop().unwrap();
    assert!(message.shows("cy"));
    assert_eq!(message.attribute("li[data-note=count]", "data-count").as_deref(), Some("3"));
    assert!(search.up_to(head).await.pop().unwrap().misses("cy"), "absent from that view, said as state");

    membership::put_user(world.app.store(), uid("eve"), Name::parse("Zoe Adams").ok(), None).await.unwrap();
    let message = search.up_to(head + 1).await.pop().unwrap();
    assert!(message.shows("eve"), "{message:?}");
    assert!(admins.up_to(head + 1).await.pop().unwrap().misses("eve"));
    world.ada.set_scope("cy", "participant").await.ok();
    assert!(admins.up_to(head + 2).await.pop().unwrap().misses("cy"));
}

#[tokio::test]
async fn what_happens_between_page_and_stream_is_not_missed() {
    let world = World::new().await;
    let page = world.eve.get("/groups/den/members").await.ok();
    world.cy.kick("dee").await.ok();
    let mut stream = world.eve.raw(&page.attribute("[data-connect]", "data-connect").unwrap(), &[]).await;
    let first = stream.next().await.unwrap();
    assert!(first.misses("dee") && !first.has("[data-note=resync]"), "{first:?}");
    assert_eq!(first.seq(), world.head("den").await);
}

#[tokio::test]
async fn a_reader_that_is_not_ours_understands_the_stream() {
    let world = World::new().await;
    let mut stream = world.cy.foreign("/groups/den/events?format=json").await;
    assert_eq!((stream.status, stream.next().await.unwrap().event.as_str()), (200, "ready"));
    world.host_adds("den", "nl", "Two  Spaces 🦀\u{2028}").await;
    let event = loop {
        let event = stream.next().await.unwrap();
        if event.event != "presence" {
            break event;
        }
    };
    let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
    assert_eq!(
        (event.event.as_str(), &data["member"]["name"], &data["by"]),
        ("member_added", &json!("Two  Spaces 🦀\u{2028}"), &json!(null))
    );
    assert!(event.id.len() <= 64 && event.id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)));
}

#[tokio::test]
async fn a_token_that_ends_ends_the_stream_and_leaves_the_rows() {
    let world = World::new().await;
    let dee = world.bearer(&token_until("dee", now() + 2));
    let (mut html, mut data) = (dee.stream().await, dee.events().await);
    let last = html.rest().await.pop().unwrap();
    assert!(
        last.has("li[data-note=live][data-live=off][data-reason=expired]") && !last.has("[data-gone], section"),
        "{last:?}"
    );
    assert_eq!(last.id, None, "it must not claim an event that was applied and not sent yet");
    assert_eq!(data.rest().await.pop().unwrap().name(), "expired");
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}

#[tokio::test]
async fn whoever_drains_says_bye() {
    let world = World::new().await;
    let (mut html, mut data) = (world.dee.stream().await, world.eve.events().await);
    let app = world.app.clone();
    tokio::spawn(async move { app.drain().await });
    for stream in [&mut html, &mut data] {
        assert_eq!(stream.rest().await.pop().unwrap().name(), "bye");
    }
    assert_eq!(world.dee.get("/readyz").await.status, 503);
    assert_eq!(world.dee.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_ban_that_runs_out_is_lifted_and_told() {
    let world = World::new().await;
    world.cy.ban("dee", json!({"until": 3600})).await.ok();
    let head = world.head("den").await;
    let (mut cy, mut eve) = (world.cy.events().await, world.eve.events().await);
    world.clock.advance(3_601_000);
    let message = cy.until("the end of the ban", |message| message.name() == "member_unbanned").await;
    assert_eq!(
        (message.seq(), &message.json()["member"]["uid"], &message.json()["by"]),
        (head + 1, &json!("dee"), &json!(null))
    );
    let silent = eve.up_to(head + 1).await.pop().unwrap();
    assert_eq!((silent.seq(), silent.data), (head + 1, None));
    assert_eq!(world.cy.data("/groups/den/bans").await.ok().json()["meta"]["count"], 1, "Flo only");
}

#[tokio::test]
async fn a_page_that_was_made_for_somebody_else_is_told_to_look_again_when_its_stream_begins() {
    let world = World::new().await;
    let page = world.ben.page("/groups/den/members").await;
    let connect = page.attribute("[data-connect]", "data-connect").unwrap();
    for (whose, is_told) in [("dee", false), ("ben", true)] {
        let mut stream = world.dee.raw(&format!("{connect}&self={whose}"), &[]).await;
        let first = stream.next().await.unwrap();
        assert_eq!(first.has("[data-note=renew]"), is_told, "made for {whose}, looked at by Dee");
    }
}

#[tokio::test]
async fn a_group_whose_log_cannot_be_read_is_out_of_date_alone() {
    let world = World::new().await;
    let mut den = world.ben.stream().await;
    let mut park = world.ben.raw("/groups/park/events?format=json", &[]).await;
    park.until("ready", |message| message.name() == "ready").await;
    // As another process would write it that is out of its mind.
    world
        .write_by_hand(&format!(
            "UPDATE groups SET seq = seq + 1 WHERE guid = 'den';
             INSERT INTO events (guid, seq, kind, at) SELECT guid, seq, 'member_updated', {} FROM groups WHERE guid = 'den';
             INSERT INTO touched (guid, seq, uid) SELECT guid, seq, 'd?' FROM groups WHERE guid = 'den'",
            world.clock.now()
        ))
        .await;
    den.until("that it is out of date", |message| message.has("[data-note=live][data-live=reconnecting]")).await;
    // Longer than a node takes itself for up to date without a poll that succeeds.
    let begun = Instant::now();
    for scope in ["moderator", "participant"].into_iter().cycle() {
        world.ada.act(Method::PUT, "/groups/park/members/dee/scope", json!({"scope": scope})).await.ok();
        park.until("the change", |message| message.name() == "member_scope_changed").await;
        if begun.elapsed() > Duration::from_secs(5) {
            break;
        }
    }
}
