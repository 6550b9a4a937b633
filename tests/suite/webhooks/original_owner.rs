//! Another owner, as the original's triggers tell of it: whoever was no member comes in first.

use reqwest::Method;
use serde_json::{Value, json};

use super::ask;
use super::original::{keys, last, original};
use super::receiver::Receiver;

/// A payload in short: the trigger, and whom it is about.
fn words(event: &Value) -> String {
    let data = &event["data"];
    let about = match data["oldOwner"].as_str() {
        Some(old) => format!("{old} → {}", data["group"]["owner"].as_str().unwrap()),
        None => keys(&data["members"]).join(" "),
    };
    format!("{} {about}", event["trigger"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_is_handed_to_somebody_outside_is_told_as_an_addition_and_a_transfer() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    ask(&world, Method::POST, "/v3/users", Some(json!({"uid": "zoe", "name": "Zoe"}))).await.ok();
    let before = receiver.calls().len();
    let hand_to = async |owner: Value| {
        ask(&world, Method::PATCH, "/v3/groups/den/owner", Some(json!({"owner": owner}))).await.ok()
    };

    hand_to(json!("zoe")).await;
    let calls = receiver.has(before + 2).await;
    let events: Vec<String> = calls[before..].iter().map(|call| words(&call.json())).collect();
    assert_eq!(events, ["group_member_added zoe", "group_owner_transferred ada → zoe"]);
    let added = calls[before].json()["data"].clone();
    assert_eq!(
        (&added["by"]["uid"], keys(&added["members"]["zoe"])),
        (&json!("app_system"), vec!["conversationId", "name", "role", "status", "uid"])
    );
    let (id, part) = calls[before].id().rsplit_once('.').expect("each payload has an id of its own");
    assert_eq!((part, calls[before + 1].id()), ("1", format!("{id}.2").as_str()));

    // A member, and the host, do not come in.
    hand_to(json!("ben")).await;
    hand_to(json!(null)).await;
    let calls = receiver.has(before + 4).await;
    let events: Vec<String> = calls[before + 2..].iter().map(|call| words(&call.json())).collect();
    assert_eq!(events, ["group_owner_transferred zoe → ben", "group_owner_transferred ben → app_system"]);
    assert!(calls[before + 2..].iter().all(|call| !call.id().contains('.')), "one payload has the id of the event");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronisation_that_changes_the_owner_is_told_as_a_transfer() {
    const DEN: &str = "/v3/groups/den/members";
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let mut seen = receiver.calls().len();
    let mut sent = async |method: Method, path: &'static str, body: Value, count: usize| {
        ask(&world, method, path, Some(body)).await.ok();
        let calls = receiver.has(seen + count).await;
        let events: Vec<String> = calls[seen..].iter().map(|call| words(&call.json())).collect();
        seen = calls.len();
        events
    };

    let list = json!({"owner": "eve", "admins": ["ada", "ben"], "moderators": ["cy"], "participants": ["dee"]});
    assert_eq!(sent(Method::PUT, DEN, list, 1).await, ["group_owner_transferred ada → eve"]);

    // The transfer makes Eve an admin; the list makes her less.
    let list = json!({"owner": "ben", "admins": ["ada"], "moderators": ["cy"], "participants": ["dee", "eve"]});
    assert_eq!(
        sent(Method::PUT, DEN, list, 2).await,
        ["group_owner_transferred eve → ben", "group_member_scope_changed eve"]
    );
    let eve = last(&receiver.calls())["data"]["members"]["eve"].clone();
    assert_eq!((&eve["oldScope"], &eve["scope"]), (&json!("admin"), &json!("participant")));

    let amy = json!([{"uid": "amy", "name": "Amy"}]);
    let list = json!({"owner": "amy", "members": amy, "admins": ["ada"], "moderators": ["cy"], "participants": ["dee", "eve"]});
    assert_eq!(
        sent(Method::PUT, DEN, list, 3).await,
        ["group_member_added amy", "group_owner_transferred ben → amy", "group_member_kicked ben"]
    );

    assert_eq!(
        sent(Method::PATCH, "/v3/groups/den/owner", json!({"owner": null}), 1).await,
        ["group_owner_transferred amy → app_system"]
    );
    let list = json!({"owner": "dee", "admins": ["ada", "amy"], "moderators": ["cy"], "participants": ["eve"]});
    assert_eq!(sent(Method::PUT, DEN, list, 1).await, ["group_owner_transferred app_system → dee"]);

    // In parts of 500, of which the new owner is in the last.
    let mut people: Vec<Value> =
        (0..600).map(|number| json!({"uid": format!("p{number:03}"), "name": "Somebody"})).collect();
    people.push(json!({"uid": "zoe", "name": "Zoe"}));
    let list = json!({"owner": "zoe", "members": people});
    let parts = sent(Method::PUT, "/v3/groups/den/members?mode=partial", list, 4).await;
    assert_eq!(parts[..2], ["group_member_added zoe", "group_owner_transferred dee → zoe"]);
    assert!(parts[2..].iter().all(|part| part.starts_with("group_member_added p")), "{parts:?}");
    assert_eq!(parts[2..].iter().map(|part| part.split(' ').count() - 1).sum::<usize>(), 600);
}
