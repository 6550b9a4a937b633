//! Acts, one by one: done, twice, missing, refused; by JSON, htmx and plain forms.

mod bans;
mod failures;
mod fields;
mod forms;
mod htmx;
mod keys;
mod notices;
mod refusals;

use chat_group_members::domain::Scope;
use reqwest::Method;
use serde_json::json;

use crate::support::{self, World};

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
