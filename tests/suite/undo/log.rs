//! What the log keeps of acts and of their undoing: its order in time, whom an event touches, and how they stood.

use chat_group_members::domain::{Act, Cause, Scope};
use chat_group_members::membership::{
    self, ActError, ActRequest, Actor as By, GlobalRequest, StagedSync, SyncMode, SyncTerms,
};
use chat_group_members::store::ExportTable;
use serde_json::{Value, json};

use crate::support::{World, by_host, guid, row, uid};

#[tokio::test]
async fn the_log_keeps_its_order_in_time_when_a_clock_goes_back() {
    let world = World::new().await;
    world.clock.advance(120_000);
    world.cy.kick("dee").await.ok();
    world.clock.advance(-120_000);
    world.cy.kick("eve").await.ok();
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.newest_events(&guid("den"), i64::MAX as u64, 2, None).await.unwrap();
    assert!(events[0].seq > events[1].seq && events[0].at >= events[1].at, "{events:?}");
    assert_eq!(events[0].cause, Some(Cause::Viewer));
}

#[tokio::test]
async fn the_end_of_a_group_touches_everybody_and_says_how_they_stood() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await.ok();
    let (mut screen, mut data) = (world.ben.stream().await, world.ben.events().await);
    membership::delete_group(world.app.store(), by_host("den")).await.unwrap();
    let head = world.head("den").await;
    let event = data.until("the end", |message| message.name() == "group_deleted").await.json();
    assert_eq!((&event["member"], &event["old"], &event["new"]), (&Value::Null, &Value::Null, &Value::Null));
    screen.until("the end", |message| message.has("[data-name=group-deleted]")).await;
    let mut reader = world.app.store().read().await.unwrap();
    let people = reader.people_of_event(&guid("den"), head, "", 100).await.unwrap();
    let standings: Vec<_> = people.iter().map(|person| (person.uid.as_str(), person.old, person.new)).collect();
    assert_eq!(
        standings,
        [
            ("ada", Some(Scope::Owner), None),
            ("ben", Some(Scope::Admin), None),
            ("cy", Some(Scope::Moderator), None),
            ("dee", Some(Scope::Participant), None),
            ("eve", Some(Scope::Moderator), None),
            ("flo", None, None),
        ]
    );
    let feed = reader.feed(&guid("den"), head - 1, 10, None).await.unwrap().unwrap();
    assert!(feed.events[0].people.is_empty(), "of the event itself the host reads nobody, as ever");
    for (name, limit) in [("dee", "mute"), ("eve", "scope"), ("flo", "ban")] {
        let events = reader.exported(ExportTable::Events, &uid(name), &Default::default()).await.unwrap().rows;
        let mut events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
        let last = events.rfind(|event| event["guid"] == "den").unwrap();
        assert_eq!(last["kind"], "group_deleted");
        assert!(last["oldRestrictions"][limit].is_object() && last["newRestrictions"].is_null(), "{name}: {last}");
    }
    drop(reader);
    // Whoever was in it is not, in a group that is made again under the id.
    world.seed("den", chat_group_members::domain::GroupType::Private, [("ada", "Ada", Scope::Owner)]).await;
    assert_eq!(world.ada.sees().await, ["ada"]);
}

#[tokio::test]
async fn a_list_from_the_host_says_how_those_were_limited_whom_it_touches() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await.ok();
    let people = [("ada", Scope::Owner), ("ben", Scope::Admin), ("cy", Scope::Moderator)];
    let list = |more: [(&str, Scope); 2]| {
        people.into_iter().chain(more).map(|(uid, scope)| row(uid, uid, scope, None)).collect()
    };
    let private = chat_group_members::domain::GroupType::Private;
    let touched = async |of: &str| {
        let mut reader = world.app.store().read().await.unwrap();
        let events = reader.exported(ExportTable::Events, &uid(of), &Default::default()).await.unwrap().rows;
        let mut events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
        let last = events.rfind(|event| event["guid"] == "den").unwrap();
        assert_eq!(last["kind"], "members_synced", "{of}");
        (last["oldRestrictions"].clone(), last["newRestrictions"].clone())
    };

    world.sync("den", private, list([("dee", Scope::Moderator), ("eve", Scope::Participant)])).await;
    let (old, new) = touched("dee").await;
    assert_eq!((&old["mute"]["reason"], &old), (&json!("loud"), &new), "no list lifts a mute");
    let (old, new) = touched("eve").await;
    assert!(old["scope"].is_object() && new.is_null(), "the end went with the scope: {old} {new}");
    assert_eq!(touched("ben").await, (Value::Null, Value::Null));

    world.ada.grant("dee", json!({"scope": "admin", "until": 3600})).await.ok();
    let without_dee = people.into_iter().map(|(uid, scope)| row(uid, uid, scope, None));
    let staged = StagedSync::of(world.app.store(), (1..).zip(without_dee).map(Ok::<_, ActError>)).await.unwrap();
    staged.replace(by_host("den"), SyncTerms { mode: SyncMode::Full, version: None }, None).await.unwrap();
    let (old, new) = touched("dee").await;
    assert_eq!((&old["mute"], old["scope"].is_object()), (&new["mute"], true), "whoever is left out, too: {old}");
    assert!(new["mute"].is_object() && new["scope"].is_null(), "{new}");
}

