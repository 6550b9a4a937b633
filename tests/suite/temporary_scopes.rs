//! Roles for a time: which role comes after them, whoever changes them meanwhile.

use chat_group_members::domain::Scope;
use serde_json::{Value, json};

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
