//! Who knows of a mute, and what whoever is muted or demoted reads of it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::mutes::{member, named, seconds_until};
use crate::support::{Answer, World};

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
    let message = eve.until("the kick", |message| message.name() == "member_kicked").await;
    assert_eq!(message.seq(), world.head("den").await);
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
        let message = stream.until("the badge", |message| message.has("li[data-uid=dee] [data-muted]")).await;
        assert_eq!(message.seq(), seq, "{name}");
    }
    let message = eve.up_to(seq).await.pop().unwrap();
    assert!(!message.shows("dee") && !message.has("[data-muted], [data-name=member-muted]"), "{message:?}");
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
    let messages = others.up_to(world.head("den").await).await;
    assert!(messages.iter().all(|message| message.name() != "member_muted"), "{messages:?}");
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
    let list = world.dee.get("/groups/den/members").await.ok();
    assert!(!list.text(".chat-group-members__notice").contains("The team says"), "{}", list.body);
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

#[tokio::test]
async fn a_mute_that_is_over_is_told_to_nobody_also_while_its_end_is_not_written() {
    let world = World::new().await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    // The sweep finds nothing to end: only the node's memory knows of the mute.
    world.write_by_hand("DELETE FROM mutes").await;
    let told = async || {
        let list = world.cy.data("/groups/den/members").await.ok().body;
        let one = world.dee.data("/groups/den/members/dee").await.ok().body;
        let file = world.ben.get("/groups/den/members?format=csv").await.ok().body;
        let selected = world.ben.act(Method::POST, "/groups/den/selection", json!({"uid": ["dee"]})).await.ok().body;
        let data = [list, one, file, selected].map(|answer| answer.contains("mutedUntil"));
        (data, world.dee.get("/groups/den/members").await.ok().has(".chat-group-members__notice"))
    };
    assert_eq!(told().await, ([true; 4], true));
    world.clock.advance(61_000);
    assert_eq!(told().await, ([false; 4], false));
}

#[tokio::test]
async fn whoever_is_muted_without_a_word_does_not_read_the_message_about_their_role_as_its_reason() {
    let world = World::new().await;
    world.ada.grant("cy", json!({"scope": "participant", "message": "You were away for long."})).await.ok();
    world.ben.mute("cy", json!({"until": 3600})).await.ok();
    let list = world.cy.get("/groups/den/members").await.ok();
    let notice = list.text(".chat-group-members__notice");
    let [mute, scope] = notice.lines().collect::<Vec<_>>()[..] else { panic!("a line for each: {notice}") };
    assert!(mute.starts_with("You cannot write in this group until") && !mute.contains("The team says"), "{mute}");
    assert!(scope.contains("has another role now. The team says: You were away for long."), "{scope}");
}
