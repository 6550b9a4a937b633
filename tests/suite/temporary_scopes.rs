//! Roles for a time: which role comes after them, whoever changes them meanwhile.

use chat_group_members::domain::Scope;
use serde_json::{Value, json};

use crate::support::sse::Raw;
use crate::support::{Actor, World, eventually, faults, guid};

const DAY: u64 = 24 * 3600;

/// A member as this viewer reads them as data.
async fn member(viewer: &Actor, uid: &str) -> Value {
    let list = viewer.data("/groups/den/members").await.ok().json();
    list["data"].as_array().unwrap().iter().find(|member| member["uid"] == uid).cloned().unwrap_or_default()
}

/// Whether nothing is to be taken back in two days.
async fn lasts(world: &World) -> bool {
    world.clock.advance(2 * DAY as i64 * 1000);
    !world.app.store().read().await.unwrap().any_ended().await.unwrap()
}

/// The node has read what was written beside it.
async fn caught_up(world: &World) {
    let group = world.app.hub().group(&guid("den")).await.unwrap().unwrap();
    world.app.hub().refresh(&group).await.unwrap();
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
    let world = World::new().await;
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
    let told = screen.until("the other end", |message| message.has("li[data-note=renew]")).await;
    assert!(told.has("section .chat-group-members__notice"), "{told:?}");
    world.ada.set_scope("dee", "moderator").await.ok();
    let told = screen.until("that it lasts", |message| message.has("li[data-note=renew]")).await;
    assert!(!told.has("section .chat-group-members__notice"), "{told:?}");
    let lost = [("last-event-id", "another-epoch.1")];
    world.ada.grant("cy", json!({"scope": "admin", "until": DAY})).await.ok();
    let mut screen = world.cy.raw("/groups/den/events", &lost).await;
    screen.until("the component is fetched anew", |message| message.has("li[data-note=renew]")).await;
}
