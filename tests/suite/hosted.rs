//! Groups that the host owns itself, as their members see them.

use chat_group_members::domain::{Act, GroupType, Scope};
use chat_group_members::membership;
use serde_json::json;

use crate::support::{World, by_host, uid};

#[tokio::test]
async fn whoever_is_alone_with_their_group_is_offered_to_leave_and_told_what_becomes_of_it() {
    let world = World::new().await;
    world.seed("nook", GroupType::Public, [("ada", "Ada Lovelace", Scope::Owner)]).await;
    let own = "/groups/nook/members/ada";
    let page = world.ada.page(own).await.ok();
    assert!(page.has("[data-action=leave]") && page.body.contains("belongs to the host"), "{}", page.body);
    assert!(world.ada.get(&format!("{own}?part=menu")).await.ok().has("[data-action=leave]:not([aria-disabled=true])"));
    let dialog = world.ada.get(&format!("{own}?part=dialog&act=leave")).await.ok();
    assert!(dialog.body.contains("belongs to the host"), "{}", dialog.body);

    world.gus.act(reqwest::Method::POST, "/groups/nook/members", json!({})).await.ok();
    assert!(!world.ada.page(own).await.ok().has("[data-action=leave]"), "somebody came in");
    world.ada.act(reqwest::Method::DELETE, own, json!({})).await.refused(409, "ERR_OWNER_MUST_TRANSFER");
    let theirs = world.gus.page("/groups/nook/members/gus").await.ok();
    assert!(theirs.has("[data-action=leave]") && !theirs.body.contains("belongs to the host"));
    world.gus.act(reqwest::Method::DELETE, "/groups/nook/members/gus", json!({})).await.ok();

    world.ada.act(reqwest::Method::DELETE, own, json!({})).await.ok();
    assert_eq!(world.members("nook").await, []);
    world.ada.get("/groups/nook/members").await.refused(404, "ERR_GUID_NOT_FOUND");
    world.ada.act(reqwest::Method::POST, "/groups/nook/members", json!({})).await.ok();
    assert_eq!(world.scope("nook", "ada").await, Some(Scope::Participant), "who comes back is a participant");
}

#[tokio::test]
async fn a_group_of_the_hosts_has_no_owner_on_any_face() {
    let world = World::new().await;
    let mut data = world.eve.events().await;
    data.until("ready", |message| message.name() == "ready").await;
    let mut screen = world.ada.stream().await;
    membership::release(world.app.store(), by_host("den")).await.unwrap();

    let event = data.until("the event", |message| message.name() == "owner_transferred").await.json();
    assert_eq!((&event["member"], &event["by"], &event["new"]), (&json!(null), &json!(null), &json!(null)));
    let rights = screen.until("the new rights", |message| message.has(".chat-group-members[data-scope=admin]")).await;
    assert!(rights.shows("ada"), "{rights:?}");
    assert_eq!(world.eve.data("/groups/den").await.ok().json()["data"]["owner"], json!(null));
    let list = world.eve.get("/groups/den/members").await.ok();
    assert_eq!(list.uids(), ["ada", "ben", "cy", "dee", "eve"]);
    assert!(!list.body.contains(">Owner<"), "{}", list.body);
    assert_eq!(world.eve.data("/groups/den/members?scopes=owner").await.ok().json()["meta"]["count"], 0);
    let feed = world.eve.get("/groups/den/members?format=atom").await.ok();
    assert!(!feed.body.contains("app_system") && !feed.body.contains("Ada Lovelace owns"), "{}", feed.body);
    world.ada.transfer("ben").await.refused(403, "ERR_GROUP_NO_CLEARANCE");

    membership::act(world.app.store(), by_host("den"), uid("gus"), Act::Transfer).await.unwrap_err();
    membership::act(world.app.store(), by_host("den"), uid("dee"), Act::Transfer).await.unwrap();
    let event = data.until("the event", |message| message.name() == "owner_transferred").await.json();
    assert_eq!((&event["member"]["uid"], &event["new"]), (&json!("dee"), &json!("owner")));
    assert_eq!(world.eve.data("/groups/den").await.ok().json()["data"]["owner"], "dee");
}
