//! Who did something, as far as each reader may know: staff read it of everything, other people not of what takes
//! something from somebody.

use reqwest::Method;
use roxmltree::Document;
use serde_json::{Value, json};

use crate::support::sse::Raw;
use crate::support::{Actor, World};

const ATOM: &str = "http://www.w3.org/2005/Atom";
/// A change of a scope in a message of the default stream.
const CHANGE: &str = "li[data-note=event][data-name=member-scope-changed]";

/// The next change of a scope of a stream of data.
async fn next_change(stream: &mut Raw) -> Value {
    stream.until("the change", |message| message.name() == "member_scope_changed").await.json()
}

/// The next change of a scope of the default stream, as the host's page gets it.
async fn next_noted_change(stream: &mut Raw) -> Value {
    let message = stream.until("the change", |message| message.has(CHANGE)).await;
    serde_json::from_str(&message.attribute(CHANGE, "data-detail").unwrap()).unwrap()
}

/// Author and title of the newest entry of the feed.
async fn newest(reader: &Actor) -> [String; 2] {
    let feed = reader.get("/groups/den/members?format=atom&limit=1").await.ok().body;
    let document = Document::parse(&feed).unwrap();
    let named = |name: &'static str| {
        let entry = document.descendants().find(|node| node.has_tag_name((ATOM, "entry"))).unwrap();
        let found = entry.descendants().find(|node| node.has_tag_name((ATOM, name))).unwrap();
        found.text().unwrap_or_default().to_owned()
    };
    [named("name"), named("title")]
}

#[tokio::test]
async fn whoever_is_no_staff_reads_of_a_demotion_and_not_who_did_it() {
    let world = World::new().await;
    let (mut eve, mut ben, mut cy) = (world.eve.events().await, world.ben.events().await, world.cy.events().await);
    let (mut eves_page, mut bens_page) = (world.eve.stream().await, world.ben.stream().await);
    world.ada.grant("cy", json!({"scope": "participant", "message": "Have a rest."})).await.ok();
    let (to_eve, on_eves_page, to_cy) =
        (next_change(&mut eve).await, next_noted_change(&mut eves_page).await, next_change(&mut cy).await);
    for seen in [&to_eve, &on_eves_page, &to_cy] {
        assert_eq!((&seen["old"], &seen["new"]), (&json!("moderator"), &json!("participant")), "{seen}");
        assert_eq!(seen.get("by"), Some(&Value::Null), "{seen}");
    }
    assert_eq!((&to_cy["message"], to_eve.get("message")), (&json!("Have a rest."), None));
    for seen in [next_change(&mut ben).await, next_noted_change(&mut bens_page).await] {
        assert_eq!(seen["by"], json!({"uid": "ada", "name": "Ada Lovelace"}), "{seen}");
    }
    for reader in [&world.eve, &world.cy] {
        assert_eq!(newest(reader).await, ["The team", "The team made Cy Marlowe participant"], "{}", reader.uid);
    }
    assert_eq!(newest(&world.ben).await, ["Ada Lovelace", "Ada Lovelace made Cy Marlowe participant"]);
}

#[tokio::test]
async fn of_a_promotion_and_of_stepping_down_everybody_reads_who_did_it() {
    let world = World::new().await;
    let (mut eve, mut eves_page) = (world.eve.events().await, world.eve.stream().await);
    world.ada.set_scope("dee", "moderator").await.ok();
    for seen in [next_change(&mut eve).await, next_noted_change(&mut eves_page).await] {
        assert_eq!((&seen["new"], &seen["by"]["uid"]), (&json!("moderator"), &json!("ada")), "{seen}");
    }
    assert_eq!(newest(&world.eve).await, ["Ada Lovelace", "Ada Lovelace made Dee Dee moderator"]);
    world.cy.set_scope("cy", "participant").await.ok();
    for seen in [next_change(&mut eve).await, next_noted_change(&mut eves_page).await] {
        assert_eq!((&seen["new"], &seen["by"]["uid"]), (&json!("participant"), &json!("cy")), "{seen}");
    }
    assert_eq!(newest(&world.eve).await, ["Cy Marlowe", "Cy Marlowe made Cy Marlowe participant"]);
}

#[tokio::test]
async fn whoever_is_no_staff_reads_that_a_role_ends_earlier_and_not_who_shortened_it() {
    let world = World::new().await;
    let role = |seconds: u64| json!({"scope": "moderator", "until": seconds});
    world.ada.grant("dee", role(7200)).await.ok();
    let id = world.eve.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].clone();
    let (mut eve, mut ben) = (world.eve.events().await, world.ben.events().await);
    let (mut eves_page, mut bens_page) = (world.eve.stream().await, world.ben.stream().await);
    world.ada.grant("dee", role(3600)).await.ok();
    for seen in [next_change(&mut eve).await, next_noted_change(&mut eves_page).await] {
        assert_eq!((&seen["old"], &seen["new"]), (&json!("moderator"), &json!("moderator")), "{seen}");
        assert_eq!(seen.get("by"), Some(&Value::Null), "{seen}");
    }
    for seen in [next_change(&mut ben).await, next_noted_change(&mut bens_page).await] {
        assert_eq!(seen["by"]["uid"], "ada", "{seen}");
    }
    let missed = [("Last-Event-ID", id.as_str().unwrap())];
    let mut resumed = world.eve.raw("/groups/den/events?format=json", &missed).await;
    let seen = next_change(&mut resumed).await;
    assert_eq!(seen.get("by"), Some(&Value::Null), "{seen}");
    assert_eq!(newest(&world.eve).await, ["The team", "The team made Dee Dee moderator"]);
    assert_eq!(newest(&world.ben).await[0], "Ada Lovelace");
    for longer in [role(10_800), json!({"scope": "moderator"})] {
        world.ada.grant("dee", longer).await.ok();
        for seen in [next_change(&mut eve).await, next_noted_change(&mut eves_page).await] {
            assert_eq!(seen["by"]["uid"], "ada", "{seen}");
        }
        assert_eq!(newest(&world.eve).await[0], "Ada Lovelace");
    }
}

#[tokio::test]
async fn of_a_kick_of_a_ban_and_of_their_undoing_only_staff_read_who_did_it() {
    let world = World::new().await;
    let (mut eve, mut eves_page) = (world.eve.events().await, world.eve.stream().await);
    for (method, path, act) in [(Method::DELETE, "members/dee", "kicked"), (Method::PUT, "bans/dee", "banned")] {
        world.ben.act(method, &format!("/groups/den/{path}"), json!({"message": "Enough."})).await.ok();
        let undo = format!("/groups/den/events/{}/undo", world.head("den").await);
        for happened in [act, "added"] {
            if happened == "added" {
                world.ben.act(Method::POST, &undo, json!({})).await.ok();
            }
            let (name, note) =
                (format!("member_{happened}"), format!("li[data-note=event][data-name=member-{happened}]"));
            let event = eve.until(&name, |message| message.name() == name).await.json();
            assert_eq!((&event["member"]["uid"], event.get("by")), (&json!("dee"), Some(&Value::Null)), "{event}");
            let message = eves_page.until(&name, |message| message.has(&note)).await;
            let noted: Value = serde_json::from_str(&message.attribute(&note, "data-detail").unwrap()).unwrap();
            assert_eq!(noted.get("by"), Some(&Value::Null), "{noted}");
            let [author, title] = newest(&world.eve).await;
            assert!(author == "The team" && !title.contains("Ben"), "{author}: {title}");
            assert_eq!(newest(&world.cy).await[0], "Ben Okri");
        }
    }
}