#[tokio::test]
async fn whoever_is_taken_out_as_no_user_any_more_has_no_role_for_a_time_and_is_muted_still() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 3600, "reason": "loud"})).await.ok();
    world.ada.grant("dee", json!({"scope": "moderator", "until": 3600})).await.ok();
    membership::delete_user(world.app.store(), GlobalRequest::by_host(), uid("dee")).await.unwrap();
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.exported(ExportTable::Events, &uid("dee"), &Default::default()).await.unwrap().rows;
    let mut events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
    let last = events.rfind(|event| event["guid"] == "den").unwrap();
    let (old, new) = (&last["oldRestrictions"], &last["newRestrictions"]);
    assert_eq!((&last["kind"], &old["mute"]), (&json!("member_left"), &new["mute"]));
    assert!(old["scope"].is_object() && new["mute"].is_object() && new["scope"].is_null(), "{last}");
}

#[tokio::test]
async fn a_mute_and_a_ban_that_end_at_once_are_taken_back_one_after_the_other() {
    let world = World::new().await;
    world.ada.mute("dee", json!({"until": 60, "reason": "loud"})).await.ok();
    world.ada.ban("dee", json!({"until": 60, "reason": "louder"})).await.ok();
    let mut data = world.ben.events().await;
    world.clock.advance(61_000);
    data.until("the end of both", |message| message.name() == "member_unmuted").await;
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.exported(ExportTable::Events, &uid("dee"), &Default::default()).await.unwrap().rows;
    let events: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    let limits = |kind: &str| {
        let event = events.iter().rfind(|event| event["kind"] == kind).unwrap();
        ["oldRestrictions", "newRestrictions"]
            .map(|at| ["ban", "mute"].map(|limit| event[at][limit]["reason"].as_str().unwrap_or_default().to_owned()))
    };
    assert_eq!(limits("member_unbanned"), [["louder", "loud"], ["", "loud"]]);
    assert_eq!(limits("member_unmuted"), [["", "loud"], ["", ""]]);
}

#[tokio::test]
async fn acts_that_share_a_commit_are_in_the_log_for_the_one_that_undoes_them() {
    let world = World::new().await;
    world.cy.mute("eve", json!({"until": 3600})).await.ok();
    // Another clock goes on, behind the last one.
    world.clock.advance(-60_000);
    let head = world.head("den").await;
    let by_ben = || ActRequest::new(guid("den"), By::Viewer(uid("ben")));
    let kick = |name| membership::act(world.app.store(), by_ben(), uid(name), Act::Kick { message: None });
    let undo = membership::undo(world.app.store(), by_ben(), head + 1, 600_000);
    // All of them wait before the first is begun.
    let (dee, refused, cy, undone) = tokio::join!(kick("dee"), kick("ada"), kick("cy"), undo);
    assert_eq!((dee.unwrap().seq, cy.unwrap().seq, undone.unwrap().1.seq), (head + 1, head + 2, head + 3));
    refused.unwrap_err();
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.events(&guid("den"), head - 1, head + 3, 10).await.unwrap().unwrap();
    let logged: Vec<_> = events.iter().map(|event| (event.seq, event.touched[0].uid.as_str(), event.undoes)).collect();
    let of = |number: u64, name: &'static str| (head + number, name, None);
    assert_eq!(logged, [of(0, "eve"), of(1, "dee"), of(2, "cy"), (head + 3, "dee", Some(head + 1))]);
    assert!(events.is_sorted_by_key(|event| event.at), "the log goes on in time");
}
