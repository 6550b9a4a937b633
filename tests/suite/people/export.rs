//! Everything that is stored about a person.

use reqwest::Method;
use serde_json::{Value, json};

use super::{host, world};
use crate::support::{eventually, uid};

#[tokio::test]
async fn what_is_stored_about_a_person_is_exported_table_by_table() {
    let world = world().await;
    world.cy.request(Method::DELETE, "/groups/park/members/eve").header("idempotency-key", "k1").send().await.unwrap();
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Loud."})).await.ok();
    world.ada.act(Method::POST, "/groups/den/members/cy/notes", json!({"text": "Helpful."})).await.ok();
    world.cy.ban("dee", json!({"reason": "noise"})).await.ok();
    world.ada.set_scope("cy", "participant").await.ok();
    host(&world, Method::DELETE, "/v3/users/cy/auth_tokens", None).await.ok();
    world.app.hub().set_host_presence(&uid("cy"), true);

    let exported = host(&world, Method::GET, "/v3/users/cy/export", None).await.ok().json();
    let data = &exported["data"];
    assert_eq!((&data["uid"], &data["user"]["name"]), (&json!("cy"), &json!("Cy Marlowe")));
    assert_eq!(data["presence"]["status"], "online");
    assert!(data["loggedOutAt"].is_string());
    let guids = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|row| row["guid"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(guids(&data["memberships"]), ["den", "park", "vault"]);
    assert_eq!(
        data["memberships"][0],
        json!({"guid": "den", "scope": "participant", "joinedAt": 1_700_000_000, "scopeUntil": null, "lastingScope": null})
    );
    let ban = &data["bans"][0];
    assert_eq!((&ban["uid"], &ban["reason"], &ban["by"]), (&json!("dee"), &json!("noise"), &json!("cy")));
    let acts: Vec<_> = data["acts"].as_array().unwrap().iter().map(|act| (&act["guid"], &act["kind"])).collect();
    assert_eq!(
        acts,
        [
            (&json!("den"), &json!("note_added")),
            (&json!("den"), &json!("member_banned")),
            (&json!("park"), &json!("member_kicked"))
        ]
    );
    let last = data["events"].as_array().unwrap().iter().rfind(|event| event["guid"] == "den").unwrap();
    assert_eq!(
        (&last["kind"], &last["old"], &last["new"]),
        (&json!("member_scope_changed"), &json!("moderator"), &json!("participant"))
    );
    let notes: Vec<_> = data["notes"].as_array().unwrap().iter().map(|note| (&note["uid"], &note["text"])).collect();
    assert_eq!(notes, [(&json!("cy"), &json!("Helpful.")), (&json!("dee"), &json!("Loud."))], "about them and by them");
    assert_eq!((&data["notes"][0]["by"], &data["notes"][0]["guid"]), (&json!("ada"), &json!("den")));
    assert_eq!(data["idempotencyKeys"][0]["key"], "k1");
    assert_eq!(data["idempotencyKeys"][0]["by"], "cy");

    assert_eq!(data["presenceReport"], json!({"status": "online", "until": null}));
    assert_eq!(data["presenceTold"], Value::Null, "no webhook is told of anybody");
    let report = json!({"status": "away", "ttl": 60});
    host(&world, Method::PUT, "/v3/users/cy/presence", Some(report)).await.ok();
    let reported = host(&world, Method::GET, "/v3/users/cy/export", None).await.ok().json();
    assert_eq!(reported["data"]["presenceReport"]["status"], "away");
    assert!(reported["data"]["presenceReport"]["until"].is_string());

    let banned = host(&world, Method::GET, "/v3/users/flo/export", None).await.ok().json();
    assert_eq!(banned["data"]["bans"][0]["reason"], "spam");
    assert_eq!(banned["data"]["memberships"], json!([]));
    assert_eq!(host(&world, Method::GET, "/v3/users/nobody/export", None).await.status, 404);
    let on_behalf = world.ada.anonymous(Method::GET, "/v3/users/ada/export").header("apikey", crate::v3::KEY);
    assert_eq!(on_behalf.header("onbehalfof", "ada").send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn what_others_keep_about_a_person_is_exported_too() {
    let world = world().await;
    let kick = world.ada.request(Method::DELETE, "/groups/park/members/dee").header("idempotency-key", "k1");
    assert!(kick.send().await.unwrap().status().is_success());
    let put = world.ada.anonymous(Method::PUT, "/v3/groups/park/members").header("apikey", crate::v3::KEY);
    let put = put.header("idempotency-key", "nightly:eve").json(&json!({"participants": ["eve"]}));
    assert_eq!(put.send().await.unwrap().status(), 200);
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let keys = exported["data"]["idempotencyKeys"].as_array().unwrap();
    let told: Vec<_> = keys.iter().map(|key| (&key["guid"], &key["by"], &key["act"])).collect();
    assert_eq!(told, [(&json!("park"), &json!("ada"), &json!("Kick dee"))]);
    let exported = host(&world, Method::GET, "/v3/users/eve/export", None).await.ok().json();
    let keys = exported["data"]["idempotencyKeys"].as_array().unwrap();
    assert_eq!((&keys[0]["key"], &keys[0]["by"]), (&json!("nightly:eve"), &Value::Null));

    // Whoever comes back after they were banned and erased is still banned, and is told so.
    world.ada.ban("dee", json!({"reason": "noise"})).await.ok();
    host(&world, Method::DELETE, "/v3/users/dee", Some(json!({"permanent": true}))).await.ok();
    eventually("they are forgotten", async || {
        host(&world, Method::GET, "/v3/users/dee/export", None).await.status == 404
    })
    .await;
    host(&world, Method::POST, "/v3/users", Some(json!({"uid": "dee", "name": "Dee"}))).await.ok();
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let bans = exported["data"]["bans"].as_array().unwrap();
    assert_eq!((bans.len(), &bans[0]["guid"]), (1, &json!("den")));
}

#[tokio::test]
async fn an_export_of_many_pages_has_every_event_once_and_in_order() {
    let world = world().await;
    for round in 0..600 {
        let scope = if round % 2 == 0 { "moderator" } else { "participant" };
        world.ada.set_scope("dee", scope).await.ok();
    }
    eventually("the log has them", async || world.head("den").await >= 600).await;
    let exported = host(&world, Method::GET, "/v3/users/dee/export", None).await.ok().json();
    let seqs: Vec<u64> = exported["data"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["guid"] == "den" && event["kind"] == "member_scope_changed")
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs.len(), 600);
    assert!(seqs.is_sorted());
    let acts = host(&world, Method::GET, "/v3/users/ada/export", None).await.ok().json();
    assert_eq!(acts["data"]["acts"].as_array().unwrap().len(), 600);
}
